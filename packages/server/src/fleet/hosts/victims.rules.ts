// Forecasts which machines lose their place, and when, from the current state. placement.rules.ts turns these
// reductions into notices, moved deadlines, withdrawals and ends.

import { byVictimOrder, type Ranked } from '@bourse/api/fleet/priority-levels.ts'
import { minuteSeconds } from '@bourse/text/time/units.ts'
import { type PriorityQueue, queueOf, take } from './priority-queue.rules.ts'

/** `node_count` nodes in `[start_at, end_at)`, in seconds. Null: no end. Gaps between steps count as zero. */
export type AllocationStep = { readonly start_at: number; readonly end_at: number | null; readonly node_count: number }

/** From `at` on, the allocation is `node_count`. */
type AllocationChange = { readonly at: number; readonly node_count: number }

/** A machine that counts against the allocation. `host_ends_at`: when its host must be empty, or null. */
type RankedMachine = Ranked & { readonly host_ends_at: number | null }

/** When a machine loses its place, and why. */
export type CapacityReduction = { readonly at: number; readonly cause: 'allocation' | 'host' }

/** The reductions up to the horizon in the order of time, and the time of the first reduction after it. */
type ReductionForecast<M extends RankedMachine> = {
  readonly reductions: ReadonlyMap<M, CapacityReduction>
  readonly next_reduction_at: number | null
}

/** Turns a schedule of minutes and counts (schedule.rules.ts) into steps in seconds, from the current minute on. */
export function stepsFrom(schedule: readonly number[], now: number): AllocationStep[] {
  const steps: AllocationStep[] = []
  for (let i = 0; i < schedule.length; i += 2) {
    const end = schedule[i + 2]
    const end_at = end === undefined ? null : end * minuteSeconds
    if (end_at !== null && end_at <= now) continue
    const node_count = schedule[i + 1] as number
    if (node_count > 0) steps.push({ start_at: (schedule[i] as number) * minuteSeconds, end_at, node_count })
  }
  return steps
}

/** The allocation at a second. */
export function allocationAt(steps: readonly AllocationStep[], at: number): number {
  return steps.find((step) => step.start_at <= at && (step.end_at === null || at < step.end_at))?.node_count ?? 0
}

/** The changes of the allocation after `now`, oldest first. */
export function changesAfter(steps: readonly AllocationStep[], now: number): AllocationChange[] {
  const changes: AllocationChange[] = []
  let count = allocationAt(steps, now)
  const add = (at: number, node_count: number) => {
    if (at <= now || node_count === count) return
    changes.push({ at, node_count })
    count = node_count
  }
  for (const [index, step] of steps.entries()) {
    add(step.start_at, step.node_count)
    if (step.end_at !== null && steps[index + 1]?.start_at !== step.end_at) add(step.end_at, 0)
  }
  return changes
}

/**
 * Steps through the future changes. At each change, the machines of hosts whose deadline has come lose their places
 * first. Then, while more machines remain than the allocation allows, machines lose their places by lowest priority,
 * newest, id. Such a machine no longer counts, even if the allocation rises again, so a later reduction does not take
 * it twice.
 */
export function forecastReductions<M extends RankedMachine>(input: {
  readonly now: number
  readonly horizon_at: number
  readonly allocation_now: number
  readonly changes: readonly AllocationChange[]
  readonly machines: readonly M[]
}): ReductionForecast<M> {
  const { now, horizon_at, changes, machines } = input
  const reductions = new Map<M, CapacityReduction>()
  const leaving = machines.filter((machine) => machine.host_ends_at !== null).sort(byHostEnd)
  let queue: PriorityQueue<M> | undefined
  let staying = machines.length
  let allocation = input.allocation_now
  let left = 0

  for (const moment of momentsOf(now, changes, leaving)) {
    allocation = moment.node_count ?? allocation
    let until = left
    while ((leaving[until]?.host_ends_at ?? Infinity) <= moment.at) until++
    const going = leaving.slice(left, until).filter((machine) => !reductions.has(machine))
    const surplus = staying - going.length - allocation
    if (moment.at > horizon_at) {
      if (going.length > 0 || surplus > 0) return { reductions, next_reduction_at: moment.at }
      continue
    }
    for (const machine of going) reductions.set(machine, { at: machine.host_ends_at as number, cause: 'host' })
    left = until
    staying -= going.length
    for (let missing = surplus; missing > 0; staying--, missing--) {
      queue ??= queueOf([...machines], byVictimOrder)
      reductions.set(takeRemaining(queue, reductions), { at: moment.at, cause: 'allocation' })
    }
  }
  return { reductions, next_reduction_at: null }
}

type AllocationMoment = { readonly at: number; readonly node_count: number | undefined }

function momentsOf(
  now: number,
  changes: readonly AllocationChange[],
  leaving: readonly RankedMachine[],
): AllocationMoment[] {
  const releases = leaving.map((machine) => ({ at: machine.host_ends_at as number, node_count: undefined }))
  const ahead = [...changes, ...releases].filter((moment) => moment.at > now).sort((a, b) => a.at - b.at)
  return [{ at: now, node_count: undefined }, ...ahead]
}

function takeRemaining<M extends RankedMachine>(
  queue: PriorityQueue<M>,
  reductions: ReadonlyMap<M, CapacityReduction>,
): M {
  for (let machine = take(queue); machine; machine = take(queue)) {
    if (!reductions.has(machine)) return machine
  }
  throw new Error('There are fewer machines than must end.')
}

function byHostEnd(a: RankedMachine, b: RankedMachine): number {
  return (a.host_ends_at as number) - (b.host_ends_at as number)
}
