import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeToken } from '../support/access.ts'
import { makeCapacity } from '../support/fixtures/capacity.ts'
import { makeValue } from '../support/fixtures/fleet.ts'
import {
  assertInUse,
  assertKeys,
  assertNameRule,
  assertPages,
  assertRights,
  assertTagFilters,
  assertTags,
  idsOf,
  refusalOf,
} from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const account = await server.account({ trust_level: 'partner' })
const { token } = account
const path = '/preview/v2/infiniband_partitions'
const place = { server, token, path }
const infiniband_fabric = 'fabric-a'

/** Creates a fabric by creating a SKU with it. */
async function makeFabric(name: string, sku: object = {}): Promise<string> {
  await makeValue(server, 'infiniband_fabric', name)
  const body = { rdma_type: 'infiniband', infiniband_fabric: name, ...sku }
  return (await server.call('create_sku', { body })).id
}

await makeFabric(infiniband_fabric)
await makeFabric('fabric-b')

function make(body: object = {}, by = token) {
  return server.call('create_infiniband_partition', { token: by, body: { infiniband_fabric, ...body } })
}

function ask(body: object, by = token) {
  return server.attempt('create_infiniband_partition', { token: by, body: { infiniband_fabric, ...body } })
}

async function makeWorkspace(): Promise<string> {
  return (await server.call('create_workspace', { token, body: {} })).id
}

test('a partition is created with all fields and read by its id and by its path', async () => {
  const made = await make({ name: 'ring', tags: { team: 'blue' } })
  const me = await server.call('get_account', { token })
  assert.deepEqual(made, {
    object: 'infiniband_partition',
    id: made.id,
    resource_path: `svc:infiniband_partition:${account.id}:default:ring`,
    workspace: me.workspace,
    name: 'ring',
    infiniband_fabric,
    tags: { team: 'blue' },
    created_at: made.created_at,
    updated_at: made.created_at,
  })
  assert.match(made.id, /^ibpart_[0-9a-zA-Z_-]{21}$/)
  for (const ref of [made.id, made.resource_path]) {
    assert.deepEqual(await server.call('get_infiniband_partition', { params: { id: ref }, token }), made)
  }
})

test('create_infiniband_partition requires a fabric of a SKU that is visible to the caller', async () => {
  const missing = await server.attempt('create_infiniband_partition', { token, body: {} })
  assert.deepEqual(refusalOf(missing), [400, 'required', 'infiniband_fabric'])
  for (const [wrong, code] of [
    ['', 'invalid_format'],
    ['a b', 'invalid_format'],
    [null, 'invalid_type'],
  ] as const) {
    assert.deepEqual(refusalOf(await ask({ infiniband_fabric: wrong })), [400, code, 'infiniband_fabric'])
  }
  const retired = await makeFabric('fabric-retired')
  await server.call('retire_sku', { params: { id: retired } })
  const unlisted = await makeFabric('fabric-unlisted', { listed: false })
  for (const fabric of ['fabric-none', 'Fabric-a', 'fabric-retired', 'fabric-unlisted']) {
    const response = await ask({ infiniband_fabric: fabric })
    assert.deepEqual(refusalOf(response), [422, 'fabric_not_found', 'infiniband_fabric'], fabric)
  }
  await server.call('put_sku_override', { params: { account: account.id, sku: unlisted }, body: { num_vcpus: 8 } })
  assert.equal((await make({ infiniband_fabric: 'fabric-unlisted' })).infiniband_fabric, 'fabric-unlisted')
})

test('names are validated and unique in a workspace', async () => {
  await assertNameRule(place, 'POST', { infiniband_fabric })
  const made = await make()
  assert.match(made.name, /^[a-z]+-[a-z]+-[0-9a-zA-Z]{6}$/)
  await assertNameRule({ ...place, path: `${path}/${made.id}` }, 'PATCH', {})
  await make({ name: 'taken' })
  assert.deepEqual(refusalOf(await ask({ name: 'taken' })), [409, 'name_taken', 'name'])
  const renamed = await server.attempt('update_infiniband_partition', {
    params: { id: made.id },
    token,
    body: { name: 'taken' },
  })
  assert.deepEqual(refusalOf(renamed), [409, 'name_taken', 'name'])
  await make({ name: 'Taken' })
  await make({ name: 'taken', workspace: await makeWorkspace() })
})

test('update_infiniband_partition changes only name and tags', async () => {
  const made = await make({ name: 'before' })
  await server.advance(5)
  const renamed = await server.call('update_infiniband_partition', {
    params: { id: made.resource_path },
    token,
    body: { name: 'after' },
  })
  const resource_path = `svc:infiniband_partition:${account.id}:default:after`
  assert.deepEqual(renamed, { ...made, name: 'after', resource_path, updated_at: renamed.updated_at })
  assert.ok(renamed.updated_at >= made.updated_at + 5)
  assert.equal(
    (await server.attempt('get_infiniband_partition', { params: { id: made.resource_path }, token })).status,
    404,
  )
  const moved = await server.attempt('update_infiniband_partition', {
    params: { id: made.id },
    token,
    body: { infiniband_fabric: 'fabric-b' },
  })
  assert.deepEqual(refusalOf(moved), [400, 'unknown_field', 'infiniband_fabric'])
})

test('tags are validated', async () => {
  await assertTags(place, { infiniband_fabric })
})

test('delete_infiniband_partition is 204 once and frees the name', async () => {
  for (const by of ['id', 'resource_path'] as const) {
    const made = await make({ name: 'passing' })
    const gone = await server.attempt('delete_infiniband_partition', { params: { id: made[by] }, token })
    assert.deepEqual([gone.status, gone.text], [204, ''])
    for (const method of ['DELETE', 'GET', 'PATCH']) {
      const body = method === 'PATCH' ? { body: {} } : {}
      assert.equal((await server.request(method, `${path}/${made.id}`, { token, ...body })).status, 404, method)
    }
  }
  const response = await server.attempt('delete_infiniband_partition', { params: { id: 'snet_abc' }, token })
  assert.deepEqual(refusalOf(response), [400, 'invalid_format', 'id'])
})

test('a partition cannot be deleted while a template or a living instance refers to it', async () => {
  const { sku, pool, image } = await makeCapacity(server, account, {
    sku: { rdma_type: 'infiniband', infiniband_fabric },
  })
  const fields = (id: string) => ({ _preview_infiniband_partition: id })
  await assertInUse(place, { fields, sku, pool, image }, () => make(), 'in_use')
})

test('concurrent creations of partitions on one fabric all succeed', async () => {
  const workspace = await makeWorkspace()
  const made = await Promise.all(Array.from({ length: 8 }, () => make({ workspace })))
  const ids = await idsOf(place, `workspace=${workspace}`)
  assert.deepEqual(ids.sort(), made.map(({ id }) => id).sort())
})

test('list_infiniband_partitions is newest first and works in both directions', async () => {
  const workspace = await makeWorkspace()
  const ids: string[] = []
  for (let count = 0; count < 5; count++) ids.unshift((await make({ workspace })).id)
  await assertPages(place, ids, `workspace=${workspace}`)
})

test('a list filters by workspace, ids, paths, fabric and tags', async () => {
  const workspace = await makeWorkspace()
  const one = await make({ workspace })
  const two = await make({ workspace, infiniband_fabric: 'fabric-b' })
  const stranger = await make({}, (await server.account()).token)
  const absent = `id=ibpart_absent&id=${stranger.id}&id=${stranger.resource_path}`
  assert.deepEqual(await idsOf(place, `id=${one.id}&id=${two.resource_path}&${absent}`), [two.id, one.id])
  assert.deepEqual(await idsOf(place, absent), [])
  assert.deepEqual(await idsOf(place, 'infiniband_fabric=fabric-b'), [two.id])
  assert.deepEqual(await idsOf(place, `infiniband_fabric=fabric-a&workspace=${workspace}`), [one.id])
  assert.deepEqual(await idsOf(place, 'infiniband_fabric=none'), [])
  assert.deepEqual(await idsOf(place, `workspace=${stranger.workspace.id}`), [])
  await assertTagFilters(place, (tags) => make({ tags }))
})

test('an idempotency key creates one partition', async () => {
  await assertKeys(place, account, { infiniband_fabric }, { infiniband_fabric: 'fabric-b' })
})

test('each operation needs its verb; without any verb the partition is 404', async () => {
  const at = `${path}/${(await make()).id}`
  await assertRights(server, account, 'infiniband_partition', {
    create_infiniband_partition: { method: 'POST', path, body: { infiniband_fabric }, verb: 'create' },
    list_infiniband_partitions: { method: 'GET', path, verb: 'list' },
    get_infiniband_partition: { method: 'GET', path: at, verb: 'read' },
    update_infiniband_partition: { method: 'PATCH', path: at, body: {}, verb: 'write' },
    delete_infiniband_partition: { method: 'DELETE', path: at, verb: 'delete' },
  })
})

test('a partition cannot be created in a workspace that is invisible to the caller', async () => {
  const local = await makeToken(server, account, { infiniband_partition: ['*'] })
  for (const [by, workspace] of [
    [token, 'wksp_absent'],
    [token, (await server.account()).workspace_id],
    [local.token, await makeWorkspace()],
  ] as const) {
    assert.deepEqual(refusalOf(await ask({ workspace }, by)), [422, 'reference_not_found', 'workspace'])
  }
})

test('the limit of partitions is enforced and does not count deleted ones', async () => {
  const { token } = await server.account({ trust_level: 'untrusted' })
  const made = await make({}, token)
  assert.deepEqual(refusalOf(await ask({}, token)), [422, 'limit_exceeded', null])
  await server.call('delete_infiniband_partition', { params: { id: made.id }, token })
  await make({}, token)
})
