import type { BenchRow } from './row.ts'

/** `usual` has the figures of docs/benchmarks; at `tiny` the same code shows within seconds that its rows come out. */
export type SizeName = 'usual' | 'tiny'

/** Whether a row of this name is asked for. */
export type WantedRow = (name: string) => boolean

/** Rows that are measured together. */
export type Bench = {
  /** All rows that it can measure. */
  readonly rows: readonly string[]
  /** Yields at least the wanted rows, each when it is measured. */
  measure(size: SizeName, wanted: WantedRow): AsyncIterable<BenchRow>
  /** Why it cannot be measured on this machine. Throws instead where that is required. */
  missing(): Promise<string | undefined>
}

type Definition<Size> = Pick<Bench, 'rows'> & {
  /** What differs between the two sizes: worlds, numbers of rounds, times. Nothing else may. */
  readonly sizes: Readonly<Record<SizeName, Size>>
  measure(size: Size, wanted: WantedRow): AsyncIterable<BenchRow>
  readonly missing?: Bench['missing']
}

/** A bench with its sizes in one table. */
export function bench<Size>({ rows, sizes, measure, missing = async () => undefined }: Definition<Size>): Bench {
  return { rows, missing, measure: (size, wanted) => measure(sizes[size], wanted) }
}

/** Measures the wanted rows of a bench. Throws if one does not come out. */
export async function* measureRows(
  { rows, measure }: Bench,
  size: SizeName,
  wanted: WantedRow,
): AsyncGenerator<BenchRow> {
  const left = new Set(rows.filter(wanted))
  if (left.size === 0) return
  const notMeasured = (reason: string, cause?: unknown) =>
    new Error(`Not measured: ${[...left].join(', ')}. ${reason}`, { cause })
  try {
    for await (const row of measure(size, wanted)) {
      if (!rows.includes(row.name)) throw new Error(`The row ${row.name} is not declared.`)
      if (left.delete(row.name)) yield row
    }
  } catch (error) {
    throw notMeasured((error as Error).message, error)
  }
  if (left.size > 0) throw notMeasured('The bench ended without an error.')
}
