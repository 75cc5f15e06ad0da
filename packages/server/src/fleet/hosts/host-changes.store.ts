import { type Db, statement } from '../../core/db/db.ts'
import type { HostRow } from './hosts.rules.ts'

/** The stage of a host between enrolment and retirement. */
export type HostStage = Pick<HostRow, 'id' | 'state' | 'drain_deadline_at' | 'supply_ends_at' | 'retired_at'>

const updateStage = statement<never>(
  'fleet.update_host_stage',
  `update hosts
   set state = $2, drain_deadline_at = $3, supply_ends_at = $4, retired_at = $5
   where id = $1`,
)

/** Writes the stage of a host. */
export async function updateHostStage(db: Db, stage: HostStage): Promise<void> {
  const { id, state, drain_deadline_at, supply_ends_at, retired_at } = stage
  await db.run(updateStage, [id, state, drain_deadline_at, supply_ends_at, retired_at])
}
