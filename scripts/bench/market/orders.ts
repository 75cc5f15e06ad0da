// Compares durable orders over HTTP on one book, by 64 callers with 100 accounts and by one caller alone, with a bare
// program that writes the same rows, and with single rows that the same driver inserts over as many connections. No
// program is pinned to a core: an order alternates between server and database, and would wait for a core that other
// work uses.

import { bench, type WantedRow } from '../bench.ts'
import { type Child, startChild } from '../child.ts'
import { openCopies } from '../copied-rows/open-copies.ts'
import type { BenchRow } from '../row.ts'
import { type Round, type TurnPace, takeTurns, tinyPace, usualPace } from '../turns.ts'
import { makePlace } from '../worlds/event-world.ts'
import { makeTraders } from './traders.ts'

/** The result of the load program: calls, calls per second, the median time of a call in milliseconds. */
export type OrdersLoad = { readonly calls: number; readonly rate: number; readonly p50: number }

const warmSecondsMax = 20

type OrdersSize = {
  readonly accounts: number
  readonly callers: number
  /** The number of orders before the measurement, so that the server has compiled its hot code. */
  readonly warm_orders: number
  readonly pace: TurnPace
}

/** Orders per second of 64 callers, and the time of one order of a single caller. */
export const ordersBench = bench<OrdersSize>({
  rows: ['orders_http_64', 'orders_rows_64', 'order_p50', 'order_rows_p50', 'orders_with_budgets'],
  sizes: {
    usual: { accounts: 100, callers: 64, warm_orders: 3_000, pace: usualPace(18) },
    tiny: { accounts: 4, callers: 4, warm_orders: 1, pace: tinyPace },
  },
  measure: orderRows,
})

async function* orderRows(size: OrdersSize, wanted: WantedRow): AsyncGenerator<BenchRow> {
  const { accounts, callers: many, warm_orders, pace } = size
  await using place = await makePlace({ pinned: false })
  const traders = await place.prepare((server) => makeTraders(server, accounts))
  const options = { target: place.target, traders, connections: many }
  await using load: Child<unknown, OrdersLoad> = await startChild('market/orders-program.ts', options)
  await using server = await place.serve()
  const database_pid = place.postgres_pid()
  const side = (
    kind: 'order' | 'budgeted_order' | 'insert',
    callers: number,
    figureOf: (load: OrdersLoad) => number,
  ) => ({
    run: async (milliseconds: number): Promise<Round> => {
      const done = await load.ask({ kind, callers, port: server.ready.port, milliseconds })
      return { responses: done.calls, figure: figureOf(done) }
    },
    // For inserts the load program does the work that the server does for orders.
    server_pid: kind === 'insert' ? load.pid : server.pid,
    database_pid,
    readWal: place.readWal,
  })
  const sides = (callers: number, figureOf: (load: OrdersLoad) => number) => {
    return { ours: side('order', callers, figureOf), against: side('insert', callers, figureOf) }
  }
  const warmUntil = performance.now() + warmSecondsMax * 1000
  const warmed = { callers: many, port: server.ready.port, milliseconds: pace.round_milliseconds }
  for (let calls = 0; calls < warm_orders && performance.now() < warmUntil; ) {
    calls += (await load.ask({ ...warmed, kind: 'order' })).calls
    if (wanted('orders_with_budgets')) calls += (await load.ask({ ...warmed, kind: 'budgeted_order' })).calls
  }
  if (wanted('orders_http_64')) {
    yield await takeTurns({ name: 'orders_http_64', goal: 0.2, pace, ...sides(many, ({ rate }) => rate) })
  }
  await using copies = await openCopies(place)
  const rowsOf = async (callers: number, figureOf: (load: OrdersLoad) => number) => {
    const ours = side('order', callers, figureOf)
    const run = async () => (await ours.run(pace.learn_milliseconds)).responses
    return { ours, against: await copies.learn(callers, run, figureOf) }
  }
  if (wanted('orders_rows_64')) {
    yield await takeTurns({ name: 'orders_rows_64', goal: 0.5, pace, ...(await rowsOf(many, ({ rate }) => rate)) })
  }
  if (wanted('order_rows_p50')) {
    const compared = await rowsOf(1, ({ p50 }) => p50)
    yield await takeTurns({ name: 'order_rows_p50', goal: 3, better: 'less', pace, ...compared })
  }
  if (wanted('order_p50')) {
    yield await takeTurns({ name: 'order_p50', goal: 8, better: 'less', pace, ...sides(1, ({ p50 }) => p50) })
  }
  if (wanted('orders_with_budgets')) {
    const rateOf = ({ rate }: OrdersLoad) => rate
    const ours = side('budgeted_order', many, rateOf)
    const against = side('order', many, rateOf)
    yield await takeTurns({ name: 'orders_with_budgets', goal: 0.95, pace, ours, against })
  }
}
