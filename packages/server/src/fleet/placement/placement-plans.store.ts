import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** A placed instance and its public address. */
export type PlacedAddress = { readonly id: Id<'instance'>; readonly public_ip: string | null }

const updatePlaced = statement<never>(
  'fleet.update_placed_instances',
  `update instances i
   set public_ip = p.public_ip, replaces_host_id = null, replaces_slot = null
   from jsonb_to_recordset($1::jsonb) as p(id text, public_ip text)
   where i.id = p.id`,
)

/** Writes the public addresses of placed instances. They no longer wait for a slot. */
export async function updatePlacedInstances(db: Db, placed: readonly PlacedAddress[]): Promise<void> {
  await db.run(updatePlaced, [JSON.stringify(placed)])
}
