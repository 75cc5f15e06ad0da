import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { InstanceRow } from './instances.rules.ts'

/** An instance of a deployment that is not terminated. */
export type MemberRow = Pick<InstanceRow, 'id' | 'state' | 'priority_level' | 'created_at' | 'deployment_slot'>

const selectLiving = statement<MemberRow>(
  'fleet.list_living_of_deployment',
  `select id, state, priority_level, created_at, deployment_slot
   from instances
   where deployment_id = $1 and state <> 'terminated'
   order by id`,
)

const updateSlots = statement<never>(
  'fleet.update_deployment_slots',
  `update instances i
   set deployment_slot = s.slot, updated_at = $2
   from jsonb_to_recordset($1::jsonb) as s(id text, slot integer)
   where i.id = s.id and i.state <> 'terminated'`,
)

const countLiving = statement<{ deployment_id: Id<'deployment'>; count: number }>(
  'fleet.count_living_of_deployments',
  `select deployment_id, count(*) as count
   from instances
   where deployment_id = any($1) and state <> 'terminated'
   group by deployment_id`,
)

/** The members of a deployment that are not terminated, by id. */
export function listLivingMembers(db: Db, deployment_id: string): Promise<MemberRow[]> {
  return db.rows(selectLiving, [deployment_id])
}

/** The number of members of each deployment that are not terminated. Deployments without members are left out. */
export async function countLivingMembers(
  db: Db,
  deployment_ids: readonly string[],
): Promise<Map<Id<'deployment'>, number>> {
  const rows = await db.rows(countLiving, [deployment_ids])
  return new Map(rows.map(({ deployment_id, count }) => [deployment_id, count]))
}

/** Moves members of a deployment to other slots. */
export async function updateDeploymentSlots(
  db: Db,
  moves: readonly { readonly id: Id<'instance'>; readonly slot: number }[],
  now: number,
): Promise<void> {
  await db.run(updateSlots, [JSON.stringify(moves), now])
}
