import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import type { PlatformPool, listPlatformPools as platformContract } from '@bourse/api/market/platform-lists.ts'
import {
  type createPool as createContract,
  type listPools as listContract,
  type Pool,
  poolKinds,
} from '@bourse/api/market/pools.ts'
import { refuse, throwIfRefused } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { conditions, pageResponse } from '../../core/work/page.ts'
import {
  allow,
  chooseWorkspace,
  mayName,
  onlyVisible,
  refuseNotFound,
  visibleWorkspaces,
} from '../../iam/access/permissions.service.ts'
import { returnLimit, takeLimit } from '../../iam/names/limit-usage.service.ts'
import {
  claimName,
  idToLoad,
  pickSummary,
  releaseName,
  renameName,
  resolveFilter,
  resolveRef,
  type Summary,
  summaries,
} from '../../iam/names/names.service.ts'
import { lockWorkspaceShared } from '../../iam/names/owners.service.ts'
import { historyMinutes } from './pool-history.rules.ts'
import { firstShown, type PoolRow, refusePoolDelete, schedulesBySku, shownAllocation } from './pools.rules.ts'
import {
  findPool as findRow,
  findSupplyPool,
  insertPool,
  insertSupplyPool,
  listAllocation,
  listAllocationFrom,
  listPoolsById,
  listPoolsEver,
  listPools as listRows,
  poolDeletionLock,
  poolLock,
  poolShareLock,
  poolSoleLock,
  removePool,
  updatePoolTags,
} from './pools.store.ts'

/** Kind and only key of the due row of the pools' history. The first supply pool creates it. */
export const historyKind = 'market.pool_history'
export const historyKey = 'all'

/** A pool that exists. */
export type KnownPool = PoolRow

const referrersShown = 20
const automationsMax = 1000

/** Creates a market pool. */
export async function createPool(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<Pool> {
  const { account_id } = callerOf(ctx)
  const workspace_id = await chooseWorkspace(ctx, body.workspace)
  await allow(ctx, 'pool:create', workspace_id)
  await takeLimit(ctx, account_id, 'pools')
  await lockWorkspaceShared(ctx, workspace_id)
  const { name, tags } = body
  const row = await addPool(ctx, { account_id, workspace_id, kind: 'market', name, tags: tags ?? null })
  return presentPool(ctx, row)
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
  const row = (await findRow(ctx.db, known.id)) ?? refuseNotFound()
  if (changes.name !== undefined) await renameName(ctx, { id: row.id, kind: 'pool', name: changes.name })
  if (changes.tags === undefined) return presentPool(ctx, row)
  await updatePoolTags(ctx.db, row.id, changes.tags)
  return presentPool(ctx, { ...row, tags: changes.tags })
}

/** Lists the pools that the caller may list. */
export async function listPools(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const visible = await visibleWorkspaces(ctx, 'pool:list', query.workspace)
  const where = onlyVisible(ctx, conditions(), 'p', visible)
  where.addIf('p.id = any($)', await resolveFilter(ctx, 'pool', query.id)).checkIf('p.kind = $', query.kind)
  const page = await listRows(ctx, query, where)
  return pageResponse(page, await present(ctx, page.rows, query.schedule_history_minutes))
}

/** Lists the pools of all accounts, for the platform operator. */
export async function listPlatformPools(ctx: Ctx, query: Input<typeof platformContract>['query']) {
  await allow(ctx, 'platform:read', null)
  const where = conditions().addIf('p.account_id = $', query.account)
  where.addIf('p.id = any($)', await resolveFilter(ctx, 'pool', query.id)).checkIf('p.kind = $', query.kind)
  if (query.workspace) where.check('p.workspace_id = $', await idToLoad(ctx, 'workspace', query.workspace))
  const page = await listRows(ctx, query, where, 'platform_pools')
  const pools = await present(ctx, page.rows, query.schedule_history_minutes)
  return pageResponse(
    page,
    pools.map((pool, index): PlatformPool => ({ ...pool, account: (page.rows[index] as PoolRow).account_id })),
  )
}

/** Reads one pool. */
export async function getPool(ctx: Ctx, ref: Ref<'pool'>, history_minutes = 0): Promise<Pool> {
  const row = await loadPool(ctx, ref)
  await allow(ctx, 'pool:read', row)
  return presentPool(ctx, row, history_minutes)
}

/** Deletes a pool that owns nothing from now on and that nothing refers to. */
export async function deletePool(ctx: Ctx, ref: Ref<'pool'>): Promise<void> {
  const known = await loadPool(ctx, ref)
  await allow(ctx, 'pool:delete', known)
  if (!poolKinds[known.kind].changeable) {
    refuse('pool_kind_not_allowed', `A pool of kind ${known.kind} is not deleted.`, null)
  }
  await ctx.lock(poolDeletionLock, [known.id])
  const row = (await findRow(ctx.db, known.id)) ?? refuseNotFound()
  const owned = [...schedulesBySku(await listAllocation(ctx.db, [row.id])).values()]
  throwIfRefused(refusePoolDelete(owned, await ctx.referrers('pool', row.id, referrersShown), ctx.now))
  await removePool(ctx, row.id)
  await releaseName(ctx, row.id)
  await returnLimit(ctx, row.account_id, 'pools')
}

/** The originating pool of a workspace. Its first host creates it under the name `supply` where that name is free. */
export async function ensureSupplyPool(
  ctx: Ctx,
  { account_id, workspace_id }: { account_id: string; workspace_id: Id<'workspace'> },
): Promise<Id<'pool'>> {
  const known = await findSupplyPool(ctx.db, workspace_id)
  if (known) return known.id
  const row = newPool(ctx, { account_id, workspace_id, kind: 'originating', tags: null })
  // Two first hosts can enrol at once. The insert waits for the other one's transaction.
  if (!(await insertSupplyPool(ctx.db, row))) {
    const made = await findSupplyPool(ctx.db, workspace_id)
    if (!made) throw new Error(`The supply pool of ${workspace_id} conflicts with an insert but does not exist.`)
    return made.id
  }
  ctx.schedule(historyKind, historyKey, ctx.now + historyMinutes * 60)
  const claim = { id: row.id, kind: 'pool' as const, account_id, workspace_id }
  const isTaken = (await resolveRef(ctx, 'pool', await pathInWorkspace(ctx, workspace_id, 'supply'))) !== undefined
  await claimName(ctx, isTaken ? claim : { ...claim, name: 'supply' })
  return row.id
}

/**
 * A pool that the caller wants to use, locked against deletion (rank `pools`). Refuses reference_not_found where the
 * caller cannot see it.
 */
export async function lockPoolShared(ctx: Ctx, ref: Ref<'pool'>, field = 'pool'): Promise<PoolRow> {
  const id = await idToLoad(ctx, 'pool', ref)
  const locked = await ctx.lock(poolShareLock, [id])
  const row = locked[0] === undefined ? undefined : await findRow(ctx.db, locked[0])
  return row && mayName(ctx, row) ? row : refuse('reference_not_found', 'There is no such pool.', field)
}

/** Locks pools against deletion (rank `pools`), and returns those that exist. */
export function relyOnPools(ctx: Ctx, ids: readonly string[]): Promise<PoolRow[]> {
  return ctx.lockRows(poolShareLock, ids)
}

/** Some pools of any account, without a lock; those that are deleted are left out. */
export function readPools({ db }: Pick<Ctx, 'db'>, ids: readonly string[]): Promise<PoolRow[]> {
  return listPoolsById(db, ids)
}

/** Some pools of any account, without a lock, also those that are deleted. */
export function readPoolsEver({ db }: Pick<Ctx, 'db'>, ids: readonly string[]): Promise<PoolRow[]> {
  return listPoolsEver(db, ids)
}

/** A pool of any account, without a lock; undefined where it does not exist. */
export function findPool({ db }: Pick<Ctx, 'db'>, id: Id<'pool'>): Promise<PoolRow | undefined> {
  return findRow(db, id)
}

/** A pool of the caller's account by id or path, without a lock; undefined where it does not exist. */
export async function findOwnPool(ctx: Ctx, ref: Ref<'pool'>): Promise<PoolRow | undefined> {
  const id = await idToLoad(ctx, 'pool', ref)
  const row = await findRow(ctx.db, id)
  return row && mayName(ctx, row) ? row : undefined
}

/** Locks pools whose allocation changes or is decided on (rank `pools`). */
export async function lockPools(ctx: Ctx, poolIds: readonly Id<'pool'>[]): Promise<void> {
  await ctx.lock(poolLock, poolIds)
}

/** Locks a pool against every other command (rank `pools`), and returns it; undefined where it does not exist. */
export async function lockPoolAlone(ctx: Ctx, id: Id<'pool'>): Promise<PoolRow | undefined> {
  const [locked] = await ctx.lock(poolSoleLock, [id])
  return locked === undefined ? undefined : findRow(ctx.db, locked)
}

type NewPool = Pick<PoolRow, 'account_id' | 'workspace_id' | 'kind' | 'tags'>

/** Inserts a pool under a name of its workspace. The caller has taken the limit and relies on the workspace. */
export async function addPool(
  ctx: Ctx,
  { name, ...fields }: NewPool & { readonly name: string | undefined },
): Promise<PoolRow> {
  const row = newPool(ctx, fields)
  const { id, account_id, workspace_id } = row
  await claimName(ctx, { id, kind: 'pool', account_id, workspace_id, name })
  await insertPool(ctx.db, row)
  return row
}

function newPool(ctx: Ctx, fields: NewPool): PoolRow {
  return { ...fields, id: ctx.newId('pool'), created_at: ctx.now }
}

async function pathInWorkspace(ctx: Ctx, workspace_id: Id<'workspace'>, name: string): Promise<Ref<'pool'>> {
  const { resource_path } = pickSummary(await summaries(ctx, [workspace_id]), 'workspace', workspace_id)
  return `${resource_path.replace('svc:workspace:', 'svc:pool:')}:${name}` as Ref<'pool'>
}

async function loadPool(ctx: Ctx, ref: Ref<'pool'>): Promise<PoolRow> {
  return (await findOwnPool(ctx, ref)) ?? refuseNotFound()
}

/** A pool as its account sees it. */
export async function presentPool(ctx: Ctx, row: PoolRow, history_minutes = 0): Promise<Pool> {
  const [shown] = await present(ctx, [row], history_minutes)
  return shown as Pool
}

async function present(ctx: Ctx, rows: readonly PoolRow[], history_minutes = 0): Promise<Pool[]> {
  const ids = rows.map(({ id }) => id)
  const from = firstShown(ctx.now, history_minutes)
  const deltas = rows.length === 0 ? [] : await listAllocationFrom(ctx.db, ids, from)
  const byPool = Map.groupBy(deltas, ({ pool_id }) => pool_id)
  const automations = await Promise.all(ids.map((id) => ctx.referrers('automations_of_pool', id, automationsMax)))
  const named = rows.flatMap(({ id, workspace_id }) => [id, workspace_id])
  const names = await summaries(ctx, [...named, ...automations.flat().map(({ id }) => id)])
  return rows.map((row, index): Pool => {
    const { id, kind, tags, created_at } = row
    const { name, resource_path } = pickSummary(names, 'pool', id)
    const automationsOf = (wanted: string) =>
      (automations[index] ?? [])
        .filter((automation) => automation.kind === wanted)
        .map((automation) => names.get(automation.id) as Summary)
    const own = byPool.get(id) ?? []
    return {
      object: 'pool',
      id,
      resource_path,
      workspace: pickSummary(names, 'workspace', row.workspace_id),
      name,
      kind,
      allocation_schedule: shownAllocation(own, { now: ctx.now, history_minutes }) as Pool['allocation_schedule'],
      procurements: automationsOf('procurement') as Pool['procurements'],
      deployments: automationsOf('deployment') as Pool['deployments'],
      tags,
      created_at,
    }
  })
}
