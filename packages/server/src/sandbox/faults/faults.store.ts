import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** A fault at the edge, or a preemption that was carried out. */
export type FaultRow = {
  id: Id<'sandbox_fault'>
  kind: string
  fields: Readonly<Record<string, unknown>>
  times: number
  ends_at: number | null
  hits: number
  created_at: number
}

const columns = 'id, kind, fields, times, ends_at, hits, created_at'

// The clock as it would be if nothing due held it back: while the database is said to be down nothing that is due is
// done, so the shown clock would stand still and the fault never end.
const unheldNow = `(select (business_anchor_ms + case when frozen then 0
    else floor(greatest(bourse_real_now() - real_anchor, 0) * rate * 1000) end) / 1000 from sandbox_clock)`

const atWork = `removed_at is null and (times = 0 or hits < times) and (ends_at is null or ends_at > ${unheldNow})`

const insertRow = statement<never>(
  'sandbox.insert_fault',
  `insert into sandbox_faults (id, kind, fields, times, ends_at, hits, created_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)
const removeRow = statement<never>(
  'sandbox.remove_fault',
  'update sandbox_faults set removed_at = $2 where id = $1 and removed_at is null',
)
const selectAll = statement<FaultRow>(
  'sandbox.list_faults',
  `select ${columns} from sandbox_faults where removed_at is null order by created_at desc, id desc`,
)
const selectAtWork = statement<FaultRow>(
  'sandbox.list_faults_at_work',
  `select ${columns} from sandbox_faults where kind = any($1) and ${atWork} order by created_at, id`,
)
const countHit = statement<never>(
  'sandbox.count_fault_hit',
  `update sandbox_faults set hits = hits + 1 where id = $1 and ${atWork}`,
)

export async function insertFault(db: Db, row: FaultRow): Promise<void> {
  const { id, kind, fields, times, ends_at, hits, created_at } = row
  await db.run(insertRow, [id, kind, JSON.stringify(fields), times, ends_at, hits, created_at])
}

/** Ends a fault; false where there is none of that id. */
export async function removeFault(db: Db, id: string, now: number): Promise<boolean> {
  return (await db.run(removeRow, [id, now])) > 0
}

/** The faults that were not removed, newest first. */
export function listFaults(db: Db): Promise<FaultRow[]> {
  return db.rows(selectAll)
}

/** The faults of some kinds that are at work, oldest first. */
export function listFaultsAtWork(db: Db, kinds: readonly string[]): Promise<FaultRow[]> {
  return db.rows(selectAtWork, [kinds])
}

/** Takes one of the times that a fault hits; false where it hits no more. */
export async function takeHit(db: Db, id: string): Promise<boolean> {
  return (await db.run(countHit, [id])) > 0
}
