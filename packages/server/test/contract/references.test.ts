import assert from 'node:assert/strict'
import { type IdKind, idPattern, kinds, type PathKind, refPattern } from '@bourse/api/kit/ids.ts'
import { test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { cases } from './cases.ts'
import { goodCall, type NamedEndpoint, operations, send, visible } from './operations.ts'
import { type MadeResource, makeWorld } from './world.ts'

type ReferenceShape = { pattern?: string; items?: ReferenceShape; properties?: Record<string, ReferenceShape> }

const server = await startTestServer()
/** The owner of the resources, and the account that refers to them. */
const owner = await makeWorld(server)
const caller = await makeWorld(server)
const foreign = await makeResources()

/** Creates a resource of the owner for every kind that bodies and filters refer to. */
async function makeResources(): Promise<Partial<Record<IdKind, MadeResource>>> {
  const { make, shared, account, word } = owner
  const [pool, host, template, image] = await Promise.all([
    shared('pool'),
    shared('host'),
    shared('template'),
    make('/sandbox/images', { name: word() }),
  ])
  const { id: sku } = await shared('sku')
  const fleet = { pool: pool.id, sku, instance_template: template.id, target_instance_count: 0 }
  const token = await make('/preview/v2/tokens')
  const policy = { api_version: 'roles/v1', rules: [{ effect: 'allow', actions: { pool: ['read'] } }] }
  return {
    pool,
    host,
    instance_template: template,
    image,
    token,
    workspace: await server.call('get_workspace', { params: { id: account.workspace_id }, token: account.token }),
    user: await make('/preview/v2/users', { email: `${word()}@example.com` }),
    role: await make('/preview/v2/roles', { name: word(), policy }),
    instance: await make('/v2/instances', { pool: pool.id, sku, image: image.id }),
    deployment: await make('/preview/v2/deployments', fleet),
    firewall: await make('/preview/v2/firewalls'),
    subnet: await make('/preview/v2/subnets', { region: 'north' }),
    infiniband_partition: await make('/preview/v2/infiniband_partitions', { infiniband_fabric: 'fabric' }),
  }
}

/** The kind of resource that a field refers to, if any. */
function kindOf({ pattern }: ReferenceShape): IdKind | undefined {
  const all = Object.keys(kinds) as IdKind[]
  return all.find((kind) => {
    const hasPath = kinds[kind].path_segments > 0
    return pattern === idPattern(kind) || (hasPath && pattern === refPattern(kind as PathKind))
  })
}

/** An id and a path of the same form that refer to no resource. */
function absentLike({ id, resource_path }: MadeResource): string[] {
  const gone = (text: string) => text.replace(/[^_:]+$/, (tail) => `x${'0'.repeat(tail.length - 1)}`)
  return resource_path ? [gone(id), gone(resource_path)] : [gone(id)]
}

function spellings({ id, resource_path }: MadeResource): string[] {
  return resource_path ? [id, resource_path] : [id]
}

/** A field that refers to a resource of the owner, and its value for a reference. */
type ReferenceField = { name: string; resource: MadeResource; valueFor(text: string, given: unknown): unknown }

/** Fields refer to a resource directly, by the entries of a list, or inside these entries. */
function referencesIn(properties: Record<string, ReferenceShape> = {}): ReferenceField[] {
  return Object.entries(properties).flatMap(([name, { items, ...own }]) => {
    const ways: [ReferenceShape, ReferenceField['valueFor']][] = [
      [own, (text) => text],
      [items ?? {}, (text) => [text]],
    ]
    for (const [inner, shape] of Object.entries(items?.properties ?? {})) {
      ways.push([shape, (text, given) => [{ ...(given as object[])[0], [inner]: text }]])
    }
    return ways.flatMap(([shape, valueFor]) => {
      const kind = kindOf(shape)
      const resource = kind && foreign[kind]
      return resource ? [{ name, resource, valueFor }] : []
    })
  })
}

/** Asserts that each reference to a resource of another account is treated like one to a missing resource. */
async function assertHidden(
  label: string,
  resource: MadeResource,
  ask: (value: string) => ReturnType<typeof send>,
  status: (got: number) => boolean,
): Promise<void> {
  const [byAbsentId, ...others] = [...absentLike(resource), ...spellings(resource)]
  const wanted = visible(await ask(byAbsentId as string))
  assert.ok(status(wanted.status), `${label}: ${wanted.status} ${wanted.text}`)
  for (const value of others) assert.deepEqual(visible(await ask(value)), wanted, `${label} ${value}`)
}

function isCustomers({ access, name }: NamedEndpoint): boolean {
  return !access.startsWith('platform:') && !cases[name].ends_world
}

test('a body that refers to a resource of another account is refused as if it did not exist', async ({ annotate }) => {
  let fields = 0
  for (const operation of operations.filter((one) => one.body && isCustomers(one))) {
    const shape = operation.body as unknown as ReferenceShape
    for (const { name, resource, valueFor } of referencesIn(shape.properties)) {
      fields += 1
      const { call, token } = await goodCall(caller, operation)
      const given = (call.body ?? {}) as Record<string, unknown>
      const ask = (text: string) =>
        send(server, operation, { ...call, body: { ...given, [name]: valueFor(text, given[name]) } }, token)
      await assertHidden(`${operation.name} ${name}`, resource, ask, (got) => got === 422)
    }
  }
  await annotate(`${fields} fields of bodies`)
  assert.ok(fields >= 25)
})

test('a filter that refers to a resource of another account behaves as if it did not exist', async ({ annotate }) => {
  let fields = 0
  for (const operation of operations.filter((one) => one.method === 'GET' && isCustomers(one))) {
    for (const { name, resource } of referencesIn(operation.query.properties as Record<string, ReferenceShape>)) {
      fields += 1
      const { token } = caller.account
      const ask = (text: string) => send(server, operation, { query: `${name}=${encodeURIComponent(text)}` }, token)
      await assertHidden(`${operation.name} ${name}`, resource, ask, (got) => got === 200)
    }
  }
  await annotate(`${fields} filters`)
  assert.ok(fields >= 25)
})
