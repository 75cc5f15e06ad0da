import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makePerson } from '../support/fixtures/people.ts'
import { startTestServer } from '../support/server.ts'
import { filteredRows } from './filtered-rows.ts'
import type { FilterRows } from './market-rows.ts'
import { type NamedEndpoint, operations, sums } from './operations.ts'
import { makeWorld } from './world.ts'

type EnumParameter = { enum?: unknown[] }
type ParameterPage = { data: { id: string }[]; has_more: boolean; cursor: string }

const server = await startTestServer()
const world = await makeWorld(server)
const lists = operations.filter(({ name, query }) => 'limit' in query.properties && !sums.has(name))
const tried = new Set<string>()

/** Reads a list with one parameter, and records that the parameter was tested. */
async function read(
  { name, path }: Pick<NamedEndpoint, 'name' | 'path'>,
  token: string,
  parameters: Record<string, string>,
): Promise<ParameterPage> {
  for (const parameter of Object.keys(parameters)) tried.add(`${name} ${parameter}`)
  return server.ok('GET', `${path}?${new URLSearchParams(parameters)}`, { token })
}

async function assertFilters(operation: NamedEndpoint, rows: FilterRows, token: string): Promise<void> {
  const { wanted, other, selects, rejects = {}, adds = {}, empties = {} } = rows
  const shown = async (parameters: Record<string, string> = {}) => {
    const { data } = await read(operation, token, { limit: '200', ...parameters })
    const ids = data.map(({ id }) => id)
    return { wanted: ids.includes(wanted), other: ids.includes(other) }
  }
  const isHidden = Object.keys(adds).length > 0
  assert.deepEqual(await shown(), { wanted: !isHidden, other: true }, operation.name)
  for (const [values, expected] of [
    [selects, { wanted: true, other: false }],
    [rejects, { wanted: false, other: true }],
    [adds, { wanted: true, other: true }],
    [empties, { wanted: false, other: false }],
  ] as const) {
    for (const [parameter, value] of Object.entries(values)) {
      assert.deepEqual(await shown({ [parameter]: value }), expected, `${operation.name} ${parameter}=${value}`)
    }
  }
}

/** The rows of a page, by id if they have one, because a reporting host changes between two reads. */
function rowsOf({ data }: ParameterPage): unknown[] {
  return data.map((row) => row.id ?? row)
}

async function assertPaging(operation: NamedEndpoint, token: string): Promise<void> {
  const whole = await read(operation, token, {})
  assert.ok(whole.data.length >= 2, operation.name)
  const first = await read(operation, token, { limit: '1' })
  assert.deepEqual([rowsOf(first), first.has_more], [rowsOf(whole).slice(0, 1), true], operation.name)
  const second = await read(operation, token, { limit: '1', starting_after: first.cursor })
  assert.deepEqual(rowsOf(second), rowsOf(whole).slice(1, 2), operation.name)
  if (!('ending_before' in operation.query.properties)) return
  const back = await read(operation, token, { limit: '1', ending_before: second.cursor })
  assert.deepEqual([rowsOf(back), back.has_more], [rowsOf(first), false], operation.name)
}

for (const operation of lists) {
  test(`each parameter of ${operation.name} changes its result`, async () => {
    const make = filteredRows[operation.name]
    assert.ok(make, `${operation.name} has no rows in filtered-rows.ts`)
    const rows = await make(world)
    const token = rows.token ?? world.account.token
    const placed = { ...operation, path: rows.path ?? operation.path }
    await assertFilters(placed, rows, token)
    await assertPaging(placed, token)
  })
}

test('the history of a pool has the requested length', async () => {
  await server.call('freeze_clock')
  const { pool } = (await world.shared('host')) as unknown as { pool: { id: string } }
  await server.advance(600)
  for (const [name, at, token] of [
    ['get_pool', `/v2/pools/${pool.id}?`, world.account.token],
    ['list_pools', `/v2/pools?id=${pool.id}&`, world.account.token],
    ['list_platform_pools', `/preview/v2/admin/pools?id=${pool.id}&`, world.platform.token],
  ] as const) {
    const start = async (minutes: number) => {
      tried.add(`${name} schedule_history_minutes`)
      const got = await server.ok('GET', `${at}schedule_history_minutes=${minutes}`, { token })
      return (got.data?.[0] ?? got).allocation_schedule.total[0].start_at
    }
    assert.equal((await start(0)) - (await start(5)), 300, name)
  }
  await server.call('resume_clock')
})

/** An order that a procurement places. */
async function makeManagedOrder(): Promise<string> {
  const { account, make, operate } = world
  const grant = { type: 'credit_grant', amount_dollars: '100.000000', description: 'For a procurement.' }
  await operate('POST', `/preview/v2/admin/accounts/${account.id}/transactions`, grant)
  const [pool, sku] = [await make('/v2/pools'), await operate('POST', '/preview/v2/admin/skus', {})]
  const prices = {
    min_sell_price_dollars_per_node_hour: '1.000000',
    max_buy_price_dollars_per_node_hour: '0.060000',
  }
  const body = { pool: pool.id, sku: sku.id, target: 1, managed_window_minutes: 1, ...prices }
  const { id } = await make('/preview/v2/procurements', body)
  await server.settle()
  const { data } = await server.call('list_orders', {
    query: { procurement: id, include_managed: true },
    token: account.token,
  })
  return data[0].id
}

test('orders have the requested sorting, and orders of automations are excluded by default', async () => {
  const managed = await makeManagedOrder()
  for (const [name, path, token, keys] of [
    ['list_orders', '/v2/orders', world.account.token, ['created_at', 'start_at']],
    ['list_platform_orders', '/preview/v2/admin/orders', world.platform.token, ['created_at']],
  ] as const) {
    for (const parameter of ['sort_by', 'include_managed']) tried.add(`${name} ${parameter}`)
    const ids = async (query: string): Promise<string[]> => {
      const { data } = await server.ok('GET', `${path}?limit=200&${query}`, { token })
      return data.map(({ id }: { id: string }) => id)
    }
    const newest = await ids('')
    assert.ok(newest.length > 1)
    assert.deepEqual(await ids('sort_by=created_at'), newest.toReversed(), name)
    for (const key of keys) {
      assert.deepEqual(await ids(`sort_by=${key}`), (await ids(`sort_by=-${key}`)).toReversed(), name)
    }
    assert.deepEqual(newest.includes(managed), false, name)
    const all = await ids('include_managed=true')
    assert.ok(all.includes(managed), name)
    assert.deepEqual(
      newest.filter((id) => !all.includes(id)),
      [],
      name,
    )
  }
})

test('the operator’s list has retired SKUs on request', async () => {
  tried.add('list_platform_skus include_deleted')
  const path = '/preview/v2/admin/skus'
  const { id } = await world.operate('POST', path, {})
  await world.operate('DELETE', `${path}/${id}`)
  const found = async (include_deleted?: boolean) =>
    (await server.call('list_platform_skus', { query: { id: [id], include_deleted } })).data.length
  assert.deepEqual([await found(), await found(true)], [0, 1])
})

test('names are those of the ids that were asked for', async () => {
  tried.add('list_names ids')
  const { token } = world.account
  const [sku, pool] = await Promise.all([world.shared('sku'), world.shared('pool')])
  const found = async (...ids: string[]) => {
    return (await server.call('list_names', { query: { ids }, token })).data.map(({ id }) => id)
  }
  assert.deepEqual([await found(), await found(pool.id)], [[], [pool.id]])
  assert.deepEqual((await found(pool.id, sku.id)).sort(), [pool.id, sku.id].sort())
})

test('permissions are returned for the requested principal', async () => {
  const { token } = world.account
  const { id } = await world.make('/preview/v2/tokens')
  for (const name of ['principal_type', 'principal_id']) tried.add(`get_permissions ${name}`)
  const own = await server.call('get_permissions', { token })
  const others = await server.call('get_permissions', { query: { principal_type: 'token', principal_id: id }, token })
  assert.notDeepEqual(others, own)
  for (const half of ['principal_type=token', `principal_id=${id}`]) {
    assert.equal((await server.attempt('get_permissions', { query: half, token })).status, 400)
  }
})

test('a cascade ends what the token made, and no cascade does not', async () => {
  tried.add('delete_token cascade')
  const path = '/preview/v2/tokens'
  for (const [cascade, status] of [
    [false, 200],
    [true, 404],
  ] as const) {
    const parent = await world.make(path, { roles: ['role_admin'] })
    const child = await server.call('create_token', { token: parent.token, body: {} })
    await server.call('delete_token', { params: { id: parent.id }, query: { cascade }, token: world.account.token })
    assert.equal(
      (await server.attempt('get_token', { params: { id: child.id }, token: world.account.token })).status,
      status,
    )
  }
})

test('a cascade ends what was made in the sessions of a user, and no cascade does not', async () => {
  tried.add('end_user_sessions cascade')
  for (const [cascade, status] of [
    [false, 200],
    [true, 404],
  ] as const) {
    const person = await makePerson(server, world.account, 'role_admin')
    const made = await server.call('create_token', { token: person.token, body: {} })
    await server.call('end_user_sessions', {
      params: { id: person.user },
      query: { cascade },
      token: world.account.token,
    })
    const { token } = world.account
    assert.equal((await server.attempt('get_token', { params: { id: made.id }, token })).status, status)
  }
})

test('freezing an account ends the sessions of its people, or does not', async () => {
  tried.add('freeze_account end_sessions')
  const account = await server.account()
  const { token } = await makePerson(server, account, 'role_admin')
  const { token: me } = await server.call('get_account', { token })
  for (const [end_sessions, status] of [
    [false, 200],
    [true, 404],
  ] as const) {
    await server.call('freeze_account', { params: { account: account.id }, query: { end_sessions } })
    const shown = await server.attempt('get_token', { params: { id: me.id }, token: account.token })
    assert.equal(shown.status, status)
  }
})

test('every parameter of the contract was tested, or has only one value', () => {
  const left = operations
    .filter(({ name }) => !sums.has(name))
    .flatMap(({ name, query }) =>
      Object.entries(query.properties as Record<string, EnumParameter>)
        .filter(([parameter, own]) => !tried.has(`${name} ${parameter}`) && own.enum?.length !== 1)
        .map(([parameter]) => `${name} ${parameter}`),
    )
  assert.deepEqual(left, [])
})
