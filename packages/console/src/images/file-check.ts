/** What a chosen file is, before any byte of it is sent: the same rules as in the command line and the server. */
import {
  type ImageLayout,
  type ImageProblem,
  imageHeadBytes,
  inspectImage,
} from '@bourse/api/images/image-format.rules.ts'
import { isPartsProblem } from '@bourse/api/images/image-parts.rules.ts'
import { planUpload } from './upload.rules.ts'

/** An image, or why the file is none. Files of a wrong size are refused too. */
export async function checkFile(file: File): Promise<ImageLayout | ImageProblem> {
  const parts = planUpload(file.size, [])
  if (isPartsProblem(parts)) {
    return { code: 'image_refused', message: `${parts.message} ${parts.remedy ?? ''}`.trim() }
  }
  const head = await file.slice(0, imageHeadBytes).arrayBuffer()
  const found = inspectImage(new Uint8Array(head), file.size)
  return 'format' in found ? found : { ...found, message: found.message.replaceAll('<file>', file.name) }
}
