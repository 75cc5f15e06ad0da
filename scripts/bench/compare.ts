/** What moved between two runs of the rows, by more than their rounds vary. Pure. */
import type { HistoryLine } from './report.ts'
import { comparedValue } from './row.ts'

/** A row of both runs. */
export type Movement = {
  readonly group: string
  readonly name: string
  readonly before: number
  readonly after: number
  /** The change as a part of the value before. */
  readonly change: number
  /** A change up to this may be chance. */
  readonly chance: number
  readonly verdict: 'better' | 'worse' | 'same'
}

export type RunComparison = {
  readonly moved: readonly Movement[]
  /** Rows that did not move. */
  readonly same: number
  /** Rows of only one of the runs. */
  readonly only_before: readonly string[]
  readonly only_after: readonly string[]
}

/** Three standard errors: chance exceeds that in one of 370 rows. */
const errors = 3
/** Rounds of one run agree better than two runs do: the layout of memory and of files differs. */
const leastChance = 0.03
/** For a figure of one reading, whose noise is unknown. */
const chanceOfOneReading = 0.15

/** Compares two runs row by row. */
export function compareRuns(before: readonly HistoryLine[], after: readonly HistoryLine[]): RunComparison {
  const earlier = byName(before)
  const later = byName(after)
  const movements = [...later].flatMap(([name, line]) => {
    const old = earlier.get(name)
    return old === undefined ? [] : [movementOf(old, line)]
  })
  return {
    moved: movements
      .filter(({ verdict }) => verdict !== 'same')
      .toSorted((a, b) => Math.abs(b.change) / b.chance - Math.abs(a.change) / a.chance),
    same: movements.filter(({ verdict }) => verdict === 'same').length,
    only_before: [...earlier.keys()].filter((name) => !later.has(name)),
    only_after: [...later.keys()].filter((name) => !earlier.has(name)),
  }
}

function byName(lines: readonly HistoryLine[]): Map<string, HistoryLine> {
  return new Map(lines.map((line) => [`${line.group} ${line.name}`, line]))
}

function movementOf(old: HistoryLine, line: HistoryLine): Movement {
  const [before, after] = [comparedValue(old), comparedValue(line)]
  // A value of 0 has no part: whatever it becomes is a change.
  const change = before === 0 ? (after === 0 ? 0 : Number.POSITIVE_INFINITY) : (after - before) / Math.abs(before)
  const chance = chanceOf(old.noise, line.noise)
  const isBetter = line.better === 'more' ? change > 0 : change < 0
  const verdict = Math.abs(change) <= chance ? 'same' : isBetter ? 'better' : 'worse'
  return { group: line.group, name: line.name, before, after, change, chance, verdict }
}

function chanceOf(before: number | null, after: number | null): number {
  if (before === null || after === null) return chanceOfOneReading
  return Math.max(leastChance, errors * Math.hypot(before, after))
}

/** Lines about a comparison for a terminal. */
export function describeComparison({ moved, same, only_before, only_after }: RunComparison): string[] {
  const lines = moved.map(({ name, before, after, change, chance, verdict }) => {
    const percent = Number.isFinite(change) ? `${change > 0 ? '+' : ''}${(100 * change).toFixed(1)} %` : 'from 0'
    const values = `${show(before).padStart(10)} → ${show(after).padEnd(10)}`
    const bound = `chance ${(100 * chance).toFixed(1)} %`
    return `${verdict.padEnd(6)} ${name.padEnd(28)} ${values} ${percent.padStart(10)}  ${bound}`
  })
  return [
    ...lines,
    `${moved.length} rows moved, ${same} did not.`,
    ...(only_before.length > 0 ? [`Only before: ${only_before.join(', ')}.`] : []),
    ...(only_after.length > 0 ? [`Only after: ${only_after.join(', ')}.`] : []),
  ]
}

function show(value: number): string {
  return Math.abs(value) < 100 ? value.toPrecision(4) : value.toFixed(0)
}

/** What else differs: figures without another side depend on the machine. */
export function describeMachines(before: readonly HistoryLine[], after: readonly HistoryLine[]): string | undefined {
  const [old, now] = [before.at(-1)?.machine, after.at(-1)?.machine]
  if (old === undefined || now === undefined) return undefined
  const parts = (['loop_ms', 'round_trips_ms', 'fsync_ms'] as const).map(
    (name) => `${name} ${old[name].toFixed(1)} → ${now[name].toFixed(1)}`,
  )
  return `Machine: ${parts.join(', ')}.`
}
