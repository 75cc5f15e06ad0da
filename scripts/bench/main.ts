/**
 * Compares measurements with the goals in docs/benchmarks, and prints one line per row:
 * - `npm run bench -- GROUP [row…] [--json] [--tiny]` measures a group; the default is `http`.
 * - `npm run bench -- --all [row…] [--json] [--output FILE] [--tiny]` measures all groups. With `--json` it writes one
 *   file: commit, speed of the machine, rows.
 * - `npm run bench -- --record [FILE]` appends the rows of that file to docs/benchmarks/history.jsonl.
 * - `npm run bench -- --compare [BEFORE AFTER]` says what moved by more than the rounds vary: between two such files,
 *   or from the newest rows of the history to the file that was written last.
 *
 * Exit code 1 if a goal is missed or a row does not come out, 2 for wrong options or files. With `--tiny` each row is
 * measured at a tiny size, as `npm run deep bench` does, and goals do not count.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { hasChanges, readCommit } from '../pack/commit.ts'
import { measureAll } from './all.ts'
import { measureRows, type SizeName } from './bench.ts'
import { compareRuns, describeComparison, describeMachines } from './compare.ts'
import { type GroupName, groups } from './groups.ts'
import { describeRow } from './print.ts'
import { type BenchReport, historyOf, newestOf, printLine, readHistory, readReport, refusalOf } from './report.ts'
import type { BenchRow } from './row.ts'

const root = join(import.meta.dirname, '../..')
const usualReport = 'tmp/bench/report.json'
const historyPath = 'docs/benchmarks/history.jsonl'

const { values: flags, positionals } = readFlags()
const size: SizeName = flags.tiny ? 'tiny' : 'usual'
const { all, record, compare } = flags
if ([all, record, compare].filter(Boolean).length > 1) fail('--all, --record and --compare exclude each other.')

if (record) recordRun(positionals)
else if (compare) printComparison(positionals)
else if (all) await runAll(positionals)
else await runGroup(positionals)

async function runGroup([group = 'http', ...names]: string[]): Promise<void> {
  if (!Object.hasOwn(groups, group)) fail(`Unknown group ${group}. The groups are ${Object.keys(groups).join(', ')}.`)
  const benches = groups[group as GroupName]
  const rows = benches.flatMap((bench) => bench.rows)
  const unknown = names.filter((name) => !rows.includes(name))
  if (unknown.length > 0) {
    fail(`The group ${group} has no row ${unknown.join(', ')}. Its rows are ${rows.join(', ')}.`)
  }
  let isMet = true
  for (const bench of benches) {
    for await (const row of measureRows(bench, size, wantedOf(names))) {
      show(row)
      isMet &&= row.met
    }
  }
  process.exitCode = isMet || flags.tiny ? 0 : 1
}

async function runAll(names: string[]): Promise<void> {
  const rows = Object.values(groups).flatMap((benches) => benches.flatMap((bench) => bench.rows))
  const unknown = names.filter((name) => !rows.includes(name))
  if (unknown.length > 0) fail(`No group has a row ${unknown.join(', ')}. The rows are ${rows.join(', ')}.`)
  // Before the rows: the checkout may have moved when they end.
  const [commit, changed] = [(await readCommit()) ?? 'none', await hasChanges()]
  const { measureSpeed } = await import('./machine-speed.ts')
  const machine = await measureSpeed()
  const measured = await measureAll(size, wantedOf(names), (row) => console.log(lineOf(row)))
  for (const { rows: left, reason } of measured.not_measured) console.log(`not measured: ${left.join(', ')}: ${reason}`)
  const date = new Date().toISOString().slice(0, 10)
  if (flags.json) {
    const path = flags.output ?? join(root, usualReport)
    mkdirSync(dirname(path), { recursive: true })
    const report: BenchReport = { object: 'bench_report', date, commit, changed, size, machine, ...measured }
    writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`)
    console.log(`written to ${path}`)
  }
  const isWhole = measured.not_measured.every(({ failed }) => !failed)
  process.exitCode = isWhole && (flags.tiny || measured.rows.every(({ met }) => met)) ? 0 : 1
}

function recordRun([path = join(root, usualReport), ...more]: string[]): void {
  if (more.length > 0) fail('--record takes one file.')
  const report = readFileOf(path, readReport)
  const refusal = refusalOf(report, readOwnHistory())
  if (refusal !== undefined) fail(`${path} is not recorded. ${refusal}`)
  const lines = historyOf(report)
  appendFileSync(join(root, historyPath), lines.map((line) => `${printLine(line)}\n`).join(''))
  console.log(`${lines.length} rows of ${report.commit} appended to ${historyPath}`)
}

function printComparison([before, after, ...more]: string[]): void {
  if (more.length > 0 || (before !== undefined && after === undefined)) fail('--compare takes two files, or none.')
  const old = before === undefined ? newestOf(readOwnHistory()) : historyOf(readFileOf(before, readReport))
  const now = historyOf(readFileOf(after ?? join(root, usualReport), readReport))
  const machines = describeMachines(old, now)
  if (machines !== undefined) console.log(machines)
  for (const line of describeComparison(compareRuns(old, now))) console.log(line)
}

function readOwnHistory() {
  const path = join(root, historyPath)
  return existsSync(path) ? readFileOf(path, readHistory) : []
}

function readFileOf<T>(path: string, read: (text: string, path: string) => T): T {
  try {
    return read(readFileSync(path, 'utf8'), path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const remedy = 'Write one with npm run bench -- --all --json.'
    return fail(code === 'ENOENT' ? `There is no report ${path}. ${remedy}` : message)
  }
}

function wantedOf(names: readonly string[]): (name: string) => boolean {
  return (name) => names.length === 0 || names.includes(name)
}

function show(row: BenchRow): void {
  console.log(flags.json ? JSON.stringify(row) : lineOf(row))
}

function lineOf(row: BenchRow): string {
  return describeRow(row, { has_goal: !flags.tiny })
}

function readFlags() {
  const option = { type: 'boolean', default: false } as const
  try {
    return parseArgs({
      options: {
        json: option,
        tiny: option,
        all: option,
        record: option,
        compare: option,
        output: { type: 'string' },
      },
      allowPositionals: true,
    })
  } catch (error) {
    return fail((error as Error).message)
  }
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
