/** Microseconds of processor time for one response. */
export type ProcessorMicroseconds = { readonly server: number; readonly database: number }

/** One line of a benchmark. A row with the goal null cannot miss it. */
export type BenchRow = {
  readonly name: string
  readonly ours: number
  readonly against: number
  readonly ratio: number
  readonly goal: number | null
  readonly met: boolean
  /** The processor time of one response of each side. */
  readonly processor?: readonly [ours: ProcessorMicroseconds, against: ProcessorMicroseconds]
}
