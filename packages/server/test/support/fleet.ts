/** The resources that instances need, and reads of instances, for tests. HTTP only. */
import { type Capacity, makeCapacity } from './capacity.ts'
import type { TestAccount, TestServer } from './server.ts'

/** The id and the path of a resource. */
export type Made = { id: string; name: string; resource_path: string }

let made = 0

/** Adds a property value to the catalogue, such as a region. */
export async function makeValue(server: TestServer, property: string, name: unknown): Promise<void> {
  const path = `/preview/v2/admin/sku_properties/${property}/values/${name}`
  await server.ok('PUT', path, { body: { display_name: `${name}` } })
}

/** Creates a SKU with public addresses, by default in the region `north`, and its region and fabric. */
export async function makeSku(server: TestServer, properties: Record<string, unknown> = {}): Promise<string> {
  const alias = `sku-${process.pid}-${++made}`
  const all = { region: 'north', supports_public_ipv4: true, ...properties }
  await makeValues(server, all)
  return (await server.ok('POST', '/preview/v2/admin/skus', { body: { alias, ...all } })).id
}

/** Creates a completed image. */
export async function makeImage(server: TestServer, account: TestAccount, workspace?: string): Promise<Made> {
  made += 1
  const body = { name: `image-${process.pid}-${made}`, ...(workspace && { workspace }) }
  return server.ok('POST', '/sandbox/images', { token: account.token, body })
}

/** Creates capacity of a SKU of {@link makeSku}, and a second SKU (`cold`) without any, for which instances wait. */
export async function makeLaunchPad(
  server: TestServer,
  account: TestAccount,
  { properties = {}, ...request }: { properties?: Record<string, unknown>; slots?: number; hosts?: number } = {},
): Promise<Capacity & { cold: string }> {
  const cold = await makeSku(server, properties)
  const sku = { region: 'north', supports_public_ipv4: true, ...properties }
  return { ...(await makeCapacity(server, account, { ...request, sku })), cold }
}

/** The actions of the events of an instance, with the types of their actors, oldest first. */
export async function eventsOf(server: TestServer, token: string, id: string): Promise<string[]> {
  const { data } = await server.ok('GET', `/preview/v2/events?limit=200&target=${id}`, { token })
  return data.map(({ action, actor }: { action: string; actor: { type: string } }) => `${action} ${actor.type}`)
}

async function makeValues(server: TestServer, properties: Record<string, unknown>): Promise<void> {
  for (const property of ['region', 'infiniband_fabric']) {
    if (properties[property] !== undefined) await makeValue(server, property, properties[property])
  }
}
