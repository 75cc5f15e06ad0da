import { type Db, statement } from '../core/db/db.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { defineLock, defineRowLock } from '../core/work/locks.ts'
import { type ListFilters, newestFirst, type Page, type PageQuery, readPage } from '../core/work/page.ts'
import type { ImageRow } from './images.rules.ts'

const columns = `i.id, i.account_id, i.workspace_id, i.is_public, i.state, i.failure_reason, i.sha256, i.size_bytes,
  i.format, i.virtual_size_bytes, i.deprecated_at, i.deprecation_message, i.revoked_at, i.created_at`

const selectImage = statement<ImageRow>(
  'images.find',
  `select ${columns}
   from images i
   where i.id = $1 and i.deleted_at is null`,
)
const insertRow = statement<never>(
  'images.insert',
  `insert into images (id, account_id, workspace_id, is_public, state, failure_reason, sha256, size_bytes, format,
     virtual_size_bytes, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
)
const updateRow = statement<never>(
  'images.update',
  `update images
   set is_public = $2, state = $3, deprecated_at = $4, deprecation_message = $5, revoked_at = $6, sha256 = $7,
     size_bytes = $8, failure_reason = $9, format = $10, virtual_size_bytes = $11
   where id = $1`,
)
const removeRow = statement<never>(
  'images.remove',
  `update images
   set deleted_at = $2
   where id = $1`,
)

/** Taken to change, revoke or remove an image. */
export const imageLock = defineLock(
  'image',
  'parents',
  `select id
   from images
   where id = any($1) and deleted_at is null
   order by id
   for update`,
)

/** Taken to rely on an image that can be launched. */
export const launchableImageLock = defineRowLock<ImageRow>(
  'image.launchable',
  'parents',
  `select ${columns}
   from images i
   where i.id = any($1)
     and i.deleted_at is null
     and i.state = 'completed'
   order by i.id
   for key share`,
)

/** An image of any account that is not deleted. */
export function findImage(db: Db, id: string): Promise<ImageRow | undefined> {
  return db.row(selectImage, [id])
}

export async function insertImage(db: Db, row: ImageRow): Promise<void> {
  const { id, account_id, workspace_id, is_public, state, failure_reason, created_at } = row
  const place = [id, account_id, workspace_id, is_public]
  const content = [row.sha256, row.size_bytes, row.format, row.virtual_size_bytes]
  await db.run(insertRow, [...place, state, failure_reason, ...content, created_at])
}

export async function updateImage(db: Db, row: ImageRow): Promise<void> {
  await db.run(updateRow, [
    row.id,
    row.is_public,
    row.state,
    row.deprecated_at,
    row.deprecation_message,
    row.revoked_at,
    row.sha256,
    row.size_bytes,
    row.failure_reason,
    row.format,
    row.virtual_size_bytes,
  ])
}

export async function removeImage(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(removeRow, [id, ctx.now])
}

/** A page of the images that match `where`. */
export function listImages(ctx: Ctx, query: PageQuery, list: ListFilters): Promise<Page<ImageRow>> {
  list.where.add('i.deleted_at is null')
  const select = `select ${columns}
     from images i`
  return readPage<ImageRow>(ctx, { prefix: 'imagec', query, select, ...list, sort: newestFirst('i') })
}
