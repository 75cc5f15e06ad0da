import { type Db, statement } from '../core/db/db.ts'

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

/** The files of some images to which rows refer. */
export function listFiles(db: Db, imageIds: readonly string[]): Promise<{ image_id: string; file: string }[]> {
  return db.rows(selectFiles, [imageIds])
}

/** The uploads of some images that are not deleted. */
export function listUploads(
  db: Db,
  imageIds: readonly string[],
): Promise<{ image_id: string; upload: string | null; state: string }[]> {
  return db.rows(selectUploads, [imageIds])
}
