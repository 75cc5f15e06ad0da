import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import { defineLock } from '../../core/work/locks.ts'
import type { SimulatedMachine } from './simulated-hosts.rules.ts'

/** The simulated state of a host. `hidden_at`: since when it is silent; `down_until`: the end of its reboot. */
export type SimulatedHostRow = {
  host_id: Id<'host'>
  seed: number
  hidden_at: number | null
  down_until: number | null
}

const selectHost = statement<SimulatedHostRow>(
  'sandbox.find_simulated_host',
  `select host_id, seed, hidden_at, down_until
   from sandbox_hosts
   where host_id = $1`,
)
const selectMachines = statement<SimulatedMachine>(
  'sandbox.list_simulated_machines',
  `select instance_id, generation, state, reason, next_at
   from sandbox_machines
   where host_id = $1
   order by instance_id`,
)
const updateHost = statement<never>(
  'sandbox.update_simulated_host',
  `update sandbox_hosts
   set hidden_at = $2, down_until = $3
   where host_id = $1`,
)
const replaceMachines = statement<never>(
  'sandbox.replace_simulated_machines',
  `with kept as (
     select m.*
     from jsonb_to_recordset($2::jsonb) as m(instance_id text, generation bigint, state text, reason text,
       next_at bigint)
   ), gone as (
     delete from sandbox_machines
     where host_id = $1 and instance_id not in (select instance_id from kept)
   )
   insert into sandbox_machines (instance_id, host_id, generation, state, reason, next_at)
   select k.instance_id, $1, k.generation, k.state, k.reason, k.next_at
   from kept k
   order by k.instance_id
   on conflict (host_id, instance_id) do update
   set generation = excluded.generation, state = excluded.state, reason = excluded.reason, next_at = excluded.next_at`,
)

/** Taken by the reconciler step of a simulated host. A host that another step works on is skipped, not waited for. */
export const simulatedHostLock = defineLock(
  'simulated_host',
  'claimed_work',
  `select host_id as id
   from sandbox_hosts
   where host_id = any($1)
   order by host_id
   for update skip locked`,
)

export function findSimulatedHost(db: Db, hostId: string): Promise<SimulatedHostRow | undefined> {
  return db.row(selectHost, [hostId])
}

/** The simulated machines of a host, by instance id. */
export function listSimulatedMachines(db: Db, hostId: string): Promise<SimulatedMachine[]> {
  return db.rows(selectMachines, [hostId])
}

export async function updateSimulatedHost(db: Db, row: Omit<SimulatedHostRow, 'seed'>): Promise<void> {
  await db.run(updateHost, [row.host_id, row.hidden_at, row.down_until])
}

/** Replaces all simulated machines of a host. */
export async function replaceSimulatedMachines(
  db: Db,
  hostId: string,
  machines: readonly SimulatedMachine[],
): Promise<void> {
  await db.run(replaceMachines, [hostId, JSON.stringify(machines)])
}
