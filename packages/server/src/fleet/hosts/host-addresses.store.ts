import { type Db, statement } from '../../core/db/db.ts'

const removeRows = statement<never>(
  'fleet.remove_host_addresses',
  `delete from host_addresses
   where host_id = $1`,
)
// Sorted, so that two hosts that declare the same addresses wait for each other in one order.
const insertRows = statement<{ address: string }>(
  'fleet.insert_host_addresses',
  `insert into host_addresses (address, host_id)
   select a.address, $1
   from unnest($2::text[]) as a (address)
   order by a.address
   on conflict (address) do nothing
   returning address`,
)

export async function removeHostAddresses(db: Db, hostId: string): Promise<void> {
  await db.run(removeRows, [hostId])
}

/** Gives addresses to a host. Returns those that no other host has. */
export async function insertHostAddresses(db: Db, hostId: string, addresses: readonly string[]): Promise<string[]> {
  return (await db.rows(insertRows, [hostId, addresses])).map(({ address }) => address)
}
