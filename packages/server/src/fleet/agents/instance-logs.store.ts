import { logPageBytesMax } from '@bourse/api/fleet/instance-access.ts'
import { type Db, statement } from '../../core/db/db.ts'
import { emptyLog, type LogEnd, type StoredChunk } from './instance-logs.rules.ts'

/** A chunk of console output, and how many chunks of the range were found before the page was cut. */
export type LogChunkRow = { seqnum: number; logged_at: number; data: Buffer; found: number }
type NullableEnd = { [K in keyof LogEnd]: LogEnd[K] | null }

/** The bytes of a chunk in a response beside its data: names, numbers and punctuation. */
const chunkOverheadBytes = 72
/** The most bytes of all chunks of a response; the rest is for the list around them. */
const chunksBytesMax = logPageBytesMax - 256

/** A range of chunks. Bounds are inclusive. */
export type LogRange = {
  readonly seqnum_after: number | null
  readonly seqnum_before: number | null
  readonly logged_after: number | null
  readonly logged_before: number | null
  readonly limit: number
}

const selectEnd = statement<NullableEnd & { now_ms: number }>(
  'fleet.find_log_end',
  `select l.seqnum, l.ends_at_byte, l.budget_used, l.budget_at_ms,
     floor(bourse_real_now() * 1000)::bigint as now_ms
   from (values (1)) as always
   left join lateral (
     select seqnum, ends_at_byte, budget_used, budget_at_ms
     from instance_logs
     where instance_id = $1
     order by seqnum desc
     limit 1
   ) l on true`,
)
const insertChunks = statement<never>(
  'fleet.insert_log_chunks',
  // The bytes of all chunks are one parameter, sent as they are.
  `insert into instance_logs (instance_id, seqnum, logged_at, data, ends_at_byte, budget_used, budget_at_ms)
   select $1, c.seqnum, c.logged_at, substr($2::bytea, c.first, c.bytes), c.ends_at_byte, c.budget_used, $3
   from unnest($4::bigint[], $5::bigint[], $6::integer[], $7::integer[], $8::bigint[], $9::bigint[])
     as c(seqnum, logged_at, first, bytes, ends_at_byte, budget_used)
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

/** The end of the console of an instance, and the unshifted time of the database. */
export async function findLogEnd(db: Db, instanceId: string): Promise<{ end: LogEnd; now_ms: number }> {
  const row = (await db.row(selectEnd, [instanceId])) as NullableEnd & { now_ms: number }
  const { now_ms, seqnum, ends_at_byte, budget_used, budget_at_ms } = row
  if (seqnum === null) return { end: emptyLog, now_ms }
  return { end: { seqnum, ends_at_byte, budget_used, budget_at_ms } as LogEnd, now_ms }
}

/** Inserts chunks. The instance is locked. */
export async function insertLogChunks(db: Db, instanceId: string, chunks: readonly StoredChunk[]): Promise<void> {
  const column = <K extends keyof StoredChunk>(name: K) => chunks.map((chunk) => chunk[name])
  const lengths = chunks.map(({ data }) => data.length)
  let next = 1
  const firsts = lengths.map((length) => {
    next += length
    return next - length
  })
  await db.run(insertChunks, [
    instanceId,
    Buffer.concat(column('data')),
    chunks.at(-1)?.budget_at_ms,
    column('seqnum'),
    column('logged_at'),
    firsts,
    lengths,
    column('ends_at_byte'),
    column('budget_used'),
  ])
}

/** Removes the chunks that end at or before a byte. */
export async function removeLogsBefore(db: Db, instanceId: string, byte: number): Promise<void> {
  await db.run(removeOld, [instanceId, byte])
}

/** The chunks of an instance in a range. */
export function listLogChunks(
  db: Db,
  instanceId: string,
  sortBy: keyof typeof selectRange,
  { seqnum_after, seqnum_before, logged_after, logged_before, limit }: LogRange,
): Promise<LogChunkRow[]> {
  const range = [seqnum_after, seqnum_before, logged_after, logged_before]
  return db.rows(selectRange[sortBy], [instanceId, ...range, limit])
}

function rangeStatement(direction: 'asc' | 'desc') {
  return statement<LogChunkRow>(
    `fleet.list_log_chunks_${direction}`,
    // Only the lengths of the chunks behind the cut are read, not their bytes.
    `select c.seqnum, c.logged_at, c.data, c.found
     from (
       select l.seqnum, l.logged_at, l.data,
         count(*) over () as found,
         sum((octet_length(l.data) + 2) / 3 * 4 + ${chunkOverheadBytes}) over (order by l.seqnum ${direction}) as bytes
       from (
         select seqnum, logged_at, data
         from instance_logs
         where instance_id = $1
           and seqnum >= coalesce($2::bigint, 0)
           and seqnum <= coalesce($3::bigint, ${2 ** 53})
           and logged_at >= coalesce($4::bigint, 0)
           and logged_at <= coalesce($5::bigint, ${2 ** 53})
         order by seqnum ${direction}
         limit $6
       ) l
     ) c
     where c.bytes <= ${chunksBytesMax}
     order by c.seqnum ${direction}`,
  )
}
