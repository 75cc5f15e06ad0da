/**
 * What an image holds in the store, and in the limit of its account. Rows come first and go first: bytes that no row
 * names belong to nobody, and whoever finds them may remove them.
 */
import { UPLOAD_LIFE_SECONDS } from '@bourse/api/images/image-uploads.ts'
import type { BlobStore } from '../core/blobs/blob-store.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { returnLimit } from '../iam/accounts/limits.service.ts'
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

/** Kind of the deadlines of uploads; the key is the image's id. */
export const uploadExpiry = 'images.upload_expiry'

/** Bytes that nobody owns any more. */
export type Leftovers = {
  readonly image_id: string
  readonly files?: readonly string[]
  readonly upload?: string | null
}

/** Writes down that an upload may begin; a failed one has no time left. */
export async function beginUpload(ctx: Ctx, { id, state }: Pick<ImageRow, 'id' | 'state'>): Promise<void> {
  if (state === 'failed') return
  await putUpload(ctx, { image_id: id, upload: null, part_url_at: ctx.now, parts_seen_at: 0 })
  ctx.due(uploadExpiry, id, ctx.now + UPLOAD_LIFE_SECONDS)
}

/** Forgets the bytes of an image that is deleted or has failed. Needs the image's lock. */
export async function forgetUpload(ctx: Ctx, { id, account_id }: Pick<ImageRow, 'id' | 'account_id'>): Promise<void> {
  const known = await findUpload(ctx, id)
  if (!known) return
  const parts = await removeParts(ctx.db, id)
  await Promise.all([removeUpload(ctx.db, id), returnLimit(ctx, account_id, 'image_bytes', sizeOf(parts))])
  ctx.clearDue(uploadExpiry, id)
  letGo(ctx, { image_id: id, files: parts.map(({ file }) => file), upload: known.upload })
}

/** What is known of an image's upload; undefined for one that was made complete without any. */
export function findUpload(ctx: Ctx, image_id: string): Promise<UploadRow | undefined> {
  return findRow(ctx.db, image_id)
}

/** Writes down what is known of an image's upload. Needs the image's lock. */
export function putUpload(ctx: Ctx, row: UploadRow): Promise<void> {
  return putRow(ctx.db, row)
}

/** The parts of an image that have arrived, by their numbers. */
export function listParts(ctx: Ctx, image_id: string): Promise<PartRow[]> {
  return listRows(ctx.db, image_id)
}

/** Writes down other parts of an image than before; gives how many bytes more they have. Needs the image's lock. */
export async function replaceParts(ctx: Ctx, image_id: string, parts: readonly PartRow[]): Promise<number> {
  const former = await removeParts(ctx.db, image_id)
  await insertParts(ctx.db, image_id, parts)
  return sizeOf(parts) - sizeOf(former)
}

/**
 * Forgets what is still arriving, of one part or of the whole image, and gives back what it took of the limit. Needs
 * the image's lock.
 */
export async function dropArriving(
  ctx: Ctx,
  { id, account_id }: Pick<ImageRow, 'id' | 'account_id'>,
  part_id: number | null,
): Promise<void> {
  const dropped = await removeArriving(ctx.db, id, part_id)
  await returnLimit(ctx, account_id, 'image_bytes', sizeOf(dropped))
  letGo(ctx, { image_id: id, files: dropped.map(({ file }) => file) })
}

/** Lets bytes go once it is committed that no row names them. What stays behind in a crash, the sweep finds. */
export function letGo(ctx: Ctx, leftovers: Leftovers): void {
  ctx.onEnd((isCommitted) => {
    if (!isCommitted) return
    removeBytes(ctx.blobs, leftovers).catch((error) => {
      ctx.log.warn(
        { image_id: leftovers.image_id, err: error },
        'Bytes of an image stayed behind; the sweep removes them.',
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
