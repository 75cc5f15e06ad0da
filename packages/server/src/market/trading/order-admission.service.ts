/**
 * Admission of orders on one book. Everything that it depends on is read in one round trip behind the locks. While the
 * orders of a batch are decided one after another, the effects of the earlier ones are added to what was read.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type AccountBounds, boundsOf } from '../../iam/accounts/limits.service.ts'
import { minuteOf, type PoolRow } from '../pools/pools.rules.ts'
import { readPools, relyOnPools } from '../pools/pools.service.ts'
import { clip, fromDeltas, nodeMinutes, type Schedule, subtract } from '../schedule/schedule.rules.ts'
import {
  horizonSeconds,
  type MarketLimits,
  type ReadOrder,
  refuseCapacity,
  refuseLimits,
  refusePoolKind,
} from './order-admission.rules.ts'
import {
  listReserved,
  listStandings,
  listStockWithin,
  listUsage,
  type MarketStanding,
  type StockDelta,
  type StockWindow,
} from './order-admission.store.ts'
import type { Effects, OrderUsageRow } from './trading.rules.ts'

/**
 * An account that wants to place orders for a pool, which may not exist. If its order is not known yet, stock and
 * reserved capacity are read for any order.
 */
export type Applicant = {
  readonly account_id: string
  readonly pool_id: Id<'pool'> | undefined
  readonly order?: ReadOrder
}

/** What admission depends on: by pool, or by account. */
export type AdmissionReading = {
  readonly pools: ReadonlyMap<string, PoolRow>
  readonly bounds: ReadonlyMap<string, AccountBounds>
  readonly standings: ReadonlyMap<string, MarketStanding>
  readonly stock: ReadonlyMap<string, readonly StockDelta[]>
}

const limitNames = ['open_orders', 'reserved_node_hours'] as const
const horizonMinutes = minuteOf(horizonSeconds)
/** A window that contains every other. The open end of a schedule has no number in the database. */
const allTime = { start_minute: 0, end_minute: 2 ** 31 }

/**
 * Reads pools, stock, usage and limits of applicants, and the usage of `others`, whose orders may be matched. With
 * `takes_locks` it locks the pools (rank `pools`); the caller has locked the money of all accounts. All statements are
 * sent at once.
 */
export async function readAdmission(
  ctx: Ctx,
  skuId: Id<'sku'>,
  {
    applicants,
    others,
    takes_locks,
  }: { applicants: readonly Applicant[]; others: readonly string[]; takes_locks: boolean },
): Promise<AdmissionReading> {
  const accounts = [...new Set(applicants.map(({ account_id }) => account_id))]
  const buyers = new Set(applicants.filter(({ order }) => order?.side !== 'sell').map(({ account_id }) => account_id))
  const asked = [...new Set([...accounts, ...others])].map((account_id) => {
    return { account_id, is_buyer: buyers.has(account_id) }
  })
  const poolIds = [...new Set(applicants.flatMap(({ pool_id }) => pool_id ?? []))]
  const [pools, bounds, standings, stock] = await Promise.all([
    takes_locks ? relyOnPools(ctx, poolIds) : readPools(ctx, poolIds),
    accounts.length > 0 ? boundsOf(ctx, accounts, limitNames) : new Map<string, AccountBounds>(),
    listStandings(ctx.db, skuId, { accounts: asked, minutes: horizonMinutes }),
    listStockWithin(ctx.db, skuId, windowsOf(applicants)),
  ])
  return {
    pools: new Map(pools.map((pool) => [pool.id, pool])),
    bounds,
    standings: new Map(standings.map((row) => [row.account_id, row])),
    stock: Map.groupBy(stock, ({ pool_id }) => pool_id),
  }
}

/** The usage of the limit `reserved_node_hours`: open buys and allocation owned ahead in market pools, rounded up. */
export async function countReservedNodeHours(ctx: Ctx, account_id: string): Promise<number> {
  const span = { from: minuteOf(ctx.now), to: minuteOf(ctx.now + horizonSeconds) }
  const [usage, reserved] = await Promise.all([
    listUsage(ctx.db, [account_id]),
    listReserved(ctx.db, [account_id], span),
  ])
  return Math.ceil(((usage[0]?.open_buy_node_minutes ?? 0) + (reserved[0]?.node_minutes ?? 0)) / 60)
}

/** The usage of some accounts. An account that never ordered has no row. */
export function readUsage(ctx: Ctx, accountIds: readonly string[]): Promise<OrderUsageRow[]> {
  return listUsage(ctx.db, accountIds)
}

/** An order that wants to enter the book. */
type Entrant = Applicant & {
  readonly order: ReadOrder
  /** What it asks for, if that is not all of its rectangle. */
  readonly requested?: Schedule
  /** The open order that it replaces: what that one holds counts no more. */
  readonly amended?: { readonly remaining: Schedule } | undefined
}

/** Refuses an order that may not enter, given what was read and the effects of the orders before it. */
export function refuseEntry(
  { pools, bounds, standings, stock }: AdmissionReading,
  { account_id, pool_id, order, requested, amended }: Entrant,
  effects: Effects,
): RefusalData | undefined {
  const bound = bounds.get(account_id)
  if (bound?.is_frozen) return { code: 'forbidden', message: 'The account is frozen: it may only read.' }
  const pool = pools.get(pool_id ?? '')
  if (!pool) return { code: 'reference_not_found', field: 'pool', message: 'There is no such pool.' }
  const kind = refusePoolKind(pool.kind, order.side)
  if (kind) return kind
  if (order.side === 'sell') {
    const stored = stock.get(pool.id) ?? []
    const owned = scheduleOf(stored, false, effects.owned.get(pool.id))
    const promised = scheduleOf(stored, true, effects.promised.get(pool.id))
    const kept = amended ? subtract(promised, clip(amended.remaining, order.start_minute, order.end_minute)) : promised
    const short = refuseCapacity(order, { owned, promised: kept, ...(requested ? { requested } : {}) })
    if (short) return short
  }
  const standing = standings.get(account_id)
  const more = effects.usage.get(account_id)
  const wanted = (standing?.open_buy_node_minutes ?? 0) + (more?.open_buy_node_minutes ?? 0)
  const owned = (standing?.reserved_node_minutes ?? 0) + boughtBy(account_id, pools, effects)
  const used = {
    open_orders: (standing?.open_orders ?? 0) + (more?.open_orders ?? 0) - (amended ? 1 : 0),
    reserved_node_minutes:
      owned + wanted - (amended && order.side === 'buy' ? Number(nodeMinutes(amended.remaining)) : 0),
  }
  return refuseLimits(order, used, limitsOf(bound), requested)
}

/** The usage of accounts before this transaction. */
export function usageBefore({ standings }: AdmissionReading): OrderUsageRow[] {
  return [...standings.values()]
}

/** The windows in which stock is read: one for each pool that sells. */
function windowsOf(applicants: readonly Applicant[]): StockWindow[] {
  const windows = new Map<string, { pool_id: string; from_minute: number; end_minute: number }>()
  for (const { pool_id, order } of applicants) {
    if (order?.side === 'buy' || pool_id === undefined) continue
    const { start_minute, end_minute } = order ?? allTime
    const window = windows.get(pool_id) ?? { pool_id, from_minute: start_minute, end_minute }
    window.from_minute = Math.min(window.from_minute, start_minute)
    window.end_minute = Math.max(window.end_minute, end_minute)
    windows.set(pool_id, window)
  }
  return [...windows.values()]
}

function scheduleOf(
  stored: readonly StockDelta[],
  isPromise: boolean,
  moved: ReadonlyMap<number, number> | undefined,
): Schedule {
  const deltas: { minute: number; delta: number }[] = stored.filter((row) => row.is_promise === isPromise)
  for (const [minute, delta] of moved ?? []) deltas.push({ minute, delta })
  return fromDeltas(deltas)
}

/** Node-minutes that an account gained in market pools by earlier orders of this transaction. */
function boughtBy(account_id: string, pools: AdmissionReading['pools'], { trades }: Effects): number {
  let nodeMinutes = 0
  for (const { buy, sell, node_minutes: traded } of trades) {
    if (buy.account_id === account_id) nodeMinutes += Number(traded)
    const isFromMarket = pools.get(sell.record.pool_id)?.kind === 'market'
    if (sell.account_id === account_id && isFromMarket) nodeMinutes -= Number(traded)
  }
  return nodeMinutes
}

function limitsOf(bounds: AccountBounds | undefined): MarketLimits {
  return {
    open_orders: bounds?.values.get('open_orders') ?? null,
    reserved_node_hours: bounds?.values.get('reserved_node_hours') ?? null,
  }
}
