/** The values of charts over time. */

/** A line, a step line or bars of one measure. */
export type Series = {
  readonly name: string
  readonly kind?: 'line' | 'steps' | 'bars'
  /** The name of a colour of tokens.css, without its dashes. */
  readonly color?: 'accent' | 'good' | 'warn' | 'bad' | 'quiet'
  /** Values at the times of the chart; null where there is none. A line joins the values beside gaps. */
  readonly values: readonly (number | null)[]
}

export type TimeChartProps = {
  readonly name: string
  /** Unix seconds, ascending. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  /** A value as a text, for the axis, the legend and the table. */
  readonly format?: (value: number) => string
  readonly height?: number
}

/** Steps of an axis of whole numbers: there is no half node. */
export const wholeSteps: number[] = Array.from({ length: 13 }, (_, power) =>
  [1, 2, 5].map((n) => n * 10 ** power),
).flat()

/** Pixels between the labels of an axis of values, at least: a low chart has two all the same. */
export function labelSpace(height: number): number {
  return Math.min(30, height / 6)
}

/** Whether all values are whole numbers. */
export function isWhole(series: readonly Pick<Series, 'values'>[]): boolean {
  return series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)))
}

/** Whether an axis begins at zero: heights of bars and numbers of things are compared with nothing. */
export function isFromZero(series: readonly Pick<Series, 'kind' | 'values'>[]): boolean {
  return isWhole(series) || series.every(({ kind }) => kind === 'bars')
}

/** The times from the left edge of the first bar to the right edge of the last one. Undefined: fewer than two bars. */
export function rangeOfBars(
  times: readonly number[],
  series: readonly Pick<Series, 'kind'>[],
): readonly [number, number] | undefined {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || first === last) return undefined
  if (!series.some(({ kind }) => kind === 'bars')) return undefined
  const half = Math.min(...times.slice(1).map((time, index) => time - (times[index] as number))) / 2
  return [first - half, last + half]
}

/** Whether values stand so far apart that a line alone would say more than is known, or be nothing at all. */
export function isSparse(values: readonly (number | null)[]): boolean {
  const known = values.filter((value) => value !== null).length
  return known > 0 && known < values.length / 2
}

/** The value at a place, or the last one that is known before the end where nothing is pointed at. */
export function shownValue({ values }: Series, index: number | undefined): number | null {
  return (index === undefined ? values.findLast((value) => value !== null) : values[index]) ?? null
}

/**
 * Bars of several series stand on each other, the first one lowest. What is drawn is their sums from below, the highest
 * first, so that each covers what is not its own.
 */
export function stacked(series: readonly Series[]): readonly Series[] {
  if (series.length < 2 || series.some(({ kind }) => kind !== 'bars')) return series
  const sums: (readonly (number | null)[])[] = []
  for (const { values } of series) {
    const below = sums.at(-1)
    sums.push(values.map((value, index) => (value ?? 0) + (below?.[index] ?? 0)))
  }
  return series.map((one, index) => ({ ...one, values: sums[index] ?? [] })).toReversed()
}
