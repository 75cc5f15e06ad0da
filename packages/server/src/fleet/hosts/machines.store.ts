import type { HostHealth } from '@bourse/api/fleet/host-states.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import { defineLock } from '../../core/work/locks.ts'
import type { MachineRow, ReportedMachineRow } from './machines.rules.ts'

/** A taken slot and its instance. */
export type TakenSlotRow = Pick<MachineRow, 'instance_id' | 'host_id' | 'slot'>

/** A slot to take. */
export type SlotClaim = { readonly instance_id: Id<'instance'>; readonly host_id: Id<'host'>; readonly slot: number }

/** A host that was notified of a changed desired state. */
export type NotifiedHost = { id: Id<'host'>; generation: number; health: HostHealth; is_simulated: boolean }

const columns = 'm.instance_id, m.host_id, m.slot, m.generation, m.action, m.state, m.reason, m.start_failures'
const notifiedColumns = 'h.id, h.generation, h.health, h.is_simulated'

const selectByInstance = statement<MachineRow>(
  'fleet.find_machines',
  `select ${columns}
   from machines m
   where m.instance_id = any($1)`,
)
const selectByHost = statement<TakenSlotRow>(
  'fleet.list_machines_on',
  `select instance_id, host_id, slot
   from machines
   where host_id = any($1)
   order by host_id, slot`,
)
const selectReported = statement<ReportedMachineRow>(
  'fleet.list_reported_machines',
  `select ${columns}, i.state as instance_state, i.connection_lost_at, i.subnet_id, i.pool_id, i.sku_id
   from machines m
   join instances i on i.id = m.instance_id
   where m.host_id = any($1)
   order by m.host_id, m.slot`,
)
/** By the real clock. Simulated hosts do not wait for it. */
const notifiedAt = `told_at = case when not h.is_simulated then floor(bourse_real_now())::bigint end`
const claim = statement<NotifiedHost>(
  'fleet.claim_slots',
  `with claim as (
     select c.*
     from jsonb_to_recordset($1::jsonb) as c(instance_id text, host_id text, slot integer)
   ), told as (
     update hosts h
     set generation = h.generation + 1, used_slots = h.used_slots + n.claims, ${notifiedAt}
     from (select host_id, count(*)::integer as claims from claim group by host_id) n
     where h.id = n.host_id
     returning ${notifiedColumns}
   ), placed as (
     insert into machines (instance_id, host_id, slot, generation, action, claimed_at)
     select c.instance_id, c.host_id, c.slot, told.generation, 'run', $2
     from claim c
     join told on told.id = c.host_id
   )
   select *
   from told
   order by id`,
)
const stop = statement<NotifiedHost>(
  'fleet.stop_machines',
  `with told as (
     update hosts h
     set generation = h.generation + 1, ${notifiedAt}
     where h.id in (select host_id from machines where instance_id = any($1) and action = 'run')
     returning ${notifiedColumns}
   ), stopped as (
     update machines m
     set action = 'stop', generation = told.generation
     from told
     where m.host_id = told.id
       and m.instance_id = any($1)
       and m.action = 'run'
   )
   select *
   from told
   order by id`,
)
const raise = statement<NotifiedHost>(
  'fleet.raise_generations',
  `update hosts h
   set generation = h.generation + 1, ${notifiedAt}
   where h.id = any($1)
   returning ${notifiedColumns}`,
)

// Machines get the generation of their host, or an agent that handled a higher one would ignore them. A failed instance
// keeps its generation: a new one would start it again.
const raiseAbove = statement<NotifiedHost>(
  'fleet.raise_generations_above',
  `with told as (
     update hosts h
     set generation = greatest(h.generation, r.generation) + 1, ${notifiedAt}
     from jsonb_to_recordset($1::jsonb) as r(id text, generation bigint)
     where h.id = r.id
     returning ${notifiedColumns}
   ), raised as (
     update machines m
     set generation = told.generation
     from told, instances i
     where m.host_id = told.id
       and i.id = m.instance_id
       and i.state <> 'failed'
   )
   select *
   from told
   order by id`,
)
const raiseAll = statement<never>(
  'fleet.raise_all_generations',
  `with told as (
     update hosts h
     set generation = h.generation + $1, ${notifiedAt}
     where not h.is_simulated
     returning h.id, h.generation
   )
   update machines m
   set generation = told.generation
   from told, instances i
   where m.host_id = told.id
     and i.id = m.instance_id
     and i.state <> 'failed'`,
)

const selectUnreported = statement<{ found: boolean }>(
  'fleet.has_unreported_machines',
  `select exists (
       select from machines m
       join hosts h on h.id = m.host_id
       where m.reported_at is null
         and h.health = 'healthy'
         and (not h.is_simulated or h.last_seen_at is null)
     ) as found`,
)

/** Locks the hosts of locked instances. The ids are those of the instances. */
export const hostsOfInstancesLock = defineLock(
  'host.of_instances',
  'hosts',
  `select h.id
   from hosts h
   where h.id in (select host_id from machines where instance_id = any($1))
   order by h.id
   for no key update`,
)

/** The machines of some instances. */
export function listMachines(db: Db, instanceIds: readonly string[]): Promise<MachineRow[]> {
  return db.rows(selectByInstance, [instanceIds])
}

/** Whether a reachable host has a machine that it has never reported. */
export async function hasUnreported(db: Db): Promise<boolean> {
  return (await db.row(selectUnreported))?.found ?? false
}

/** The taken slots of some hosts. */
export function listTakenSlots(db: Db, hostIds: readonly string[]): Promise<TakenSlotRow[]> {
  return db.rows(selectByHost, [hostIds])
}

/** The machines of some hosts, with the fields of the instance that a report needs. */
export function listReportedMachines(db: Db, hostIds: readonly string[]): Promise<ReportedMachineRow[]> {
  return db.rows(selectReported, [hostIds])
}

/** Puts machines into free slots of locked hosts. */
export function insertMachines(db: Db, claims: readonly SlotClaim[], now: number): Promise<NotifiedHost[]> {
  return db.rows(claim, [JSON.stringify(claims), now])
}

/** Changes the desired action of machines from run to stop. Their hosts are locked. */
export function updateToStop(db: Db, instanceIds: readonly string[]): Promise<NotifiedHost[]> {
  return db.rows(stop, [instanceIds])
}

/** Raises the generation of locked hosts. */
export function raiseGenerations(db: Db, hostIds: readonly string[]): Promise<NotifiedHost[]> {
  return db.rows(raise, [hostIds])
}

/** Raises the generations of locked hosts, and those of their machines, above what their agents have reported. */
export function raiseGenerationsAbove(
  db: Db,
  reported: readonly { readonly id: Id<'host'>; readonly generation: number }[],
): Promise<NotifiedHost[]> {
  return db.rows(raiseAbove, [JSON.stringify(reported)])
}

/** Raises the generations of all hosts with agents, and those of their machines. */
export function raiseAllGenerations(db: Db, by: number): Promise<number> {
  return db.run(raiseAll, [by])
}
