import { type Db, statement } from '../../core/db/db.ts'
import { type FaultRow, faultColumns } from './faults.rules.ts'

// The time that the clock would show without due work that holds it back. While a fault simulates a database outage, no
// due work runs, so the shown clock would stop and the fault would never end.
const unheldNow = `(
    select (business_anchor_ms + case when frozen then 0
      else floor(greatest(bourse_real_now() - real_anchor, 0) * rate * 1000) end) / 1000
    from sandbox_clock
  )`

const isActiveSql = `removed_at is null
   and (times = 0 or hits < times)
   and (ends_at is null or ends_at > ${unheldNow})`

const selectActive = statement<FaultRow>(
  'sandbox.list_faults_at_work',
  `select ${faultColumns}
   from sandbox_faults
   where kind = any($1) and ${isActiveSql}
   order by created_at, id`,
)
const countHit = statement<never>(
  'sandbox.count_fault_hit',
  `update sandbox_faults
   set hits = hits + 1
   where id = $1 and ${isActiveSql}`,
)

/** The active faults of some kinds, oldest first. */
export function listActiveFaults(db: Db, kinds: readonly string[]): Promise<FaultRow[]> {
  return db.rows(selectActive, [kinds])
}

/** Counts one hit of a fault. False if the fault is no longer active. */
export async function takeHit(db: Db, id: string): Promise<boolean> {
  return (await db.run(countHit, [id])) > 0
}
