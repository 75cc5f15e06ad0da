// Measures pages over HTTP against a bare `node:http` server that sends the same responses from ready buffers. Server
// and load have one core each, the database shares the core of the load, and the rounds of both sides alternate.

import { createSeededRandom, pick, type Random } from '../../packages/server/src/core/base/random.ts'
import type { BareSource } from './bare-program.ts'
import { bench } from './bench.ts'
import { type Child, loadCore, type ServerChild, serverCore, startChild } from './child.ts'
import type { BenchRow } from './row.ts'
import { type TurnPace, takeTurns, tinyPace, usualPace } from './turns.ts'
import type { BenchAccount } from './worlds/event-filling.ts'
import { type EventWorld, makeWorld } from './worlds/event-world.ts'

export type LoadChild = Child<unknown, MeasuredHttp>

type Requests = { readonly paths: string[]; readonly tokens: string[] }
type MeasuredHttp = {
  responses: number
  failures: number
  seconds: number
  p50: number
  p99: number
  mean: number
  bytes: number
}

const events = '/preview/v2/events'

/** The cost of the HTTP edge alone: its stages, for 200 ready bytes without a read of the database. */
export const edgeBench = bench({
  rows: ['edge_overhead'],
  sizes: {
    usual: { world: { events: 1_000, accounts: 100 }, count: 6_000, pace: usualPace(10) },
    tiny: { world: { events: 100, accounts: 10 }, count: 50, pace: tinyPace },
  },
  measure: async function* ({ world: size, count, pace }) {
    await using world = await makeWorld(size)
    await using load: LoadChild = await startChild('load-program.ts', {}, loadCore)
    await using bare: ServerChild = await startChild('bare-program.ts', {}, serverCore)
    await using ours = await world.serve('edge-program.ts')
    const requests = skuPages({ ...world, count, random: createSeededRandom('edge_overhead') })
    yield await compare({
      name: 'edge_overhead',
      goal: 0.85,
      connections: 32,
      pace,
      requests,
      world,
      load,
      bare,
      ours,
    })
  },
})

const pagePlans = [
  ['events_page_hot', hotPages, 0.6, 32],
  ['events_page_cold', coldPages, 0.15, 16],
  ['events_poll_empty', emptyPolls, 0.7, 32],
  ['skus_list_50', skuPages, 0.7, 32],
] as const

/** Pages of the event log and of SKUs. */
export const pagesBench = bench({
  rows: pagePlans.map(([name]) => name),
  sizes: {
    usual: { world: { events: 1_000_000, accounts: 1_000, skus: 60 }, count: 6_000, pace: usualPace(10) },
    tiny: { world: { events: 5_000, accounts: 10, skus: 60 }, count: 50, pace: tinyPace },
  },
  measure: async function* ({ world: size, count, pace }, wanted) {
    await using world = await makeWorld(size)
    await using load: LoadChild = await startChild('load-program.ts', {}, loadCore)
    await using bare: ServerChild = await startChild('bare-program.ts', {}, serverCore)
    await using ours = await world.serve()
    for (const [name, plan, goal, connections] of pagePlans) {
      if (!wanted(name)) continue
      const requests = plan({ ...world, count, random: createSeededRandom(name) })
      yield await compare({ name, goal, connections, pace, requests, world, load, bare, ours })
    }
  },
})

type Comparison = {
  name: string
  goal: number
  connections: number
  pace: TurnPace
  requests: Requests
  world: EventWorld
  load: LoadChild
  bare: ServerChild
  ours: ServerChild
}

async function compare(comparison: Comparison): Promise<BenchRow> {
  const { name, goal, connections, pace, requests, world, load, bare, ours } = comparison
  const source: BareSource = { port: ours.ready.port, ...requests }
  await bare.ask(source)
  await load.ask({ keep: name, ...requests })
  const run = (child: ServerChild) => async (milliseconds: number) => {
    const measured = await load.ask({ requests: name, port: child.ready.port, connections, milliseconds })
    return { responses: measured.responses, figure: rateOf(name, measured) }
  }
  const sides = {
    ours: { run: run(ours), server_pid: ours.pid, database_pid: world.database_pid },
    against: { run: run(bare), server_pid: bare.pid },
  }
  return await takeTurns({ name, goal, pace, ...sides })
}

/** Responses per second. Throws where some failed. */
export function rateOf(name: string, { responses, failures, seconds }: MeasuredHttp): number {
  if (failures > 0) throw new Error(`${name}: ${failures} of ${responses} responses were not 2xx.`)
  return responses / seconds
}

/** What requests are drawn from: accounts of a world, and how many. */
type Draw = Pick<EventWorld, 'accounts' | 'cursor' | 'moment'> & { readonly random: Random; readonly count: number }

function gather({ accounts, random, count }: Draw, path: (account: BenchAccount) => string): Requests {
  const drawn = Array.from({ length: count }, () => pick(random, accounts))
  return { paths: drawn.map(path), tokens: drawn.map(({ token }) => token) }
}

/** Pages of 50 events near the end of the log. */
function hotPages(draw: Draw): Requests {
  return gather(draw, (account) => {
    const position = account.events - 51 - draw.random.integer(70)
    return `${events}?starting_after=${draw.cursor(account, position)}`
  })
}

/** Pages of 50 events at random positions, half of them with filters that match often or rarely. */
function coldPages(draw: Draw): Requests {
  return gather(draw, (account) => {
    const position = 1 + draw.random.integer(account.events - 200)
    const filters: Record<string, string> = draw.random.integer(2) === 0 ? {} : randomFilters(draw, account)
    const query = new URLSearchParams({ ...filters, starting_after: draw.cursor(account, position, filters) })
    return `${events}?${query}`
  })
}

function randomFilters({ moment, random }: Draw, account: BenchAccount): Record<string, string> {
  const position = 1 + random.integer(account.events - 200)
  const since = String(moment(account, position))
  const choices: Record<string, string>[] = [
    { action: 'instance.created' },
    { action: 'trust_level.updated' },
    { target_type: 'instance' },
    { target_type: 'account' },
    { target: account.id },
    { since },
    { since, action: 'instance.running' },
    { until: since, target_type: 'instance' },
  ]
  return pick(random, choices)
}

/** Polls of readers at the end of the log. */
export function emptyPolls(draw: Draw): Requests {
  return gather(draw, (account) => `${events}?starting_after=${draw.cursor(account, account.events)}`)
}

function skuPages(draw: Draw): Requests {
  return gather(draw, () => '/v2/skus?limit=50')
}

/**
 * The time of a cold page in a log of 10,000,000 events against one of 100,000. Both have the same number of callers,
 * because the state that the server keeps per caller does not depend on the log; the long log has nine times as many
 * other accounts. A page of rare events has about twenty events in both; with equal shares the long log would have ten
 * times as many.
 */
export const growthBench = bench({
  rows: ['events_growth'],
  sizes: {
    usual: {
      long: { events: 10_000_000, accounts: 1_000 },
      short: 100_000,
      callers: 100,
      count: 6_000,
      pace: usualPace(20),
    },
    tiny: { long: { events: 20_000, accounts: 20 }, short: 800, callers: 2, count: 20, pace: tinyPace },
  },
  measure: async function* ({ long: longSize, short: shortEvents, callers, count, pace }) {
    await using long = await makeWorld({ ...longSize, rare_every: 250 })
    await using short = await makeWorld({ events: shortEvents, accounts: callers, rare_every: 29 })
    await using load: LoadChild = await startChild('load-program.ts', {}, loadCore)
    const sideOf = async (world: EventWorld, name: string) => {
      const server = await world.serve()
      const accounts = world.accounts.slice(0, callers)
      const requests = coldPages({ ...world, accounts, count, random: createSeededRandom('growth') })
      await load.ask({ keep: name, ...requests })
      const run = async (milliseconds: number) => {
        const measured = await load.ask({ requests: name, port: server.ready.port, connections: 4, milliseconds })
        rateOf(name, measured)
        return { responses: measured.responses, figure: measured.mean }
      }
      // Each page is requested once before the measurement, because the first read from the disk is not the question.
      for (let asked = 0; asked < count; ) asked += (await run(pace.warm_milliseconds)).responses
      return { server, side: { run, server_pid: server.pid, database_pid: world.database_pid } }
    }
    const ours = await sideOf(long, 'long')
    await using _ours = ours.server
    const against = await sideOf(short, 'short')
    await using _against = against.server
    const sides = { ours: ours.side, against: against.side }
    yield await takeTurns({ name: 'events_growth', goal: 1.1, better: 'less', pace, ...sides })
  },
})
