/** What kind of run a seed is: which faults, how often, how many actors, how time goes. */
import type { Failpoint } from '../../src/core/work/runtime.ts'
import type { Choices } from './choices.ts'
import type { Operation } from './context.ts'
import { type Fault, faults } from './replicas/replicas.ts'

export type RunOptions = {
  /** How many accounts of the world take part. */
  readonly accounts: number
  /** Commands in a hundred that meet a fault. */
  readonly fault_percent: number
  readonly faults: readonly Fault[]
  /** Steps in a hundred that move the clock, and by how many seconds. */
  readonly clock_percent: number
  readonly jumps: readonly number[]
  /** Whether what holds the clock back every few minutes is left out, so that weeks pass. */
  readonly has_weeks: boolean
  /** Steps in a hundred that run what is due. */
  readonly tick_percent: number
  /** How much more often than usual operations of an area are done, by area. */
  readonly boosts: Readonly<Record<string, number>>
}

const failpoints: readonly Failpoint[] = ['before_claim', 'after_claim', 'after_work', 'before_commit', 'after_commit']
const hour = 3600
const day = 24 * hour
/** Jumps by the names under which a run's options show them. */
const paces = {
  seconds: [1, 2, 5, 30],
  minutes: [20, 60, 61, 95, 600],
  hours: [60, 600, hour, 6 * hour],
  weeks: [60, hour, day, 3 * day, 8 * day],
} as const

/** Who reads on after a week is to meet the edge of the log. */
const readingInWeeks = 20

const inTransaction: readonly Failpoint[] = ['after_claim', 'after_work', 'before_commit']

/** Every fault: a commit can only be lost where it is sent, and a backend works on a command while that is open. */
export const allFaults: readonly Fault[] = faults.flatMap((kind) => {
  const places = { lost_commit: ['before_commit'], terminate: inTransaction } as const
  return failpoints
    .filter((at) => !(kind in places) || (places[kind as keyof typeof places] as readonly Failpoint[]).includes(at))
    .map((at) => ({ kind, at }))
})

/** Draws the options of a run. */
export function drawOptions(choices: Choices, areas: readonly string[]): RunOptions {
  const kinds = faults.filter(() => choices.chance(70))
  const chosen = allFaults.filter(({ kind }) => kinds.includes(kind))
  const pace = choices.weighted([
    { weight: 20, name: 'seconds' },
    { weight: 36, name: 'minutes' },
    { weight: 24, name: 'hours' },
    { weight: 20, name: 'weeks' },
  ] as const)
  const has_weeks = pace.name === 'weeks'
  return {
    accounts: 1 + choices.integer(4),
    fault_percent: chosen.length === 0 ? 0 : choices.pick([0, 4, 10, 25]),
    faults: chosen,
    clock_percent: choices.pick(has_weeks ? [8, 12] : [4, 8, 12]),
    jumps: paces[pace.name],
    has_weeks,
    tick_percent: choices.pick([12, 20, 30]),
    boosts: {
      ...Object.fromEntries(areas.map((area) => [area, choices.pick([0.2, 1, 1, 1, 3])])),
      ...(has_weeks ? { reading: readingInWeeks } : {}),
    },
  }
}

/** Options in one line. */
export function describeOptions(options: RunOptions): string {
  const { faults: some, ...rest } = options
  const kinds = [...new Set(some.map(({ kind }) => kind))]
  return JSON.stringify({ ...rest, faults: kinds })
}

/** Deeds with their weights as a run's options have them. */
export function boosted(
  area: string,
  operations: readonly Operation[],
  { boosts, has_weeks }: RunOptions,
): Operation[] {
  const done = operations.filter(({ is_endless = false }) => !(is_endless && has_weeks))
  return done.map((operation) => ({
    ...operation,
    weight: Math.max(1, Math.round(operation.weight * 10 * (boosts[area] ?? 1))),
  }))
}
