/**
 * Loads what the admission of orders on one book depends on, in one flight, and keeps it true while a batch goes on.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../core/ctx.ts'
import type { RefusalData } from '../core/refusal.ts'
import { frozenAmong } from '../iam/accounts.service.ts'
import { limitValuesOf } from '../iam/limits.service.ts'
import {
  HORIZON_SECONDS,
  type MarketLimits,
  type ReadOrder,
  refuseCapacity,
  refuseLimits,
  refusePoolKind,
} from './order-admission.rules.ts'
import { listUsage } from './orders.store.ts'
import { minuteOf } from './pools.rules.ts'
import { listCapacity, listPoolsById, listReserved, type PoolRow } from './pools.store.ts'
import { fromDeltas, type Schedule } from './schedule.rules.ts'
import type { Effects } from './trading.rules.ts'

/** Who wants to place something, for which pool. */
export type Applicant = { readonly account_id: string; readonly pool_id: Id<'pool'> }

/** The snapshot, which the orders of the same batch move on. */
export type Admission = {
  /** Why this order may not enter, or nothing. Money is judged apart. */
  refuse(applicant: Applicant & { readonly order: ReadOrder }, effects: Effects): RefusalData | undefined
  /** What an account had open before this transaction. */
  usedBefore(account_id: string): { open_orders: number; open_buy_node_minutes: number }
}

const limitNames = ['open_orders', 'reserved_node_hours'] as const

/** Reads pools, capacity, use and limits of all applicants and of whoever else may be touched. */
export async function loadAdmission(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  { applicants, now }: { applicants: readonly Applicant[]; now: number },
): Promise<Admission> {
  const accounts = [...new Set(applicants.map(({ account_id }) => account_id))]
  const pool_ids = [...new Set(applicants.map(({ pool_id }) => pool_id))]
  const span = { from: minuteOf(now), to: minuteOf(now + HORIZON_SECONDS) }
  const [frozen, pools, capacity, usage, reserved, values] = await Promise.all([
    frozenAmong(ctx, accounts),
    listPoolsById(ctx.db, pool_ids),
    listCapacity(ctx.db, sku_id, pool_ids),
    listUsage(ctx.db, accounts),
    listReserved(ctx.db, accounts, span),
    limitValuesOf(ctx, accounts, limitNames),
  ])
  const poolsById = new Map<string, PoolRow>(pools.map((pool) => [pool.id, pool]))
  const usageOf = new Map(usage.map((row) => [row.account_id, row]))
  const reservedOf = new Map(reserved.map((row) => [row.account_id, row.node_minutes]))
  const usedBefore = (account_id: string) => usageOf.get(account_id) ?? { open_orders: 0, open_buy_node_minutes: 0 }
  const tradedBy = (account_id: string, { trades }: Effects): number => {
    let node_minutes = 0
    for (const { buy, sell, node_minutes: traded } of trades) {
      if (buy.account_id === account_id) node_minutes += Number(traded)
      const isFromMarket = poolsById.get(sell.record.pool_id)?.kind === 'market'
      if (sell.account_id === account_id && isFromMarket) node_minutes -= Number(traded)
    }
    return node_minutes
  }
  const capacityOf = (pool_id: string, isPromise: boolean, effects: Effects): Schedule => {
    const stored = capacity.filter((row) => row.pool_id === pool_id && row.is_promise === isPromise)
    const moved = [...(isPromise ? effects.promised : effects.owned).values()].filter((row) => row.pool_id === pool_id)
    return fromDeltas([...stored, ...moved])
  }
  const refuse: Admission['refuse'] = ({ account_id, pool_id, order }, effects) => {
    if (frozen.has(account_id)) return { code: 'forbidden', message: 'The account is frozen: it may only read.' }
    const pool = poolsById.get(pool_id)
    if (!pool) return { code: 'reference_not_found', field: 'pool', message: 'There is no such pool.' }
    const kind = refusePoolKind(pool.kind, order.side)
    if (kind) return kind
    if (order.side === 'sell') {
      const owned = capacityOf(pool_id, false, effects)
      const short = refuseCapacity(order, { owned, promised: capacityOf(pool_id, true, effects) })
      if (short) return short
    }
    const before = usedBefore(account_id)
    const more = effects.usage.get(account_id) ?? { open_orders: 0, open_buy_node_minutes: 0 }
    const wanted = before.open_buy_node_minutes + more.open_buy_node_minutes
    const owned = (reservedOf.get(account_id) ?? 0) + tradedBy(account_id, effects)
    const used = {
      open_orders: before.open_orders + more.open_orders,
      reserved_node_minutes: owned + wanted,
    }
    return refuseLimits(order, used, limitsOf(values.get(account_id)))
  }
  return { refuse, usedBefore }
}

/** What an account uses of `reserved_node_hours`: its open buys, and what it owns ahead in market pools, rounded up. */
export async function countReservedNodeHours(ctx: Ctx, account_id: string): Promise<number> {
  const span = { from: minuteOf(ctx.now), to: minuteOf(ctx.now + HORIZON_SECONDS) }
  const [usage, reserved] = await Promise.all([
    listUsage(ctx.db, [account_id]),
    listReserved(ctx.db, [account_id], span),
  ])
  return Math.ceil(((usage[0]?.open_buy_node_minutes ?? 0) + (reserved[0]?.node_minutes ?? 0)) / 60)
}

function limitsOf(values: ReadonlyMap<string, number | null> | undefined): MarketLimits {
  return {
    open_orders: values?.get('open_orders') ?? null,
    reserved_node_hours: values?.get('reserved_node_hours') ?? null,
  }
}
