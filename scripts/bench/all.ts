/**
 * Measures the rows of all groups. Each bench has a process of its own: what one leaves in memory would count for the
 * next, and one that fails ends no other.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { SizeName, WantedRow } from './bench.ts'
import { groups } from './groups.ts'
import type { BenchReport, ReportedRow } from './report.ts'
import type { BenchRow } from './row.ts'

const program = join(import.meta.dirname, 'main.ts')

type MeasuredRows = Pick<BenchReport, 'rows' | 'not_measured'>
type NotMeasured = BenchReport['not_measured'][number]

/** Measures the wanted rows, and calls `report` with each. */
export async function measureAll(
  size: SizeName,
  wanted: WantedRow,
  report: (row: BenchRow) => void,
): Promise<MeasuredRows> {
  const rows: ReportedRow[] = []
  const not_measured: NotMeasured[] = []
  for (const [group, benches] of Object.entries(groups)) {
    for (const bench of benches) {
      const left = new Set(bench.rows.filter(wanted))
      if (left.size === 0) continue
      const missing = await bench.missing()
      if (missing !== undefined) {
        not_measured.push({ group, rows: [...left], reason: missing, failed: false })
        continue
      }
      const problem = await runBench([group, ...left, '--json', ...(size === 'tiny' ? ['--tiny'] : [])], (row) => {
        left.delete(row.name)
        rows.push({ group, ...row })
        report(row)
      })
      if (left.size > 0) not_measured.push({ group, rows: [...left], reason: problem, failed: true })
    }
  }
  return { rows, not_measured }
}

/** Runs one bench; returns why rows may be missing. */
async function runBench(words: readonly string[], onRow: (row: BenchRow) => void): Promise<string> {
  const child = spawn(process.execPath, [...process.execArgv, program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  let problem: string | undefined
  const errors = createInterface({ input: child.stderr })
  errors.on('line', (line) => {
    console.error(line)
    if (line.includes('Not measured: ')) problem = line
  })
  for await (const line of createInterface({ input: child.stdout })) onRow(JSON.parse(line) as BenchRow)
  const [code, signal] = await ended
  return problem ?? `The bench ended with ${signal ?? `exit code ${code}`}.`
}
