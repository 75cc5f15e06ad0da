/** What instances need before there can be any, and what tests ask about them. HTTP only. */
import { type Capacity, makeCapacity } from './capacity.ts'
import type { TestAccount, TestServer } from './server.ts'

/** A resource by its id and its path. */
export type Made = { id: string; name: string; resource_path: string }

let made = 0

/** A value of the catalogue, such as a region. */
export async function makeValue(server: TestServer, property: string, name: unknown): Promise<void> {
  const path = `/preview/v2/admin/sku_properties/${property}/values/${name}`
  await server.ok('PUT', path, { body: { display_name: `${name}` } })
}

/** A SKU with public addresses, in the region `north` if no other is given; region and fabric come with it. */
export async function makeSku(server: TestServer, properties: Record<string, unknown> = {}): Promise<string> {
  const alias = `sku-${process.pid}-${++made}`
  const all = { region: 'north', supports_public_ipv4: true, ...properties }
  await makeValues(server, all)
  return (await server.ok('POST', '/preview/v2/admin/skus', { body: { alias, ...all } })).id
}

/** An image that is complete. */
export async function makeImage(server: TestServer, account: TestAccount, workspace?: string): Promise<Made> {
  made += 1
  const body = { name: `image-${process.pid}-${made}`, ...(workspace && { workspace }) }
  return server.ok('POST', '/sandbox/images', { token: account.token, body })
}

/** Capacity of a SKU as {@link makeSku} makes it, and the same SKU once more without any, on which instances wait. */
export async function makeLaunchPad(
  server: TestServer,
  account: TestAccount,
  { properties = {}, ...request }: { properties?: Record<string, unknown>; slots?: number; hosts?: number } = {},
): Promise<Capacity & { cold: string }> {
  const cold = await makeSku(server, properties)
  const sku = { region: 'north', supports_public_ipv4: true, ...properties }
  return { ...(await makeCapacity(server, account, { ...request, sku })), cold }
}

/** The actions that the log tells of an instance, with the type of who did each, oldest first. */
export async function eventsOf(server: TestServer, token: string, id: string): Promise<string[]> {
  const { data } = await server.ok('GET', `/preview/v2/events?limit=200&target=${id}`, { token })
  return data.map(({ action, actor }: { action: string; actor: { type: string } }) => `${action} ${actor.type}`)
}

async function makeValues(server: TestServer, properties: Record<string, unknown>): Promise<void> {
  for (const property of ['region', 'infiniband_fabric']) {
    if (properties[property] !== undefined) await makeValue(server, property, properties[property])
  }
}
