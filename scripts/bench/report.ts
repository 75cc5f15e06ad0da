/** What `npm run bench -- --all` writes, and the lines of docs/benchmarks/history.jsonl that it becomes. Pure. */
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { type BenchRow, median } from './row.ts'

/** How fast the machine was: figures without another side depend on it. */
const machineSchema = Type.Object({
  processors: Type.Integer({ minimum: 1 }),
  memory_gib: Type.Integer({ minimum: 0 }),
  node: Type.String({ maxLength: 40 }),
  /** Milliseconds of a fixed loop, of 50 round trips to PostgreSQL, and of one sync of 4 KiB to the disk. */
  loop_ms: Type.Number({ minimum: 0 }),
  round_trips_ms: Type.Number({ minimum: 0 }),
  fsync_ms: Type.Number({ minimum: 0 }),
})

const processorSchema = Type.Object({ server: Type.Number(), database: Type.Number() })

const rowSchema = Type.Object({
  group: Type.String({ maxLength: 40 }),
  name: Type.String({ maxLength: 80 }),
  ours: Type.Number(),
  against: Type.Union([Type.Number(), Type.Null()]),
  ratio: Type.Union([Type.Number(), Type.Null()]),
  better: Type.Union([Type.Literal('more'), Type.Literal('less')]),
  goal: Type.Union([Type.Number(), Type.Null()]),
  met: Type.Boolean(),
  rounds: Type.Optional(Type.Array(Type.Number(), { maxItems: 10_000 })),
  processor: Type.Optional(Type.Tuple([processorSchema, processorSchema])),
  wal_bytes: Type.Optional(Type.Tuple([Type.Number(), Type.Number()])),
})

const reportSchema = Type.Object({
  object: Type.Literal('bench_report'),
  date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  commit: Type.String({ maxLength: 40 }),
  /** Whether files differed from the commit. */
  changed: Type.Boolean(),
  size: Type.Union([Type.Literal('usual'), Type.Literal('tiny')]),
  machine: machineSchema,
  rows: Type.Array(rowSchema, { maxItems: 1_000 }),
  /** Rows without a figure: this machine cannot measure them, or they failed. */
  not_measured: Type.Array(
    Type.Object({
      group: Type.String(),
      rows: Type.Array(Type.String()),
      reason: Type.String(),
      failed: Type.Boolean(),
    }),
    { maxItems: 1_000 },
  ),
})

/** A row of one run. */
export type ReportedRow = BenchRow & { readonly group: string }
export type MachineSpeed = Readonly<Static<typeof machineSchema>>
/** One run of all rows. */
export type BenchReport = Readonly<Omit<Static<typeof reportSchema>, 'rows'>> & {
  readonly rows: readonly ReportedRow[]
}

/** A row of the history: one line. The noise stands for the rounds that it is computed from. */
const lineSchema = Type.Object({
  date: reportSchema.properties.date,
  commit: reportSchema.properties.commit,
  machine: machineSchema,
  ...Type.Omit(rowSchema, ['rounds']).properties,
  noise: Type.Union([Type.Number(), Type.Null()]),
})
export type HistoryLine = Readonly<Omit<ReportedRow, 'rounds'>> &
  Pick<Static<typeof lineSchema>, 'date' | 'commit' | 'machine' | 'noise'>

/** Reads a report. Throws with the place in the file that is wrong. */
export function readReport(text: string, path: string): BenchReport {
  return parseAs(reportSchema, text, `${path} is no report of npm run bench`)
}

/** Reads the history. Throws with the line that is wrong. */
export function readHistory(text: string, path: string): HistoryLine[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line === '' ? [] : [parseAs(lineSchema, line, `${path}: line ${index + 1} is no row of npm run bench`)],
    )
}

function parseAs<T extends Type.TSchema>(schema: T, text: string, problem: string): Static<T> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`${problem}: ${(error as Error).message}`)
  }
  if (Value.Check(schema, value)) return value as Static<T>
  const [first] = Value.Errors(schema, value)
  throw new Error(`${problem}: ${first?.instancePath || 'the whole'} ${first?.message ?? 'is wrong'}.`)
}

/** The lines of a report. */
export function historyOf({ date, commit, machine, rows }: BenchReport): HistoryLine[] {
  return rows.map(({ rounds, ...row }) => ({ date, commit, machine, ...row, noise: noiseOf(rounds) }))
}

/** Why a report cannot join the history; undefined where it can. */
export function refusalOf({ size, changed, commit, date }: BenchReport, history: readonly HistoryLine[]) {
  if (size === 'tiny') return 'It has figures of the tiny size, which say nothing.'
  if (changed) return 'It was measured with changes that are in no commit. Commit first, and measure again.'
  if (history.some((line) => line.commit === commit && line.date === date)) {
    return `The history has the rows of ${commit} of ${date} already.`
  }
  return undefined
}

/** The text of a line. Five digits are more than any figure has. */
export function printLine(line: HistoryLine): string {
  return JSON.stringify(line, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value))
}

/** The rows of the newest run in a history, each as it was last measured. */
export function newestOf(history: readonly HistoryLine[]): HistoryLine[] {
  return [...new Map(history.map((line) => [`${line.group} ${line.name}`, line])).values()]
}

const leastRounds = 3

/**
 * How far the median of some rounds may be from that of as many others, as a part of it: its standard error. That is
 * 1.2533 σ / √n for the median of a normal distribution, with 1.4826 × the median deviation from the median for σ
 * (Rousseeuw and Croux, Alternatives to the Median Absolute Deviation, 1993). Null with fewer than three rounds.
 */
export function noiseOf(rounds: readonly number[] | undefined): number | null {
  if (rounds === undefined || rounds.length < leastRounds) return null
  const middle = median(rounds)
  if (middle === 0) return null
  const sigma = 1.4826 * median(rounds.map((one) => Math.abs(one - middle)))
  return Math.abs((1.2533 * sigma) / Math.sqrt(rounds.length) / middle)
}
