/**
 * What the admission of orders on one book depends on: read in one flight behind the locks, and kept true while the
 * orders of a batch are decided one after the other.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type Bounds, boundsOf } from '../../iam/accounts/limits.service.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import {
  listPoolsById,
  listReserved,
  listStockWithin,
  type PoolRow,
  poolShareLock,
  type StockDelta,
  type StockWindow,
} from '../pools/pools.store.ts'
import { fromDeltas, type Schedule } from '../schedule/schedule.rules.ts'
import {
  HORIZON_SECONDS,
  type MarketLimits,
  type ReadOrder,
  refuseCapacity,
  refuseLimits,
  refusePoolKind,
} from './order-admission.rules.ts'
import { listStandings, listUsage, type MarketStanding, type UsageRow } from './orders.store.ts'
import type { Effects } from './trading.rules.ts'

/**
 * Who wants to place something, for which pool; there may be no such pool. What exactly may show later, but for those
 * whose orders are not known yet more has to be read.
 */
export type Applicant = {
  readonly account_id: string
  readonly pool_id: Id<'pool'> | undefined
  readonly order?: ReadOrder
}

/** What was read, by what it is about. */
export type AdmissionReading = {
  readonly pools: ReadonlyMap<string, PoolRow>
  readonly bounds: ReadonlyMap<string, Bounds>
  readonly standings: ReadonlyMap<string, MarketStanding>
  readonly stock: ReadonlyMap<string, readonly StockDelta[]>
}

const limitNames = ['open_orders', 'reserved_node_hours'] as const
const horizonMinutes = minuteOf(HORIZON_SECONDS)
/** Beyond every window: a schedule's open end has no number in the database. */
const allTime = { start_minute: 0, end_minute: 2 ** 31 }

/**
 * Reads pools, stock, use and limits of applicants; of `others`, who may be touched, only the use. With `holds` it
 * holds the pools (rank `pools`), and the money of all is locked already. Everything is sent at once.
 */
export async function readAdmission(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  { applicants, others, holds }: { applicants: readonly Applicant[]; others: readonly string[]; holds: boolean },
): Promise<AdmissionReading> {
  const accounts = [...new Set(applicants.map(({ account_id }) => account_id))]
  const buyers = new Set(applicants.filter(({ order }) => order?.side !== 'sell').map(({ account_id }) => account_id))
  const asked = [...new Set([...accounts, ...others])].map((account_id) => {
    return { account_id, is_buyer: buyers.has(account_id) }
  })
  const pool_ids = [...new Set(applicants.flatMap(({ pool_id }) => pool_id ?? []))]
  const [pools, bounds, standings, stock] = await Promise.all([
    holds ? ctx.lockRows(poolShareLock, pool_ids) : listPoolsById(ctx.db, pool_ids),
    accounts.length > 0 ? boundsOf(ctx, accounts, limitNames) : new Map<string, Bounds>(),
    listStandings(ctx.db, sku_id, { accounts: asked, minutes: horizonMinutes }),
    listStockWithin(ctx.db, sku_id, windowsOf(applicants)),
  ])
  return {
    pools: new Map(pools.map((pool) => [pool.id, pool])),
    bounds,
    standings: new Map(standings.map((row) => [row.account_id, row])),
    stock: Map.groupBy(stock, ({ pool_id }) => pool_id),
  }
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

/** Why an order may not enter, or nothing: on what was read, and what the orders before it made of that. */
export function refuseEntry(
  { pools, bounds, standings, stock }: AdmissionReading,
  { account_id, pool_id, order }: Applicant & { readonly order: ReadOrder },
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
    const short = refuseCapacity(order, { owned, promised: scheduleOf(stored, true, effects.promised.get(pool.id)) })
    if (short) return short
  }
  const standing = standings.get(account_id)
  const more = effects.usage.get(account_id)
  const wanted = (standing?.open_buy_node_minutes ?? 0) + (more?.open_buy_node_minutes ?? 0)
  const owned = (standing?.reserved_node_minutes ?? 0) + boughtBy(account_id, pools, effects)
  const used = {
    open_orders: (standing?.open_orders ?? 0) + (more?.open_orders ?? 0),
    reserved_node_minutes: owned + wanted,
  }
  return refuseLimits(order, used, limitsOf(bound))
}

/** What accounts had open before this transaction; one that never ordered has no row. */
export function usageBefore({ standings }: AdmissionReading): UsageRow[] {
  return [...standings.values()]
}

/** The windows of sells, one for each pool: only there stock is looked at. */
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
  is_promise: boolean,
  moved: ReadonlyMap<number, number> | undefined,
): Schedule {
  const deltas: { minute: number; delta: number }[] = stored.filter((row) => row.is_promise === is_promise)
  for (const [minute, delta] of moved ?? []) deltas.push({ minute, delta })
  return fromDeltas(deltas)
}

/** Node-minutes that an account gained in market pools by what was decided before it in this transaction. */
function boughtBy(account_id: string, pools: AdmissionReading['pools'], { trades }: Effects): number {
  let node_minutes = 0
  for (const { buy, sell, node_minutes: traded } of trades) {
    if (buy.account_id === account_id) node_minutes += Number(traded)
    const isFromMarket = pools.get(sell.record.pool_id)?.kind === 'market'
    if (sell.account_id === account_id && isFromMarket) node_minutes -= Number(traded)
  }
  return node_minutes
}

function limitsOf(bounds: Bounds | undefined): MarketLimits {
  return {
    open_orders: bounds?.values.get('open_orders') ?? null,
    reserved_node_hours: bounds?.values.get('reserved_node_hours') ?? null,
  }
}
