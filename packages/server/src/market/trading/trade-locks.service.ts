/**
 * The locks that a transaction takes after it has decided: balances and pools that were not locked before, on which its
 * movements of money are repeated. Where that changes the decision, the transaction is retried.
 */

import type { Id } from '@bourse/api/kit/ids.ts'
import { lockAllBalances, lockLateBalances, type Money } from '../../billing/money.service.ts'
import { relyOnPools } from '../pools/pools.service.ts'
import { readUsage, usageBefore } from './order-admission.service.ts'
import { repeatMoves, type TradeSession } from './trade-session.service.ts'
import type { OrderUsageRow } from './trading.rules.ts'

/** Locked balances after all movements, and the usage of the accounts. */
type Settled = { readonly money: Money; readonly usage: readonly OrderUsageRow[] }

/** Locks all balances that changed, then the pools, where only the book is locked. */
export async function lockAll(
  session: TradeSession,
  places: readonly { readonly pool_id: Id<'pool'> }[],
): Promise<Settled> {
  const { ctx, effects } = session
  const accounts = [...effects.placed.values(), ...effects.changed.values()].map(({ account_id }) => account_id)
  const pools = [...new Set(places.map(({ pool_id }) => pool_id))]
  const [balances, locked, usage] = await Promise.all([
    lockAllBalances(ctx, accounts),
    relyOnPools(ctx, pools),
    readUsage(ctx, [...effects.usage.keys()]),
  ])
  const money = repeatMoves(session, balances)
  if (!money) throw collision('The balance of an account changed before it was locked.')
  const poolIds = new Set<string>(locked.map(({ id }) => id))
  if ([...effects.placed.values()].some(({ record }) => !poolIds.has(record.pool_id))) {
    throw collision('A pool was deleted before it was locked.')
  }
  return { money, usage }
}

/** Locks the balances that were not forecast, where the forecast ones and the pools are locked. */
export async function lockRest(session: TradeSession): Promise<Settled> {
  const { ctx, money, effects, reading } = session
  const usage = usageBefore(reading.admission)
  const rest = new Set([...money.unlocked(), ...effects.usage.keys()])
  for (const { account_id } of reading.balances) rest.delete(account_id)
  if (rest.size === 0) return { money, usage }
  const accounts = [...rest].sort()
  const [late, more] = await Promise.all([lockLateBalances(ctx, accounts), readUsage(ctx, accounts)])
  const again = late.length === accounts.length ? repeatMoves(session, [...reading.balances, ...late]) : undefined
  if (!again) throw collision('The balances of accounts that were not forecast are locked.', accounts)
  return { money: again, usage: [...usage, ...more] }
}

/** An error that retries the transaction. The retry can lock these accounts from its beginning. */
function collision(message: string, accounts: readonly string[] = []): Error {
  return Object.assign(new Error(message), { code: '40001', severity: 'ERROR', accounts })
}

/** The accounts that a failed transaction could not lock late. */
export function accountsMissed(error: unknown): readonly string[] {
  return (error as { accounts?: readonly string[] } | undefined)?.accounts ?? []
}
