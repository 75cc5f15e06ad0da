/**
 * The bytes of images in the store and in the limits of accounts. A row is written before its bytes and removed before
 * them. Bytes that no row refers to can therefore be removed at any time.
 */
import { uploadLifeSeconds } from '@bourse/api/images/image-uploads.ts'
import type { BlobStore } from '../core/blobs/blob-store.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { returnLimit } from '../iam/names/limit-usage.service.ts'
import {
  findUpload as findRow,
  insertParts,
  listParts as listRows,
  putUpload as putRow,
  removeArriving,
  removeParts,
  removeUpload,
} from './image-bytes.store.ts'
import { type PartRow, sizeOf, type UploadRow } from './image-uploads.rules.ts'
import type { ImageRow } from './images.rules.ts'

/** Kind of the due rows that end uploads. The key is the id of the image. */
export const uploadExpiry = 'images.upload_expiry'

/** Bytes to which no row refers any more. */
type Leftovers = {
  readonly image_id: string
  readonly files?: readonly string[]
  readonly upload?: string | null
}

/** Records that an upload may begin. A failed one gets no deadline. */
export async function beginUpload(ctx: Ctx, { id, state }: Pick<ImageRow, 'id' | 'state'>): Promise<void> {
  if (state === 'failed') return
  await putUpload(ctx, { image_id: id, upload: null, part_url_at: ctx.now, parts_seen_at: 0 })
  ctx.schedule(uploadExpiry, id, ctx.now + uploadLifeSeconds)
}

/** Releases the bytes of an image that is deleted or has failed. The image is locked. */
export async function forgetUpload(ctx: Ctx, { id, account_id }: Pick<ImageRow, 'id' | 'account_id'>): Promise<void> {
  const known = await findUpload(ctx, id)
  if (!known) return
  const parts = await removeParts(ctx.db, id)
  await Promise.all([removeUpload(ctx.db, id), returnLimit(ctx, account_id, 'image_bytes', sizeOf(parts))])
  ctx.unschedule(uploadExpiry, id)
  removeAfterCommit(ctx, { image_id: id, files: parts.map(({ file }) => file), upload: known.upload })
}

/** The upload of an image; undefined if the image was created complete, without an upload. */
export function findUpload(ctx: Ctx, image_id: string): Promise<UploadRow | undefined> {
  return findRow(ctx.db, image_id)
}

/** Writes the upload of a locked image. */
export function putUpload(ctx: Ctx, row: UploadRow): Promise<void> {
  return putRow(ctx.db, row)
}

/** The uploaded parts of an image, by number. */
export function listParts(ctx: Ctx, image_id: string): Promise<PartRow[]> {
  return listRows(ctx.db, image_id)
}

/** Replaces all parts of a locked image. Returns how many bytes were added. */
export async function replaceParts(ctx: Ctx, image_id: string, parts: readonly PartRow[]): Promise<number> {
  const former = await removeParts(ctx.db, image_id)
  await insertParts(ctx.db, image_id, parts)
  return sizeOf(parts) - sizeOf(former)
}

/**
 * Removes the parts that are still arriving, by number or all of them, and returns their bytes to the limit. The image
 * is locked.
 */
export async function dropArriving(
  ctx: Ctx,
  { id, account_id }: Pick<ImageRow, 'id' | 'account_id'>,
  partId: number | null,
): Promise<void> {
  const dropped = await removeArriving(ctx.db, id, partId)
  await returnLimit(ctx, account_id, 'image_bytes', sizeOf(dropped))
  removeAfterCommit(ctx, { image_id: id, files: dropped.map(({ file }) => file) })
}

/** Removes bytes after the transaction that removes their rows commits. The sweep finds what a crash leaves. */
export function removeAfterCommit(ctx: Ctx, leftovers: Leftovers): void {
  ctx.onFinish((isCommitted) => {
    if (!isCommitted) return
    removeBytes(ctx.blobs, leftovers).catch((error) => {
      ctx.log.warn(
        { image_id: leftovers.image_id, err: error },
        'Bytes of an image could not be removed; the sweep removes them.',
      )
    })
  })
}

async function removeBytes(blobs: BlobStore, { image_id, files = [], upload }: Leftovers): Promise<void> {
  if (blobs.kind === 'files') {
    for (const file of files) await blobs.remove({ image_id, file })
    await blobs.tidyUp(image_id)
  } else if (upload) {
    await blobs.abort({ image_id, upload })
    await blobs.removeObject(image_id)
  }
}
