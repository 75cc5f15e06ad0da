/** The world of a failover: traders on several books, an account with instances on real hosts, and their writes. */
import type { Random } from '../../../src/core/base/random.ts'
import { pick } from '../../../src/core/base/random.ts'
import { enrol } from '../../support/agents.ts'
import { grantNodes } from '../../support/fixtures/capacity.ts'
import { makeImage, makeSku } from '../../support/fixtures/fleet.ts'
import { type TestTrader, tradersOn } from '../../support/fixtures/traders.ts'
import type { TestAccount, TestServer } from '../../support/server.ts'
import type { EnrolledHost } from './following-agent.ts'

/** What the template holds. Every pair of databases begins with it. */
export type FailoverWorld = {
  readonly skus: readonly string[]
  readonly traders: readonly TestTrader[]
  readonly customer: TestAccount
  readonly pool: string
  readonly sku: string
  readonly image: string
  readonly hosts: readonly EnrolledHost[]
  /** The start of the hour for which all orders are. */
  readonly start_at: number
}

/** Sends a request to one of the servers. */
export type Send = (
  method: string,
  path: string,
  options: { token: string; body?: object },
) => Promise<FailoverResponse>
type FailoverResponse = { status: number; body: any }

const books = 3
const hostsCount = 2
const slots = 6

/** Creates the world through one server. */
export async function makeFailoverWorld(server: TestServer): Promise<FailoverWorld> {
  const { sku: makeBook, seller, buyer, nextHour } = tradersOn(server)
  const skus: string[] = []
  const traders: TestTrader[] = []
  for (let book = 0; book < books; book++) {
    const sku = await makeBook()
    skus.push(sku)
    traders.push(await seller(sku, 8))
  }
  traders.push(await buyer('100000.000000'), await buyer('100000.000000'))
  const sku = await makeSku(server)
  const { token: permit } = await server.call('create_host_enrolment', { body: { sku, slots, uses: hostsCount } })
  const hosts: EnrolledHost[] = []
  for (let n = 0; n < hostsCount; n++) {
    const { host, epoch, key, audience } = await enrol(server, permit)
    hosts.push({ host, epoch, key, audience })
  }
  const customer = await server.account()
  const { data } = await server.call('list_pools', { query: { kind: 'originating' } })
  const pool = await grantNodes(server, customer, { sku, supply: data[0].id, nodes: hostsCount * slots })
  const image = await makeImage(server, customer)
  await server.advance(120)
  return { skus, traders, customer, pool, sku, image: image.id, hosts, start_at: await nextHour() }
}

/** One random write of a customer. Refusals are part of it, as when nothing is left to sell. */
export async function writeOnce(world: FailoverWorld, random: Random, send: Send): Promise<FailoverResponse> {
  const { traders, start_at } = world
  const chance = random.integer(10)
  if (chance < 2) return launchOrTerminate(world, random, send)
  const at = random.integer(traders.length)
  const { token, pool } = traders[at] as TestTrader
  if (chance === 2) {
    const open = await send('GET', '/v2/orders?state=standing&limit=20', { token })
    const order =
      open.status === 200 && open.body.data.length > 0 ? pick(random, open.body.data as { id: string }[]) : undefined
    if (order) return send('DELETE', `/v2/orders/${order.id}`, { token })
  }
  const isSeller = at < world.skus.length
  const sku = isSeller ? world.skus[at] : pick(random, world.skus)
  const body = {
    pool,
    sku,
    side: isSeller ? 'sell' : 'buy',
    allocation_schedule_delta: [{ start_at, end_at: start_at + 3600, node_count: 1 + random.integer(3) }],
    limit_price_dollars_per_node_hour: `1.${random.integer(10)}00000`,
    allow_standing: true,
    allow_partial: true,
  }
  return send('POST', '/v2/orders', { token, body })
}

async function launchOrTerminate({ customer, pool, sku, image }: FailoverWorld, random: Random, send: Send) {
  const { token } = customer
  const { status, body } = await send('GET', '/v2/instances?limit=50', { token })
  if (status !== 200) return { status, body }
  const living = body.data.filter(({ state }: { state: string }) => state !== 'terminated')
  const isFull = living.length >= hostsCount * slots
  if (!isFull && (living.length < 3 || random.integer(2) === 0)) {
    return send('POST', '/v2/instances', { token, body: { pool, sku, image } })
  }
  return send('POST', `/v2/instances/${pick(random, living as { id: string }[]).id}/terminate`, { token })
}
