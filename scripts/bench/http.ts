// Measures pages over HTTP against a bare `node:http` server that sends the same bytes from a ready Buffer. Server and
// load have one core each, the database shares the core of the load, and the rounds of both sides alternate.

import { createSeededRandom, type Random } from '../../packages/server/src/core/base/random.ts'
import { type Child, loadCore, type ServerChild, serverCore, startChild } from './child.ts'
import { cliStartRows } from './cli-start.ts'
import type { BenchAccount } from './event-filling.ts'
import { makeWorld, type World } from './event-world.ts'
import { prismRow } from './prism.ts'
import { replaceRow } from './replace.ts'
import type { Row } from './row.ts'
import { startRows } from './start.ts'
import { takeTurns } from './turns.ts'

type LoadChild = Child<unknown, Measured>

type Requests = { readonly paths: string[]; readonly tokens: string[] }
type Measured = {
  answers: number
  failures: number
  seconds: number
  p50: number
  p99: number
  mean: number
  bytes: number
}

const seconds = 10
const growthCallers = 100
const requestsCount = 6_000
const events = '/preview/v2/events'

/**
 * The rows of pages, of the start, and of the comparison with a mock. Each is yielded when measured, the longest last.
 */
export async function* httpRows(wanted: (name: string) => boolean): AsyncGenerator<Row> {
  if (wanted('edge_overhead')) yield await edgeRow()
  const plans = [
    ['events_page_hot', hotPages, 0.4, 32],
    ['events_page_cold', coldPages, 0.1, 16],
    ['events_poll_empty', emptyPolls, 0.6, 32],
    ['skus_list_50', skuPages, 0.6, 32],
  ] as const
  if (plans.some(([name]) => wanted(name))) {
    await using world = await makeWorld({ events: 1_000_000, accounts: 1_000, skus: 60 })
    await using load: LoadChild = await startChild('load-program.ts', {}, loadCore)
    await using bare: ServerChild = await startChild('bare-program.ts', {}, serverCore)
    await using ours = await world.serve()
    for (const [name, plan, goal, connections] of plans) {
      if (!wanted(name)) continue
      const requests = plan(world, createSeededRandom(name))
      yield await compare({ name, goal, connections, requests, world, load, bare, ours })
    }
  }
  if (wanted('cli_start')) yield* await cliStartRows()
  if (['start_first_seconds', 'start_again_seconds', 'resident_mb'].some(wanted)) yield* await startRows()
  if (wanted('replace_16')) yield await replaceRow()
  if (wanted('prism_ratio')) yield await prismRow()
  if (wanted('events_growth')) yield await growthRow()
}

type Comparison = {
  name: string
  goal: number
  connections: number
  requests: Requests
  world: World
  load: LoadChild
  bare: ServerChild
  ours: ServerChild
}

async function compare({ name, goal, connections, requests, world, load, bare, ours }: Comparison): Promise<Row> {
  await bare.ask({ body: await typicalBody(ours, requests) })
  await load.ask({ keep: name, ...requests })
  const run = (child: ServerChild) => async (milliseconds: number) => {
    const measured = await load.ask({ requests: name, port: child.ready.port, connections, milliseconds })
    return { answers: measured.answers, figure: rateOf(name, measured) }
  }
  const sides = {
    ours: { run: run(ours), server_pid: ours.pid, database_pid: world.database_pid },
    against: { run: run(bare), server_pid: bare.pid },
  }
  return await takeTurns({ name, goal, seconds, ...sides })
}

/** The cost of the HTTP edge alone: its stages, for 200 ready bytes without a read of the database. */
async function edgeRow(): Promise<Row> {
  await using world = await makeWorld({ events: 1_000, accounts: 100 })
  await using load: LoadChild = await startChild('load-program.ts', {}, loadCore)
  await using bare: ServerChild = await startChild('bare-program.ts', {}, serverCore)
  await using ours = await world.serve('edge-program.ts')
  const requests = skuPages(world, createSeededRandom('edge_overhead'))
  return await compare({ name: 'edge_overhead', goal: 0.75, connections: 32, requests, world, load, bare, ours })
}

function rateOf(name: string, { answers, failures, seconds }: Measured): number {
  if (failures > 0) throw new Error(`${name}: ${failures} of ${answers} responses were not 2xx.`)
  return answers / seconds
}

/** The response of median length in a sample of the requests. */
async function typicalBody(ours: ServerChild, { paths, tokens }: Requests): Promise<string> {
  const bodies: string[] = []
  for (let i = 0; i < 25; i++) {
    const at = Math.floor((i * paths.length) / 25)
    const headers = { authorization: `Bearer ${tokens[at % tokens.length]}` }
    const response = await fetch(`http://127.0.0.1:${ours.ready.port}${paths[at]}`, { headers })
    if (!response.ok) throw new Error(`${paths[at]} returned ${response.status}: ${await response.text()}`)
    bodies.push(await response.text())
  }
  return bodies.sort((a, b) => a.length - b.length)[12] as string
}

function gather(world: World, random: Random, path: (account: BenchAccount) => string): Requests {
  const accounts = Array.from(
    { length: requestsCount },
    () => world.accounts[random.integer(world.accounts.length)] as BenchAccount,
  )
  return { paths: accounts.map(path), tokens: accounts.map(({ token }) => token) }
}

/** Pages of 50 events near the end of the log. */
function hotPages(world: World, random: Random): Requests {
  return gather(world, random, (account) => {
    const position = account.events - 51 - random.integer(70)
    return `${events}?starting_after=${world.cursor(account, position)}`
  })
}

/** Pages of 50 events at random positions, half of them with filters that match often or rarely. */
function coldPages(world: World, random: Random): Requests {
  return gather(world, random, (account) => {
    const position = 1 + random.integer(account.events - 200)
    const filters: Record<string, string> = random.integer(2) === 0 ? {} : randomFilters(world, random, account)
    const query = new URLSearchParams({ ...filters, starting_after: world.cursor(account, position, filters) })
    return `${events}?${query}`
  })
}

function randomFilters(world: World, random: Random, account: BenchAccount): Record<string, string> {
  const position = 1 + random.integer(account.events - 200)
  const since = String(world.moment(account, position))
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
  return choices[random.integer(choices.length)] as Record<string, string>
}

/** Polls of readers at the end of the log. */
function emptyPolls(world: World, random: Random): Requests {
  return gather(world, random, (account) => `${events}?starting_after=${world.cursor(account, account.events)}`)
}

function skuPages(world: World, random: Random): Requests {
  return gather(world, random, () => '/v2/skus?limit=50')
}

/**
 * The time of a cold page in a log of 10,000,000 events against one of 100,000. Both have the same number of callers,
 * because the state that the server keeps per caller does not depend on the log; the long log has nine times as many
 * other accounts. A page of rare events has about twenty events in both; with equal shares the long log would have ten
 * times as many.
 */
async function growthRow(): Promise<Row> {
  await using long = await makeWorld({ events: 10_000_000, accounts: 10 * growthCallers, rare_every: 250 })
  await using short = await makeWorld({ events: 100_000, accounts: growthCallers, rare_every: 29 })
  await using load: LoadChild = await startChild('load-program.ts', {}, loadCore)
  const sideOf = async (world: World, name: string) => {
    const server = await world.serve()
    const callers = { ...world, accounts: world.accounts.slice(0, growthCallers) }
    const requests = coldPages(callers, createSeededRandom('growth'))
    await load.ask({ keep: name, ...requests })
    const run = async (milliseconds: number) => {
      const measured = await load.ask({ requests: name, port: server.ready.port, connections: 4, milliseconds })
      rateOf(name, measured)
      return { answers: measured.answers, figure: measured.mean }
    }
    // Each page is requested once before the measurement, because the first read from the disk is not the question.
    for (let asked = 0; asked < requests.paths.length; ) asked += (await run(1000)).answers
    return { server, side: { run, server_pid: server.pid, database_pid: world.database_pid } }
  }
  const ours = await sideOf(long, 'long')
  await using _ours = ours.server
  const against = await sideOf(short, 'short')
  await using _against = against.server
  const sides = { ours: ours.side, against: against.side }
  return await takeTurns({ name: 'events_growth', goal: 1.2, at_most: true, seconds: 2 * seconds, ...sides })
}
