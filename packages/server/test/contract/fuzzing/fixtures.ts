/** The fixtures of the fuzzer: accounts with lasting tokens, and resources of all kinds that calls refer to. */
import { platformAccount } from '../../support/access.ts'
import { makeCapacity } from '../../support/fixtures/capacity.ts'
import { hour, type Market, makeMarket } from '../../support/fixtures/market.ts'
import { grantCredit } from '../../support/fixtures/money.ts'
import type { TestAccount, TestServer } from '../../support/server.ts'
import { userData } from './query-targets.ts'
import type { FuzzActor } from './requests.ts'
import type { FuzzOptions } from './run.ts'
import type { BaseResources } from './values.ts'

type Pools = { readonly buying_pool: string; readonly supply: string }
type FuzzFixtures = Pick<FuzzOptions, 'url' | 'platform' | 'customers' | 'bases' | 'keepOut'>

/** Creates the fixtures over HTTP. */
export async function createFuzzFixtures(server: TestServer): Promise<FuzzFixtures> {
  for (const [property, name] of [
    ['region', 'north'],
    ['infiniband_fabric', 'fabric'],
    ['availability_zone', 'zone'],
    ['accelerator', 'accelerator'],
    ['form_factor', 'form'],
  ] as const) {
    await server.call('put_sku_property_value', { params: { property, name }, body: { display_name: name } })
  }
  const properties = {
    region: 'north',
    supports_public_ipv4: true,
    rdma_type: 'infiniband',
    infiniband_fabric: 'fabric',
  }
  const market = await makeMarket(server, { num_vcpus: 8, fee_bps: 100 })
  const accounts = [await server.account({ trust_level: 'partner' }), await server.account({ trust_level: 'partner' })]
  const bases = new Map<string, BaseResources>()
  for (const account of accounts) bases.set(account.id, await makeBase(server, account, { market, properties }))
  const platform = await platformAccount(server)
  const all = [platform, ...accounts]
  const keepOut = await Promise.all(all.map((account) => standingOf(server, account)))
  return {
    url: server.url,
    platform: actorOf('platform', platform),
    customers: accounts.map((account, index) => actorOf(`customer ${index + 1}`, account)),
    bases,
    keepOut: [...keepOut.flat(), ...[...bases.values()].flatMap(idsOf)],
  }
}

/** Creates capacity for machines, money, nodes, and resting orders on both sides of a market. */
async function makeBase(
  server: TestServer,
  account: TestAccount,
  { market, properties }: { market: Market; properties: object },
): Promise<BaseResources> {
  const { token } = account
  const capacity = await makeCapacity(server, account, { hosts: 2, slots: 16, nodes: 24, sku: properties })
  const { pool, sku, image, supply } = capacity
  const host = await drainedHost(server, account, sku)
  const publishable = await publishableImages(server, account)
  const withData = { image, cloud_init_user_data: userData }
  const template = await server.call('create_instance_template', { token, body: withData })
  const instance = await server.call('create_instance', { token, body: { pool, sku, ...withData } })
  const spares = await makeSpares(server, account, { pool, sku, instance_template: template.id })
  const trade = { sku: market.sku, ...(await makeTrade(server, account, market)) }
  const { now } = await server.call('get_clock')
  const schedule_start_at = Math.ceil((now + hour) / hour) * hour
  const grant = { supply, sku, account: account.id, workspace: account.workspace_id, schedule_start_at }
  const machines = { instance_template: template.id, instance: instance.id, host, publishable, ...spares }
  return { pool, sku, image, ...machines, trade, grant }
}

/** Creates resources whose state only calls of a few operations change. */
async function makeSpares(
  server: TestServer,
  { id, token }: TestAccount,
  machines: { pool: string; sku: string; instance_template: string },
): Promise<Pick<BaseResources, 'revocable' | 'spare_sku' | 'deployment' | 'webhook' | 'delivery'>> {
  const deployment = { name: 'standing', target_instance_count: 1, ...machines }
  const made = await Promise.all([
    server.call('create_ready_image', { token, body: { name: 'revocable' } }),
    server.call('create_sku', { body: { alias: `spare-${id}` } }),
    server.call('create_deployment', { token, body: deployment }),
  ])
  const [revocable, spare_sku, standing] = made
  const quiet = { url: 'http://127.0.0.1:9/', actions: ['webhook.disabled'], enabled: false }
  const webhook = await server.call('create_webhook', { token, body: quiet })
  const delivery = await server.call('test_webhook', { params: { id: webhook.id }, token })
  return {
    revocable: revocable.id,
    spare_sku: spare_sku.id,
    deployment: standing.id,
    webhook: webhook.id,
    delivery: delivery.id,
  }
}

async function drainedHost(server: TestServer, { id, token }: TestAccount, sku: string): Promise<string> {
  const { data } = await server.call('create_simulated_hosts', { body: { account: id, sku, count: 1 } })
  const { now } = await server.call('get_clock')
  const deadline_at = Math.ceil((now + 120) / 60) * 60
  await server.call('drain_host', { params: { id: data[0].id }, token, body: { deadline_at } })
  await server.advance(300)
  return data[0].id
}

/** Creates public images in the public workspace of the platform. */
async function publishableImages(server: TestServer, { id }: TestAccount): Promise<string[]> {
  const made = await server.attempt('create_workspace', { body: { name: 'public' } })
  if (made.status !== 201 && made.status !== 409) throw new Error(made.text)
  const { data } = await server.call('list_workspaces')
  const workspace = data.find(({ name }) => name === 'public').id
  const images = [1, 2].map((number) =>
    server.call('create_ready_image', { body: { name: `for-${id}-${number}`, workspace } }),
  )
  return (await Promise.all(images)).map((image) => image.id)
}

async function makeTrade(server: TestServer, account: TestAccount, market: Market): Promise<Pools> {
  const { id, token } = account
  await grantCredit(server, id, '100000000.000000')
  const buying_pool = (await server.call('create_pool', { token, body: {} })).id
  const { data } = await server.call('create_simulated_hosts', {
    body: { account: id, sku: market.sku, count: 4, slots: 64 },
  })
  const supply = data[0].pool.id
  const request = {
    nodes: 4,
    start_at: market.start + hour,
    minutes: 20 * 60,
    allow_standing: true,
    allow_partial: true,
  }
  await market.order({ ...account, pool: supply }, { ...request, side: 'sell', price: '1.300000' })
  await market.order({ ...account, pool: buying_pool }, { ...request, side: 'buy', price: '0.800000' })
  return { buying_pool, supply }
}

/** The ids that calls may use but not end. */
function idsOf({ trade, grant, publishable, ...others }: BaseResources): string[] {
  return [...Object.values(others), ...publishable, ...Object.values(trade), grant.supply]
}

function actorOf(name: string, { id, token }: TestAccount): FuzzActor {
  return { name, token, account: id, isLasting: true }
}

/** The ids of the account, its workspace, and its tokens and grants so far. */
async function standingOf(server: TestServer, { id, token, workspace_id }: TestAccount): Promise<string[]> {
  const lists = await Promise.all(
    ['/preview/v2/tokens', '/preview/v2/grants'].map((path) => server.ok('GET', path, { token })),
  )
  return [id, workspace_id, ...lists.flatMap(({ data }) => data.map((one: { id: string }) => one.id))]
}
