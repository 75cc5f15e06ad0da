import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

const insertRows = statement<never>(
  'sandbox.insert_simulated_hosts',
  `insert into sandbox_hosts (host_id, seed)
   select n.host_id, n.seed
   from jsonb_to_recordset($1::jsonb) as n(host_id text, seed bigint)
   order by n.host_id`,
)

const takeNumbers = statement<{ last: number }>(
  'sandbox.take_numbers',
  `update sandbox_numbers
   set last = last + $2
   where name = $1
   returning last`,
)

/** Inserts hosts that are simulated in the server process. */
export async function insertSimulatedHosts(
  db: Db,
  rows: readonly { host_id: Id<'host'>; seed: number }[],
): Promise<void> {
  await db.run(insertRows, [JSON.stringify(rows)])
}

/** Reserves `count` consecutive unused numbers, counted from 1. Returns the first of them. */
export async function takeNumbersOf(db: Db, name: 'hosts' | 'public_ipv4s', count: number): Promise<number> {
  const { last } = (await db.row(takeNumbers, [name, count])) as { last: number }
  return last - count + 1
}
