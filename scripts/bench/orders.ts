// Orders over HTTP, durable, all on one book: 64 callers with 100 accounts, and one caller alone, against single rows
// that the same driver inserts into the same database over as many connections. Rounds are short and take turns, so
// that whatever else the machine does meets both.

import { type Child, loadCore, startChild } from './child.ts'
import { makePlace } from './event-world.ts'
import type { Row } from './market-engine.ts'
import { familyMilliseconds, processorMilliseconds } from './processor-time.ts'
import { makeTraders } from './traders.ts'

/** What the load program did: calls, calls a second, the median of one in milliseconds, its own processor time. */
export type Load = {
  readonly calls: number
  readonly rate: number
  readonly p50: number
  readonly seconds: number
  readonly processor_ms: number
}

/** The rows of this file. */
export const orderRowNames: readonly string[] = ['orders_http_64', 'order_p50']

const rounds = 15
const milliseconds = 600
const rateGoal = 0.2
const timeGoal = 8

type Used = { server: number; database: number }

/** Orders a second of 64 callers, and the time of one order of a caller alone. */
export async function orderRows(wanted: (name: string) => boolean): Promise<Row[]> {
  if (!orderRowNames.some(wanted)) return []
  await using place = await makePlace()
  const traders = await place.prepare(makeTraders)
  const options = { target: place.target, traders, connections: 64 }
  await using load: Child<unknown, Load> = await startChild('orders-program.ts', options, loadCore)
  await using server = await place.serve()
  const run = (kind: 'order' | 'insert', callers: number) =>
    load.ask({ kind, callers, port: server.ready.port, milliseconds })
  const used = (): Used => ({
    server: processorMilliseconds(server.pid) ?? 0,
    database: familyMilliseconds(place.postgres_pid()) ?? 0,
  })
  const rows: Row[] = []
  for (const callers of [64, 1]) {
    if (!wanted(callers === 64 ? 'orders_http_64' : 'order_p50')) continue
    const ours: Load[] = []
    const inserts: Load[] = []
    const spent: Used = { server: 0, database: 0 }
    await run('order', callers)
    await run('insert', callers)
    for (let round = 0; round < rounds; round++) {
      const before = used()
      ours.push(await run('order', callers))
      const after = used()
      spent.server += after.server - before.server
      spent.database += after.database - before.database
      inserts.push(await run('insert', callers))
    }
    const name = callers === 64 ? 'orders_http_64' : 'order_p50'
    console.error(`${name}: ${describe(ours, spent)}`)
    rows.push(callers === 64 ? rateRow(ours, inserts) : timeRow(ours, inserts))
  }
  return rows
}

/** Processor time is an aid where the machine is not ours alone: it suffers less from others than the clock does. */
function describe(ours: readonly Load[], { server, database }: Used): string {
  const calls = sum(ours.map((load) => load.calls))
  const each = (ms: number) => `${Math.round((1000 * ms) / calls)} µs`
  const busy = sum(ours.map(({ processor_ms }) => processor_ms)) / sum(ours.map(({ seconds }) => 1000 * seconds))
  const load = `the load fills ${Math.round(100 * busy)} % of a core`
  return `an order takes ${each(server)} of the server and ${each(database)} of the database; ${load}`
}

function rateRow(ours: readonly Load[], inserts: readonly Load[]): Row {
  const [mine, against] = [ours, inserts].map((loads) => median(loads.map(({ rate }) => rate))) as [number, number]
  const ratio = mine / against
  return { name: 'orders_http_64', ours: mine, against, ratio, goal: rateGoal, met: ratio >= rateGoal }
}

function timeRow(ours: readonly Load[], inserts: readonly Load[]): Row {
  const [mine, against] = [ours, inserts].map((loads) => median(loads.map(({ p50 }) => p50))) as [number, number]
  const ratio = mine / against
  return { name: 'order_p50', ours: mine, against, ratio, goal: timeGoal, met: ratio <= timeGoal }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
}
