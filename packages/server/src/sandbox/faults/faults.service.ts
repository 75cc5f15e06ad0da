import { agentEndpoints, endpoints } from '@bourse/api/contract.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { poolKinds } from '@bourse/api/market/pools.ts'
import { type createFault as createContract, type Fault, faultKinds } from '@bourse/api/sandbox/faults.ts'
import { Refusal, refuse, throwIfRefused } from '../../core/base/refusal.ts'
import { systemCommand, systemOrigin } from '../../core/work/command.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { shortListResponse } from '../../core/work/page.ts'
import { query } from '../../core/work/query.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { findHostId } from '../../fleet/hosts/hosts.service.ts'
import { findKnownInstance } from '../../fleet/instances/instances.service.ts'
import { allocationThatEnds } from '../../fleet/placement/placement.service.ts'
import { refuseNotFound } from '../../iam/access/permissions.service.ts'
import { ownedNow, type PoolSku, returnAllocation } from '../../market/pools/capacity.service.ts'
import { haltWhole, resumeWhole } from '../../market/pools/halts.service.ts'
import { findOwnPool, type KnownPool } from '../../market/pools/pools.service.ts'
import { type OrderTrader, sellOff } from '../../market/trading/sell-offs.service.ts'
import { findAnyWebhook } from '../../webhooks/webhooks.service.ts'
import { addMachineFault, listMachineFaults, removeMachineFault } from '../hosts/machine-faults.service.ts'
import { ensureBuyer } from '../makers/makers-opening.service.ts'
import { withinWorld } from '../world/world.service.ts'
import { isMarketHalted, refreshFaults } from './fault-injector.service.ts'
import { edgeKinds, type FaultLife, type FaultRow, isActive, refuseFault, timesOf } from './faults.rules.ts'
import { insertFault, listFaults as listRows, removeFault } from './faults.store.ts'

type FaultBody = Input<typeof createContract>['body']
type FaultTarget = { readonly host_id: Id<'host'> } | { readonly instance_id: Id<'instance'> }
type Preemption = {
  readonly key: PoolSku
  readonly nodes: number
  readonly pool: KnownPool
  readonly fields: FaultRow['fields']
}
type StoredFaultLife = Pick<FaultRow, 'id' | 'times' | 'ends_at' | 'hits' | 'created_at'>

const notTaken = new Refusal({
  code: 'not_applicable',
  field: null,
  message: 'The pool has no allocation to take away.',
})

const effectFields = ['status', 'milliseconds', 'moment', 'operation', 'probability_percent', 'sku', 'node_count']
const targetFields = ['host', 'instance', 'pool', 'webhook']

/** Kind of the due rows that end halts of the market; the key is the id of the fault. */
export const haltEndKind = 'sandbox.market_halt'

/**
 * Creates a fault. It is active when the response is sent. 400 required, invalid_value; 409 instance_terminated;
 * 422 not_applicable, mutually_exclusive, reference_not_found.
 */
export async function createFault(runtime: Runtime, params: FaultBody): Promise<Fault> {
  throwIfRefused(refuseFault(params))
  refuseUnknownOperation(params.operation)
  const work = (ctx: Ctx) => addFault(ctx, params)
  const fault =
    params.kind === 'preempt'
      ? await withinWorld(runtime, () => preempt(runtime, params))
      : await systemCommand(runtime, work)
  await refreshFaults(runtime)
  return fault
}

/** Lists the faults that have not been removed, newest first. */
export async function listFaults(ctx: Ctx) {
  const [edge, machine] = await Promise.all([listRows(ctx.db), listMachineFaults(ctx)])
  const faults = [
    ...edge.map((row) => present(row.kind, row, row.fields, ctx.now)),
    ...machine.map(({ kind, host_id, instance_id, ...row }) => {
      const target = host_id === null ? { instance: instance_id } : { host: host_id }
      return present(kind, row as StoredFaultLife, target, ctx.now)
    }),
  ]
  const shown = faults.filter(({ kind }) => Object.hasOwn(faultKinds, kind))
  return shortListResponse(shown.sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1)))
}

/** Removes a fault. Its effects so far remain. 404 if there is no such fault. */
export async function deleteFault(runtime: Runtime, id: Id<'sandbox_fault'>): Promise<void> {
  await systemCommand(runtime, async (ctx) => {
    const known = (await listRows(ctx.db)).find((row) => row.id === id)
    const isRemoved = (await removeFault(ctx.db, id, ctx.now)) || (await removeMachineFault(ctx, id))
    if (!isRemoved) refuseNotFound()
    if (known?.kind !== 'market_halt') return
    ctx.unschedule(haltEndKind, id)
    await endMarketHalt(ctx)
  })
  await refreshFaults(runtime)
}

async function addFault(ctx: Ctx, params: FaultBody): Promise<Fault> {
  const { kind } = params
  const life = lifeOf(ctx, params)
  if (kind === 'market_halt') return haltMarket(ctx, life)
  if ((edgeKinds as readonly string[]).includes(kind)) {
    const { status, milliseconds, moment, operation, probability_percent } = params
    const fields = { status, milliseconds, moment, operation, probability_percent }
    await insertFault(ctx.db, { ...life, kind, fields })
    return present(kind, life, fields, ctx.now)
  }
  if (kind === 'webhook_failure') return failWebhook(ctx, life, params)
  const target = await findTarget(ctx, params)
  await addMachineFault(ctx, { ...life, kind: kind as Parameters<typeof addMachineFault>[1]['kind'], target })
  const shown = 'host_id' in target ? { host: target.host_id } : { instance: target.instance_id }
  return present(kind, life, shown, ctx.now)
}

/** Resumes the market unless another fault still halts it. */
export async function endMarketHalt(ctx: Ctx): Promise<void> {
  if (!(await isMarketHalted(ctx))) await resumeWhole(ctx)
}

async function failWebhook(ctx: Ctx, life: StoredFaultLife, { webhook, status }: FaultBody): Promise<Fault> {
  const known = webhook && (await findAnyWebhook(ctx, webhook))
  if (!known) refuse('reference_not_found', 'There is no such webhook.', 'webhook')
  const fields = { status, webhook: known.id }
  await insertFault(ctx.db, { ...life, kind: 'webhook_failure', fields })
  return present('webhook_failure', life, fields, ctx.now)
}

async function haltMarket(ctx: Ctx, life: StoredFaultLife): Promise<Fault> {
  await insertFault(ctx.db, { ...life, kind: 'market_halt', fields: {} })
  if (life.ends_at !== null) ctx.schedule(haltEndKind, life.id, life.ends_at)
  await haltWhole(ctx, 'An injected fault halts the market.')
  return present('market_halt', life, {}, ctx.now)
}

/**
 * Takes allocation away at once; the preemption rules then choose the victims. The allocation is sold: first to resting
 * buys of the book, then to a simulated trader. If it cannot be sold, it returns to a pool that hosts supply. A
 * read-only pool cannot sell. A halted market, a frozen account or a limit can also prevent the sale, but must not
 * prevent the preemption that a test needs.
 */
async function preempt(runtime: Runtime, params: FaultBody): Promise<Fault> {
  const { kind } = await query(runtime, systemOrigin, async (ctx) => (await preemptionOf(ctx, params)).pool)
  if ((poolKinds[kind].orders as readonly string[]).includes('sell')) {
    const buyer = await ensureBuyer(runtime)
    try {
      return await systemCommand(runtime, (ctx) => addPreemption(ctx, params, (taken) => sell(ctx, taken, buyer)))
    } catch (error) {
      if (error !== notTaken) throw error
    }
  }
  return systemCommand(runtime, (ctx) => {
    return addPreemption(ctx, params, ({ key, nodes }) => returnAllocation(ctx, key, nodes))
  })
}

async function addPreemption(
  ctx: Ctx,
  params: FaultBody,
  take: (taken: Preemption) => Promise<boolean>,
): Promise<Fault> {
  const taken = await preemptionOf(ctx, params)
  if (taken.nodes < 1 || !(await take(taken))) throw notTaken
  const done = { ...lifeOf(ctx, params), hits: 1 }
  await insertFault(ctx.db, { ...done, kind: 'preempt', fields: taken.fields })
  return present('preempt', done, taken.fields, ctx.now)
}

function sell(ctx: Ctx, { key, nodes, pool }: Preemption, buyer: KnownPool): Promise<boolean> {
  return sellOff(ctx, { sku_id: key.sku_id, nodes, seller: traderOf(pool), buyer: traderOf(buyer) })
}

function traderOf({ id, account_id, workspace_id }: KnownPool): OrderTrader {
  return { pool_id: id, account_id, workspace_id }
}

function lifeOf(ctx: Ctx, params: FaultBody): StoredFaultLife {
  const ends_at = params.for_seconds === undefined ? null : ctx.now + params.for_seconds
  return { id: ctx.newId('sandbox_fault'), times: timesOf(params), ends_at, hits: 0, created_at: ctx.now }
}

function preemptionOf(ctx: Ctx, params: FaultBody): Promise<Preemption> {
  return params.instance === undefined ? nodesOfPool(ctx, params) : nodesFor(ctx, params)
}

async function nodesFor(ctx: Ctx, params: FaultBody): Promise<Preemption> {
  const instance = await requireInstance(ctx, params)
  const left = await allocationThatEnds(ctx, instance)
  if (left === undefined) refuse('not_applicable', 'This instance uses no allocation yet.', 'instance')
  const pool = await findOwnPool(ctx, instance.pool_id)
  if (!pool) refuse('not_applicable', 'The pool of this instance no longer exists.', 'instance')
  return { key: instance, nodes: (await ownedNow(ctx, instance)) - left, pool, fields: { instance: instance.id } }
}

async function nodesOfPool(ctx: Ctx, params: FaultBody): Promise<Preemption> {
  const { pool: ref, sku, node_count } = params as Required<FaultBody>
  const pool = await findOwnPool(ctx, ref)
  if (!pool) refuse('reference_not_found', 'There is no such pool.', 'pool')
  return { key: { pool_id: pool.id, sku_id: sku }, nodes: node_count, pool, fields: { pool: pool.id, sku, node_count } }
}

async function findTarget(ctx: Ctx, params: FaultBody): Promise<FaultTarget> {
  if (params.host === undefined) return { instance_id: (await requireInstance(ctx, params)).id }
  const host_id = await findHostId(ctx, params.host)
  return host_id ? { host_id } : refuse('reference_not_found', 'There is no such host.', 'host')
}

async function requireInstance(ctx: Ctx, { instance }: FaultBody) {
  const row = instance && (await findKnownInstance(ctx, instance))
  if (!row) refuse('reference_not_found', 'There is no such instance.', 'instance')
  if (row.state === 'terminated') refuse('instance_terminated', 'This instance has ended.', 'instance')
  return row
}

function refuseUnknownOperation(operation: string | undefined): void {
  if (operation === undefined) return
  const known = [...endpoints, ...agentEndpoints].find(({ name }) => name === operation)
  if (!known) refuse('invalid_value', 'There is no operation of this name.', 'operation')
  if (known.path.startsWith('/sandbox/') || known.access === 'public') {
    refuse('not_applicable', 'Faults do not affect sandbox control or operations without a token.', 'operation')
  }
}

function present(kind: string, life: StoredFaultLife, fields: Readonly<Record<string, unknown>>, now: number): Fault {
  const { id, times, hits, ends_at, created_at } = life
  const active = isActive({ kind, times, hits, ends_at } satisfies FaultLife, now)
  const end = ends_at === null ? {} : { for_seconds: ends_at - created_at }
  return {
    object: 'fault',
    id,
    kind: kind as Fault['kind'],
    ...pick(fields, effectFields),
    times,
    ...end,
    ...pick(fields, targetFields),
    hits,
    active,
    created_at,
  }
}

/** The fields that have a value, in the order of `names`. A jsonb column does not keep the order of its keys. */
function pick(fields: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]))
}
