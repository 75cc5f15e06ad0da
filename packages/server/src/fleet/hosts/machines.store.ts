import type { ReportedSsh } from '@bourse/api/fleet/agent.ts'
import type { HostHealth } from '@bourse/api/fleet/host-states.ts'
import type { InstanceState } from '@bourse/api/fleet/instance-states.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import { defineLock } from '../../core/work/locks.ts'
import type { ReportedState } from './reports.rules.ts'

/** An instance's place on a host, with what the host was told and what it said of it. */
export type MachineRow = {
  instance_id: Id<'instance'>
  host_id: Id<'host'>
  slot: number
  generation: number
  action: 'run' | 'stop'
  state: ReportedState | null
  reason: string | null
  start_failures: number
}

/** A machine with what a report about it depends on. */
export type ReportedMachineRow = MachineRow & {
  instance_state: InstanceState
  connection_lost_at: number | null
  subnet_id: Id<'subnet'> | null
  pool_id: Id<'pool'>
  sku_id: Id<'sku'>
}

/** A slot to be taken. */
export type SlotClaim = { readonly instance_id: Id<'instance'>; readonly host_id: Id<'host'>; readonly slot: number }

/** What a host said of a machine, as it is kept. */
export type MachineReport = Pick<MachineRow, 'instance_id' | 'generation' | 'state' | 'reason' | 'start_failures'>

/** How to reach a machine, and when its host keys were read. */
export type SshRow = { ssh: ReportedSsh; ssh_read_at: number }

/** A host whose desired state was changed. */
export type ToldHost = { id: Id<'host'>; generation: number; health: HostHealth; is_simulated: boolean }

const columns = 'm.instance_id, m.host_id, m.slot, m.generation, m.action, m.state, m.reason, m.start_failures'
const told = 'h.id, h.generation, h.health, h.is_simulated'

const selectByInstance = statement<MachineRow>(
  'fleet.find_machines',
  `select ${columns} from machines m where m.instance_id = any($1)`,
)
const selectByHost = statement<Pick<MachineRow, 'instance_id' | 'host_id' | 'slot'>>(
  'fleet.list_machines_on',
  'select instance_id, host_id, slot from machines where host_id = any($1) order by host_id, slot',
)
const selectReported = statement<ReportedMachineRow>(
  'fleet.list_reported_machines',
  `select ${columns}, i.state as instance_state, i.connection_lost_at, i.subnet_id, i.pool_id, i.sku_id
   from machines m join instances i on i.id = m.instance_id where m.host_id = any($1) order by m.host_id, m.slot`,
)
/** What was told is noted by the real clock. A host inside the process never waits for it. */
const toldAt = `told_at = case when not h.is_simulated then floor(bourse_real_now())::bigint end`
const claim = statement<ToldHost>(
  'fleet.claim_slots',
  `with claim as (
     select c.* from jsonb_to_recordset($1::jsonb) as c(instance_id text, host_id text, slot integer)
   ), told as (
     update hosts h set generation = h.generation + 1, used_slots = h.used_slots + n.claims, ${toldAt}
     from (select host_id, count(*)::integer as claims from claim group by host_id) n where h.id = n.host_id
     returning ${told}
   ), placed as (
     insert into machines (instance_id, host_id, slot, generation, action, claimed_at)
     select c.instance_id, c.host_id, c.slot, told.generation, 'run', $2 from claim c join told on told.id = c.host_id
   )
   select * from told order by id`,
)
const stop = statement<ToldHost>(
  'fleet.stop_machines',
  `with told as (
     update hosts h set generation = h.generation + 1, ${toldAt}
     where h.id in (select host_id from machines where instance_id = any($1) and action = 'run')
     returning ${told}
   ), stopped as (
     update machines m set action = 'stop', generation = told.generation from told
     where m.host_id = told.id and m.instance_id = any($1) and m.action = 'run'
   )
   select * from told order by id`,
)
const raise = statement<ToldHost>(
  'fleet.raise_generations',
  `update hosts h set generation = h.generation + 1, ${toldAt} where h.id = any($1) returning ${told}`,
)
const update = statement<never>(
  'fleet.update_machines',
  `update machines m set state = r.state, reason = r.reason, start_failures = r.start_failures,
     generation = r.generation, reported_at = $2
   from jsonb_to_recordset($1::jsonb) as r(instance_id text, state text, reason text, start_failures integer,
     generation bigint)
   where m.instance_id = r.instance_id`,
)
const updateWays = statement<never>(
  'fleet.update_ssh',
  `update machines m set ssh = r.ssh, ssh_read_at = $2
   from jsonb_to_recordset($1::jsonb) as r(instance_id text, ssh jsonb)
   where m.instance_id = r.instance_id and m.ssh is distinct from r.ssh`,
)
const selectSsh = statement<SshRow>(
  'fleet.find_ssh',
  'select ssh, ssh_read_at from machines where instance_id = $1 and ssh is not null',
)
const remove = statement<never>(
  'fleet.remove_machines',
  `with gone as (delete from machines where instance_id = any($1) returning host_id)
   update hosts h set used_slots = h.used_slots - g.count
   from (select host_id, count(*)::integer as count from gone group by host_id) g where h.id = g.host_id`,
)

const selectUnreported = statement<{ found: boolean }>(
  'fleet.has_unreported_machines',
  `select exists (
     select from machines m join hosts h on h.id = m.host_id
     where m.reported_at is null and h.health = 'healthy' and (not h.is_simulated or h.last_seen_at is null)
   ) as found`,
)

/** Locks the hosts of instances that are locked themselves; the ids are those of the instances. */
export const hostsOfInstancesLock = defineLock(
  'host.of_instances',
  'hosts',
  `select h.id from hosts h where h.id in (select host_id from machines where instance_id = any($1))
   order by h.id for no key update`,
)

/** The machines of some instances. */
export function listMachines(db: Db, instance_ids: readonly string[]): Promise<MachineRow[]> {
  return db.rows(selectByInstance, [instance_ids])
}

/** Whether a machine was claimed of which its host, which answers, has not said a word. */
export async function hasUnreported(db: Db): Promise<boolean> {
  return (await db.row(selectUnreported))?.found ?? false
}

/** What stands on some hosts. */
export function listMachinesOn(
  db: Db,
  host_ids: readonly string[],
): Promise<Pick<MachineRow, 'instance_id' | 'host_id' | 'slot'>[]> {
  return db.rows(selectByHost, [host_ids])
}

/** Notes how machines are reached; what was known before keeps the time at which its keys were read. */
export async function updateSsh(
  db: Db,
  rows: readonly { instance_id: Id<'instance'>; ssh: unknown }[],
  now: number,
): Promise<void> {
  if (rows.length > 0) await db.run(updateWays, [JSON.stringify(rows), now])
}

/** How to reach the machine of an instance; undefined while its host has not said. */
export function findSsh(db: Db, instance_id: string): Promise<SshRow | undefined> {
  return db.row(selectSsh, [instance_id])
}

/** The machines of some hosts, with what a report about them depends on. */
export function listReportedMachines(db: Db, host_ids: readonly string[]): Promise<ReportedMachineRow[]> {
  return db.rows(selectReported, [host_ids])
}

/** Puts machines into free slots of hosts that are locked. */
export function insertMachines(db: Db, claims: readonly SlotClaim[], now: number): Promise<ToldHost[]> {
  return db.rows(claim, [JSON.stringify(claims), now])
}

/** Asks for the stop of machines that were to run; their hosts are locked. */
export function updateToStop(db: Db, instance_ids: readonly string[]): Promise<ToldHost[]> {
  return db.rows(stop, [instance_ids])
}

/** Raises what hosts that are locked have to catch up with. */
export function raiseGenerations(db: Db, host_ids: readonly string[]): Promise<ToldHost[]> {
  return db.rows(raise, [host_ids])
}

/** Keeps what a host said of its machines. */
export async function updateMachines(db: Db, reports: readonly MachineReport[], now: number): Promise<void> {
  await db.run(update, [JSON.stringify(reports), now])
}

/** Frees the slots of machines on hosts that are locked. */
export async function removeMachines(db: Db, instance_ids: readonly string[]): Promise<void> {
  await db.run(remove, [instance_ids])
}
