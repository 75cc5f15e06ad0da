/**
 * When an image accepts an upload, when its parts form an image, and which bytes a range covers. Rights and the bytes
 * themselves are handled elsewhere.
 */
import type { ImageLayout, ImageProblem } from '@bourse/api/images/image-format.rules.ts'
import { imageBytesMax, partBytesMin } from '@bourse/api/images/image-parts.rules.ts'
import {
  type ImageAction,
  type ImageState,
  imageStates,
  isImageActionAllowed,
} from '@bourse/api/images/image-states.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { RefusalData } from '../core/base/refusal.ts'

/** The upload of an image, without its parts. */
export type UploadRow = {
  image_id: Id<'image'>
  /** Its name in the object store. */
  upload: string | null
  part_url_at: number
  /** When the parts were last listed from the object store. */
  parts_seen_at: number
}

/** An uploaded part. */
export type PartRow = {
  part_id: number
  file: string
  size_bytes: number
  etag: string
  uploaded_at: number
}

/** Refuses an upload or a download that the state of an image does not allow: `invalid_state`. */
export function refuseInState(
  state: ImageState,
  action: Extract<ImageAction, 'upload' | 'download'>,
): RefusalData | undefined {
  if (isImageActionAllowed(action, state)) return undefined
  const what = { upload: 'Nothing can be uploaded to an image', download: 'An image cannot be downloaded' }[action]
  return { code: 'invalid_state', message: `${what} in the state ${state}. ${imageStates[state].meaning}` }
}

/**
 * Refuses parts, sorted by number, that form no image: `parts_missing`, `part_too_small` (S3 requires 5 MiB of all
 * parts except the last) or `image_too_large`.
 */
export function refuseParts(
  parts: readonly { readonly part_id: number; readonly size_bytes: number }[],
): RefusalData | undefined {
  const hole = parts.findIndex(({ part_id }, index) => part_id !== index + 1)
  const missing = parts.length === 0 ? 1 : hole < 0 ? undefined : hole + 1
  if (missing !== undefined) return { code: 'parts_missing', message: `Part ${missing} is missing.` }
  const small = parts.slice(0, -1).find(({ size_bytes }) => size_bytes < partBytesMin)
  if (small) {
    const sizes = `Part ${small.part_id} has ${small.size_bytes} bytes.`
    const message = `${sizes} All parts except the last need at least ${partBytesMin}.`
    return { code: 'part_too_small', message }
  }
  const sizeBytes = sizeOf(parts)
  if (sizeBytes <= imageBytesMax) return undefined
  const message = `The parts have ${sizeBytes} bytes; an image has at most ${imageBytesMax}.`
  return { code: 'image_too_large', message }
}

/** What the bytes of these parts are. */
export type Inspected = { readonly mark: string; readonly found: ImageLayout | ImageProblem }

/** What is known of the disk in an image. */
type ImageFacts = Pick<ImageLayout, 'format' | 'virtual_size_bytes'>

/**
 * The format of an image with these parts. Refuses parts that were not inspected (`invalid_state`), bytes that are no
 * image unless the caller accepts that (`image_format_unknown`), and bytes that would harm a host (`image_refused`).
 */
export function chooseFormat(
  inspected: Inspected | undefined,
  parts: readonly PartRow[],
  acceptsUnknown: boolean,
): ImageFacts | RefusalData {
  if (inspected?.mark !== markOf(parts)) {
    return { code: 'invalid_state', message: 'Parts of this image are still being uploaded.' }
  }
  const { found } = inspected
  if ('format' in found) return { format: found.format, virtual_size_bytes: found.virtual_size_bytes }
  if (found.code === 'image_refused') return found
  if (acceptsUnknown) return { format: 'raw', virtual_size_bytes: sizeOf(parts) }
  const field = 'accept_unknown_format'
  return { ...found, field, message: `${found.message} To use it as a raw disk all the same, send ${field}.` }
}

/** Tells one set of parts from another with the same numbers. */
export function markOf(parts: readonly Pick<PartRow, 'file' | 'etag'>[]): string {
  return parts.map(({ file, etag }) => `${file} ${etag}`).join()
}

/** The total size of some parts. */
export function sizeOf(parts: readonly { readonly size_bytes: number }[]): number {
  return parts.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
}

/**
 * The bytes that a `Range` header requests. Undefined if it is ignored: several ranges, other units, or a range beyond
 * the end. RFC 9110 allows a server to send the whole then.
 */
export function readRange(
  header: string | undefined,
  sizeBytes: number,
): { start: number; length: number } | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? sizeBytes : Math.min(sizeBytes, Number(to) + 1)
  return start < end ? { start, length: end - start } : undefined
}
