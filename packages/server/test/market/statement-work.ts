/**
 * Counts the rows and pages that the reads of a request touch. It records the statements that the server sends and runs
 * each one again under `explain (analyze, buffers)`, with the plans of the server's reads.
 */
import pg from 'pg'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'
import { type Database, type Db, readerPlans, runtimeRole, type Statement } from '../../src/core/db/db.ts'

/** A statement with its parameters. */
export type ExecutedStatement = { readonly statement: Statement<unknown>; readonly params: readonly unknown[] }

/** The work of a statement: rows that its scans read, also those that filters removed, and pages of 8 KiB. */
export type StatementCost = { readonly statement: string; readonly rows_read: number; readonly pages: number }

type StatementPlan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: StatementPlan[]
}

/** Runs `work` and returns the statements that it reads with. */
export async function statementsOf(database: Database, work: () => Promise<unknown>): Promise<ExecutedStatement[]> {
  const sent: ExecutedStatement[] = []
  const recording = ({ rows, row, run }: Db): Db => {
    const note = (statement: Statement<unknown>, params: readonly unknown[] = []) => {
      sent.push({ statement, params })
    }
    return {
      rows: (statement, params) => {
        note(statement, params)
        return rows(statement, params)
      },
      row: (statement, params) => {
        note(statement, params)
        return row(statement, params)
      },
      run,
    }
  }
  const { readerOf } = database
  Object.assign(database, { readerOf: (accountId: string) => recording(readerOf(accountId)) })
  try {
    await work()
  } finally {
    Object.assign(database, { readerOf })
  }
  return sent
}

/** Runs statements again and returns the work of each. */
export async function workOf(target: DatabaseTarget, sent: readonly ExecutedStatement[]): Promise<StatementCost[]> {
  const plans = Object.entries(readerPlans).map(([name, value]) => `-c ${name}=${value}`)
  const options = `-c role=${runtimeRole} -c jit=off ${plans.join(' ')}`
  const client = new pg.Client({ ...target, options })
  await client.connect()
  try {
    const all: StatementCost[] = []
    for (const [index, { statement, params }] of sent.entries()) {
      const name = `counted_${index}`
      await client.query(`prepare ${name} as ${statement.text}`)
      const values = params.length === 0 ? '' : `(${params.map(literal).join(', ')})`
      const { rows } = await client.query(`explain (analyze, buffers, format json) execute ${name}${values}`)
      const plan = rows[0]['QUERY PLAN'][0].Plan as StatementPlan
      const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
      all.push({ statement: statement.name ?? statement.text, rows_read: rowsRead(plan), pages })
    }
    return all
  } finally {
    await client.end()
  }
}

function rowsRead(plan: StatementPlan): number {
  const below = (plan.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0)
  if (plan['Relation Name'] === undefined) return below
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
  return below + (plan['Actual Rows'] + removed) * plan['Actual Loops']
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  // In an array, 'true' would be a text.
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.length === 0 ? `'{}'` : `array[${value.map(literal).join(', ')}]`
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  return pg.escapeLiteral(String(value))
}
