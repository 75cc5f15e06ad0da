import type { HostHealth, HostState } from '@bourse/api/fleet/host-states.ts'
import type { HostFacts } from '@bourse/api/fleet/hosts.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { defineLock } from '../../core/work/locks.ts'
import { type Conditions, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'

export type HostRow = {
  id: Id<'host'>
  account_id: string
  workspace_id: Id<'workspace'>
  sku_id: Id<'sku'>
  pool_id: Id<'pool'>
  state: HostState
  health: HostHealth
  slots: number
  used_slots: number
  epoch: number
  generation: number
  reported_generation: number
  agent_version: string | null
  enrolment_id: Id<'host_enrolment'> | null
  health_message: string | null
  facts: HostFacts
  is_simulated: boolean
  /** Null for a host inside the process that no fault hides; by the business clock for these, else by the real one. */
  last_seen_at: number | null
  drain_deadline_at: number | null
  supply_ends_at: number | null
  created_at: number
  retired_at: number | null
}

/** From a minute on, a host puts so many nodes more into its pool than before, or fewer. */
export type HostSupplyRow = { host_id: Id<'host'>; sku_id: Id<'sku'>; minute: number; delta: number }

/** Where a host is in its life. */
export type HostStage = Pick<HostRow, 'id' | 'state' | 'drain_deadline_at' | 'supply_ends_at' | 'retired_at'>

/** How a host that enrols shows itself, and by which permit it came. */
export type Enrolled = {
  readonly id: Id<'host'>
  readonly public_key: string
  readonly enrolment_id: Id<'host_enrolment'>
}

/** What an agent says of its host and itself when it enrols. */
export type Introduced = Pick<HostRow, 'id' | 'agent_version' | 'facts'>

const columns = `h.id, h.account_id, h.workspace_id, h.sku_id, h.pool_id, h.state, h.health, h.slots, h.used_slots,
  h.epoch, h.generation, h.reported_generation, h.agent_version, h.facts, h.is_simulated, h.last_seen_at,
  h.drain_deadline_at, h.supply_ends_at, h.created_at, h.retired_at, h.enrolment_id, h.health_message`

const selectHosts = statement<HostRow>(
  'fleet.find_hosts',
  `select ${columns} from hosts h where h.id = any($1) order by h.id`,
)
const insertRows = statement<never>(
  'fleet.insert_hosts',
  `insert into hosts (id, account_id, workspace_id, sku_id, pool_id, state, health, slots, agent_version, facts,
     is_simulated, last_seen_at, created_at)
   select n.id, n.account_id, n.workspace_id, n.sku_id, n.pool_id, n.state, n.health, n.slots, n.agent_version, n.facts,
     n.is_simulated, n.last_seen_at, n.created_at
   from jsonb_to_recordset($1::jsonb) as n(id text, account_id text, workspace_id text, sku_id text, pool_id text,
     state text, health text, slots integer, agent_version text, facts jsonb, is_simulated boolean, last_seen_at bigint,
     created_at bigint) order by n.id`,
)
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
  'select minute, delta from host_supply where host_id = $1 order by minute',
)
const updateStage = statement<never>(
  'fleet.update_host_stage',
  `update hosts set state = $2, drain_deadline_at = $3, supply_ends_at = $4, retired_at = $5 where id = $1`,
)
const bind = statement<never>('fleet.bind_host', 'update hosts set public_key = $2, enrolment_id = $3 where id = $1')
const introduceAgain = statement<{ epoch: number }>(
  'fleet.enrol_host_again',
  'update hosts set epoch = epoch + 1, agent_version = $2, facts = $3 where id = $1 returning epoch',
)
const selectByKey = statement<{ id: Id<'host'> }>(
  'fleet.find_host_by_key',
  "select id from hosts where public_key = $1 and state <> 'retired'",
)
const selectKeys = statement<{ id: Id<'host'>; public_key: string }>(
  'fleet.list_host_keys',
  "select id, public_key from hosts where id = any($1) and public_key is not null and state <> 'retired'",
)
const selectGenerations = statement<{ id: Id<'host'>; generation: number }>(
  'fleet.list_generations',
  'select id, generation from hosts where id = any($1)',
)
const selectTold = statement<{ id: Id<'host'>; generation: number }>(
  'fleet.list_told_hosts',
  'select id, generation from hosts where told_at >= floor(bourse_real_now())::bigint - $1::bigint',
)
const hide = statement<never>(
  'fleet.hide_host',
  'update hosts set last_seen_at = $2 where id = $1 and is_simulated and last_seen_at is null',
)
const markUnreachable = statement<never>(
  'fleet.mark_host_unreachable',
  "update hosts set health = 'unreachable' where id = $1",
)
const readRealTime = statement<{ now: number }>(
  'fleet.read_real_time',
  'select floor(bourse_real_now())::bigint as now',
)
// A host that is unreachable already is of interest again only while ended instances on it still hold addresses.
const selectSilent = statement<{ id: Id<'host'> }>(
  'fleet.list_silent_hosts',
  `select h.id from hosts h
   where not h.is_simulated and h.state <> 'retired' and h.last_seen_at <= floor(bourse_real_now())::bigint - $1::bigint
     and (h.health <> 'unreachable' or h.last_seen_at <= floor(bourse_real_now())::bigint - $2::bigint and exists (
       select from machines m join instances i on i.id = m.instance_id
       where m.host_id = h.id and i.state = 'terminated' and (i.private_ip is not null or i.public_ip is not null)))
   order by h.id limit 1000`,
)

/** Held by whoever changes what should run on a host, what it said, or what its owner wants of it. */
export const hostLock = defineLock(
  'host',
  'hosts',
  'select id from hosts where id = any($1) order by id for no key update',
)

/** A host of whatever account. */
export async function findHost(db: Db, id: string): Promise<HostRow | undefined> {
  return (await listHostsById(db, [id]))[0]
}

/** Some hosts, in the order of their ids. */
export function listHostsById(db: Db, ids: readonly string[]): Promise<HostRow[]> {
  return db.rows(selectHosts, [ids])
}

export async function insertHosts(db: Db, rows: readonly HostRow[]): Promise<void> {
  await db.run(insertRows, [JSON.stringify(rows)])
}

/** Notes what hosts put into their pools and take out of them. */
export async function addHostSupply(db: Db, rows: readonly HostSupplyRow[]): Promise<void> {
  if (rows.length > 0) await db.run(addSupply, [JSON.stringify(rows)])
}

/** What a host has put into its pool and taken out of it, oldest first. */
export function listHostSupply(db: Db, host_id: string): Promise<{ minute: number; delta: number }[]> {
  return db.rows(selectSupply, [host_id])
}

/** Writes where a host is in its life. */
export async function updateHostStage(db: Db, stage: HostStage): Promise<void> {
  const { id, state, drain_deadline_at, supply_ends_at, retired_at } = stage
  await db.run(updateStage, [id, state, drain_deadline_at, supply_ends_at, retired_at])
}

/** Gives a new host its key and the permit that it came by. */
export async function bindHost(db: Db, { id, public_key, enrolment_id }: Enrolled): Promise<void> {
  await db.run(bind, [id, public_key, enrolment_id])
}

/** Notes that a host that is locked has enrolled again; gives its epoch. */
export async function updateIntroduced(db: Db, { id, agent_version, facts }: Introduced): Promise<number> {
  return ((await db.row(introduceAgain, [id, agent_version, JSON.stringify(facts)])) as { epoch: number }).epoch
}

/** The host that is not retired and has this key. */
export async function findHostByKey(db: Db, public_key: string): Promise<Id<'host'> | undefined> {
  return (await db.row(selectByKey, [public_key]))?.id
}

/** The keys of those among some hosts that may still speak. */
export async function listHostKeys(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  return new Map((await db.rows(selectKeys, [ids])).map(({ id, public_key }) => [id, public_key]))
}

/** The generations of some hosts. */
export async function listGenerations(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  return new Map((await db.rows(selectGenerations, [ids])).map(({ id, generation }) => [id, generation]))
}

/** The generations of the hosts that an agent speaks for and that were given something to do in the last seconds. */
export async function listTold(db: Db, seconds: number): Promise<Map<string, number>> {
  return new Map((await db.rows(selectTold, [seconds])).map(({ id, generation }) => [id, generation]))
}

/** Notes that a host inside the process is not seen any more. */
export async function updateHidden(db: Db, id: string, now: number): Promise<void> {
  await db.run(hide, [id, now])
}

export async function updateUnreachable(db: Db, id: string): Promise<void> {
  await db.run(markUnreachable, [id])
}

/** The real clock, in seconds; hosts outside of the process live by it. */
export async function readRealNow(db: Db): Promise<number> {
  return ((await db.row(readRealTime)) as { now: number }).now
}

/** Hosts outside of the process that are silent, and nobody took notice yet. Both spans are in seconds. */
export async function listSilentHosts(db: Db, lost_after: number, addresses_after: number): Promise<Id<'host'>[]> {
  return (await db.rows(selectSilent, [lost_after, addresses_after])).map(({ id }) => id)
}

/** A page of hosts; `where` says which. */
export function listHosts(ctx: Ctx, query: PageQuery, where: Conditions): Promise<Page<HostRow>> {
  const select = `select ${columns} from hosts h`
  return readPage<HostRow>(ctx, { prefix: 'hostc', query, select, where, sort: newestFirst('h') })
}
