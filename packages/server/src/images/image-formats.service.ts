/**
 * Inspects the bytes of an upload before its image is completed. The bytes are read outside of the transaction that
 * completes the image, which then checks that they are still the same.
 */
import { imageHeadBytes, inspectImage } from '@bourse/api/images/image-format.rules.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { FileStore } from '../core/blobs/file-store.ts'
import { headOf } from '../core/blobs/head.ts'
import type { Runtime } from '../core/work/runtime.ts'
import { type Inspected, markOf, type PartRow, sizeOf } from './image-uploads.rules.ts'

/** Reads the first bytes of an upload. Undefined if a part has been replaced meanwhile. */
export async function inspectUpload(
  { blobs }: Runtime,
  { id: image_id, parts }: { readonly id: Id<'image'>; readonly parts: readonly PartRow[] },
): Promise<Inspected | undefined> {
  const read = blobs.kind === 'objects' ? blobs.readHead(image_id, imageHeadBytes) : readFiles(blobs, image_id, parts)
  const head = await read
  return head && { mark: markOf(parts), found: inspectImage(head, sizeOf(parts)) }
}

async function readFiles(
  files: FileStore,
  image_id: string,
  parts: readonly PartRow[],
): Promise<Uint8Array | undefined> {
  const stored = parts.map(({ file, size_bytes }) => ({ image_id, file, size_bytes }))
  const length = Math.min(imageHeadBytes, sizeOf(parts))
  try {
    return await headOf(files.read(stored, { start: 0, length }), length)
  } catch (error) {
    // The file of a part is removed when the part is sent again.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
