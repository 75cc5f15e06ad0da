/** Microseconds of processors for one answer. */
export type ProcessorMicroseconds = { readonly server: number; readonly database: number }

/** One line of a benchmark. A goal of null is only printed. */
export type Row = {
  readonly name: string
  readonly ours: number
  readonly against: number
  readonly ratio: number
  readonly goal: number | null
  readonly met: boolean
  /** What one answer of each side cost the processors. */
  readonly processor?: readonly [ours: ProcessorMicroseconds, against: ProcessorMicroseconds]
}
