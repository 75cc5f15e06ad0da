/** The fixtures of the fuzzer: accounts with lasting tokens, and resources of all kinds that calls refer to. */
import { platformAccount } from '../../support/access.ts'
import { makeCapacity } from '../../support/capacity.ts'
import { hour, type Market, makeMarket } from '../../support/market.ts'
import type { TestAccount, TestServer } from '../../support/server.ts'
import { userData } from './query-targets.ts'
import type { Actor } from './requests.ts'
import type { FuzzOptions } from './run.ts'
import type { Base } from './values.ts'

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
  ]) {
    const path = `/preview/v2/admin/sku_properties/${property}/values/${name}`
    await server.ok('PUT', path, { body: { display_name: name } })
  }
  const properties = {
    region: 'north',
    supports_public_ipv4: true,
    rdma_type: 'infiniband',
    infiniband_fabric: 'fabric',
  }
  const market = await makeMarket(server, { num_vcpus: 8, fee_bps: 100 })
  const accounts = [await server.account({ trust_level: 'partner' }), await server.account({ trust_level: 'partner' })]
  const bases = new Map<string, Base>()
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
): Promise<Base> {
  const { token } = account
  const capacity = await makeCapacity(server, account, { hosts: 2, slots: 16, nodes: 24, sku: properties })
  const { pool, sku, image, supply } = capacity
  const host = await drainedHost(server, account, sku)
  const publishable = await publishableImages(server, account)
  const withData = { image, cloud_init_user_data: userData }
  const template = await server.ok('POST', '/preview/v2/instance_templates', { token, body: withData })
  const instance = await server.ok('POST', '/v2/instances', { token, body: { pool, sku, ...withData } })
  const spares = await makeSpares(server, account, { pool, sku, instance_template: template.id })
  const trade = { sku: market.sku, ...(await makeTrade(server, account, market)) }
  const { now } = await server.ok('GET', '/sandbox/clock')
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
): Promise<Pick<Base, 'revocable' | 'spare_sku' | 'deployment' | 'webhook' | 'delivery'>> {
  const deployment = { name: 'standing', target_instance_count: 1, ...machines }
  const made = await Promise.all([
    server.ok('POST', '/sandbox/images', { token, body: { name: 'revocable' } }),
    server.ok('POST', '/preview/v2/admin/skus', { body: { alias: `spare-${id}` } }),
    server.ok('POST', '/preview/v2/deployments', { token, body: deployment }),
  ])
  const [revocable, spare_sku, standing] = made.map((one) => one.id)
  const quiet = { url: 'http://127.0.0.1:9/', actions: ['webhook.disabled'], enabled: false }
  const webhook = await server.ok('POST', '/preview/v2/webhooks', { token, body: quiet })
  const delivery = await server.ok('POST', `/preview/v2/webhooks/${webhook.id}/test`, { token })
  return { revocable, spare_sku, deployment: standing, webhook: webhook.id, delivery: delivery.id }
}

async function drainedHost(server: TestServer, { id, token }: TestAccount, sku: string): Promise<string> {
  const { data } = await server.ok('POST', '/sandbox/hosts', { body: { account: id, sku, count: 1 } })
  const { now } = await server.ok('GET', '/sandbox/clock')
  const deadline_at = Math.ceil((now + 120) / 60) * 60
  await server.ok('POST', `/preview/v2/hosts/${data[0].id}/drain`, { token, body: { deadline_at } })
  await server.advance(300)
  return data[0].id
}

/** Creates public images in the public workspace of the platform. */
async function publishableImages(server: TestServer, { id }: TestAccount): Promise<string[]> {
  const made = await server.request('POST', '/v2/workspaces', { body: { name: 'public' } })
  if (made.status !== 201 && made.status !== 409) throw new Error(made.text)
  const { data } = await server.ok('GET', '/v2/workspaces')
  const workspace = data.find(({ name }: { name: string }) => name === 'public').id
  const images = [1, 2].map((number) =>
    server.ok('POST', '/sandbox/images', { body: { name: `for-${id}-${number}`, workspace } }),
  )
  return (await Promise.all(images)).map((image) => image.id)
}

async function makeTrade(server: TestServer, account: TestAccount, market: Market): Promise<Pools> {
  const { id, token } = account
  const credit = { type: 'credit_grant', amount_dollars: '100000000.000000', description: 'To trade with.' }
  await server.ok('POST', `/preview/v2/admin/accounts/${id}/transactions`, { body: credit })
  const buying_pool = (await server.ok('POST', '/v2/pools', { token, body: {} })).id
  const { data } = await server.ok('POST', '/sandbox/hosts', {
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
function idsOf({ trade, grant, publishable, ...others }: Base): string[] {
  return [...Object.values(others), ...publishable, ...Object.values(trade), grant.supply]
}

function actorOf(name: string, { id, token }: TestAccount): Actor {
  return { name, token, account: id, isLasting: true }
}

/** The ids of the account, its workspace, and its tokens and grants so far. */
async function standingOf(server: TestServer, { id, token, workspace_id }: TestAccount): Promise<string[]> {
  const lists = await Promise.all(
    ['/preview/v2/tokens', '/preview/v2/grants'].map((path) => server.ok('GET', path, { token })),
  )
  return [id, workspace_id, ...lists.flatMap(({ data }) => data.map((one: { id: string }) => one.id))]
}
