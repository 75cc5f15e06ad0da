// 10,000 agents on one server: the time of a report, the load of the server, and the time from an order to its agent.

import type { Server } from '../../../packages/server/src/server.ts'
import {
  addHosts,
  addMachines,
  call,
  type FleetOwner,
  makeOwner,
} from '../../../packages/server/test/support/big-fleet.ts'
import { type Child, type ServerChild, startChild } from '../child.ts'
import { makePlace } from '../event-world.ts'
import { rounded } from '../market/market-engine.ts'
import { familyMilliseconds, processorMilliseconds } from '../processor-time.ts'
import type { Row } from '../row.ts'

/** The options of the agents program. */
export type AgentWorld = { readonly port: number; readonly agents: number; readonly audience: string }

/** A job: start all agents, let all return after an outage, report for a while, or place orders. */
export type AgentJob =
  | { readonly kind: 'start' }
  | { readonly kind: 'return' }
  | { readonly kind: 'report'; readonly milliseconds: number }
  | {
      readonly kind: 'orders'
      readonly count: number
      readonly token: string
      readonly pool: string
      readonly sku: string
      readonly price: string
    }

/** The number of successes and failures, and their times in milliseconds. */
export type AgentTimes = {
  readonly count: number
  readonly failures: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** The rows of this file. */
export const agentRowNames: readonly string[] = [
  'agents_report_p99_ms',
  'agents_server_cores',
  'agents_database_cores',
  'agents_server_mb',
  'order_to_agent_p99_ms',
]

/** The number of agents. */
export const agents = 10_000
/** Until every agent has reported once, and the server has compiled its hot code. */
const warmMilliseconds = 35_000
const measuredMilliseconds = 60_000
const orders = 100
const price = '1.200000'

/** The account that buys nodes for its waiting instances. */
export type Buyer = { readonly token: string; readonly pool: string; readonly sku: string }
/** The state before the agents start. */
export type Prepared = { readonly buyer: Buyer; readonly owner: FleetOwner; readonly audience: string }

/** All rows of agents. Takes about three minutes. */
export async function agentRows(wanted: (name: string) => boolean): Promise<Row[]> {
  if (!agentRowNames.some(wanted)) return []
  // Three programs share two cores, so none is pinned.
  await using place = await makePlace({ pinned: false })
  const { buyer, audience } = await place.prepare(prepareAgents)
  await using server = await place.serve()
  const before = (await server.ask({})).rss
  const world: AgentWorld = { port: server.ready.port, agents, audience }
  await using load: Child<unknown, AgentTimes> = await startChild('fleet/fleet-agents-program.ts', world)
  await load.ask({ kind: 'start' })
  await load.ask({ kind: 'report', milliseconds: warmMilliseconds })
  const { times, cores } = await measureReports({ server, load, postgres: place.postgres_pid() })
  console.error(`reports: ${JSON.stringify({ ...times, cores })}`)
  const { rss } = await server.ask({})
  const heard = await load.ask({ kind: 'orders', count: orders, price, ...buyer })
  console.error(`orders: ${JSON.stringify(heard)}`)
  const megabytes = (bytes: number) => bytes / 2 ** 20
  return [
    below('agents_report_p99_ms', p99Of(times), 250),
    below('agents_server_cores', cores.server, 1),
    { ...below('agents_database_cores', cores.database, 1), goal: null, met: true },
    {
      name: 'agents_server_mb',
      ours: rounded(megabytes(rss)),
      against: rounded(megabytes(before)),
      ratio: rounded(rss / before),
      goal: null,
      met: true,
    },
    below('order_to_agent_p99_ms', p99Of(heard), 1_000),
  ]
}

type Programs = { readonly server: ServerChild; readonly load: Child<unknown, AgentTimes>; readonly postgres: number }

/** Measures the time of reports, and the share of a core that each program uses meanwhile. */
async function measureReports({ server, load, postgres }: Programs) {
  const used = () => ({
    server: processorMilliseconds(server.pid) ?? Number.NaN,
    database: familyMilliseconds(postgres) ?? Number.NaN,
    agents: processorMilliseconds(load.pid) ?? Number.NaN,
  })
  const before = used()
  const began = performance.now()
  const times = await load.ask({ kind: 'report', milliseconds: measuredMilliseconds })
  const after = used()
  const span = performance.now() - began
  const coresOf = (name: keyof typeof after) => rounded((after[name] - before[name]) / span)
  return { times, cores: { server: coresOf('server'), database: coresOf('database'), agents: coresOf('agents') } }
}

/** Creates hosts with a machine and a free slot each, offered nodes, and a buyer with waiting instances. */
export async function prepareAgents(server: Server): Promise<Prepared> {
  const { runtime, url } = server
  const owner = await makeOwner(server, 2 * agents)
  await runtime.database.asOwner(async (db) => {
    await addHosts(db, owner, { hosts: agents, slots: 2 })
    await addMachines(db, owner, { hosts: agents, from: 0, to: agents })
  })
  await offer(url, owner)
  return { buyer: await makeBuyer(url, owner), owner, audience: runtime.keys.token_audience }
}

async function offer(url: string, owner: FleetOwner): Promise<void> {
  const start_at = Math.floor(Date.now() / 60_000) * 60
  await call({ url, token: owner.token }, 'POST', '/v2/orders', {
    pool: owner.supply,
    sku: owner.sku,
    side: 'sell',
    allow_standing: true,
    allow_partial: true,
    allocation_schedule_delta: [{ start_at, end_at: start_at + 3 * 3600, node_count: 2 * orders }],
    limit_price_dollars_per_node_hour: price,
  })
}

async function makeBuyer(url: string, { token: operator, sku }: FleetOwner): Promise<Buyer> {
  const id = 'buyer'
  const admin = { url, token: operator }
  const accounts = '/preview/v2/admin/accounts'
  const made = (await call(admin, 'POST', accounts, { id, trust_level: 'partner' })) as { id: string; token: string }
  const { token } = made
  const grant = { type: 'credit_grant', amount_dollars: '1000000.000000', description: 'Bench.' }
  await call(admin, 'POST', `${accounts}/${id}/transactions`, grant)
  const own = { url, token }
  const pool = (await call(own, 'POST', '/v2/pools', {})).id
  const image = (await call(own, 'POST', '/sandbox/images', { name: 'bench' })).id
  for (let i = 0; i < orders; i++) await call(own, 'POST', '/v2/instances', { pool, sku, image })
  return { token, pool, sku }
}

/** The p99 time; infinite if more than 1 % failed. */
function p99Of({ count, failures, p99 }: AgentTimes): number {
  return failures > count / 100 ? Number.POSITIVE_INFINITY : p99
}

/** A row whose goal is an upper bound. */
export function below(name: string, ours: number, goal: number): Row {
  return { name, ours: rounded(ours), against: goal, ratio: rounded(ours / goal), goal, met: ours <= goal }
}
