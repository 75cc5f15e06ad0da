/** Microseconds of processor time for one response. */
export type ProcessorMicroseconds = { readonly server: number; readonly database: number }

/** What a bench has measured: our figure, and that of the other side where there is one. */
export type Measurement = {
  readonly name: string
  readonly ours: number
  readonly against?: number
  /** How both compare. The default is the median of the rounds, and without rounds the quotient of the figures. */
  readonly ratio?: number
  /** Whether a larger value is better. */
  readonly better: 'more' | 'less'
  /** The bound of the ratio, or of our figure where there is no other side. A row with the goal null cannot miss it. */
  readonly goal: number | null
  /** The value that the goal bounds, in each round. */
  readonly rounds?: readonly number[]
  /** The processor time of one response of each side. */
  readonly processor?: readonly [ours: ProcessorMicroseconds, against: ProcessorMicroseconds]
  /** Bytes of write-ahead log for one response of each side, where they write. */
  readonly wal_bytes?: readonly [ours: number, against: number]
}

/** One line of a benchmark. */
export type BenchRow = Omit<Measurement, 'against' | 'ratio'> & {
  readonly against: number | null
  /** Null where there is no other side. */
  readonly ratio: number | null
  readonly met: boolean
}

/** The row of a measurement. */
export function rowOf(measurement: Measurement): BenchRow {
  const { ours, against = null, better, goal, rounds } = measurement
  const ratio = against === null ? null : (measurement.ratio ?? (rounds ? median(rounds) : ours / against))
  const value = ratio ?? ours
  const met = goal === null || (better === 'more' ? value >= goal : value <= goal)
  return { ...measurement, against, ratio, met }
}

/** The row of a figure, or of the median of several rounds, without another side. The goal is the most it may be. */
export function atMost(name: string, figures: number | readonly number[], goal: number | null): BenchRow {
  const common = { name, better: 'less', goal } as const
  if (typeof figures === 'number') return rowOf({ ...common, ours: figures })
  return rowOf({ ...common, ours: median(figures), rounds: figures })
}

/** The value of a row that is compared with its goal, and with that of another run. */
export function comparedValue({ ours, ratio }: Pick<BenchRow, 'ours' | 'ratio'>): number {
  return ratio ?? ours
}

/** The median; of an even number of values the larger one in the middle. */
export function median(values: readonly number[]): number {
  const middle = values.toSorted((a, b) => a - b)[values.length >> 1]
  if (middle === undefined) throw new Error('There is no median of no values.')
  return middle
}
