// Compares durable orders over HTTP on one book, by 64 callers with 100 accounts and by one caller alone, with single
// rows that the same driver inserts into the same database over as many connections. No program is pinned to a core: an
// order alternates between server and database, and would wait for a core that other work uses.

import { type Child, startChild } from '../child.ts'
import { makePlace } from '../event-world.ts'
import type { Row } from '../row.ts'
import { type Round, takeTurns } from '../turns.ts'
import { makeTraders } from './traders.ts'

/** The result of the load program: calls, calls per second, the median time of a call in milliseconds. */
export type Load = { readonly calls: number; readonly rate: number; readonly p50: number }

/** The rows of this file. */
export const orderRowNames: readonly string[] = ['orders_http_64', 'order_p50', 'orders_with_budgets']

const seconds = 18
/** The number of orders before the measurement, so that the server has compiled its hot code. */
const warmOrders = 3000
const warmSecondsMax = 20

/** Orders per second of 64 callers, and the time of one order of a single caller. */
export async function orderRows(wanted: (name: string) => boolean): Promise<Row[]> {
  if (!orderRowNames.some(wanted)) return []
  await using place = await makePlace({ pinned: false })
  const traders = await place.prepare(makeTraders)
  const options = { target: place.target, traders, connections: 64 }
  await using load: Child<unknown, Load> = await startChild('market/orders-program.ts', options)
  await using server = await place.serve()
  const database_pid = place.postgres_pid()
  const side = (kind: 'order' | 'budgeted_order' | 'insert', callers: number, figureOf: (load: Load) => number) => ({
    run: async (milliseconds: number): Promise<Round> => {
      const done = await load.ask({ kind, callers, port: server.ready.port, milliseconds })
      return { answers: done.calls, figure: figureOf(done) }
    },
    // For inserts the load program does the work that the server does for orders.
    server_pid: kind === 'insert' ? load.pid : server.pid,
    database_pid,
  })
  const sides = (callers: number, figureOf: (load: Load) => number) => {
    return { ours: side('order', callers, figureOf), against: side('insert', callers, figureOf) }
  }
  const warmUntil = performance.now() + warmSecondsMax * 1000
  const warmed = { callers: 64, port: server.ready.port, milliseconds: 500 }
  for (let calls = 0; calls < warmOrders && performance.now() < warmUntil; ) {
    calls += (await load.ask({ ...warmed, kind: 'order' })).calls
    if (wanted('orders_with_budgets')) calls += (await load.ask({ ...warmed, kind: 'budgeted_order' })).calls
  }
  const rows: Row[] = []
  if (wanted('orders_http_64')) {
    rows.push(await takeTurns({ name: 'orders_http_64', goal: 0.2, seconds, ...sides(64, ({ rate }) => rate) }))
  }
  if (wanted('order_p50')) {
    rows.push(await takeTurns({ name: 'order_p50', goal: 8, at_most: true, seconds, ...sides(1, ({ p50 }) => p50) }))
  }
  if (wanted('orders_with_budgets')) {
    const rateOf = ({ rate }: Load) => rate
    const ours = side('budgeted_order', 64, rateOf)
    const against = side('order', 64, rateOf)
    rows.push(await takeTurns({ name: 'orders_with_budgets', goal: 0.95, seconds, ours, against }))
  }
  return rows
}
