/**
 * The audits read each row a bounded number of times, whatever the planner believes about the tables: a production
 * database grows faster than its statistics are renewed.
 */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { app } from '../../src/app.ts'
import { statement } from '../../src/core/db/db.ts'
import { type Audit, type AuditRow, runAudit } from '../../src/core/work/auditor.ts'
import type { Server } from '../../src/server.ts'
import { openTestServer } from '../support/server.ts'
import { addHistory, analyze, type HistorySize } from './long-history.ts'

const few: HistorySize = { filled: 400, resting: 160, instances: 240 }
const factor = 4
const many: HistorySize = { filled: factor * 400, resting: factor * 160, instances: factor * 240 }
/** Sorting in several passes and deeper indexes cost a little more than the factor. A nested loop costs its square. */
const allowance = 1.5
/** Work on the rows of an empty installation, which no history adds to. */
const fixedRows = 1_500
/**
 * An audit may skip rows by an index on one database and read them on the other, as autovacuum has renewed the
 * statistics of one or not: each row a few times, where a nested loop reads it once for each other row.
 */
const readings = 3
const everyRow = readings * (many.filled + many.resting + many.instances)

type GrowthPlan = {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly GrowthPlan[]
}

/** The rows that all nodes of a plan produced or rejected. */
function rowsOf(plan: GrowthPlan): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Join Filter': unjoined = 0 } = plan
  const own = plan['Actual Loops'] * (plan['Actual Rows'] + filtered + unjoined)
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), own)
}

/** Runs each audit and returns the rows that it worked on, in the order of the audits. */
async function measureWork({ runtime }: Server): Promise<number[]> {
  const explained = app.audits.map((audit): Audit => {
    const text = `explain (analyze, timing off, buffers off, format json) ${audit.statement.text}`
    return { ...audit, statement: statement<AuditRow>(null, text) }
  })
  const findings = await runAudit(runtime.database, explained)
  return findings.map(({ rows }) => {
    const [plan] = (rows[0] as AuditRow)['QUERY PLAN'] as [{ Plan: GrowthPlan }]
    return rowsOf(plan.Plan)
  })
}

async function workOn(size: HistorySize, { isAnalyzed }: { isAnalyzed: boolean }): Promise<number[]> {
  await using server = await openTestServer({ runs_reconcilers: false })
  const inside = server.inside as Server
  if (isAnalyzed) {
    await addHistory(inside.runtime, 'early', { filled: 0, resting: 40, instances: 2 })
    await analyze(inside.runtime)
  }
  await addHistory(inside.runtime, 'late', size)
  const findings = await runAudit(inside.runtime.database, app.audits)
  assert.deepEqual(
    findings.filter(({ rows }) => rows.length > 0),
    [],
  )
  return await measureWork(inside)
}

for (const isAnalyzed of [false, true]) {
  const statistics = isAnalyzed ? 'with statistics of the first day' : 'without statistics'
  test(`the work of every audit grows no faster than its tables, ${statistics}`, async () => {
    const [small, big] = [await workOn(few, { isAnalyzed }), await workOn(many, { isAnalyzed })]
    const grown = app.audits.flatMap(({ name }, n) => {
      const [before, after] = [small[n] ?? 0, big[n] ?? 0]
      return after > Math.max(allowance * factor * before, everyRow) + fixedRows
        ? [`${name}: ${before} rows, then ${after}`]
        : []
    })
    assert.deepEqual(grown, [])
  })
}
