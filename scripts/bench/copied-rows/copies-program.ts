/**
 * A bare program that writes the rows of operations into copies of their tables, by one statement for as many callers
 * as wait, without rules, texts or names. Writes one line for each job that it reads.
 */
import { createInterface } from 'node:readline'
import pg from 'pg'
import type { DatabaseTarget } from '../../../packages/server/src/core/db/database-target.ts'
import { median } from '../row.ts'
import { type CopiedTable, copyStatement, countsOf, firstNumber } from './statement.rules.ts'

/** The result of a job: operations whose rows were written, in all and a second; median milliseconds of a statement. */
export type CopiesLoad = { readonly calls: number; readonly rate: number; readonly p50: number }

/** A job keeps tables under a name, or writes rows of those. */
export type CopiesJob =
  | { readonly keep: string; readonly tables: readonly CopiedTable[] }
  | { readonly tables: string; readonly callers: number; readonly milliseconds: number }

type KeptTables = {
  readonly tables: readonly CopiedTable[]
  readonly text: string
  operations: number
  numbers: RowNumbers[]
}
/** The numbers of the next inserted, updated and deleted row of a table. */
type RowNumbers = { insert: number; update: number; remove: number }

const { target } = JSON.parse(process.argv[2] as string) as { target: DatabaseTarget }
const client = new pg.Client(target)
await client.connect()
const kept = new Map<string, KeptTables>()

console.log('{}')
for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line) as CopiesJob
  if ('keep' in job) keep(job)
  console.log('keep' in job ? '{}' : JSON.stringify(await write(job)))
}
await client.end()

function keep({ keep: name, tables }: { keep: string; tables: readonly CopiedTable[] }): void {
  const numbers = tables.map(() => ({ insert: firstNumber, update: firstNumber, remove: firstNumber }))
  kept.set(name, { tables, text: copyStatement(tables), operations: 0, numbers })
}

async function write(job: { tables: string; callers: number; milliseconds: number }): Promise<CopiesLoad> {
  const own = kept.get(job.tables)
  if (own === undefined) throw new Error(`No tables are kept under ${job.tables}.`)
  const started = performance.now()
  const until = started + job.milliseconds
  const times: number[] = []
  let calls = 0
  do {
    const from = performance.now()
    await client.query({ name: job.tables, text: own.text, values: valuesOf(own, job.callers) })
    times.push(performance.now() - from)
    calls += job.callers
  } while (performance.now() < until)
  const seconds = (performance.now() - started) / 1000
  return { calls, rate: calls / seconds, p50: median(times) }
}

function valuesOf(own: KeptTables, callers: number): number[] {
  const from = own.operations
  own.operations += callers
  return own.tables.flatMap((table, index) => {
    const numbers = own.numbers[index] as RowNumbers
    const counts = countsOf(table, from, own.operations)
    // Only what was inserted can be deleted.
    const deletes = Math.min(counts.deletes, numbers.insert - numbers.remove)
    const values = [numbers.insert, counts.inserts, numbers.update, counts.updates, numbers.remove, deletes]
    numbers.insert += counts.inserts
    numbers.update += counts.updates
    numbers.remove += deletes
    return values
  })
}
