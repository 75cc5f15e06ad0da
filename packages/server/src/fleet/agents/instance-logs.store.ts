import { type Db, statement } from '../../core/db/db.ts'

/** A chunk of console output. */
export type LogChunkRow = { seqnum: number; logged_at: number; data: Buffer }

/** A range of chunks. Bounds are inclusive. */
export type LogRange = {
  readonly seqnum_after: number | null
  readonly seqnum_before: number | null
  readonly logged_after: number | null
  readonly logged_before: number | null
  readonly limit: number
}

const selectEnd = statement<{ seqnum: number; ends_at_byte: number }>(
  'fleet.find_log_end',
  `select seqnum, ends_at_byte
   from instance_logs
   where instance_id = $1
   order by seqnum desc
   limit 1`,
)
const insertChunks = statement<never>(
  'fleet.insert_log_chunks',
  `insert into instance_logs (instance_id, seqnum, logged_at, data, ends_at_byte)
   select $1, c.seqnum, c.logged_at, decode(c.data, 'base64'), c.ends_at_byte
   from jsonb_to_recordset($2::jsonb) as c(seqnum bigint, logged_at bigint, data text, ends_at_byte bigint)
   order by c.seqnum`,
)
const removeOld = statement<never>(
  'fleet.remove_old_log_chunks',
  `delete from instance_logs
   where instance_id = $1 and ends_at_byte <= $2`,
)

const selectRange = {
  seqnum: rangeStatement('asc'),
  '-seqnum': rangeStatement('desc'),
} as const

/** The last stored chunk of an instance. */
export function findLogEnd(db: Db, instance_id: string): Promise<{ seqnum: number; ends_at_byte: number } | undefined> {
  return db.row(selectEnd, [instance_id])
}

/** Inserts chunks with their data in base64. The instance is locked. */
export async function insertLogChunks(
  db: Db,
  instance_id: string,
  chunks: readonly { seqnum: number; logged_at: number; data: string; ends_at_byte: number }[],
): Promise<void> {
  await db.run(insertChunks, [instance_id, JSON.stringify(chunks)])
}

/** Removes the chunks that end at or before a byte. */
export async function removeLogsBefore(db: Db, instance_id: string, byte: number): Promise<void> {
  await db.run(removeOld, [instance_id, byte])
}

/** The chunks of an instance in a range. */
export function listLogChunks(
  db: Db,
  instance_id: string,
  sort_by: keyof typeof selectRange,
  { seqnum_after, seqnum_before, logged_after, logged_before, limit }: LogRange,
): Promise<LogChunkRow[]> {
  const range = [seqnum_after, seqnum_before, logged_after, logged_before]
  return db.rows(selectRange[sort_by], [instance_id, ...range, limit])
}

function rangeStatement(direction: 'asc' | 'desc') {
  return statement<LogChunkRow>(
    `fleet.list_log_chunks_${direction}`,
    `select seqnum, logged_at, data
     from instance_logs
     where instance_id = $1
       and seqnum >= coalesce($2::bigint, 0)
       and seqnum <= coalesce($3::bigint, ${2 ** 53})
       and logged_at >= coalesce($4::bigint, 0)
       and logged_at <= coalesce($5::bigint, ${2 ** 53})
     order by seqnum ${direction}
     limit $6`,
  )
}
