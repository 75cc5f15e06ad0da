import { type Db, statement } from '../../core/db/db.ts'
import type { TunnelRow } from './tunnels.rules.ts'

const columns = 't.host_id, t.number, t.address, t.port, t.public_key, t.next_public_key, t.changed_at'

const selectRows = statement<TunnelRow>(
  'fleet.list_tunnels',
  `select ${columns}
   from host_tunnels t
   where t.host_id = any($1)`,
)
const selectNextNumber = statement<{ number: number }>(
  'fleet.next_tunnel_number',
  `select greatest(coalesce(max(number), 0), $1) + 1 as number
   from host_tunnels`,
)
// Reads the numbers in order, up to the first one that is free.
const selectFreeNumber = statement<{ number: number }>(
  'fleet.free_tunnel_number',
  `select f.number
   from (
     select $1::integer + 1 as number
     union all
     select number + 1
     from host_tunnels
     where number > $1
   ) f
   where not exists (select from host_tunnels t where t.number = f.number)
   order by f.number
   limit 1`,
)
// Two hosts may get one number at once. The later one waits for the earlier one, and then takes another number.
const insertRow = statement<never>(
  'fleet.insert_tunnel',
  `insert into host_tunnels (host_id, number, address, port, public_key, next_public_key, changed_at)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict do nothing`,
)
const updateRow = statement<never>(
  'fleet.update_tunnel',
  `update host_tunnels
   set port = $2, public_key = $3, next_public_key = $4, changed_at = $5
   where host_id = $1`,
)
const removeRow = statement<never>(
  'fleet.remove_tunnel',
  `delete from host_tunnels
   where host_id = $1`,
)
const removeKeys = statement<never>(
  'fleet.remove_tunnel_keys',
  `delete from host_tunnel_keys
   where host_id = $1`,
)
// Sorted, so that two hosts that declare the same keys wait for each other in one order.
const insertKeys = statement<{ public_key: string }>(
  'fleet.insert_tunnel_keys',
  `insert into host_tunnel_keys (public_key, host_id)
   select k.public_key, $1
   from unnest($2::text[]) as k (public_key)
   order by k.public_key
   on conflict (public_key) do nothing
   returning public_key`,
)

/** The tunnels of some hosts. Hosts without one are left out. */
export function listTunnels(db: Db, hostIds: readonly string[]): Promise<TunnelRow[]> {
  return db.rows(selectRows, [hostIds])
}

/** The lowest number above a number and those of all tunnels. */
export async function findNextNumber(db: Db, after: number): Promise<number> {
  return ((await db.row(selectNextNumber, [after])) as { number: number }).number
}

/** The lowest number above a number that no tunnel has. */
export async function findFreeNumber(db: Db, after: number): Promise<number> {
  return ((await db.row(selectFreeNumber, [after])) as { number: number }).number
}

/** Stores the tunnel of a host that had none. False if another host has its number or address. */
export async function insertTunnel(db: Db, row: TunnelRow): Promise<boolean> {
  const { host_id, number, address, port, public_key, next_public_key, changed_at } = row
  return (await db.run(insertRow, [host_id, number, address, port, public_key, next_public_key, changed_at])) > 0
}

/** Stores the keys and the port of a tunnel. Its address stays. */
export async function updateTunnel(db: Db, row: TunnelRow): Promise<void> {
  const { host_id, port, public_key, next_public_key, changed_at } = row
  await db.run(updateRow, [host_id, port, public_key, next_public_key, changed_at])
}

/** Removes the tunnel of a host, with its keys. */
export async function removeTunnel(db: Db, hostId: string): Promise<void> {
  await Promise.all([db.run(removeKeys, [hostId]), db.run(removeRow, [hostId])])
}

/** Gives keys to a host in place of those that it had. Returns those that no other host has. */
export async function replaceTunnelKeys(db: Db, hostId: string, keys: readonly string[]): Promise<string[]> {
  await db.run(removeKeys, [hostId])
  return (await db.rows(insertKeys, [hostId, keys])).map(({ public_key }) => public_key)
}
