import assert from 'node:assert/strict'
import { test } from 'vitest'
import { codeOf } from '../support/access.ts'
import { startTestServer, type TestAccount } from '../support/server.ts'

const server = await startTestServer()
const admin = '/preview/v2/admin/skus'
let made = 0

type ShownSku = { id: string; alias: string; deleted_at?: number; [property: string]: unknown }
type SkuPage = { data: ShownSku[]; has_more: boolean; cursor?: string }

async function makeSku(fields: object = {}): Promise<ShownSku> {
  made += 1
  return server.call('create_sku', { body: { alias: `sku-${made}`, ...fields } })
}

const list = (account: { token: string }, query = ''): Promise<SkuPage> =>
  server.call('list_skus', { query, token: account.token })
const listResponse = (account: { token: string }, query = '') =>
  server.attempt('list_skus', { query, token: account.token })
const overridePath = (account: TestAccount, sku: { id: string }) =>
  `/preview/v2/admin/accounts/${account.id}/sku_overrides/${sku.id}`

async function ownEvents(account: TestAccount): Promise<string[]> {
  const { data } = await server.call('list_events', { query: { target_type: 'instance_sku' }, token: account.token })
  return data.map(({ action, targets }: { action: string; targets: { id: string }[] }) => `${action} ${targets[0]?.id}`)
}

test('a market without SKUs is an empty page without a cursor', async () => {
  assert.deepEqual(await list(await server.account()), { object: 'list', data: [], has_more: false })
})

test('create_sku, put_sku_property_value, list_sku_properties: properties have display names', async () => {
  const account = await server.account()
  await server.call('put_sku_property_value', {
    params: { property: 'region', name: 'eu-north-1' },
    body: { display_name: 'Northern Europe' },
  })
  await server.call('put_sku_property_value', {
    params: { property: 'infiniband_fabric', name: 'fabric-1' },
    body: { display_name: 'Fabric one' },
  })
  const fields = {
    region: 'eu-north-1',
    rdma_type: { value: 'infiniband', display_value: 'NDR' },
    infiniband_fabric: 'fabric-1',
    num_accelerators: 8,
    memory_bytes: 2 ** 41,
    supports_public_ipv4: true,
    flat_fee_dollars_per_node_hour: '0.01',
    price_step_dollars_per_node_hour: '0.0001',
    fee_bps: 25,
  }
  const sku = await makeSku({ ...fields, alias: 'full' })
  const shown = {
    object: 'sku',
    id: sku.id,
    alias: 'full',
    region: { value: 'eu-north-1', display_value: 'Northern Europe' },
    rdma_type: { value: 'infiniband', display_value: 'NDR' },
    infiniband_fabric: 'fabric-1',
    num_accelerators: { value: 8, display_value: '8' },
    memory_bytes: { value: 2 ** 41, display_value: '2 TiB' },
    supports_public_ipv4: { value: true, display_value: 'Yes' },
    price_step_dollars_per_node_hour: '0.000100',
  }
  assert.deepEqual(await server.call('get_sku', { params: { id: sku.id }, token: account.token }), shown)
  assert.deepEqual((await list(account)).data.at(-1), shown)
  const { flat_fee_dollars_per_node_hour, fee_bps, price_step_dollars_per_node_hour, listed } = sku
  const terms = [flat_fee_dollars_per_node_hour, fee_bps, price_step_dollars_per_node_hour, listed]
  assert.deepEqual(terms, ['0.010000', 25, '0.000100', true])
  const { data } = await server.call('list_sku_properties', { token: account.token })
  assert.equal(data.length, 12)
  const rdma = data.find(({ name }) => name === 'rdma_type')
  assert.deepEqual(
    rdma.values.map(({ name }) => name),
    ['infiniband', 'roce'],
  )
})

test('pages are oldest first and work in both directions; a cursor is valid for its list and account', async () => {
  const account = await server.account()
  for (let i = 0; i < 7; i++) await makeSku()
  const whole = (await list(account, '?limit=200')).data.map(({ id }) => id)
  const ids = (page: SkuPage) => page.data.map(({ id }) => id)
  const first = await list(account, '?limit=3')
  const second = await list(account, `?limit=3&starting_after=${first.cursor}`)
  assert.deepEqual([...ids(first), ...ids(second)], whole.slice(0, 6))
  assert.deepEqual([first.has_more, second.has_more], [true, true])
  const back = await list(account, `?limit=2&ending_before=${second.cursor}`)
  assert.deepEqual([ids(back), back.has_more], [whole.slice(1, 3), true])
  const start = await list(account, `?limit=5&ending_before=${second.cursor}`)
  assert.deepEqual([ids(start), start.has_more], [whole.slice(0, 3), false])
  const end = await list(account, `?starting_after=${(await list(account, '?limit=200')).cursor}`)
  assert.deepEqual(end, { object: 'list', data: [], has_more: false })
  const stranger = await server.account()
  const wrong = [
    [account, `?starting_after=${first.cursor}&include_deleted=true`, 400, 'invalid_cursor'],
    [account, `?ending_before=${first.cursor}x`, 400, 'invalid_cursor'],
    [account, '?starting_after=evtc_AAAA', 400, 'invalid_cursor'],
    [stranger, `?starting_after=${first.cursor}`, 400, 'invalid_cursor'],
    [account, `?starting_after=${first.cursor}&ending_before=${first.cursor}`, 422, 'mutually_exclusive'],
    [account, '?limit=0', 400, 'out_of_range'],
    [account, '?limit=201', 400, 'out_of_range'],
    [account, '?include_deleted=yes', 400, 'invalid_type'],
    [account, '?colour=red', 400, 'unknown_field'],
  ] as const
  for (const [caller, query, status, code] of wrong) {
    const response = await listResponse(caller, query)
    assert.deepEqual([query, response.status, codeOf(response)], [query, status, code])
  }
})

test('retire_sku removes a SKU from the list only; restore_sku lists it again', async () => {
  const account = await server.account()
  const sku = await makeSku()
  const { cursor } = await list(account, '?limit=200')
  await server.call('retire_sku', { params: { id: sku.id } })
  assert.equal(
    (await list(account, '?limit=200')).data.some(({ id }) => id === sku.id),
    false,
  )
  const all = await list(account, '?limit=200&include_deleted=true')
  const retired = all.data.find(({ id }) => id === sku.id) as ShownSku
  assert.equal(typeof retired.deleted_at, 'number')
  assert.deepEqual(await server.call('get_sku', { params: { id: sku.id }, token: account.token }), retired)
  assert.deepEqual((await list(account, `?starting_after=${cursor}`)).data, [])
  assert.equal((await server.attempt('retire_sku', { params: { id: sku.id } })).status, 404)
  const heir = await makeSku({ alias: sku.alias })
  assert.equal(codeOf(await server.attempt('restore_sku', { params: { id: sku.id } })), 'alias_taken')
  await server.call('update_sku', { params: { id: heir.id }, body: { alias: `${sku.alias}-heir` } })
  await server.call('restore_sku', { params: { id: sku.id } })
  assert.equal(codeOf(await server.attempt('restore_sku', { params: { id: sku.id } })), 'invalid_state')
  assert.equal(
    (await list(account, '?limit=200')).data.some(({ id }) => id === sku.id),
    true,
  )
})

test('a change by update_sku is in the next list', async () => {
  const account = await server.account()
  const sku = await makeSku({ num_vcpus: 8 })
  await list(account, '?limit=200')
  await server.call('update_sku', { params: { id: sku.id }, body: { num_vcpus: 16, memory_bytes: 1024 } })
  const shown = async () => (await list(account, '?limit=200')).data.find(({ id }) => id === sku.id)
  assert.deepEqual((await shown())?.num_vcpus, { value: 16, display_value: '16' })
  await server.call('update_sku', { params: { id: sku.id }, body: { num_vcpus: null } })
  assert.equal((await shown())?.num_vcpus, undefined)
  assert.deepEqual((await shown())?.memory_bytes, { value: 1024, display_value: '1 KiB' })
})

test('put_sku_override, list_sku_overrides, delete_sku_override apply to one account and emit its events', async () => {
  const [account, other] = [await server.account(), await server.account()]
  const sku = await makeSku({ num_vcpus: 8, memory_bytes: 1024 })
  const vcpus = async ({ token }: TestAccount) => {
    const one = await server.call('get_sku', { params: { id: sku.id }, token })
    const listed = (await list({ token }, '?limit=200')).data.find(({ id }) => id === sku.id)
    assert.deepEqual(listed, one)
    return one.num_vcpus.value
  }
  assert.equal(await vcpus(account), 8)
  const override = await server.call('put_sku_override', {
    params: { account: account.id, sku: sku.id },
    body: { num_vcpus: 4 },
  })
  assert.deepEqual(override, {
    object: 'sku_override',
    account: account.id,
    sku: { object: 'sku', id: sku.id, alias: sku.alias },
    properties: { num_vcpus: { value: 4, display_value: '4' } },
    updated_at: override.updated_at,
  })
  assert.deepEqual([await vcpus(account), await vcpus(other)], [4, 8])
  await server.call('put_sku_override', { params: { account: account.id, sku: sku.id }, body: { num_vcpus: 4 } })
  assert.deepEqual(await ownEvents(account), [`instance_sku_override.updated ${sku.id}`])
  await server.call('put_sku_override', { params: { account: account.id, sku: sku.id }, body: { memory_bytes: 512 } })
  assert.equal(await vcpus(account), 8)
  const overrides = await server.call('list_sku_overrides', { params: { account: account.id } })
  assert.deepEqual(
    overrides.data.map(({ properties }) => Object.keys(properties)),
    [['memory_bytes']],
  )
  await server.call('delete_sku_override', { params: { account: account.id, sku: sku.id } })
  assert.equal(
    (await server.attempt('delete_sku_override', { params: { account: account.id, sku: sku.id } })).status,
    404,
  )
  const [updated, deleted] = ['instance_sku_override.updated', 'instance_sku_override.deleted']
  assert.deepEqual(
    await ownEvents(account),
    [updated, updated, deleted].map((action) => `${action} ${sku.id}`),
  )
  assert.deepEqual(await ownEvents(other), [])
})

test('update_sku refuses to promise less than an override of an account, and names the accounts', async () => {
  const [one, other] = [await server.account(), await server.account()]
  const sku = await makeSku({ num_vcpus: 8, memory_bytes: 4096 })
  await server.call('put_sku_override', { params: { account: one.id, sku: sku.id }, body: { memory_bytes: 2048 } })
  await server.call('put_sku_override', {
    params: { account: other.id, sku: sku.id },
    body: { memory_bytes: 512, num_vcpus: 8 },
  })
  const change = (body: object) => server.attempt('update_sku', { params: { id: sku.id }, body })
  const refused = await change({ memory_bytes: 1024 })
  assert.equal(refused.status, 409, refused.text)
  const [detail, ...more] = refused.body.error.details
  assert.deepEqual([detail.code, detail.field, more], ['in_use', 'memory_bytes', []])
  assert.match(detail.message, new RegExp(`promises the account ${one.id} something else`))
  assert.match(refused.body.error.message, /promise something else/)
  assert.equal((await change({ num_vcpus: 4 })).body.error.details[0].field, 'num_vcpus')
  assert.equal((await change({ memory_bytes: 2048, num_vcpus: 8, region: null })).status, 200)
  await server.call('delete_sku_override', { params: { account: one.id, sku: sku.id } })
  assert.equal((await change({ memory_bytes: 1024 })).status, 200)
})

test('an unlisted SKU is visible to an account with an override of it, and not to others', async () => {
  const [account, other] = [await server.account(), await server.account()]
  const sku = await makeSku({ listed: false, num_vcpus: 2 })
  const sees = async ({ token }: TestAccount) => {
    const isListed = (await list({ token }, '?limit=200')).data.some(({ id }) => id === sku.id)
    const { status } = await server.attempt('get_sku', { params: { id: sku.id }, token })
    assert.equal(status, isListed ? 200 : 404)
    return isListed
  }
  assert.deepEqual([await sees(account), await sees(other)], [false, false])
  await server.call('put_sku_override', { params: { account: account.id, sku: sku.id }, body: { num_vcpus: 1 } })
  assert.deepEqual([await sees(account), await sees(other)], [true, false])
  await server.call('update_sku', { params: { id: sku.id }, body: { listed: true } })
  assert.deepEqual([await sees(account), await sees(other)], [true, true])
})

test('invalid administration requests are refused', async () => {
  const sku = await makeSku()
  const account = await server.account()
  const wrong = [
    ['POST', admin, { alias: sku.alias }, 409, 'alias_taken'],
    ['POST', admin, { region: 'nowhere' }, 422, 'reference_not_found'],
    ['POST', admin, { infiniband_fabric: 'fabric-1' }, 422, 'not_applicable'],
    ['POST', admin, { num_vcpus: 'many' }, 400, 'invalid_type'],
    ['POST', admin, { fee_bps: 10_001 }, 400, 'out_of_range'],
    ['POST', admin, { colour: 'red' }, 400, 'unknown_field'],
    ['PATCH', `${admin}/sku_none`, { num_vcpus: 1 }, 404, 'not_found'],
    ['PUT', '/preview/v2/admin/sku_properties/num_vcpus/values/8', { display_name: 'Eight' }, 404, 'not_found'],
    ['PUT', `/preview/v2/admin/accounts/nobody-here/sku_overrides/${sku.id}`, { num_vcpus: 1 }, 404, 'not_found'],
    ['PUT', overridePath(account, { id: 'sku_none' }), { num_vcpus: 1 }, 404, 'not_found'],
    ['PUT', overridePath(account, sku), {}, 400, 'required'],
  ] as const
  for (const [method, at, body, status, code] of wrong) {
    const response = await server.request(method, at, { body })
    assert.deepEqual([at, body, response.status, codeOf(response)], [at, body, status, code])
  }
  assert.equal((await server.attempt('create_sku', { token: account.token, body: {} })).status, 404)
  assert.equal((await server.attempt('list_skus', { token: null })).status, 401)
})
