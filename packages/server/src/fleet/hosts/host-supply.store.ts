import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** From a minute on, a host supplies `delta` nodes more than before; a negative number means fewer. */
export type HostSupplyRow = { host_id: Id<'host'>; sku_id: Id<'sku'>; minute: number; delta: number }

const addSupply = statement<never>(
  'fleet.add_host_supply',
  `insert into host_supply (host_id, sku_id, minute, delta)
   select s.host_id, s.sku_id, s.minute, s.delta
   from jsonb_to_recordset($1::jsonb) as s(host_id text, sku_id text, minute bigint, delta integer)
   order by s.host_id, s.minute
   on conflict (host_id, minute) do update set delta = host_supply.delta + excluded.delta`,
)

const selectSupply = statement<{ minute: number; delta: number }>(
  'fleet.list_host_supply',
  `select minute, delta
   from host_supply
   where host_id = $1
   order by minute`,
)

/** Records changes of the supply of hosts. */
export async function addHostSupply(db: Db, rows: readonly HostSupplyRow[]): Promise<void> {
  if (rows.length > 0) await db.run(addSupply, [JSON.stringify(rows)])
}

/** The changes of the supply of a host, oldest first. */
export function listHostSupply(db: Db, hostId: string): Promise<{ minute: number; delta: number }[]> {
  return db.rows(selectSupply, [hostId])
}
