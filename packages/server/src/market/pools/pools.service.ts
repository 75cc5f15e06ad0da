import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import {
  type createReadOnlyPool as createContract,
  type createPool as createPoolContract,
  type listPools as listContract,
  type Pool,
  poolKinds,
} from '@bourse/api/market/pools.ts'
import { Refusal, refuse, throwIfRefused } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { conditions, pageAnswer } from '../../core/work/page.ts'
import {
  allow,
  chooseWorkspace,
  mayName,
  onlyVisible,
  refuseNotFound,
  visibleWorkspaces,
} from '../../iam/access/permissions.service.ts'
import { returnLimit, takeLimit } from '../../iam/accounts/limits.service.ts'
import { relyOnWorkspace, requireWorkspaceOf } from '../../iam/accounts/workspaces.service.ts'
import {
  claimName,
  pickSummary,
  releaseName,
  renameName,
  resolveFilter,
  resolveRef,
  type Summary,
  summaries,
} from '../../iam/names/names.service.ts'
import { fromEntries, type Schedule, span } from '../schedule/schedule.rules.ts'
import { noteHolding, requireSku } from '../skus/skus.service.ts'
import { lockCapacity, lockPools, moveAllocation } from './capacity.service.ts'
import { HISTORY_MINUTES } from './pool-history.rules.ts'
import { minuteOf, refusePoolDelete, schedulesBySku, shownAllocation } from './pools.rules.ts'
import {
  findPool,
  findSupplyPool,
  insertPool,
  insertSupplyPool,
  listAllocation,
  listPools as listRows,
  type PoolRow,
  poolDeletionLock,
  poolShareLock,
  removePool,
  updatePoolTags,
} from './pools.store.ts'

/** Kind and only key of the due row of pools' history; what is owned anywhere came in through a supply pool. */
export const historyKind = 'market.pool_history'
export const historyKey = 'all'

/** A pool that is there, with what others have to know of it. */
export type KnownPool = PoolRow

const referrersShown = 20
const automationsMax = 1000

/** Makes a market pool. */
export async function createPool(ctx: Ctx, body: Input<typeof createPoolContract>['body']): Promise<Pool> {
  const { account_id } = callerOf(ctx)
  const workspace_id = await chooseWorkspace(ctx, body.workspace)
  await allow(ctx, 'pool:create', workspace_id)
  await takeLimit(ctx, account_id, 'pools')
  await relyOnWorkspace(ctx, workspace_id)
  const row = { ...newPool(ctx, { account_id, workspace_id, kind: 'market' }), tags: body.tags ?? null }
  await claimName(ctx, { id: row.id, kind: 'pool', account_id, workspace_id, name: body.name })
  await insertPool(ctx.db, row)
  return presentOne(ctx, row, 0)
}

/** Renames a market pool or replaces its tags. */
export async function updatePool(
  ctx: Ctx,
  ref: Ref<'pool'>,
  changes: { name?: string; tags?: Pool['tags'] },
): Promise<Pool> {
  const known = await loadPool(ctx, ref)
  await allow(ctx, 'pool:write', known)
  if (!poolKinds[known.kind].changeable) {
    refuse('pool_kind_not_allowed', `A pool of kind ${known.kind} is not changed.`, null)
  }
  await lockPools(ctx, [known.id])
  const row = (await findPool(ctx.db, known.id)) ?? refuseNotFound()
  if (changes.name !== undefined) await renameName(ctx, { id: row.id, kind: 'pool', name: changes.name })
  if (changes.tags === undefined) return presentOne(ctx, row, 0)
  await updatePoolTags(ctx.db, row.id, changes.tags)
  return presentOne(ctx, { ...row, tags: changes.tags }, 0)
}

/** Lists the pools that the caller may list. */
export async function listPools(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const visible = await visibleWorkspaces(ctx, 'pool:list', query.workspace)
  const where = onlyVisible(ctx, conditions(), 'p', visible)
  where.addIf('p.id = any($)', await resolveFilter(ctx, 'pool', query.id)).addIf('p.kind = $', query.kind)
  const page = await listRows(ctx, query, where)
  return pageAnswer(page, await present(ctx, page.rows, query.schedule_history_minutes))
}

/** Reads one pool. */
export async function getPool(ctx: Ctx, ref: Ref<'pool'>, history_minutes = 0): Promise<Pool> {
  const row = await loadPool(ctx, ref)
  await allow(ctx, 'pool:read', row)
  return presentOne(ctx, row, history_minutes)
}

/** Deletes a pool that holds nothing any more. */
export async function deletePool(ctx: Ctx, ref: Ref<'pool'>): Promise<void> {
  const known = await loadPool(ctx, ref)
  await allow(ctx, 'pool:delete', known)
  if (!poolKinds[known.kind].changeable)
    refuse('pool_kind_not_allowed', `A pool of kind ${known.kind} is not deleted.`, null)
  await ctx.lock(poolDeletionLock, [known.id])
  const row = (await findPool(ctx.db, known.id)) ?? refuseNotFound()
  const owned = [...schedulesBySku(await listAllocation(ctx.db, [row.id])).values()]
  throwIfRefused(refusePoolDelete(owned, await ctx.referrers('pool', row.id, referrersShown), ctx.now))
  await removePool(ctx, row.id)
  await releaseName(ctx, row.id)
  await returnLimit(ctx, row.account_id, 'pools')
}

/** Makes a read-only pool of an account from the supply of some host's pool: the operator's only grant. */
export async function createReadOnlyPool(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<Pool> {
  await allow(ctx, 'platform:write', null)
  const workspace_id = await requireWorkspaceOf(ctx, body.account, body.workspace)
  const granted = scheduleOf(body.allocation_schedule)
  const { start } = span(granted) ?? refuse('out_of_range', 'The schedule grants nothing.', 'allocation_schedule')
  if (start < minuteOf(ctx.now)) refuse('in_the_past', 'The schedule starts in the past.', 'allocation_schedule')
  const source = await resolveRef(ctx, 'pool', body.from_pool)
  if (source === undefined) refuse('reference_not_found', 'There is no such pool.', 'from_pool')
  await lockCapacity(ctx, body.sku)
  const sku = await requireSku(ctx, body.sku, { account_id: body.account })
  await takeLimit(ctx, body.account, 'pools')
  await lockPools(ctx, [source])
  const from = (await findPool(ctx.db, source)) ?? refuse('reference_not_found', 'There is no such pool.', 'from_pool')
  if (from.kind !== 'originating')
    refuse('pool_kind_not_allowed', 'Only an originating pool can be taken from.', 'from_pool')
  await relyOnWorkspace(ctx, workspace_id)
  const row = newPool(ctx, { account_id: body.account, workspace_id, kind: 'read_only' })
  await claimName(ctx, { id: row.id, kind: 'pool', account_id: body.account, workspace_id, name: body.name })
  await insertPool(ctx.db, row)
  await moveAllocation(ctx, {
    from: from.id,
    to: row.id,
    sku_id: sku.id,
    schedule: granted,
    cause: 'grant',
    field: 'allocation_schedule',
  })
  await noteHolding(ctx, body.account, sku.id)
  return presentOne(ctx, row, 0)
}

/** The originating pool of a workspace, made for its first host and named `supply` where that name is free. */
export async function ensureSupplyPool(
  ctx: Ctx,
  { account_id, workspace_id }: { account_id: string; workspace_id: Id<'workspace'> },
): Promise<Id<'pool'>> {
  const known = await findSupplyPool(ctx.db, workspace_id)
  if (known) return known.id
  const row = newPool(ctx, { account_id, workspace_id, kind: 'originating' })
  // Two first hosts may come at once: one waits here for the pool of the other.
  if (!(await insertSupplyPool(ctx.db, row))) {
    const made = await findSupplyPool(ctx.db, workspace_id)
    if (!made) throw new Error(`The supply pool of ${workspace_id} was made meanwhile and is not there.`)
    return made.id
  }
  ctx.due(historyKind, historyKey, ctx.now + HISTORY_MINUTES * 60)
  const wish = { id: row.id, kind: 'pool' as const, account_id, workspace_id }
  const isTaken = (await resolveRef(ctx, 'pool', await pathInWorkspace(ctx, workspace_id, 'supply'))) !== undefined
  await claimName(ctx, isTaken ? wish : { ...wish, name: 'supply' })
  return row.id
}

/** The pool that something is to use, held against deletion. 422 reference_not_found where the caller cannot see it. */
export async function relyOnPool(ctx: Ctx, ref: Ref<'pool'>, field = 'pool'): Promise<PoolRow> {
  const id = await resolveRef(ctx, 'pool', ref)
  const held = id === undefined ? [] : await ctx.lock(poolShareLock, [id])
  const row = held[0] === undefined ? undefined : await findPool(ctx.db, held[0])
  return row && mayName(ctx, row) ? row : refuse('reference_not_found', 'There is no such pool.', field)
}

/** A pool of the caller's by id or path, without a lock; undefined where there is none. */
export async function findOwnPool(ctx: Ctx, ref: Ref<'pool'>): Promise<PoolRow | undefined> {
  const id = await resolveRef(ctx, 'pool', ref)
  const row = id === undefined ? undefined : await findPool(ctx.db, id)
  return row && mayName(ctx, row) ? row : undefined
}

function newPool(ctx: Ctx, fields: Pick<PoolRow, 'account_id' | 'workspace_id' | 'kind'>): PoolRow {
  return { ...fields, id: ctx.newId('pool'), tags: null, created_at: ctx.now }
}

async function pathInWorkspace(ctx: Ctx, workspace_id: Id<'workspace'>, name: string): Promise<Ref<'pool'>> {
  const { resource_path } = pickSummary(await summaries(ctx, [workspace_id]), 'workspace', workspace_id)
  return `${resource_path.replace('svc:workspace:', 'svc:pool:')}:${name}` as Ref<'pool'>
}

function scheduleOf(entries: Parameters<typeof fromEntries>[0]): Schedule {
  const read = fromEntries(entries, 'allocation_schedule')
  if ('refusal' in read) throw new Refusal(read.refusal)
  return read.schedule
}

async function loadPool(ctx: Ctx, ref: Ref<'pool'>): Promise<PoolRow> {
  return (await findOwnPool(ctx, ref)) ?? refuseNotFound()
}

async function presentOne(ctx: Ctx, row: PoolRow, history_minutes: number): Promise<Pool> {
  const [shown] = await present(ctx, [row], history_minutes)
  return shown as Pool
}

async function present(ctx: Ctx, rows: readonly PoolRow[], history_minutes = 0): Promise<Pool[]> {
  const ids = rows.map(({ id }) => id)
  const deltas = rows.length === 0 ? [] : await listAllocation(ctx.db, ids)
  const automations = await Promise.all(ids.map((id) => ctx.referrers('automations_of_pool', id, automationsMax)))
  const wanted = [
    ...rows.flatMap(({ id, workspace_id }) => [id, workspace_id]),
    ...automations.flat().map(({ id }) => id),
  ]
  const names = await summaries(ctx, wanted)
  return rows.map((row, index) => {
    const { id, kind, tags, created_at } = row
    const { name, resource_path } = pickSummary(names, 'pool', id)
    const own = (automations[index] ?? []).map((automation) => ({
      automation,
      summary: names.get(automation.id) as Summary,
    }))
    const of = (wanted: string) =>
      own.filter(({ automation }) => automation.kind === wanted).map(({ summary }) => summary)
    const allocation = shownAllocation(
      deltas.filter(({ pool_id }) => pool_id === id),
      { now: ctx.now, history_minutes },
    )
    return {
      object: 'pool',
      id,
      resource_path,
      workspace: pickSummary(names, 'workspace', row.workspace_id),
      name,
      kind,
      allocation_schedule: allocation as Pool['allocation_schedule'],
      procurements: of('procurement') as Pool['procurements'],
      deployments: of('deployment') as Pool['deployments'],
      tags,
      created_at,
    }
  })
}
