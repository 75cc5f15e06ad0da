import { type Db, statement } from '../../core/db/db.ts'
import type { InstanceRow } from './instances.rules.ts'

/** The changeable columns of an instance. */
export type InstanceChange = Pick<InstanceRow, 'id' | 'tags' | 'priority_level' | 'firewall_id'>

const updateRow = statement<never>(
  'fleet.update_instance',
  `update instances
   set tags = $2, priority_level = $3, firewall_id = $4, updated_at = $5
   where id = $1`,
)

const updatePriorities = statement<never>(
  'fleet.update_priorities',
  `update instances i
   set priority_level = p.priority_level, updated_at = $2
   from jsonb_to_recordset($1::jsonb) as p(id text, priority_level text)
   where i.id = p.id`,
)

export async function updateInstance(db: Db, change: InstanceChange, now: number): Promise<void> {
  const { id, tags, priority_level, firewall_id } = change
  await db.run(updateRow, [id, tags && JSON.stringify(tags), priority_level, firewall_id, now])
}

export async function updateInstancePriorities(
  db: Db,
  priorities: readonly Pick<InstanceRow, 'id' | 'priority_level'>[],
  now: number,
): Promise<void> {
  await db.run(updatePriorities, [JSON.stringify(priorities), now])
}
