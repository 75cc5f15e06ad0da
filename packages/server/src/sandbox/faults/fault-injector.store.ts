import { type Db, statement } from '../../core/db/db.ts'
import { type FaultRow, faultColumns } from './faults.rules.ts'

// The clock as it would be if nothing due held it back: while the database is said to be down nothing that is due is
// done, so the shown clock would stand still and the fault never end.
const unheldNow = `(select (business_anchor_ms + case when frozen then 0
    else floor(greatest(bourse_real_now() - real_anchor, 0) * rate * 1000) end) / 1000 from sandbox_clock)`

const atWork = `removed_at is null and (times = 0 or hits < times) and (ends_at is null or ends_at > ${unheldNow})`

const selectAtWork = statement<FaultRow>(
  'sandbox.list_faults_at_work',
  `select ${faultColumns} from sandbox_faults where kind = any($1) and ${atWork} order by created_at, id`,
)
const countHit = statement<never>(
  'sandbox.count_fault_hit',
  `update sandbox_faults set hits = hits + 1 where id = $1 and ${atWork}`,
)

/** The faults of some kinds that are at work, oldest first. */
export function listFaultsAtWork(db: Db, kinds: readonly string[]): Promise<FaultRow[]> {
  return db.rows(selectAtWork, [kinds])
}

/** Takes one of the times that a fault hits; false where it hits no more. */
export async function takeHit(db: Db, id: string): Promise<boolean> {
  return (await db.run(countHit, [id])) > 0
}
