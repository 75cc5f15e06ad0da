// Compares two workers with one, on the same database: polls at the end of the event log, orders on one book, and
// memory. From four processors on, load and database have one each, and the workers two. With two, each worker has a
// part of the first one, where the system can limit processes, and load and database have the second. Otherwise the
// system chooses.

import { availableParallelism } from 'node:os'
import { createSeededRandom } from '../../packages/server/src/core/base/random.ts'
import { bench } from './bench.ts'
import { type Child, pin, type ServerChild, startChild } from './child.ts'
import { emptyPolls, type LoadChild, rateOf } from './http.ts'
import type { OrdersLoad } from './market/orders.ts'
import { makeTraders } from './market/traders.ts'
import { canLimitProcessors, limitProcessors } from './processor-share.ts'
import { type BenchRow, rowOf } from './row.ts'
import { type Side, type TurnPace, takeTurns, tinyPace, usualPace } from './turns.ts'
import { type BenchPlace, makePlace, makeWorld } from './worlds/event-world.ts'

const isApart = availableParallelism() >= 4
/** The part of a processor that a worker has where there are too few. Load and database need less for its responses. */
const workerPart = 0.3
const isParted = !isApart && availableParallelism() >= 2 && canLimitProcessors()
/** Without a processor or a part of their own, load and database take from the workers what the second would add. */
const pollsGoal = isApart || isParted ? 1.6 : null
const cores = isApart
  ? { workers: '0,1', load: '2', database: '3' }
  : isParted
    ? { workers: '0', load: '1', database: '1' }
    : undefined
const everyCore = `0-${availableParallelism() - 1}`
const connections = 32
const megabyte = 2 ** 20

type WorkersSize = {
  readonly world: Parameters<typeof makeWorld>[0]
  readonly traders: number
  readonly pace: TurnPace
}

/** What a second worker adds. */
export const workersBench = bench<WorkersSize>({
  rows: ['workers_polls', 'workers_orders', 'workers_memory_mb'],
  sizes: {
    usual: { world: { events: 100_000, accounts: 100 }, traders: 100, pace: usualPace(10) },
    tiny: { world: { events: 1_000, accounts: 10 }, traders: 4, pace: tinyPace },
  },
  measure: async function* (size, wanted) {
    if (wanted('workers_polls') || wanted('workers_memory_mb')) yield* pollRows(size)
    if (wanted('workers_orders')) yield await orderRow(size)
  },
})

async function* pollRows({ world: size, pace }: WorkersSize): AsyncGenerator<BenchRow> {
  await using world = await makeWorld(size)
  await using load: LoadChild = await startChild('load-program.ts', {}, cores?.load)
  await using two = await serveBy(2, world)
  await using one = await serveBy(1, world)
  pin(world.database_pid, cores?.database ?? everyCore)
  const requests = emptyPolls({ ...world, random: createSeededRandom('workers'), count: 3_000 })
  await load.ask({ keep: 'polls', ...requests })
  const side = ({ ready, pid }: ServerChild): Side => ({
    run: async (milliseconds) => {
      const asked = { requests: 'polls', port: ready.port, connections, milliseconds }
      const measured = await load.ask(asked)
      return { responses: measured.responses, figure: rateOf('workers_polls', measured) }
    },
    server_pid: pid,
    database_pid: world.database_pid,
  })
  yield await takeTurns({ name: 'workers_polls', ours: side(two), against: side(one), goal: pollsGoal, pace })
  const [ours, against] = await Promise.all([two, one].map(async (child) => (await child.ask({})).rss / megabyte))
  if (ours === undefined || against === undefined) throw new Error('There is no memory of a side.')
  yield rowOf({ name: 'workers_memory_mb', ours, against, better: 'less', goal: null })
}

async function orderRow({ traders: count, pace }: WorkersSize): Promise<BenchRow> {
  await using place = await makePlace({ pinned: false })
  const traders = await place.prepare((server) => makeTraders(server, count))
  const options = { target: place.target, traders, connections }
  await using load: Child<unknown, OrdersLoad> = await startChild('market/orders-program.ts', options, cores?.load)
  await using two = await serveBy(2, place)
  await using one = await serveBy(1, place)
  pin(place.postgres_pid(), cores?.database ?? everyCore)
  const side = ({ ready, pid }: ServerChild): Side => ({
    run: async (milliseconds) => {
      const done = await load.ask({ kind: 'order', callers: connections, port: ready.port, milliseconds })
      return { responses: done.calls, figure: done.rate }
    },
    server_pid: pid,
    database_pid: place.postgres_pid(),
    readWal: place.readWal,
  })
  return await takeTurns({ name: 'workers_orders', ours: side(two), against: side(one), goal: null, pace })
}

/** Starts workers, on processors or parts of one where there are enough. */
async function serveBy(workers: number, { serve }: Pick<BenchPlace, 'serve'>): Promise<ServerChild> {
  const child = await serve('workers-program.ts', { workers })
  const pids = child.ready.pids ?? []
  for (const pid of [child.pid, ...pids]) pin(pid, cores?.workers ?? everyCore)
  const limits = isParted ? limitProcessors(pids, workerPart) : undefined
  return {
    ...child,
    [Symbol.asyncDispose]: async () => {
      await child[Symbol.asyncDispose]()
      await limits?.remove()
    },
  }
}
