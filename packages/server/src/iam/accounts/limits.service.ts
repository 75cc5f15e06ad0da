import type { putAccountLimit as putContract } from '@bourse/api/iam/accounts.ts'
import { type Limit, type LimitName, limitNames, limits } from '@bourse/api/iam/limits.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { shortListResponse } from '../../core/work/page.ts'
import { allow, refuseNotFound } from '../access/permissions.service.ts'
import { findAccount, lockAccount } from '../names/owners.service.ts'
import { type LimitState, listBounds, listLimitStates, putLimitOverride, removeLimitOverride } from './limits.store.ts'

/** Counts the usage of a limit that changes with time, without a command. */
type CountUsage = (ctx: Ctx, accountId: string) => Promise<number>

declare module '../../core/work/services.ts' {
  interface Services {
    /** Counts the usage of the limits that change with time, by their names. */
    readonly limit_counters: Partial<Readonly<Record<LimitName, CountUsage>>>
  }
}

/** A limit of the caller's account; null means no limit. */
export async function limitValue(ctx: Ctx, name: LimitName): Promise<number | null> {
  return (await loadLimit(ctx, callerOf(ctx).account_id, name)).value
}

/** Lists the limits of the caller's account. */
export async function listLimits(ctx: Ctx) {
  return shortListResponse(await loadLimits(ctx, callerOf(ctx).account_id, limitNames))
}

/** Reads one limit of the caller's account. */
export async function getLimit(ctx: Ctx, name: string): Promise<Limit> {
  return loadLimit(ctx, callerOf(ctx).account_id, name)
}

/** Lists the limits of any account, for the platform operator. */
export async function listAccountLimits(ctx: Ctx, accountId: string) {
  await allow(ctx, 'platform:read', null)
  const found = await loadLimits(ctx, accountId, limitNames)
  if (found.length === 0) refuseNotFound()
  return shortListResponse(found)
}

/** Overrides a limit of an account. */
export async function putAccountLimit(ctx: Ctx, { params, body }: Input<typeof putContract>): Promise<Limit> {
  await allow(ctx, 'platform:write', null)
  await requireLimit(ctx, params)
  await putLimitOverride(ctx.db, params.account, params.name, body.value)
  return loadLimit(ctx, params.account, params.name)
}

/** Removes the override of a limit. Refuses `not_found` if there is none. */
export async function deleteAccountLimit(ctx: Ctx, params: Input<typeof putContract>['params']): Promise<void> {
  await allow(ctx, 'platform:write', null)
  await requireLimit(ctx, params)
  if ((await removeLimitOverride(ctx.db, params.account, params.name)) === 0) refuseNotFound()
}

async function requireLimit(ctx: Ctx, { account, name }: { account: string; name: string }): Promise<void> {
  if (!Object.hasOwn(limits, name) || !(await findAccount(ctx, account))) refuseNotFound()
  await lockAccount(ctx, account)
}

async function loadLimit(ctx: Ctx, accountId: string, name: string): Promise<Limit> {
  const [limit] = Object.hasOwn(limits, name) ? await loadLimits(ctx, accountId, [name as LimitName]) : []
  return limit ?? refuseNotFound()
}

async function loadLimits(ctx: Ctx, accountId: string, names: readonly LimitName[]): Promise<Limit[]> {
  const [states, uses] = await Promise.all([
    listLimitStates(ctx.db, accountId, names),
    Promise.all(names.map(async (name) => [name, await ctx.services.limit_counters[name]?.(ctx, accountId)] as const)),
  ])
  const byName = new Map(states.map((state) => [state.name, state]))
  return uses.flatMap(([name, used]) => {
    const state = byName.get(name)
    return state ? [presentLimit(name, used === undefined ? state : { ...state, used })] : []
  })
}

function presentLimit(name: LimitName, { trust_level, is_overridden, override, used }: LimitState): Limit {
  const { unit, scope, values } = limits[name]
  return {
    object: 'limit',
    name,
    unit,
    value: is_overridden ? override : values[trust_level],
    used: scope === 'each' ? null : used,
    scope,
    source: is_overridden ? 'override' : 'trust_level',
  }
}

/** Whether an account is frozen, and the values of some of its limits; null means no limit. */
export type AccountBounds = { readonly is_frozen: boolean; readonly values: ReadonlyMap<LimitName, number | null> }

/**
 * The bounds of several accounts, by id, in one statement. They are current, unlike the caller of a request, which may
 * be a second old.
 */
export async function boundsOf(
  { db }: Pick<Ctx, 'db'>,
  accountIds: readonly string[],
  names: readonly LimitName[],
): Promise<Map<string, AccountBounds>> {
  const rows = await listBounds(db, accountIds, names)
  return new Map(
    rows.map(({ account_id, is_frozen, trust_level, overrides }): [string, AccountBounds] => {
      const limitOf = (name: LimitName) =>
        overrides && Object.hasOwn(overrides, name) ? (overrides[name] ?? null) : limits[name].values[trust_level]
      return [account_id, { is_frozen, values: new Map(names.map((name) => [name, limitOf(name)])) }]
    }),
  )
}
