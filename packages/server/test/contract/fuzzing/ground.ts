/** What a run of the fuzzer stands on: accounts with tokens that last, and something of everything that calls name. */
import { platformAccount } from '../../support/access.ts'
import { makeCapacity } from '../../support/capacity.ts'
import type { TestAccount, TestServer } from '../../support/server.ts'
import type { Actor } from './requests.ts'
import type { FuzzOptions } from './run.ts'
import type { Base } from './values.ts'

type Ground = Pick<FuzzOptions, 'url' | 'platform' | 'customers' | 'bases' | 'keepOut'>

/** Lays the ground, over HTTP. */
export async function layGround(server: TestServer): Promise<Ground> {
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
  const accounts = [await server.account({ trust_level: 'partner' }), await server.account({ trust_level: 'partner' })]
  const bases = new Map<string, Base>()
  for (const account of accounts) {
    const { pool, sku, image, template } = await makeCapacity(server, account, { hosts: 2, slots: 8, sku: properties })
    bases.set(account.id, { pool, sku, image, instance_template: template })
  }
  const platform = await platformAccount(server)
  const all = [platform, ...accounts]
  const keepOut = await Promise.all(all.map((account) => standingOf(server, account)))
  return {
    url: server.url,
    platform: actorOf('platform', platform),
    customers: accounts.map((account, index) => actorOf(`customer ${index + 1}`, account)),
    bases,
    keepOut: keepOut.flat(),
  }
}

function actorOf(name: string, { id, token }: TestAccount): Actor {
  return { name, token, account: id, isLasting: true }
}

/** Ids of the account, of its workspace, and of the tokens and grants that it has so far. */
async function standingOf(server: TestServer, { id, token, workspace_id }: TestAccount): Promise<string[]> {
  const lists = await Promise.all(
    ['/preview/v2/tokens', '/preview/v2/grants'].map((path) => server.ok('GET', path, { token })),
  )
  return [id, workspace_id, ...lists.flatMap(({ data }) => data.map((one: { id: string }) => one.id))]
}
