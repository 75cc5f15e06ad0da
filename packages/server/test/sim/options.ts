/** The options of a seed: its faults and their rate, its accounts, the pace of its clock. */
import type { Failpoint } from '../../src/core/work/runtime.ts'
import type { RandomChoices } from './choices.ts'
import type { SimOperation } from './context.ts'
import { faultKinds, type ReplicaFault } from './replicas/replicas.ts'

export type SimOptions = {
  /** Number of accounts of the world that take part. */
  readonly accounts: number
  /** Percentage of commands with an injected fault. */
  readonly fault_percent: number
  readonly faults: readonly ReplicaFault[]
  /** Percentage of steps that move the clock, and the seconds to choose from. */
  readonly clock_percent: number
  readonly jumps: readonly number[]
  /** Whether operations with work due every few minutes are excluded, so that weeks can pass. */
  readonly has_weeks: boolean
  /** Percentage of steps that run due work. */
  readonly tick_percent: number
  /** Factors of the operation weights, by area. */
  readonly boosts: Readonly<Record<string, number>>
}

const failpoints: readonly Failpoint[] = ['before_claim', 'after_claim', 'after_work', 'before_commit', 'after_commit']
const hour = 3600
const day = 24 * hour
/** Clock jumps by pace. */
const paces = {
  seconds: [1, 2, 5, 30],
  minutes: [20, 60, 61, 95, 600],
  hours: [60, 600, hour, 6 * hour],
  weeks: [60, hour, day, 3 * day, 8 * day],
} as const

/** A reader that continues after a week reaches the retention limit. */
const readingInWeeks = 20

const inTransaction: readonly Failpoint[] = ['after_claim', 'after_work', 'before_commit']

/** All faults. A COMMIT is lost where it is sent; a backend works on a command only in its transaction. */
export const allFaults: readonly ReplicaFault[] = faultKinds.flatMap((kind) => {
  const places = { lost_commit: ['before_commit'], terminate: inTransaction } as const
  return failpoints
    .filter((at) => !(kind in places) || (places[kind as keyof typeof places] as readonly Failpoint[]).includes(at))
    .map((at) => ({ kind, at }))
})

/** Draws the options of a seed. */
export function drawOptions(choices: RandomChoices, areas: readonly string[]): SimOptions {
  const kinds = faultKinds.filter(() => choices.chance(70))
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

/** The options as one line. */
export function describeOptions(options: SimOptions): string {
  const { faults: some, ...rest } = options
  const kinds = [...new Set(some.map(({ kind }) => kind))]
  return JSON.stringify({ ...rest, faults: kinds })
}

/** The operations of an area with the weights of the options. */
export function boosted(
  area: string,
  operations: readonly SimOperation[],
  { boosts, has_weeks }: SimOptions,
): SimOperation[] {
  const done = operations.filter(({ is_endless = false }) => !(is_endless && has_weeks))
  return done.map((operation) => ({
    ...operation,
    weight: Math.max(1, Math.round(operation.weight * 10 * (boosts[area] ?? 1))),
  }))
}
