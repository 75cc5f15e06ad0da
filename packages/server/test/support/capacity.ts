/** Creates usable capacity over HTTP: simulated hosts, a pool that owns their nodes, an image and a template. */
import { platformAccount } from './access.ts'
import type { TestAccount, TestServer } from './server.ts'

/** The resources that a fleet needs. */
export type Capacity = {
  sku: string
  hosts: string[]
  /** The supply pool of the hosts. */
  supply: string
  pool: string
  image: string
  template: string
}

/** The pool owns `nodes` (by default all) from the next minute on, by default without end. */
export type CapacityParams = { hosts?: number; slots?: number; nodes?: number; end_in_seconds?: number; sku?: object }

let made = 0

/** Creates capacity and advances the clock to the minute at which it begins. */
export async function makeCapacity(
  server: TestServer,
  account: TestAccount,
  { hosts = 2, slots = 4, nodes = hosts * slots, end_in_seconds, sku: properties = {} }: CapacityParams = {},
): Promise<Capacity> {
  // Calls may run at the same time.
  made += 1
  const number = made
  const platform = await platformAccount(server)
  const alias = `capacity-${process.pid}-${number}`
  const sku = (await server.ok('POST', '/preview/v2/admin/skus', { body: { alias, ...properties } })).id
  const params = { account: platform.id, sku, count: hosts, slots }
  const { data } = await server.ok('POST', '/sandbox/hosts', { body: params })
  const supply = data[0].pool.id
  const pool = await grantNodes(server, account, { sku, supply, nodes, end_in_seconds })
  const own = { token: account.token }
  const image = (await server.ok('POST', '/sandbox/images', { ...own, body: { name: `image-${number}` } })).id
  const template = (await server.ok('POST', '/preview/v2/instance_templates', { ...own, body: { image } })).id
  await server.advance(60)
  return { sku, hosts: data.map(({ id }: { id: string }) => id), supply, pool, image, template }
}

/** Grants an account a pool that owns nodes of a supply from the next minute on. */
export async function grantNodes(
  server: TestServer,
  account: TestAccount,
  grant: { sku: string; supply: string; nodes: number; end_in_seconds?: number | undefined },
): Promise<string> {
  const { now } = await server.ok('GET', '/sandbox/clock')
  const start_at = now - (now % 60) + 60
  const end_at = grant.end_in_seconds === undefined ? null : start_at + grant.end_in_seconds
  const allocation_schedule = [{ start_at, end_at, node_count: grant.nodes }]
  const body = { account: account.id, workspace: account.workspace_id, from_pool: grant.supply, sku: grant.sku }
  return (await server.ok('POST', '/preview/v2/admin/pools', { body: { ...body, allocation_schedule } })).id
}
