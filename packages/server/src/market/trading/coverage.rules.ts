// Plans the orders of an automation that keeps its pool at a number of nodes in each minute of a moving window.
// Input: the allocation of the pool and its open orders. Output: orders to cancel and orders to place.
//
// Invariants: no minute has two open orders of the automation; only free allocation is offered; a second plan right
// after the first is empty, whether the orders rested or were filled. Admission of the orders is decided elsewhere.

import type { Id } from '@bourse/api/kit/ids.ts'
import {
  add,
  clip,
  empty,
  equal,
  max,
  min,
  openEnd,
  rectangle,
  type Schedule,
  subtract,
  sum,
} from '../schedule/schedule.rules.ts'

/** The greatest step by which the far end of a window is extended, in minutes. */
const stepMinutesMax = 15

/** An open order of the automation with its remaining schedule. */
export type OwnOrder = {
  readonly id: Id<'order'>
  readonly side: 'buy' | 'sell'
  readonly price_micros: bigint
  readonly remaining: Schedule
}

/** An open order of a pool, with the automation that placed it, if one did. */
export type OpenOrderOfPool = OwnOrder & { readonly managed_by: string | null }

/** The goal of an automation: `target` nodes in each minute of the window, from the next minute on. */
export type CoverageGoal = {
  readonly target: number
  readonly window_minutes: number
  /** The step by which the far end is extended, in minutes: {@link extensionStep}. */
  readonly step_minutes: number
  /** The greatest price of buys, in micro-dollars per node-hour; null if nothing is bought. */
  readonly max_buy_hourly_micros: bigint | null
  /** The least price of sells; null if nothing is sold. */
  readonly min_sell_hourly_micros: bigint | null
  /** Whether nodes that other orders of the pool offer count as missing before they are sold. */
  readonly replaces_offered: boolean
}

/** The input of a plan. */
export type CoverageView = {
  /** The running minute. */
  readonly minute: number
  readonly goal: CoverageGoal
  /** The owned allocation of the pool. */
  readonly owned: Schedule
  /** The remaining schedules of open orders of the pool that others placed. */
  readonly other_buys: Schedule
  readonly other_sells: Schedule
  /** The automation's open orders, oldest first. */
  readonly orders: readonly OwnOrder[]
}

/** An order to place, standing and partial. */
export type PlannedOrder = {
  readonly side: 'buy' | 'sell'
  readonly price_micros: bigint
  readonly start_minute: number
  readonly end_minute: number
  readonly node_count: number
}

/** The output of a plan: first the orders to cancel, then those to place, by start. */
type CoveragePlan = {
  readonly cancels: readonly Id<'order'>[]
  readonly places: readonly PlannedOrder[]
  /** The minute in which the next order becomes due if nothing else changes; null if none does. */
  readonly next_minute: number | null
}

type Wants = { readonly buy: Schedule; readonly sell: Schedule }

/** The extension step of a window: a quarter of it, at least one minute and at most 15. */
export function extensionStep(windowMinutes: number): number {
  return Math.min(stepMinutesMax, Math.max(1, Math.floor(windowMinutes / 4)))
}

/**
 * Plans the orders of an automation. Nodes are missing where the owned allocation plus the open buys is below the
 * target. With `replaces_offered` the open sells of others are subtracted first. Nodes are surplus where the owned
 * allocation is above the target; open buys do not count for surplus, because they may never be filled.
 *
 * Minutes at the far end of the window without an order of the automation wait until they are a step long, or no longer
 * at the far end. Nearer minutes are ordered at once.
 */
export function planCoverage(view: CoverageView): CoveragePlan {
  const { minute, goal, orders } = view
  const from = minute + 1
  const end = from + goal.window_minutes
  const wants = wantsOf(view)
  const { kept, cancels } = sortOut(orders, { goal, minute, wants: inWindow(wants, { from: minute, end }) })
  const missing = {
    buy: subtract(clip(wants.buy, from, end), clip(remainingOf(kept, 'buy'), from, end)),
    sell: subtract(clip(wants.sell, from, end), clip(remainingOf(kept, 'sell'), from, end)),
  }
  const waits_from = waitingFrom(view, { missing, from, end })
  const places = (['buy', 'sell'] as const).flatMap((side) => {
    const price_micros = side === 'buy' ? goal.max_buy_hourly_micros : goal.min_sell_hourly_micros
    if (price_micros === null) return []
    return rangesOf(clip(missing[side], from, waits_from)).map((range) => ({ side, price_micros, ...range }))
  })
  return {
    cancels,
    places: places.sort((a, b) => a.start_minute - b.start_minute),
    next_minute: nextMinute(wants, { goal, waits_from }),
  }
}

/**
 * Missing and surplus nodes from the running minute on without end, before own orders. A minute has at most one side.
 */
function wantsOf({ minute, goal, owned, other_buys, other_sells }: CoverageView): Wants {
  const target = rectangle(minute, openEnd, goal.target)
  const free = subtract(owned, other_sells)
  const there = goal.replaces_offered ? free : owned
  const short = subtract(subtract(target, there), other_buys)
  return {
    buy: goal.max_buy_hourly_micros === null ? empty : clip(positive(short), minute),
    sell: goal.min_sell_hourly_micros === null ? empty : clip(positive(subtract(free, target)), minute),
  }
}

/** Splits the own orders into those that match the wants in every remaining minute, and those to cancel. */
function sortOut(
  orders: readonly OwnOrder[],
  { goal, minute, wants }: { goal: CoverageGoal; minute: number; wants: Wants },
): { kept: OwnOrder[]; cancels: Id<'order'>[] } {
  const kept: OwnOrder[] = []
  const cancels: Id<'order'>[] = []
  let taken: Schedule = empty
  for (const order of orders) {
    const remaining = clip(order.remaining, minute)
    const price = order.side === 'buy' ? goal.max_buy_hourly_micros : goal.min_sell_hourly_micros
    const isAlone = min(taken, remaining).length === 0
    const fits = order.price_micros === price && equal(within(wants[order.side], remaining), remaining)
    if (isAlone && fits) {
      kept.push(order)
      taken = add(taken, remaining)
    } else cancels.push(order.id)
  }
  return { kept, cancels }
}

/** The minute from which the far end waits; the end of the window where it does not. */
function waitingFrom(
  { goal, orders }: CoverageView,
  { missing, from, end }: { missing: Wants; from: number; end: number },
): number {
  // Minutes that an order covers do not wait, even if that order is cancelled now.
  const had = sum(orders.map(({ remaining }) => clip(remaining, from, end)))
  const untouched = outside(add(missing.buy, missing.sell), had)
  const since = lastRunOf(untouched, end)
  return end - since < goal.step_minutes ? since : end
}

/** The minute in which the moving window makes an order at its far end due. */
function nextMinute(wants: Wants, { goal, waits_from }: { goal: CoverageGoal; waits_from: number }): number | null {
  const ahead = clip(add(wants.buy, wants.sell), waits_from)
  const run = firstRunOf(ahead)
  if (run === undefined) return null
  // Due when it is a step long, or when it ends before the far end.
  const end = Math.min(run.start + goal.step_minutes, run.end + 1)
  return end - goal.window_minutes - 1
}

function remainingOf(orders: readonly OwnOrder[], wanted: 'buy' | 'sell'): Schedule {
  return sum(orders.filter(({ side }) => side === wanted).map(({ remaining }) => remaining))
}

function inWindow({ buy, sell }: Wants, { from, end }: { from: number; end: number }): Wants {
  return { buy: clip(buy, from, end), sell: clip(sell, from, end) }
}

function positive(schedule: Schedule): Schedule {
  return max(schedule, empty)
}

/** The ranges of equal count other than zero of a schedule that ends. */
function rangesOf(schedule: Schedule): { start_minute: number; end_minute: number; node_count: number }[] {
  const ranges: { start_minute: number; end_minute: number; node_count: number }[] = []
  for (let i = 0; i + 2 < schedule.length; i += 2) {
    const [start_minute, node_count, end_minute] = schedule.slice(i, i + 3) as [number, number, number]
    if (node_count !== 0) ranges.push({ start_minute, end_minute, node_count })
  }
  return ranges
}

/** The part of a schedule in the minutes in which a mask is not zero. */
function within(schedule: Schedule, mask: Schedule): Schedule {
  return sum(rangesOf(mask).map(({ start_minute, end_minute }) => clip(schedule, start_minute, end_minute)))
}

/** The part of a schedule in the minutes in which a mask is zero. */
function outside(schedule: Schedule, mask: Schedule): Schedule {
  return subtract(schedule, within(schedule, mask))
}

/** The start of the range other than zero that ends at `end`; `end` if there is none. */
function lastRunOf(schedule: Schedule, end: number): number {
  if (schedule.at(-2) !== end) return end
  let i = schedule.length - 4
  while (i > 0 && schedule[i - 1] !== 0) i -= 2
  return schedule[i] as number
}

/** The first range other than zero. */
function firstRunOf(schedule: Schedule): { start: number; end: number } | undefined {
  if (schedule.length === 0) return undefined
  let i = 0
  while (i < schedule.length && schedule[i + 1] !== 0) i += 2
  return { start: schedule[0] as number, end: schedule[i] ?? openEnd }
}
