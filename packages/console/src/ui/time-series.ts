/** The values of charts over time. */

/** A line, a step line or bars of one measure. */
export type Series = {
  readonly name: string
  readonly kind?: 'line' | 'steps' | 'bars'
  /** The name of a colour of tokens.css, without its dashes. */
  readonly color?: 'accent' | 'good' | 'warn' | 'bad' | 'quiet'
  /** Values at the times of the chart; null where there is none. */
  readonly values: readonly (number | null)[]
}

export type TimeChartProps = {
  readonly name: string
  /** Unix seconds, ascending. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  /** A value as a text, for the axis, the legend and the table. */
  readonly format?: (value: number) => string
  /** Whether its values are counts: then the axis has no fractions. */
  readonly isWhole?: boolean
  readonly height?: number
}
