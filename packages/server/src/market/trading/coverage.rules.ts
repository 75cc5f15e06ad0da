// Which orders an automation wants, so that its pool has a number of nodes in each minute of a window that moves with
// time (docs/guides/procurements.md, "What it orders"; docs/guides/spot-fleets.md, "What it buys"). Pure: what the pool
// owns and what is open come in, cancels and places come out.
//
// Kept, whatever the view: no minute has two open orders of the automation; what is offered is free; planning again
// right after, whether the orders rested or were filled, wants nothing. Not decided here: whether an order is admitted.

import type { Id } from '@bourse/api/kit/ids.ts'
import {
  add,
  clip,
  EMPTY,
  equal,
  max,
  min,
  OPEN_END,
  rectangle,
  type Schedule,
  subtract,
  sum,
} from '../schedule/schedule.rules.ts'

/** The most minutes that the far end of a window waits before it is ordered too. */
const STEP_MINUTES_MAX = 15

/** An open order of the automation, with what is left of it. */
export type OwnOrder = {
  readonly id: Id<'order'>
  readonly side: 'buy' | 'sell'
  readonly price_micros: bigint
  readonly remaining: Schedule
}

/** An open order of a pool, with the automation that placed it, if one did. */
export type OpenOrderOfPool = OwnOrder & { readonly managed_by: string | null }

/** What an automation is to keep: this many nodes in each minute, from the next one on. */
export type CoverageGoal = {
  readonly target: number
  readonly window_minutes: number
  /** Minutes in which the far end is extended: {@link extensionStep}. */
  readonly step_minutes: number
  /** At most this is paid, in micro-dollars per node-minute; null: nothing is bought. */
  readonly max_buy_price_micros: bigint | null
  /** At least this is asked; null: nothing is sold. */
  readonly min_sell_price_micros: bigint | null
  /** Whether nodes that the pool's other orders offer count as gone already, or only once they are sold. */
  readonly replaces_offered: boolean
}

/** Everything that a plan looks at. */
export type CoverageView = {
  /** The running minute. */
  readonly minute: number
  readonly goal: CoverageGoal
  /** What the pool owns. */
  readonly owned: Schedule
  /** What open orders of the pool that are not the automation's still want, and what they have promised. */
  readonly other_buys: Schedule
  readonly other_sells: Schedule
  /** The automation's open orders, oldest first. */
  readonly orders: readonly OwnOrder[]
}

/** An order to place, standing and partial: so many nodes from one minute until before another. */
export type PlannedOrder = {
  readonly side: 'buy' | 'sell'
  readonly price_micros: bigint
  readonly start_minute: number
  readonly end_minute: number
  readonly node_count: number
}

/** What to do: first the cancels, then the places, by time. */
export type CoveragePlan = {
  readonly cancels: readonly Id<'order'>[]
  readonly places: readonly PlannedOrder[]
  /** The running minute in which time alone makes the next order due; null: never. */
  readonly next_minute: number | null
}

type Wants = { readonly buy: Schedule; readonly sell: Schedule }

/** Minutes in which the far end of a window is extended: a quarter of it, at least one and at most 15. */
export function extensionStep(window_minutes: number): number {
  return Math.min(STEP_MINUTES_MAX, Math.max(1, Math.floor(window_minutes / 4)))
}

/**
 * Plans the orders of an automation. Short of the target is what the pool owns and its open buys bring, less, where the
 * goal says so, what its open sells may take; over it is only what the pool owns, as an open buy may never be filled.
 *
 * The far end waits: minutes there that no order of the automation has are left until they are a step long, or until
 * they have nothing to do with the end any more. What is missing nearer is ordered at once.
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
    const price_micros = side === 'buy' ? goal.max_buy_price_micros : goal.min_sell_price_micros
    if (price_micros === null) return []
    return rangesOf(clip(missing[side], from, waits_from)).map((range) => ({ side, price_micros, ...range }))
  })
  return {
    cancels,
    places: places.sort((a, b) => a.start_minute - b.start_minute),
    next_minute: nextMinute(wants, { goal, waits_from }),
  }
}

/** What is wanted from the running minute on, without end and whatever is ordered already. One side in each minute. */
function wantsOf({ minute, goal, owned, other_buys, other_sells }: CoverageView): Wants {
  const target = rectangle(minute, OPEN_END, goal.target)
  const free = subtract(owned, other_sells)
  const there = goal.replaces_offered ? free : owned
  const short = subtract(subtract(target, there), other_buys)
  return {
    buy: goal.max_buy_price_micros === null ? EMPTY : clip(positive(short), minute),
    sell: goal.min_sell_price_micros === null ? EMPTY : clip(positive(subtract(free, target)), minute),
  }
}

/** Which orders are just what is wanted in every minute that is left of them. */
function sortOut(
  orders: readonly OwnOrder[],
  { goal, minute, wants }: { goal: CoverageGoal; minute: number; wants: Wants },
): { kept: OwnOrder[]; cancels: Id<'order'>[] } {
  const kept: OwnOrder[] = []
  const cancels: Id<'order'>[] = []
  let taken: Schedule = EMPTY
  for (const order of orders) {
    const remaining = clip(order.remaining, minute)
    const price = order.side === 'buy' ? goal.max_buy_price_micros : goal.min_sell_price_micros
    const isAlone = min(taken, remaining).length === 0
    const fits = order.price_micros === price && equal(within(wants[order.side], remaining), remaining)
    if (isAlone && fits) {
      kept.push(order)
      taken = add(taken, remaining)
    } else cancels.push(order.id)
  }
  return { kept, cancels }
}

/** From where the far end waits for more; the end of the window where nothing does. */
function waitingFrom(
  { goal, orders }: CoverageView,
  { missing, from, end }: { missing: Wants; from: number; end: number },
): number {
  // Minutes that an order had are nearer gaps, also when that order is cancelled now.
  const had = sum(orders.map(({ remaining }) => clip(remaining, from, end)))
  const untouched = outside(add(missing.buy, missing.sell), had)
  const since = lastRunOf(untouched, end)
  return end - since < goal.step_minutes ? since : end
}

/** When the window has moved on so far that an order is due at its far end. */
function nextMinute(wants: Wants, { goal, waits_from }: { goal: CoverageGoal; waits_from: number }): number | null {
  const ahead = clip(add(wants.buy, wants.sell), waits_from)
  const run = firstRunOf(ahead)
  if (run === undefined) return null
  // A step long, or past its end and so no longer at the far end.
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
  return max(schedule, EMPTY)
}

/** The ranges of a schedule that ends in which the count is the same and not zero. */
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

/** Where the minutes without a zero that reach up to `end` begin; `end` where there are none. */
function lastRunOf(schedule: Schedule, end: number): number {
  if (schedule.at(-2) !== end) return end
  let i = schedule.length - 4
  while (i > 0 && schedule[i - 1] !== 0) i -= 2
  return schedule[i] as number
}

/** The first minutes without a zero. */
function firstRunOf(schedule: Schedule): { start: number; end: number } | undefined {
  if (schedule.length === 0) return undefined
  let i = 0
  while (i < schedule.length && schedule[i + 1] !== 0) i += 2
  return { start: schedule[0] as number, end: schedule[i] ?? OPEN_END }
}
