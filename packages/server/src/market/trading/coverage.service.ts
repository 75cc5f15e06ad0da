/**
 * Carries out the coverage plan of an automation: cancels and places orders that keep its pool at a target. Its orders
 * use the same book, holds and promises as all others. Which orders are needed is decided in coverage.rules; the caller
 * handles refusals.
 */

import { Refusal, type RefusalData, throwIfRefused } from '../../core/base/refusal.ts'
import type { Actor, Ctx } from '../../core/work/ctx.ts'
import { readAllocation } from '../pools/capacity.service.ts'
import type { MandateHolder, MandatePlace } from '../pools/mandates.rules.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import {
  holdFor,
  orderValue,
  parsePrice,
  priceMaxMicros,
  printPrice,
  refuseStep,
  stepDown,
  stepUp,
} from '../schedule/prices.rules.ts'
import { clip, nodeMinutes, type Schedule, sum } from '../schedule/schedule.rules.ts'
import type { AccountSkuRow } from '../skus/skus.rules.ts'
import {
  type CoverageGoal,
  type CoverageView,
  extensionStep,
  type OpenOrderOfPool,
  type PlannedOrder,
  planCoverage,
} from './coverage.rules.ts'
import { listOpenInPool } from './coverage.store.ts'
import { forecastTrades, type TradeForecast } from './trade-forecasts.service.ts'
import type { OrderRow } from './trading.rules.ts'
import { decideOn, type PlaceRequest } from './trading.service.ts'

/** An automation that holds the mandate for a pool and SKU. The caller has locked its row. */
export type OrderManager = MandatePlace & {
  readonly id: MandateHolder
  readonly account_id: string
  readonly workspace_id: OrderRow['workspace_id']
}

/** Stands in a forecast for an automation that does not exist yet: no order has this id as its manager. */
export const notYetCreated = 'proc_' as MandateHolder

/** The goal of an automation, see {@link CoverageGoal}. Orders are priced in steps of `price_step_micros`. */
export type Goal = Omit<CoverageGoal, 'step_minutes'> & { readonly price_step_micros: bigint }

/** The result of a coverage step. */
type CoverageResult = {
  /** Why orders were not placed, the earliest first. */
  readonly refusals: readonly RefusalData[]
  /** How many orders were not placed because of `places_wait`. */
  readonly waiting: number
  /** When the next order becomes due if nothing else changes, in seconds. */
  readonly next_at: number | undefined
  /** Node-minutes that its open buys wanted before this step, and when the earliest of them starts, in seconds. */
  readonly wanted: { readonly node_minutes: bigint; readonly from: number } | undefined
}

/** Orders of one step. It keeps a step far below the transaction timeout; the next step follows at once. */
const ordersAtOnceMax = 100
const system: Actor = { type: 'system' }

/**
 * Cancels orders of an automation that no longer fit its goal, and places those that are missing. With `places_wait` it
 * only cancels. Locks the book of the SKU (rank `books`) if there is anything to do.
 */
export async function maintainCoverage(
  ctx: Ctx,
  manager: OrderManager,
  goal: Goal,
  { places_wait = false }: { readonly places_wait?: boolean } = {},
): Promise<CoverageResult> {
  const read = () => readPool(ctx, manager)
  let view = viewOf(await read(), { manager, goal, now: ctx.now })
  let plan = planCoverage(view)
  const refusals: RefusalData[] = []
  const isIdle = plan.cancels.length === 0 && (places_wait || plan.places.length === 0)
  if (!isIdle) {
    const { placed } = await decideOn(ctx, manager.sku_id, {
      applicants: [manager],
      read,
      decide: (found, now) => {
        view = viewOf(found, { manager, goal, now })
        plan = planCoverage(view)
        const cancels = plan.cancels.slice(0, ordersAtOnceMax)
        // An order to be cancelled can hold the minutes of a new one until it is cancelled.
        const mayPlace = !places_wait && cancels.length === plan.cancels.length
        const orders = mayPlace ? plan.places.slice(0, ordersAtOnceMax) : []
        const requests = orders.map((order) => requestOf(manager, order))
        refusals.push(...requests.flatMap((request) => ('refusal' in request ? [request.refusal] : [])))
        return {
          cancels: cancels.map((id) => ({ id, reason: 'automation', actor: system })),
          places: requests.flatMap((request) => ('refusal' in request ? [] : [request])),
        }
      },
    })
    refusals.push(...placed.flatMap((result) => ('refusal' in result ? [result.refusal] : [])))
  }
  const next_at = plan.next_minute === null ? undefined : plan.next_minute * 60
  return { refusals, waiting: places_wait ? plan.places.length : 0, next_at, wanted: wantedOf(view) }
}

/** What the next coverage step would do, and the window that it looks after, in minutes. */
type CoverageForecast = TradeForecast & { readonly from: number; readonly to: number }

/**
 * Forecasts the next coverage step, without locks and without a write. The open orders of the automation on the sides
 * `ends` are cancelled before it. With `places_nothing` there is no step after that.
 */
export async function forecastCoverage(
  ctx: Ctx,
  manager: OrderManager,
  goal: Goal,
  {
    sku,
    ends,
    places_nothing,
  }: { readonly sku: AccountSkuRow; readonly ends: readonly ('buy' | 'sell')[]; readonly places_nothing: boolean },
): Promise<CoverageForecast> {
  let from = minuteOf(ctx.now) + 1
  const forecast = await forecastTrades(ctx, sku, manager, {
    read: () => readPool(ctx, manager),
    decide: (found, now) => {
      const own = found.orders.filter(({ managed_by }) => managed_by === manager.id)
      const ended = new Set(own.filter(({ side }) => ends.includes(side)))
      const orders = found.orders.filter((order) => !ended.has(order))
      const plan = planCoverage(viewOf({ ...found, orders }, { manager, goal, now }))
      from = minuteOf(now) + 1
      if (places_nothing) return { cancels: [...ended], places: [] }
      return {
        cancels: own.filter((order) => ended.has(order) || plan.cancels.includes(order.id)),
        places: plan.places.map((order) => requestOf(manager, order)),
      }
    },
  })
  return { ...forecast, from, to: from + goal.window_minutes }
}

/** The most that nodes cost over some minutes at a price, in micro-dollars. */
export function worstCaseMicros(priceMicros: bigint, nodeCount: number, minutes: number): bigint {
  return holdFor(priceMicros, BigInt(nodeCount) * BigInt(minutes))
}

/** Parses a price in dollars per node-hour; refuses invalid_format and out_of_range. */
export function readPrice(text: string, side: 'buy' | 'sell', field: string): bigint {
  const read = parsePrice(text, side, field)
  if ('refusal' in read) throw new Refusal(read.refusal)
  return read.price_micros
}

/** Refuses not_aligned for a price that was sent and that is not a multiple of the step of its SKU. */
export function requireStep(
  priceMicros: bigint | null | undefined,
  sku: { readonly price_step_micros: bigint } | undefined,
  at: { readonly side: 'buy' | 'sell'; readonly field: string },
): void {
  if (priceMicros != null && sku) throwIfRefused(refuseStep(priceMicros, sku.price_step_micros, at))
}

/** Prints a price in dollars per node-hour. */
export function showPrice(priceMicros: bigint): string {
  return printPrice(priceMicros)
}

type FoundPool = { readonly owned: Schedule; readonly orders: readonly OpenOrderOfPool[] }

async function readPool(ctx: Ctx, manager: OrderManager): Promise<FoundPool> {
  const [owned, orders] = await Promise.all([readAllocation(ctx, manager), listOpenInPool(ctx.db, manager)])
  return { owned, orders }
}

function viewOf(
  { owned, orders }: FoundPool,
  { manager, goal, now }: { manager: OrderManager; goal: Goal; now: number },
): CoverageView {
  const others = orders.filter(({ managed_by }) => managed_by !== manager.id)
  const leftOf = (wanted: 'buy' | 'sell') =>
    sum(others.filter(({ side }) => side === wanted).map(({ remaining }) => remaining))
  return {
    minute: minuteOf(now),
    goal: { ...goal, ...alignedPrices(goal), step_minutes: extensionStep(goal.window_minutes) },
    owned,
    other_buys: leftOf('buy'),
    other_sells: leftOf('sell'),
    orders: orders.filter(({ managed_by }) => managed_by === manager.id),
  }
}

/**
 * The prices of a goal, in steps of its SKU: never above the maximum of buys, never below the minimum of sells. The
 * operator can make the step coarser than a price that was set before. A price without a step in its range stays, and
 * its orders are refused.
 */
function alignedPrices({ max_buy_hourly_micros: most, min_sell_hourly_micros: least, price_step_micros }: Goal) {
  const buy = most === null ? null : stepDown(most, price_step_micros)
  const sell = least === null ? null : stepUp(least, price_step_micros)
  return {
    max_buy_hourly_micros: buy === 0n ? most : buy,
    min_sell_hourly_micros: sell !== null && sell > priceMaxMicros ? least : sell,
  }
}

function requestOf(manager: OrderManager, order: PlannedOrder): PlaceRequest | { readonly refusal: RefusalData } {
  const { id, account_id, workspace_id, pool_id } = manager
  const node_minutes = BigInt(order.node_count) * BigInt(order.end_minute - order.start_minute)
  const value = orderValue(order.price_micros, node_minutes)
  if ('refusal' in value) return value
  return {
    account_id,
    workspace_id,
    pool_id,
    order: { ...order, ...value },
    allow_standing: true,
    allow_partial: true,
    managed_by: id,
    actor: system,
  }
}

function wantedOf({ minute, orders }: CoverageView): CoverageResult['wanted'] {
  const buys = orders.filter(({ side }) => side === 'buy').map(({ remaining }) => remaining)
  const wanted = clip(sum(buys), minute + 1)
  return wanted.length === 0 ? undefined : { node_minutes: nodeMinutes(wanted), from: (wanted[0] as number) * 60 }
}
