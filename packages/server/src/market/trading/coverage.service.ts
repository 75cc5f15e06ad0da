/**
 * How an automation trades: it keeps its pool at a number of nodes with orders of its own, on the same book, holds and
 * promises as everybody's. Not this file's work: which orders (coverage.rules), and what becomes of a refusal.
 */

import { Refusal, type RefusalData } from '../../core/base/refusal.ts'
import type { Actor, Ctx } from '../../core/work/ctx.ts'
import { readAllocation } from '../pools/capacity.service.ts'
import type { MandateHolder, MandatePlace } from '../pools/mandates.store.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import { orderValue, parsePrice, printPrice } from '../schedule/prices.rules.ts'
import { clip, nodeMinutes, type Schedule, sum } from '../schedule/schedule.rules.ts'
import {
  type CoverageGoal,
  type CoverageView,
  extensionStep,
  type PlannedOrder,
  planCoverage,
} from './coverage.rules.ts'
import { listOpenInPool, type OrderInPool, type OrderRow } from './orders.store.ts'
import { decideOn, type PlaceWish } from './trading.service.ts'

/** An automation that orders for its pool; it has claimed pool and SKU, and its row is locked. */
export type OrderManager = MandatePlace & {
  readonly id: MandateHolder
  readonly account_id: string
  readonly workspace_id: OrderRow['workspace_id']
}

/** What it is to keep, see {@link CoverageGoal}. */
export type Goal = Omit<CoverageGoal, 'step_minutes'>

/** How it stands. */
export type Covered = {
  /** Why orders were not placed, the earliest first. */
  readonly refusals: readonly RefusalData[]
  /** How many orders `places_wait` kept from being placed. */
  readonly waiting: number
  /** When time alone makes the next order due, in seconds. */
  readonly next_at: number | undefined
  /** What its open buys of the window wanted before it traded here, and from when on, in seconds. */
  readonly wanted: { readonly node_minutes: bigint; readonly from: number } | undefined
}

/** A step stays well within the time of a transaction; what is left over comes at once after it. */
const ordersAtOnceMax = 100
const system: Actor = { type: 'system' }

/**
 * Cancels those of an automation's orders that no longer fit, and places those that are missing. With `places_wait` it
 * only cancels. Takes the book of the SKU (rank `books`), but not where there is nothing to do.
 */
export async function keepCovered(
  ctx: Ctx,
  manager: OrderManager,
  goal: Goal,
  { places_wait = false }: { readonly places_wait?: boolean } = {},
): Promise<Covered> {
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
        // Until the last is cancelled another order could stand in its minutes.
        const may_place = !places_wait && cancels.length === plan.cancels.length
        const wishes = may_place ? plan.places.slice(0, ordersAtOnceMax).map((order) => wishOf(manager, order)) : []
        refusals.push(...wishes.flatMap((wish) => ('refusal' in wish ? [wish.refusal] : [])))
        return {
          cancels: cancels.map((id) => ({ id, reason: 'automation', actor: system })),
          places: wishes.flatMap((wish) => ('refusal' in wish ? [] : [wish])),
        }
      },
    })
    refusals.push(...placed.flatMap((result) => ('refusal' in result ? [result.refusal] : [])))
  }
  const next_at = plan.next_minute === null ? undefined : plan.next_minute * 60
  return { refusals, waiting: places_wait ? plan.places.length : 0, next_at, wanted: wantedOf(view) }
}

/** Reads a price of an automation in dollars per node-hour, as an order's; refuses out_of_range. */
export function readPrice(text: string, side: 'buy' | 'sell', field: string): bigint {
  const read = parsePrice(text, side, field)
  if ('refusal' in read) throw new Refusal(read.refusal)
  return read.price_micros
}

/** Writes it again: `null` stays. */
export function showPrice(price_micros: bigint): string {
  return printPrice(price_micros)
}

type FoundPool = { readonly owned: Schedule; readonly orders: readonly OrderInPool[] }

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
    goal: { ...goal, step_minutes: extensionStep(goal.window_minutes) },
    owned,
    other_buys: leftOf('buy'),
    other_sells: leftOf('sell'),
    orders: orders.filter(({ managed_by }) => managed_by === manager.id),
  }
}

function wishOf(manager: OrderManager, order: PlannedOrder): PlaceWish | { readonly refusal: RefusalData } {
  const { id, account_id, workspace_id, pool_id } = manager
  const node_minutes = BigInt(order.node_count) * BigInt(order.end_minute - order.start_minute)
  const value = orderValue(order.price_micros, node_minutes)
  if ('refusal' in value) return value
  return {
    ...{ account_id, workspace_id, pool_id, order: { ...order, ...value }, managed_by: id, actor: system },
    ...{ allow_standing: true, allow_partial: true },
  }
}

function wantedOf({ minute, orders }: CoverageView): Covered['wanted'] {
  const buys = orders.filter(({ side }) => side === 'buy').map(({ remaining }) => remaining)
  const wanted = clip(sum(buys), minute + 1)
  return wanted.length === 0 ? undefined : { node_minutes: nodeMinutes(wanted), from: (wanted[0] as number) * 60 }
}
