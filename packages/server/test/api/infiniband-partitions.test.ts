/** What only InfiniBand partitions have: their fabrics. network-resources.test.ts has the rest. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeValue } from '../support/fixtures/fleet.ts'
import { idsOf, refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const account = await server.account()
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

test('a list filters by fabric', async () => {
  const workspace = await makeWorkspace()
  const one = await make({ workspace })
  const two = await make({ workspace, infiniband_fabric: 'fabric-b' })
  await make({ infiniband_fabric: 'fabric-b' }, (await server.account()).token)
  assert.deepEqual(await idsOf(place, 'infiniband_fabric=fabric-b'), [two.id])
  assert.deepEqual(await idsOf(place, `infiniband_fabric=fabric-a&workspace=${workspace}`), [one.id])
  assert.deepEqual(await idsOf(place, 'infiniband_fabric=none'), [])
})
