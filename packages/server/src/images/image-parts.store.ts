import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../core/db/db.ts'

/** What is known of an image's upload besides its parts. */
export type UploadRow = {
  image_id: Id<'image'>
  /** The object store's own name of it. */
  upload: string | null
  part_url_at: number
  /** When the object store was last asked for the parts. */
  parts_seen_at: number
}

/** A part that has arrived. */
export type PartRow = {
  part_id: number
  file: string
  size_bytes: number
  etag: string
  uploaded_at: number
}

/** A part that is arriving. */
export type Arrival = {
  readonly image_id: Id<'image'>
  readonly part_id: number
  readonly file: string
  readonly size_bytes: number
}

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
const insertArrivalRow = statement<never>(
  'images.insert_arrival',
  `insert into image_parts (image_id, part_id, file, size_bytes, uploaded_at)
   values ($1, $2, $3, $4, $5)`,
)
const selectArrival = statement<{ part_id: number; size_bytes: number }>(
  'images.find_arrival',
  `select part_id, size_bytes
   from image_parts
   where image_id = $1 and file = $2 and etag is null`,
)
const removeArrivals = statement<{ size_bytes: number; file: string }>(
  'images.remove_arrivals',
  `delete from image_parts
   where image_id = $1
     and etag is null
     and ($2::integer is null or part_id = $2)
   returning file, size_bytes`,
)
const removePart = statement<{ size_bytes: number; file: string }>(
  'images.remove_arrived_part',
  `delete from image_parts
   where image_id = $1 and etag is not null and part_id = $2
   returning file, size_bytes`,
)
const arrive = statement<never>(
  'images.part_arrived',
  `update image_parts
   set etag = $3, uploaded_at = $4
   where image_id = $1 and file = $2`,
)
const removeFile = statement<{ size_bytes: number }>(
  'images.remove_arrival',
  `delete from image_parts
   where image_id = $1 and file = $2 and etag is null
   returning size_bytes`,
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
const selectFiles = statement<{ image_id: string; file: string }>(
  'images.list_files',
  `select image_id, file
   from image_parts
   where image_id = any($1)`,
)
const selectUploads = statement<{ image_id: string; upload: string | null; state: string }>(
  'images.list_uploads',
  `select i.id as image_id, u.upload, i.state
   from images i
   join image_uploads u on u.image_id = i.id
   where i.id = any($1) and i.deleted_at is null`,
)

export function findUpload(db: Db, image_id: string): Promise<UploadRow | undefined> {
  return db.row(selectUpload, [image_id])
}

export async function putUpload(db: Db, row: UploadRow): Promise<void> {
  await db.run(upsertUpload, [row.image_id, row.upload, row.part_url_at, row.parts_seen_at])
}

export async function removeUpload(db: Db, image_id: string): Promise<void> {
  await db.run(removeUploadRow, [image_id])
}

/** The parts that have arrived, by their numbers. */
export function listParts(db: Db, image_id: string): Promise<PartRow[]> {
  return db.rows(selectParts, [image_id])
}

export async function insertArrival(db: Db, arrival: Arrival, now: number): Promise<void> {
  const { image_id, part_id, file, size_bytes } = arrival
  await db.run(insertArrivalRow, [image_id, part_id, file, size_bytes, now])
}

export function findArrival(
  db: Db,
  { image_id, file }: Pick<Arrival, 'image_id' | 'file'>,
): Promise<{ part_id: number; size_bytes: number } | undefined> {
  return db.row(selectArrival, [image_id, file])
}

/** Forgets what is arriving: of one part, or of the whole image. Gives what it was. */
export function removeArriving(
  db: Db,
  image_id: string,
  part_id: number | null,
): Promise<{ file: string; size_bytes: number }[]> {
  return db.rows(removeArrivals, [image_id, part_id])
}

/** Forgets one arrival, if it is one still. */
export function removeArrival(
  db: Db,
  { image_id, file }: Pick<Arrival, 'image_id' | 'file'>,
): Promise<{ size_bytes: number } | undefined> {
  return db.row(removeFile, [image_id, file])
}

/** Lets a part have arrived, in the place of an older one; gives what that was. */
export async function replacePart(
  db: Db,
  { image_id, part_id, file }: Arrival,
  etag: string,
  now: number,
): Promise<{ file: string; size_bytes: number } | undefined> {
  const former = await db.row(removePart, [image_id, part_id])
  await db.run(arrive, [image_id, file, etag, now])
  return former
}

/** Forgets all parts of an image, arrived or not; gives what they were. */
export function removeParts(db: Db, image_id: string): Promise<{ file: string; size_bytes: number }[]> {
  return db.rows(removeAll, [image_id])
}

export async function insertParts(db: Db, image_id: string, parts: readonly PartRow[]): Promise<void> {
  if (parts.length > 0) await db.run(insertAll, [image_id, JSON.stringify(parts)])
}

/** The files that rows refer to, of some images. */
export function listFiles(db: Db, image_ids: readonly string[]): Promise<{ image_id: string; file: string }[]> {
  return db.rows(selectFiles, [image_ids])
}

/** The uploads of some images that are not deleted. */
export function listUploads(
  db: Db,
  image_ids: readonly string[],
): Promise<{ image_id: string; upload: string | null; state: string }[]> {
  return db.rows(selectUploads, [image_ids])
}
