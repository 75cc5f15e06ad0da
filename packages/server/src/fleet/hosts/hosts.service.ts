import type { HostBenchmark } from '@bourse/api/fleet/benchmarks.ts'
import type { SlotHardware } from '@bourse/api/fleet/fit-slots.ts'
import { knownHardware } from '@bourse/api/fleet/hardware.ts'
import { type Host, type HostFacts, hostFactFields, type listHosts as listContract } from '@bourse/api/fleet/hosts.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import type { Ctx, Referrer } from '../../core/work/ctx.ts'
import { among, conditions, pageResponse } from '../../core/work/page.ts'
import {
  allow,
  hasPermission,
  onlyVisible,
  refuseNotFound,
  visibleWorkspaces,
} from '../../iam/access/permissions.service.ts'
import { requirePlatformAccount } from '../../iam/accounts/accounts.service.ts'
import { claimNames, idToLoad, pickSummary, resolveFilter, summaries } from '../../iam/names/names.service.ts'
import { lockWorkspaceShared } from '../../iam/names/owners.service.ts'
import { changeSupply } from '../../market/pools/capacity.service.ts'
import { ensureSupplyPool, lockPools } from '../../market/pools/pools.service.ts'
import { type SkuSummary, skuSummaries } from '../../market/skus/skus.service.ts'
import { presentTunnel, tunnelsOfHosts } from '../tunnels/tunnels.service.ts'
import { agentsOfHosts } from './host-agents.service.ts'
import { recordHostSupply } from './host-supply.service.ts'
import { type HostRow, hostTraffic, supplyOfSlots } from './hosts.rules.ts'
import {
  findHost as findRow,
  hostLock,
  insertHosts,
  listHostsById,
  listPartnerHosts as listPartnerRows,
  listHosts as listRows,
  listSuppliers,
  type NewHostRow,
  readRealNow as readRealClock,
} from './hosts.store.ts'
import { findMachine, listMachinesOn, slotsChanged } from './machines.service.ts'

/** Kind of the due rows that sum up the benchmarks of hosts. The key is the id of their SKU. */
export const skuBenchmarksDue = 'fleet.sku_benchmarks'

/** The owner and the SKU of some hosts, and whether they are simulated in this process. */
type HostPlace = {
  readonly account_id: string
  readonly workspace_id: Id<'workspace'>
  readonly sku_id: Id<'sku'>
  readonly is_simulated: boolean
}

/** A host to be added. */
type NewHost = {
  readonly slots: number
  readonly facts: HostFacts
  readonly agent_version: string | null
  readonly name?: string | undefined
  /** What each slot gets of the hardware. Null: the host reports no hardware. */
  readonly slot_hardware: readonly SlotHardware[] | null
}

/**
 * Adds hosts that are ready at once. Their slots feed the supply pool of the workspace from the next minute on. The
 * caller has locked the capacity of the SKU. The limit `hosts` does not change: it counts the hosts that customers
 * enrol, and enrolment takes it.
 */
export async function addHosts(ctx: Ctx, place: HostPlace, newHosts: readonly NewHost[]): Promise<Id<'host'>[]> {
  const { account_id, workspace_id, sku_id, is_simulated } = place
  const pool_id = await ensureSupplyPool(ctx, { account_id, workspace_id })
  const { start_at, node_count } = supplyOfSlots(
    newHosts.reduce((sum, { slots }) => sum + slots, 0),
    ctx.now,
  )
  const minute = start_at / 60
  await lockPools(ctx, [pool_id])
  await changeSupply(ctx, { pool_id, sku_id }, [{ minute, delta: node_count }])
  await lockWorkspaceShared(ctx, workspace_id)
  const last_seen_at = is_simulated ? null : await readRealNow(ctx)
  const rows = newHosts.map((addedHost) => newHost(ctx, { ...place, ...addedHost, pool_id, last_seen_at }))
  const names = rows.map(({ id }, index) => {
    return { id, kind: 'host' as const, account_id, workspace_id, name: newHosts[index]?.name }
  })
  await claimNames(ctx, names)
  await insertHosts(ctx.db, rows)
  await recordHostSupply(
    ctx,
    rows.map(({ id, slots }) => ({ host_id: id, sku_id, minute, delta: slots })),
  )
  ctx.publish(slotsChanged, sku_id)
  return rows.map(({ id }) => id)
}

type PlacedHost = HostPlace & NewHost & Pick<HostRow, 'pool_id' | 'last_seen_at'>

function newHost(ctx: Ctx, host: PlacedHost): NewHostRow {
  return {
    id: ctx.newId('host'),
    account_id: host.account_id,
    workspace_id: host.workspace_id,
    sku_id: host.sku_id,
    pool_id: host.pool_id,
    state: 'active',
    health: 'healthy',
    health_message: null,
    slots: host.slots,
    used_slots: 0,
    epoch: 1,
    generation: 0,
    reported_generation: 0,
    agent_version: host.agent_version,
    enrolment_id: null,
    facts: host.facts,
    is_simulated: host.is_simulated,
    last_seen_at: host.last_seen_at,
    drain_deadline_at: null,
    supply_ends_at: null,
    created_at: ctx.now,
    retired_at: null,
    facts_at: host.slot_hardware === null ? null : ctx.now,
    fitting_slots: host.slot_hardware === null ? null : host.slots,
    unfit_at: null,
    unfit_message: null,
    benchmark: null,
    slot_hardware: host.slot_hardware,
  }
}

/** Adds one host as {@link addHosts} does. */
export async function addHost(ctx: Ctx, host: HostPlace & NewHost) {
  const { name, slots, facts, agent_version, slot_hardware, ...place } = host
  const [id] = await addHosts(ctx, place, [{ name, slots, facts, agent_version, slot_hardware }])
  return id as Id<'host'>
}

/** Lists the hosts that the caller may list. The platform operator sees those of all accounts. */
export async function listHosts(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const where = conditions()
  if (isOperator(ctx)) {
    const workspace_id = query.workspace && (await idToLoad(ctx, 'workspace', query.workspace))
    where.checkIf('h.workspace_id = $', workspace_id)
  } else onlyVisible(ctx, where, 'h', await visibleWorkspaces(ctx, 'host:list', query.workspace))
  where.addIf('h.account_id = $', query.account)
  where.addIf('h.id = any($)', await resolveFilter(ctx, 'host', query.id)).checkIf('h.sku_id = any($)', query.sku)
  // Most hosts are healthy, so the health decides what is read where it says something.
  const isByHealth = query.health !== undefined && !query.health.includes('healthy')
  if (isByHealth) where.checkIf('h.state = any($)', query.state)
  else where.checkIf('h.health = any($)', query.health)
  const page = await listRows(ctx, query, {
    where,
    among: isByHealth ? among('h.health', query.health) : among('h.state', query.state),
  })
  return pageResponse(page, await presentHosts(ctx, page.rows))
}

/** Reads one host. */
export async function getHost(ctx: Ctx, ref: Ref<'host'>): Promise<Host> {
  return presentHost(ctx, await loadHost(ctx, ref, 'read'))
}

/** A host that the caller may read or change. The platform operator may access the hosts of all accounts. */
export async function loadHost(ctx: Ctx, ref: Ref<'host'>, verb: 'read' | 'write'): Promise<HostRow> {
  const id = await idToLoad(ctx, 'host', ref)
  const row = await findHost(ctx, id)
  if (!row) refuseNotFound()
  const steersAll = isOperator(ctx) && row.account_id !== ctx.caller?.account_id
  await (steersAll ? allow(ctx, `platform:${verb}`, null) : allow(ctx, `host:${verb}`, row))
  return row
}

/** A host as the API shows it. */
export async function presentHost(ctx: Ctx, row: HostRow): Promise<Host> {
  const [shown] = await presentHosts(ctx, [row])
  return shown as Host
}

/** Hosts as the API shows them, by id, for a caller that has just added them. */
export async function readHosts(ctx: Ctx, ids: readonly Id<'host'>[]): Promise<Host[]> {
  return presentHosts(ctx, await listHostsById(ctx.db, ids))
}

/** A host of whatever account. */
export function findHost(ctx: Ctx, id: Id<'host'>): Promise<HostRow | undefined> {
  return findRow(ctx.db, id)
}

/** The accounts whose hosts supply SKUs or did, by SKU. */
export function readSuppliers(ctx: Ctx, skuIds: readonly Id<'sku'>[]): Promise<Map<string, string[]>> {
  return listSuppliers(ctx.db, skuIds)
}

/** The hosts of a SKU that partners supply, and not the operator of the platform. */
export async function listPartnerHosts(ctx: Ctx, sku_id: string, limit: number): Promise<Referrer[]> {
  return listPartnerRows(ctx.db, { sku_id, platform: await requirePlatformAccount(ctx) }, limit)
}

/** The real clock, in seconds. It applies to hosts outside of the process, whatever the sandbox clock shows. */
export function readRealNow(ctx: Ctx): Promise<number> {
  return readRealClock(ctx.db)
}

/** Resolves the id or path of a host; undefined if there is no such host. */
export async function findHostId(ctx: Ctx, ref: Ref<'host'>): Promise<Id<'host'> | undefined> {
  const id = await idToLoad(ctx, 'host', ref)
  return (await findHost(ctx, id))?.id
}

/** The host of an instance, if it has one. */
export async function findHostOf(ctx: Ctx, instanceId: Id<'instance'>): Promise<Id<'host'> | undefined> {
  return (await findMachine(ctx, instanceId))?.host_id
}

/** Locks hosts (rank `hosts`) and reads them under the lock. */
export async function lockHosts(ctx: Ctx, ids: readonly Id<'host'>[]): Promise<HostRow[]> {
  const [, rows] = await Promise.all([ctx.lock(hostLock, ids), listHostsById(ctx.db, ids)])
  return rows
}

function isOperator(ctx: Ctx): boolean {
  return ctx.caller?.is_platform === true && hasPermission(ctx, 'platform:read', null)
}

async function presentHosts(ctx: Ctx, rows: readonly HostRow[]): Promise<Host[]> {
  const ids = rows.map(({ id }) => id)
  const named = rows.flatMap(({ id, workspace_id, pool_id }) => [id, workspace_id, pool_id])
  const [names, skus, machines, tunnels, agentOf] = await Promise.all([
    summaries(ctx, named),
    skuSummaries(
      ctx,
      rows.map(({ sku_id }) => sku_id),
    ),
    ids.length === 0 ? [] : listMachinesOn(ctx, ids),
    tunnelsOfHosts(ctx, ids),
    agentsOfHosts(ctx, ids),
  ])
  return rows.map((row): Host => {
    const { id, account_id, workspace_id, sku_id, pool_id, last_seen_at, facts } = row
    const { name, resource_path } = pickSummary(names, 'host', id)
    const own = machines.filter(({ host_id }) => host_id === id)
    const tunnel = tunnels.get(id)
    return {
      object: 'host',
      id,
      resource_path,
      account: account_id,
      workspace: pickSummary(names, 'workspace', workspace_id),
      sku: skus.get(sku_id) as SkuSummary,
      pool: pickSummary(names, 'pool', pool_id),
      name,
      state: row.state,
      health: row.health,
      health_message: row.health_message,
      slots: row.slots,
      used_slots: own.length,
      instances: own.map(({ instance_id }) => instance_id),
      agent_version: row.agent_version,
      ...agentOf(row),
      facts: presentFacts(facts),
      benchmark: presentBenchmark(row),
      traffic: hostTraffic(row, { tunnel, ...ctx.services.tunnel_settings }),
      tunnel: tunnel ? presentTunnel(tunnel) : null,
      last_seen_at: last_seen_at ?? ctx.now,
      drain_deadline_at: row.drain_deadline_at,
      supply_ends_at: row.supply_ends_at,
      created_at: row.created_at,
      retired_at: row.retired_at,
    }
  })
}

function presentBenchmark({ benchmark }: HostRow): HostBenchmark | null {
  if (benchmark === null) return null
  const { measured_at, figures } = benchmark
  return { measured_at, figures: figures.map(({ name, value, unit }) => ({ name, value, unit })) }
}

/** The facts in the order of the contract: jsonb does not keep the order of keys. */
function presentFacts(facts: HostFacts): HostFacts {
  const names = Object.keys(hostFactFields) as (keyof HostFacts)[]
  const present = names.filter((name) => facts[name] !== undefined)
  const shown = Object.fromEntries(present.map((name) => [name, facts[name]])) as HostFacts
  return facts.hardware ? { ...shown, hardware: knownHardware(facts.hardware) } : shown
}
