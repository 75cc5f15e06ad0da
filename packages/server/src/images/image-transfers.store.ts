import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../core/db/db.ts'

/** A part that is still arriving. */
export type Arrival = {
  readonly image_id: Id<'image'>
  readonly part_id: number
  readonly file: string
  readonly size_bytes: number
}

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

/** Removes a part that is still arriving. */
export function removeArrival(
  db: Db,
  { image_id, file }: Pick<Arrival, 'image_id' | 'file'>,
): Promise<{ size_bytes: number } | undefined> {
  return db.row(removeFile, [image_id, file])
}

/** Marks a part as uploaded and replaces an older one of its number. Returns what was replaced. */
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
