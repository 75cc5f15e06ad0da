/** What the load of a soak uses: traders of one book, and a fleet whose machines an agent runs. All over HTTP. */
import { wallMilliseconds } from '../../packages/server/src/core/base/clock.ts'
import { type EnrolledHost, startAgent } from '../../packages/server/test/restart/failover/following-agent.ts'
import { enrol, factsThatFit } from '../../packages/server/test/support/agents.ts'
import { bytesOf, put, sha256Of } from '../../packages/server/test/support/fixtures/images.ts'
import { makeBuyer, type Party } from '../../packages/server/test/support/fixtures/market.ts'
import type { TestAccount, TestServer } from '../../packages/server/test/support/server.ts'

/** Accounts and resources that a load uses. */
export type SoakWorld = {
  readonly sku: string
  /** The first one sells, the others buy. */
  readonly traders: readonly Party[]
  /** Has machines, people and tokens. */
  readonly customer: TestAccount
  readonly fleet: { readonly sku: string; readonly pool: string; readonly image: string }
  readonly firewall: string
  readonly users: readonly string[]
}

const buyers = 5
const slots = 32
const peopleCount = 8
const sizes = { num_vcpus: 2 }

/** Makes the world on a server in production mode. Its agents end with the stack. */
export async function makeSoakWorld(server: TestServer, stack: AsyncDisposableStack): Promise<SoakWorld> {
  const { id: sku } = await server.call('create_sku', { body: { num_vcpus: 8, fee_bps: 100 } })
  const seller = await server.account({ trust_level: 'partner' })
  const agents = [await enrolHost(server, { sku, address: '192.0.2.1', token: seller.token })]
  const supplies = await server.call('list_pools', { query: { kind: 'originating' }, token: seller.token })
  const traders: Party[] = [{ ...seller, pool: supplies.data[0].id }]
  while (traders.length <= buyers) traders.push(await makeBuyer(server, '1000000.000000'))
  const customer = await server.account()
  const { id: fleetSku } = await server.call('create_sku', { body: sizes })
  agents.push(await enrolHost(server, { sku: fleetSku, address: '192.0.2.2' }))
  const pool = await grantAll(server, customer, fleetSku)
  const image = await uploadImage(server, customer)
  const own = { token: customer.token }
  const { id: firewall } = await server.call('create_firewall', { ...own, body: {} })
  const users: string[] = []
  for (let number = 0; number < peopleCount; number++) {
    const body = { email: `person-${number}@soak.example` }
    users.push((await server.call('create_user', { ...own, body })).id)
  }
  for (const agent of agents) stack.use(startAgent(agent, [server.url]))
  return { sku, traders, customer, fleet: { sku: fleetSku, pool, image }, firewall, users }
}

type Enrolment = { readonly sku: string; readonly address: string; readonly token?: string }

async function enrolHost(server: TestServer, { sku, address, token }: Enrolment): Promise<EnrolledHost> {
  const permit = await server.call('create_host_enrolment', { token, body: { sku, slots } })
  const facts = { ...factsThatFit({ num_vcpus: 8 }, slots), host_address: address, public_ipv4s: [] }
  return enrol(server, permit.token, { facts })
}

/** Grants an account all nodes of the operator's hosts of a SKU, from the next minute on. */
async function grantAll(server: TestServer, account: TestAccount, sku: string): Promise<string> {
  const { data } = await server.call('list_pools', { query: { kind: 'originating' } })
  const start_at = (Math.floor(wallMilliseconds() / 60_000) + 1) * 60
  const body = {
    account: account.id,
    workspace: account.workspace_id,
    from_pool: data[0].id,
    sku,
    allocation_schedule: [{ start_at, end_at: null, node_count: slots }],
  }
  return (await server.call('create_read_only_pool', { body })).id
}

/** Uploads an image as a client does. Its URLs name the public address, which is not that of the server. */
async function uploadImage(server: TestServer, { token }: TestAccount): Promise<string> {
  const bytes = bytesOf(64 * 1024)
  const { id } = await server.call('create_image', { token, body: { name: 'soak' } })
  const { url } = await server.call('create_image_part', { params: { id }, token, body: { part_id: 1 } })
  const { pathname, search } = new URL(url)
  const response = await put(`${server.url}${pathname}${search}`, bytes)
  if (response.status !== 200) throw new Error(`The part of the image got status ${response.status}: ${response.text}`)
  await server.call('complete_image', { params: { id }, token, body: { sha256: sha256Of(bytes) } })
  return id
}
