/** Minimizes a failed seed: fewer kinds of fault, areas, coverage items and steps, the same kind of violation. */

import { shareOf } from './coverage/list.ts'
import { faultKinds } from './replicas/replicas.ts'
import { areaNames, runSeed, type SeedOrder, type SeedResult } from './seed-run.ts'

/** A reduced seed: its number of steps, and what is excluded. */
export type ReducedSeed = {
  readonly steps: number
  readonly without: ReadonlySet<number>
  readonly left_out: readonly string[]
  /** Coverage items that replace the share of the seed. */
  readonly items: readonly string[]
}

/** The number of remaining attempts. */
export type Budget = { left: number }

/**
 * A minimal subset of a list for which a predicate holds: removes halves, then quarters, down to single elements, as
 * long as it holds (the complements of ddmin, Zeller and Hildebrandt 2002). When the budget is spent the result still
 * holds but may not be minimal.
 */
export async function minimalSubset<T>(
  list: readonly T[],
  holds: (some: readonly T[]) => Promise<boolean>,
  budget: Budget,
): Promise<readonly T[]> {
  let kept = list
  for (let size = Math.ceil(list.length / 2); size >= 1 && budget.left > 0; ) {
    const before = kept.length
    for (let at = 0; at < kept.length && budget.left > 0; ) {
      const rest = [...kept.slice(0, at), ...kept.slice(at + size)]
      budget.left -= 1
      if (await holds(rest)) kept = rest
      else at += size
    }
    if (size === 1 && kept.length === before) break
    size = Math.ceil(size / 2)
  }
  return kept
}

/** The smallest reduction found with a violation of the same kind. Each attempt takes as long as the seed. */
export async function minimize(order: SeedOrder, failed: SeedResult, budget: Budget): Promise<ReducedSeed> {
  const [first = ''] = failed.violations
  const isLike = ({ violations }: SeedResult) => violations.some((one) => kindOf(one) === kindOf(first))
  const share = shareOf(order.seed).map(({ name }) => name)
  const excludable = [...faultKinds, ...areaNames]
  const steps = Array.from({ length: Math.min(order.steps, stepOf(first)) }, (_, n) => n + 1)
  const reductionOf = (parts: readonly string[], some: readonly number[]): ReducedSeed => ({
    steps: steps.length,
    items: share.filter((item) => parts.includes(item)),
    left_out: excludable.filter((part) => !parts.includes(part)),
    without: new Set(steps.filter((step) => !some.includes(step))),
  })
  const { seed, audit_every } = order
  const fails = async (parts: readonly string[], some: readonly number[]) =>
    isLike(await runSeed({ seed, audit_every, hashes: false, ...reductionOf(parts, some) }))
  const parts = await minimalSubset([...excludable, ...share], (some) => fails(some, steps), budget)
  return reductionOf(parts, await minimalSubset(steps, (some) => fails(parts, some), budget))
}

/** A violation without its step, ids and numbers, which differ from run to run. */
export function kindOf(violation: string): string {
  const [text = ''] = violation.replace(/^step \d+: /, '').split('\n')
  const [, invariant] = /^([a-z_]+\.[a-z_-]+)\b/.exec(text) ?? []
  return invariant ?? text.replaceAll(/\b[a-z]+_[\w-]{8,}/g, '…').replaceAll(/\d+/g, '…')
}

function stepOf(violation: string): number {
  return Number(/^step (\d+): /.exec(violation)?.[1] ?? Number.POSITIVE_INFINITY)
}

/** Prints steps as the command line takes them: `3-40,52`. */
export function printSteps(steps: ReadonlySet<number>): string {
  const ranges: [number, number][] = []
  for (const step of [...steps].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && last[1] === step - 1) last[1] = step
    else ranges.push([step, step])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}

/** Parses what {@link printSteps} prints. */
export function parseSteps(text: string): Set<number> {
  const steps = new Set<number>()
  for (const range of text.split(',').filter((part) => part !== '')) {
    const [from = 0, to = from] = range.split('-').map(Number)
    for (let step = from; step <= to; step++) steps.add(step)
  }
  return steps
}

/** The command line that runs a reduced seed. */
export function commandOf(seed: number, { steps, without, left_out, items }: ReducedSeed): string {
  const parts = [`npm run sim -- --seed ${seed} --steps ${steps}`]
  if (without.size > 0) parts.push(`--without ${printSteps(without)}`)
  if (left_out.length > 0) parts.push(`--leave-out ${left_out.join(',')}`)
  if (items.length < shareOf(seed).length) parts.push(`--items ${items.join(',') || 'none'}`)
  return parts.join(' ')
}
