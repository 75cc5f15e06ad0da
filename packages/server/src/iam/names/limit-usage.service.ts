/**
 * Takes and returns the usage of limits, for every area that creates and deletes limited resources.
 * Not this file's work: the values of limits and their endpoints (limits.service.ts).
 */
import { type LimitName, limits } from '@bourse/api/iam/limits.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { insertLimitChange, putLimitUses, takeUse } from './limit-usage.store.ts'
import { lockAccount } from './owners.service.ts'

/**
 * Takes part of a limit, under the account's lock (rank `accounts`: before pools, parents and instances). Refuses
 * `limit_exceeded` if the usage would exceed the limit.
 */
export async function takeLimit(ctx: Ctx, account_id: string, name: LimitName, amount = 1): Promise<void> {
  if (amount === 0) return
  // Sent together: the second statement runs after the first has the lock, so it sees what the last holder wrote.
  const [, used] = await Promise.all([
    lockAccount(ctx, account_id),
    takeUse(ctx.db, { account_id, name, amount, values: limits[name].values }),
  ])
  if (used === undefined) refuse('limit_exceeded', `The account would exceed its limit \`${name}\`.`)
}

/** Returns part of a limit. Takes no lock, so it can be called at any point of a command. */
export async function returnLimit(ctx: Ctx, account_id: string, name: LimitName, amount = 1): Promise<void> {
  if (amount !== 0) await insertLimitChange(ctx.db, account_id, name, -amount)
}

/** Sets the usage of limits that another area counts under a lock of its own. */
export async function recordLimitUses(
  ctx: Ctx,
  rows: readonly { account_id: string; name: LimitName; used: number }[],
): Promise<void> {
  if (rows.length > 0) await putLimitUses(ctx.db, rows)
}
