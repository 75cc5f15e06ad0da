// Measures all audits on a long history, without statistics, and how their time grows with it.

import { app } from '../../packages/server/src/app.ts'
import type { Database } from '../../packages/server/src/core/db/db.ts'
import { type Audit, type AuditFinding, runAudit } from '../../packages/server/src/core/work/auditor.ts'
import { databaseFigures } from '../../packages/server/src/core/work/database-figures.ts'
import { coreFigures, readFigures } from '../../packages/server/src/core/work/figures.ts'
import type { Server } from '../../packages/server/src/server.ts'
import { addHistory } from '../../packages/server/test/events/long-history.ts'
import { bench } from './bench.ts'
import { atMost, type BenchRow, median, rowOf } from './row.ts'
import { makePlace } from './worlds/event-world.ts'

const restingOf = (orders: number) => orders / 10
const millisecondsMax = 1_000
const growthMax = 11

/**
 * The milliseconds of the slowest audit, and the quotient of all audits on ten times as many rows. The two sizes take
 * turns audit by audit, so that other work on the machine slows both.
 */
export const doctorBench = bench({
  rows: ['doctor_slowest_ms', 'doctor_growth'],
  // The orders and the instances of each history; the ledger and the log have several times as many rows.
  sizes: { usual: { few: 40_000, many: 400_000 }, tiny: { few: 200, many: 2_000 } },
  measure: async function* ({ few, many }, wanted) {
    await using small = await makePlace()
    if (!wanted('doctor_growth')) {
      yield await small.prepare(async (server) => slowestRow(await measure([[server, few]])))
      return
    }
    await using big = await makePlace()
    yield* await small.prepare((first) =>
      big.prepare(async (second) => {
        const timed = await measure([
          [first, few],
          [second, many],
        ])
        printSlowest(timed)
        await printFigures([first, second])
        const [before = 0, after = 0] = [0, 1].map((size) =>
          timed.reduce((sum, { took }) => sum + (took[size] ?? 0), 0),
        )
        const growth = { name: 'doctor_growth', ours: after, against: before, better: 'less', goal: growthMax } as const
        return [slowestRow(timed), rowOf(growth)]
      }),
    )
  },
})

function slowestRow(timed: readonly Timed[]): BenchRow {
  return atMost('doctor_slowest_ms', Math.max(...timed.map(({ took }) => took[0] ?? 0)), millisecondsMax)
}

/** The milliseconds of an audit on each size. Several areas may audit one invariant. */
type Timed = { readonly name: string; readonly took: readonly number[] }

/** Prints the audits that take longest on the larger size, with both times and their quotient. */
function printSlowest(timed: readonly Timed[]): void {
  const slowest = [...timed].sort((one, other) => (other.took[1] ?? 0) - (one.took[1] ?? 0)).slice(0, 12)
  for (const { name, took } of slowest) {
    const [before = 0, after = 0] = took
    const growth = (after / before).toFixed(1)
    console.error(
      `${name.padEnd(28)} ${before.toFixed(0).padStart(6)} ms ${after.toFixed(0).padStart(7)} ms × ${growth}`,
    )
  }
}

/** Prints how long the figures of a scrape of `/metrics` take on each size: the median of nine readings. */
async function printFigures(servers: readonly Server[]): Promise<void> {
  const groups = [...coreFigures(app.reconcilers.map(({ kind }) => kind)), ...databaseFigures, ...app.figures]
  for (const { runtime } of servers) {
    const took: number[] = []
    for (let n = 0; n < 9; n++) {
      const from = performance.now()
      await readFigures(runtime.database, groups)
      took.push(performance.now() - from)
    }
    console.error(`figures of a scrape           ${median(took).toFixed(2)} ms`)
  }
}

/** Fills each server with a history of its size, then runs every audit on each: twice on the first. */
async function measure(histories: readonly (readonly [server: Server, orders: number])[]): Promise<Timed[]> {
  const servers = histories.map(([server]) => server)
  for (const [{ runtime }, orders] of histories) {
    await addHistory(runtime, 'bench', { filled: orders, resting: restingOf(orders), instances: orders })
  }
  const timed: Timed[] = []
  for (const audit of app.audits) {
    const took: number[] = []
    for (const { runtime } of servers) took.push(await timeOf(runtime.database, audit))
    const [first] = servers
    // Behind the large one, so that both have the same machine on average.
    if (servers.length > 1 && first) took[0] = ((took[0] ?? 0) + (await timeOf(first.runtime.database, audit))) / 2
    timed.push({ name: audit.name, took })
  }
  return timed
}

async function timeOf(database: Database, audit: Audit): Promise<number> {
  const from = performance.now()
  assertHolds(await runAudit(database, [audit]))
  return performance.now() - from
}

function assertHolds(findings: readonly AuditFinding[]): void {
  for (const { name, rows } of findings) if (rows.length > 0) throw new Error(`${name}: ${JSON.stringify(rows[0])}`)
}
