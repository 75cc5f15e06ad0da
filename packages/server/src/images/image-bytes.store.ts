import { type Db, statement } from '../core/db/db.ts'
import type { PartRow, UploadRow } from './image-uploads.rules.ts'

const selectUpload = statement<UploadRow>(
  'images.find_upload',
  `select image_id, upload, part_url_at, parts_seen_at
   from image_uploads
   where image_id = $1`,
)
const upsertUpload = statement<never>(
  'images.put_upload',
  `insert into image_uploads (image_id, upload, part_url_at, parts_seen_at)
   values ($1, $2, $3, $4)
   on conflict (image_id) do update set upload = excluded.upload, part_url_at = excluded.part_url_at,
     parts_seen_at = excluded.parts_seen_at`,
)
const removeUploadRow = statement<never>(
  'images.remove_upload',
  `delete from image_uploads
   where image_id = $1`,
)

const selectParts = statement<PartRow>(
  'images.list_parts',
  `select part_id, file, size_bytes, etag, uploaded_at
   from image_parts
   where image_id = $1 and etag is not null
   order by part_id`,
)
const removeArrivals = statement<{ size_bytes: number; file: string }>(
  'images.remove_arrivals',
  `delete from image_parts
   where image_id = $1
     and etag is null
     and ($2::integer is null or part_id = $2)
   returning file, size_bytes`,
)
const removeAll = statement<{ size_bytes: number; file: string }>(
  'images.remove_parts',
  `delete from image_parts
   where image_id = $1
   returning file, size_bytes`,
)
const insertAll = statement<never>(
  'images.insert_parts',
  `insert into image_parts (image_id, part_id, file, size_bytes, etag, uploaded_at)
   select $1, p.part_id, p.file, p.size_bytes, p.etag, p.uploaded_at
   from jsonb_to_recordset($2::jsonb) as p(part_id integer, file text, size_bytes bigint, etag text,
     uploaded_at bigint)`,
)

export function findUpload(db: Db, imageId: string): Promise<UploadRow | undefined> {
  return db.row(selectUpload, [imageId])
}

export async function putUpload(db: Db, row: UploadRow): Promise<void> {
  await db.run(upsertUpload, [row.image_id, row.upload, row.part_url_at, row.parts_seen_at])
}

export async function removeUpload(db: Db, imageId: string): Promise<void> {
  await db.run(removeUploadRow, [imageId])
}

/** The uploaded parts, by number. */
export function listParts(db: Db, imageId: string): Promise<PartRow[]> {
  return db.rows(selectParts, [imageId])
}

/** Removes the parts that are still arriving, by number or all of them. Returns what was removed. */
export function removeArriving(
  db: Db,
  imageId: string,
  partId: number | null,
): Promise<{ file: string; size_bytes: number }[]> {
  return db.rows(removeArrivals, [imageId, partId])
}

/** Removes all parts of an image, uploaded or still arriving. Returns what was removed. */
export function removeParts(db: Db, imageId: string): Promise<{ file: string; size_bytes: number }[]> {
  return db.rows(removeAll, [imageId])
}

export async function insertParts(db: Db, imageId: string, parts: readonly PartRow[]): Promise<void> {
  if (parts.length > 0) await db.run(insertAll, [imageId, JSON.stringify(parts)])
}
