// 10,000 agents on one server: the time of a report, the load of the server, and the time from an order to its agent.

import { reportEverySeconds } from '@bourse/api/fleet/agent.ts'
import type { Server } from '../../../packages/server/src/server.ts'
import {
  addHosts,
  addMachines,
  call,
  type FleetOwner,
  makeOwner,
} from '../../../packages/server/test/support/big-fleet.ts'
import { bench, type SizeName } from '../bench.ts'
import { type Child, type ServerChild, startChild } from '../child.ts'
import { familyMilliseconds, processorMilliseconds } from '../processor-time.ts'
import { atMost, type BenchRow } from '../row.ts'
import { makePlace } from '../worlds/event-world.ts'

/** How many agents there are, and how they are spread over time. */
type AgentTiming = {
  readonly agents: number
  /** The start of the agents is spread over this time. */
  readonly ramp_milliseconds: number
  /** The time between two reports of an agent. Reports are spread over it. */
  readonly report_milliseconds: number
  /** The maximum delay between two attempts of an agent that gets no response. */
  readonly longest_wait_milliseconds: number
}

/** The options of the agents program. */
export type AgentWorld = AgentTiming & { readonly port: number; readonly audience: string }

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

/** The size of what is measured with agents. */
export type AgentsSize = AgentTiming & {
  /** Until every agent has reported once, and the server has compiled its hot code. */
  readonly warm_milliseconds: number
  readonly measured_milliseconds: number
  readonly orders: number
}

export const agentsSizes: Readonly<Record<SizeName, AgentsSize>> = {
  usual: {
    agents: 10_000,
    ramp_milliseconds: 20_000,
    report_milliseconds: reportEverySeconds * 1000,
    longest_wait_milliseconds: 60_000,
    warm_milliseconds: 35_000,
    measured_milliseconds: 60_000,
    orders: 100,
  },
  tiny: {
    agents: 20,
    ramp_milliseconds: 200,
    report_milliseconds: 500,
    longest_wait_milliseconds: 500,
    warm_milliseconds: 500,
    measured_milliseconds: 1_000,
    orders: 2,
  },
}

const price = '1.200000'

/** The account that buys nodes for its waiting instances. */
export type Buyer = { readonly token: string; readonly pool: string; readonly sku: string }
/** The state before the agents start. */
export type PreparedFleet = { readonly buyer: Buyer; readonly owner: FleetOwner; readonly audience: string }

/** All rows of agents. Takes about three minutes at the usual size. */
export const agentsBench = bench({
  rows: [
    'agents_report_p99_ms',
    'agents_server_cores',
    'agents_database_cores',
    'agents_server_mb',
    'order_to_agent_p99_ms',
  ],
  sizes: agentsSizes,
  measure: agentRows,
})

async function* agentRows(size: AgentsSize): AsyncGenerator<BenchRow> {
  // Three programs share two cores, so none is pinned.
  await using place = await makePlace({ pinned: false })
  const { buyer, audience } = await place.prepare((server) => prepareAgents(server, size))
  await using server = await place.serve()
  const before = (await server.ask({})).rss
  const world: AgentWorld = { ...size, port: server.ready.port, audience }
  await using load: Child<unknown, AgentTimes> = await startChild('fleet/fleet-agents-program.ts', world)
  await load.ask({ kind: 'start' })
  await load.ask({ kind: 'report', milliseconds: size.warm_milliseconds })
  const programs = { server, load, postgres: place.postgres_pid() }
  const { times, cores } = await measureReports(programs, size.measured_milliseconds)
  console.error(`reports: ${JSON.stringify({ ...times, cores })}`)
  yield atMost('agents_report_p99_ms', p99Of(times), 250)
  yield atMost('agents_server_cores', cores.server, 1)
  yield atMost('agents_database_cores', cores.database, null)
  const { rss } = await server.ask({})
  const megabytes = (bytes: number) => bytes / 2 ** 20
  console.error(`memory without agents: ${megabytes(before).toFixed(0)} MB`)
  yield atMost('agents_server_mb', megabytes(rss), 300)
  const heard = await load.ask({ kind: 'orders', count: size.orders, price, ...buyer })
  console.error(`orders: ${JSON.stringify(heard)}`)
  yield atMost('order_to_agent_p99_ms', p99Of(heard), 1_000)
}

type FleetPrograms = {
  readonly server: ServerChild
  readonly load: Child<unknown, AgentTimes>
  readonly postgres: number
}

/** Measures the time of reports, and the share of a core that each program uses meanwhile. */
async function measureReports({ server, load, postgres }: FleetPrograms, milliseconds: number) {
  const used = () => ({
    server: processorMilliseconds(server.pid) ?? Number.NaN,
    database: familyMilliseconds(postgres) ?? Number.NaN,
    agents: processorMilliseconds(load.pid) ?? Number.NaN,
  })
  const before = used()
  const began = performance.now()
  const times = await load.ask({ kind: 'report', milliseconds })
  const after = used()
  const span = performance.now() - began
  const coresOf = (name: keyof typeof after) => (after[name] - before[name]) / span
  return { times, cores: { server: coresOf('server'), database: coresOf('database'), agents: coresOf('agents') } }
}

/** Creates hosts with a machine and a free slot each, offered nodes, and a buyer with waiting instances. */
export async function prepareAgents(
  server: Server,
  { agents, orders }: Pick<AgentsSize, 'agents' | 'orders'>,
): Promise<PreparedFleet> {
  const { runtime, url } = server
  const owner = await makeOwner(server, 2 * agents)
  await runtime.database.asOwner(async (db) => {
    await addHosts(db, owner, { hosts: agents, slots: 2 })
    await addMachines(db, owner, { hosts: agents, from: 0, to: agents })
  })
  await offer(url, owner, 2 * orders)
  return { buyer: await makeBuyer(url, owner, orders), owner, audience: runtime.keys.token_audience }
}

async function offer(url: string, owner: FleetOwner, node_count: number): Promise<void> {
  const start_at = Math.floor(Date.now() / 60_000) * 60
  await call({ url, token: owner.token }, 'POST', '/v2/orders', {
    pool: owner.supply,
    sku: owner.sku,
    side: 'sell',
    allow_standing: true,
    allow_partial: true,
    allocation_schedule_delta: [{ start_at, end_at: start_at + 3 * 3600, node_count }],
    limit_price_dollars_per_node_hour: price,
  })
}

async function makeBuyer(url: string, { token: operator, sku }: FleetOwner, instances: number): Promise<Buyer> {
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
  for (let i = 0; i < instances; i++) await call(own, 'POST', '/v2/instances', { pool, sku, image })
  return { token, pool, sku }
}

/** The p99 time. Throws if more than 1 % failed. */
function p99Of({ count, failures, p99 }: AgentTimes): number {
  if (failures > count / 100) throw new Error(`${failures} of ${count} requests failed.`)
  return p99
}
