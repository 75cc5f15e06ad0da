import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeToken, platformAccount } from '../support/access.ts'
import { assertNameRule, assertPages, assertRights, idsOf, refusalOf } from '../support/resources.ts'
import { startTestServer, type TestAccount } from '../support/server.ts'

const server = await startTestServer()
// Schedules have whole minutes. With a frozen clock, tests can use exact ones.
await server.call('freeze_clock')
const platform = await platformAccount(server)
const account = await server.account()
const { token } = account
const path = '/v2/pools'
const administration = '/preview/v2/admin/pools'
const place = { server, token, path }
const { id: sku } = await server.call('create_sku', { body: { num_vcpus: 8 } })
const supply = await feed(platform, sku, 20, 5)

/** Adds simulated hosts of an account and returns their supply pool. */
async function feed(owner: TestAccount, sku: string, count: number, slots: number): Promise<{ id: string }> {
  const { data } = await server.call('create_simulated_hosts', { token: owner.token, body: { sku, count, slots } })
  return data[0].pool
}

async function minuteAhead(minutes: number): Promise<number> {
  const { now } = await server.call('get_clock')
  return now - (now % 60) + minutes * 60
}

async function request(changes: object = {}) {
  const allocation_schedule = [{ start_at: await minuteAhead(1), end_at: await minuteAhead(2), node_count: 1 }]
  return {
    account: account.id,
    workspace: account.workspace_id,
    from_pool: supply.id,
    sku,
    allocation_schedule,
    ...changes,
  }
}

async function ask(changes: object = {}) {
  return server.attempt('create_read_only_pool', { body: await request(changes) })
}

async function grant(changes: object = {}) {
  return server.call('create_read_only_pool', { body: await request(changes) })
}

async function scheduleOf(id: string, query = '', by = token): Promise<unknown[]> {
  const pool = await server.call('get_pool', { params: { id }, query, token: by })
  assert.deepEqual(pool.allocation_schedule.by_sku[sku] ?? [], pool.allocation_schedule.total)
  return pool.allocation_schedule.total
}

test('the first host of a workspace creates its supply pool, which has each slot from the next minute on', async () => {
  const owner = await server.account()
  const { id } = await feed(owner, sku, 2, 3)
  const first = [{ start_at: await minuteAhead(1), end_at: null, node_count: 6 }]
  const me = await server.call('get_account', { token: owner.token })
  assert.deepEqual(await server.call('get_pool', { params: { id }, token: owner.token }), {
    object: 'pool',
    id,
    resource_path: `svc:pool:${owner.id}:default:supply`,
    workspace: me.workspace,
    name: 'supply',
    kind: 'originating',
    allocation_schedule: { total: first, by_sku: { [sku]: first } },
    procurements: [],
    deployments: [],
    tags: null,
    created_at: (await server.call('get_clock')).now,
  })
  assert.match(id, /^pool_[0-9a-zA-Z_-]{21}$/)
  await server.advance(120)
  const other = await server.call('create_sku', { body: { num_vcpus: 4 } })
  assert.equal((await feed(owner, sku, 1, 4)).id, id)
  await feed(owner, other.id, 1, 1)
  const pool = await server.call('get_pool', {
    params: { id: `svc:pool:${owner.id}:default:supply` },
    token: owner.token,
  })
  const [now, next] = [await minuteAhead(0), await minuteAhead(1)]
  const steps = (counts: [number, number | null, number][]) =>
    counts.map(([start_at, end_at, node_count]) => ({ start_at, end_at, node_count }))
  assert.deepEqual(pool.allocation_schedule, {
    total: steps([
      [now, next, 6],
      [next, null, 11],
    ]),
    by_sku: {
      [sku]: steps([
        [now, next, 6],
        [next, null, 10],
      ]),
      [other.id]: steps([[next, null, 1]]),
    },
  })
})

test('create_read_only_pool moves the whole requested allocation out of a supply pool, or none', async () => {
  const owner = await server.account()
  const { id: from_pool } = await feed(owner, sku, 1, 10)
  const [start_at, middle, end_at] = [await minuteAhead(1), await minuteAhead(5), await minuteAhead(9)]
  const made = await grant({
    from_pool,
    name: 'gift',
    allocation_schedule: [
      { start_at, node_count: 4 },
      { start_at: middle, end_at, node_count: 7 },
    ],
  })
  const me = await server.call('get_account', { token })
  assert.deepEqual(
    [made.kind, made.name, made.resource_path, made.workspace, made.tags],
    ['read_only', 'gift', `svc:pool:${account.id}:default:gift`, me.workspace, null],
  )
  const granted = [
    { start_at, end_at: middle, node_count: 4 },
    { start_at: middle, end_at, node_count: 7 },
  ]
  assert.deepEqual(await scheduleOf(made.id), granted)
  assert.deepEqual(await server.call('get_pool', { params: { id: made.resource_path }, token }), made)
  const left = [
    { start_at, end_at: middle, node_count: 6 },
    { start_at: middle, end_at, node_count: 3 },
    { start_at: end_at, end_at: null, node_count: 10 },
  ]
  assert.deepEqual(await scheduleOf(from_pool, '', owner.token), left)
  const tooMuch = [{ start_at, end_at, node_count: 4 }]
  const refused = await ask({ from_pool, allocation_schedule: tooMuch })
  assert.deepEqual(refusalOf(refused), [422, 'insufficient_allocation', 'allocation_schedule'])
  assert.deepEqual(await scheduleOf(from_pool, '', owner.token), left)
  await grant({
    from_pool: `svc:pool:${owner.id}:default:supply`,
    allocation_schedule: [{ start_at: end_at, end_at: null, node_count: 10 }],
  })
  assert.deepEqual(await scheduleOf(from_pool, '', owner.token), left.slice(0, 2))
})

test('16 concurrent grants out of one pool do not exceed its allocation', async () => {
  const owner = await server.account()
  const { id: from_pool } = await feed(owner, sku, 1, 10)
  const start_at = await minuteAhead(1)
  const allocation_schedule = [{ start_at, end_at: null, node_count: 3 }]
  const responses = await Promise.all(Array.from({ length: 16 }, () => ask({ from_pool, allocation_schedule })))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 201, 201, ...Array(13).fill(422)])
  assert.deepEqual(await scheduleOf(from_pool, '', owner.token), [{ start_at, end_at: null, node_count: 1 }])
})

test('each entry of a schedule is validated', async () => {
  const [now, one, two, three] = (await Promise.all([0, 1, 2, 3].map(minuteAhead))) as [number, number, number, number]
  const entry = { start_at: one, end_at: two, node_count: 1 }
  for (const [allocation_schedule, status, code, field] of [
    [[], 400, 'required', ''],
    [[{ ...entry, start_at: one + 1 }], 400, 'not_aligned', '.0.start_at'],
    [[{ ...entry, end_at: two + 30 }], 400, 'not_aligned', '.0.end_at'],
    [[{ ...entry, end_at: one }], 400, 'invalid_range', '.0.end_at'],
    [[{ ...entry, end_at: now }], 400, 'invalid_range', '.0.end_at'],
    [[{ start_at: one, node_count: 1 }], 400, 'required', '.0.end_at'],
    [
      [
        { ...entry, end_at: null },
        { ...entry, start_at: two, end_at: three },
      ],
      400,
      'invalid_range',
      '.0.end_at',
    ],
    [
      [
        { ...entry, end_at: three },
        { ...entry, start_at: two, end_at: three },
      ],
      400,
      'invalid_range',
      '.0.end_at',
    ],
    [[entry, entry], 400, 'invalid_range', '.0.end_at'],
    [[{ start_at: two, node_count: 1 }, entry], 400, 'invalid_range', '.0.start_at'],
    [[{ ...entry, node_count: -1 }], 400, 'out_of_range', '.0.node_count'],
    [[{ ...entry, node_count: 1_000_001 }], 400, 'out_of_range', '.0.node_count'],
    [[{ ...entry, node_count: '1' }], 400, 'invalid_type', '.0.node_count'],
    [[{ ...entry, nodes: 1 }], 400, 'unknown_field', '.0.nodes'],
    [[{ ...entry, node_count: 0 }], 400, 'out_of_range', ''],
    [
      Array.from({ length: 501 }, (_, i) => ({ start_at: one + i * 60, end_at: null, node_count: 1 })),
      400,
      'too_many',
      '',
    ],
    [[{ ...entry, start_at: now - 60 }], 422, 'in_the_past', ''],
  ] as const) {
    const response = await ask({ allocation_schedule })
    assert.deepEqual(
      refusalOf(response),
      [status, code, `allocation_schedule${field}`],
      JSON.stringify(allocation_schedule).slice(0, 200),
    )
  }
  const { from_pool: _, ...rest } = await request()
  assert.deepEqual(refusalOf(await server.attempt('create_read_only_pool', { body: rest })), [
    400,
    'required',
    'from_pool',
  ])
})

test('the references of a grant must exist and match', async () => {
  const stranger = await server.account()
  const retired = await server.call('create_sku', { body: { num_vcpus: 2 } })
  await server.call('retire_sku', { params: { id: retired.id } })
  const given = await grant()
  for (const [changes, refusal] of [
    [{ account: 'nobody' }, [422, 'reference_not_found', 'account']],
    [{ workspace: 'wksp_absent' }, [422, 'reference_not_found', 'workspace']],
    [{ workspace: stranger.workspace_id }, [422, 'reference_not_found', 'workspace']],
    [{ workspace: `svc:workspace:${account.id}:none` }, [422, 'reference_not_found', 'workspace']],
    [{ from_pool: 'pool_absent' }, [422, 'reference_not_found', 'from_pool']],
    [{ from_pool: `svc:pool:${account.id}:default:none` }, [422, 'reference_not_found', 'from_pool']],
    [{ from_pool: given.id }, [422, 'pool_kind_not_allowed', 'from_pool']],
    [{ sku: 'sku_absent' }, [422, 'sku_not_available', 'sku']],
    [{ sku: retired.id }, [422, 'sku_not_available', 'sku']],
    [{ account: 'A' }, [400, 'invalid_format', 'account']],
    [{ sku: 'pool_a' }, [400, 'invalid_format', 'sku']],
    [{ name: given.name }, [409, 'name_taken', 'name']],
  ] as const) {
    assert.deepEqual(refusalOf(await ask(changes)), refusal, JSON.stringify(changes))
  }
  await assertNameRule({ server, token: server.platform_token, path: administration }, 'POST', await request())
  assert.equal((await grant({ workspace: `svc:workspace:${account.id}:default` })).workspace.id, account.workspace_id)
})

test('an unlisted SKU can be granted, and is then visible to the account', async () => {
  const hidden = await server.call('create_sku', { body: { listed: false } })
  await feed(platform, hidden.id, 1, 1)
  assert.equal((await server.attempt('get_sku', { params: { id: hidden.id }, token })).status, 404)
  await grant({ sku: hidden.id })
  assert.equal((await server.attempt('get_sku', { params: { id: hidden.id }, token })).status, 200)
})

test('schedules begin at the current minute, or earlier on request', async () => {
  const [start_at, end_at] = [await minuteAhead(1), await minuteAhead(4)]
  const { id } = await grant({ allocation_schedule: [{ start_at, end_at, node_count: 2 }] })
  const whole = [{ start_at, end_at, node_count: 2 }]
  const from = (time: number) => [{ start_at: time, end_at, node_count: 2 }]
  await server.advance(3 * 60)
  assert.deepEqual(await scheduleOf(id), from(await minuteAhead(0)))
  assert.deepEqual(await scheduleOf(id, 'schedule_history_minutes=1'), from(await minuteAhead(-1)))
  assert.deepEqual(await scheduleOf(id, 'schedule_history_minutes=1440'), whole)
  const listed = await server.call('list_pools', { query: { id: [id], schedule_history_minutes: 1440 }, token })
  assert.deepEqual(listed.data[0].allocation_schedule.total, whole)
  await server.advance(10 * 60)
  assert.deepEqual(await scheduleOf(id), [])
  assert.deepEqual(await scheduleOf(id, 'schedule_history_minutes=1440'), whole)
  for (const value of ['-1', '1441', 'x']) {
    const response = await server.attempt('get_pool', {
      params: { id },
      query: { schedule_history_minutes: value },
      token,
    })
    assert.deepEqual([response.status, refusalOf(response)[2]], [400, 'schedule_history_minutes'])
  }
})

test('delete_pool is refused for supply pools and for granted pools', async () => {
  const owner = await server.account()
  const { id: fed } = await feed(owner, sku, 1, 1)
  const { id: given } = await grant({ account: owner.id, workspace: owner.workspace_id })
  await server.advance(600)
  for (const id of [fed, given]) {
    const response = await server.attempt('delete_pool', { params: { id }, token: owner.token })
    assert.deepEqual(refusalOf(response), [422, 'pool_kind_not_allowed', null])
  }
  for (const ref of ['pool_absent', `svc:pool:${owner.id}:default:none`]) {
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await server.request(method, `${path}/${ref}`, { token: owner.token })).status, 404)
    }
  }
  const wrong = await server.attempt('delete_pool', { params: { id: 'frwl_a' }, token })
  assert.deepEqual(refusalOf(wrong), [400, 'invalid_format', 'id'])
})

test('list_pools is newest first and works in both directions', async () => {
  const workspace = (await server.call('create_workspace', { token, body: {} })).id
  const ids: string[] = []
  for (let count = 0; count < 5; count++) ids.unshift((await grant({ workspace })).id)
  await assertPages(place, ids, `workspace=${workspace}`)
})

test('a list filters by workspace, ids, paths, kind and tags', async () => {
  const owner = await server.account()
  const own = { ...place, token: owner.token }
  const { id: fed } = await feed(owner, sku, 1, 1)
  const given = await grant({ account: owner.id, workspace: owner.workspace_id })
  const foreign = await grant()
  assert.deepEqual(await idsOf(own), [given.id, fed])
  assert.deepEqual(await idsOf(own, 'kind=originating'), [fed])
  assert.deepEqual(await idsOf(own, 'kind=read_only'), [given.id])
  assert.deepEqual(await idsOf(own, 'kind=market'), [])
  const absent = `id=pool_absent&id=${foreign.id}&id=${foreign.resource_path}`
  assert.deepEqual(await idsOf(own, `id=${given.resource_path}&${absent}`), [given.id])
  assert.deepEqual(await idsOf(own, absent), [])
  assert.deepEqual(await idsOf(own, `workspace=${owner.workspace_id}`), [given.id, fed])
  assert.deepEqual(await idsOf(own, `workspace=${account.workspace_id}`), [])
  assert.deepEqual(await idsOf(own, 'tag=a=b'), [])
  assert.deepEqual(await idsOf(own, 'tag_key=a'), [])
  const wrong = await server.attempt('list_pools', { query: { kind: 'private' }, token })
  assert.deepEqual(refusalOf(wrong), [400, 'invalid_value', 'kind'])
})

test('an idempotency key creates one grant', async () => {
  const other = [{ start_at: await minuteAhead(3), end_at: await minuteAhead(4), node_count: 1 }]
  const [body, changed] = [await request(), await request({ allocation_schedule: other })]
  const send = (sent: object) =>
    server.attempt('create_read_only_pool', { body: sent, headers: { 'Idempotency-Key': 'grant-1' } })
  const before = await idsOf(place)
  const responses = await Promise.all(Array.from({ length: 8 }, () => send(body)))
  assert.equal(new Set(responses.map(({ text }) => text)).size, 1)
  assert.equal((await idsOf(place)).length, before.length + 1)
  assert.deepEqual(refusalOf(await send(changed)), [422, 'idempotency_key_reused', 'Idempotency-Key'])
})

test('each operation needs its verb; without any verb the pool is 404', async () => {
  const at = `${path}/${(await grant()).id}`
  await assertRights(server, account, 'pool', {
    list_pools: { method: 'GET', path, verb: 'list' },
    get_pool: { method: 'GET', path: at, verb: 'read' },
  })
  for (const [verb, status] of [
    ['read', 403],
    ['delete', 422],
  ] as const) {
    const by = await makeToken(server, account, { pool: [verb] })
    assert.equal(
      (await server.attempt('delete_pool', { params: { id: (await grant()).id }, token: by.token })).status,
      status,
    )
  }
})

test('only the platform operator grants pools', async () => {
  const body = await request()
  assert.equal((await server.attempt('create_read_only_pool', { token, body })).status, 404)
  const reader = await makeToken(server, platform, { platform: ['read'] })
  assert.equal((await server.attempt('create_read_only_pool', { token: reader.token, body })).status, 404)
})

test('a granted pool counts against the limit of its account', async () => {
  const owner = await server.account({ trust_level: 'untrusted' })
  const changes = { account: owner.id, workspace: owner.workspace_id }
  await grant(changes)
  await grant(changes)
  assert.deepEqual(refusalOf(await ask(changes)), [422, 'limit_exceeded', null])
})

test('create_pool creates a market pool, and update_pool changes its name and tags', async () => {
  const { token } = await server.account()
  const made = await server.call('create_pool', { token, body: { name: 'first', tags: { team: 'a' } } })
  assert.deepEqual([made.kind, made.name, made.tags], ['market', 'first', { team: 'a' }])
  assert.deepEqual(made.allocation_schedule, { total: [], by_sku: {} })
  const changed = await server.call('update_pool', {
    params: { id: made.id },
    token,
    body: { name: 'second', tags: { team: 'b' } },
  })
  assert.deepEqual(await server.call('get_pool', { params: { id: made.id }, token }), changed)
  assert.deepEqual([changed.name, changed.tags], ['second', { team: 'b' }])
  await server.call('create_pool', { token, body: { name: 'first' } })
  const { status, body } = await server.attempt('update_pool', {
    params: { id: made.id },
    token,
    body: { name: 'first' },
  })
  assert.deepEqual([status, body.error.details[0].code], [409, 'name_taken'])
})
