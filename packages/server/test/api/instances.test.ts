import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeToken } from '../support/access.ts'
import { eventsOf, makeImage, makeLaunchPad, makeSku, makeValue } from '../support/fixtures/fleet.ts'
import {
  assertNameRule,
  assertPages,
  assertRights,
  assertTagFilters,
  idsOf,
  patiently,
  refusalOf,
} from '../support/resources.ts'
import { startTestServer, type TestAccount } from '../support/server.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const path = '/v2/instances'
const place = { server, token, path }
await makeValue(server, 'region', 'south')
const pad = await makeLaunchPad(server, account)
const least = { pool: pad.pool, sku: pad.cold, image: pad.image }

const get = (url: string, by = token) => server.ok('GET', url, { token: by })
const post = (url: string, body: object = {}, by = token) => server.ok('POST', url, { token: by, body })
const patch = (url: string, body: object) => server.ok('PATCH', url, { token, body })
const make = (body: object = {}) => post(path, { ...least, ...body })
const attempt = (body: object, by = token) =>
  server.attempt('create_instance', { token: by, body: { ...least, ...body } })
const terminate = (id: string) => post(`${path}/${id}/terminate`)
const makeWorkspace = (of: TestAccount = account) => post('/v2/workspaces', {}, of.token)
const listOf = (id: string) => get(`${path}?id=${id}`)

test('create_instance stores all fields, and get_instance reads by id and by path', async () => {
  const fabric = 'fabric-a'
  const sku = await makeSku(server, { rdma_type: 'infiniband', infiniband_fabric: fabric })
  const subnet = await post('/preview/v2/subnets', { region: 'north', cidr: '10.1.0.0/28' })
  const firewall = await post('/preview/v2/firewalls', { name: 'web' })
  const partition = await post('/preview/v2/infiniband_partitions', { infiniband_fabric: fabric })
  const tags = { team: 'blue' }
  const image = await get(`/v2/images/${pad.image}`)
  const pool = await get(`/v2/pools/${pad.pool}`)
  const body = {
    pool: pool.resource_path,
    sku,
    image: image.resource_path,
    name: 'train-1',
    tags,
    priority_level: 'critical',
    subnet: subnet.resource_path,
    _preview_enable_public_ipv4: true,
    _preview_firewall: firewall.resource_path,
    _preview_infiniband_partition: partition.resource_path,
    cloud_init_user_data: 'aGk=',
  }
  const made = await post(path, body)
  const { workspace } = await get('/preview/v2/account')
  const { alias } = await get(`/v2/skus/${sku}`)
  const brief = ({ object, id, name, resource_path }: Record<string, string>) => ({ object, id, name, resource_path })
  assert.deepEqual(made, {
    object: 'instance',
    id: made.id,
    resource_path: `svc:instance:${account.id}:default:train-1`,
    workspace,
    name: 'train-1',
    state: 'awaiting_allocation',
    sku: { object: 'sku', id: sku, alias },
    image: brief(image),
    pool: brief(pool),
    created_at: made.created_at,
    _preview_updated_at: made.created_at,
    cloud_init_user_data_used: true,
    subnet: subnet.id,
    private_ip: '10.1.0.4',
    _preview_enable_public_ipv4: true,
    _preview_firewall: firewall.id,
    tags,
    priority_level: 'critical',
    ...{ _preview_infiniband_partition: partition.id },
  })
  assert.match(made.id, /^inst_[0-9a-zA-Z_-]{21}$/)
  for (const ref of [made.id, made.resource_path, encodeURIComponent(made.resource_path)]) {
    assert.deepEqual(await get(`${path}/${ref}`), made)
  }
  assert.deepEqual(await eventsOf(server, token, made.id), ['instance.created token'])
})

test('by default an instance has a generated name, normal priority and no network settings', async () => {
  const nothing = { name: null, tags: null, priority_level: null, subnet: null, _preview_enable_public_ipv4: null }
  const made = await make({ ...nothing, _preview_firewall: null, _preview_infiniband_partition: null })
  assert.match(made.name, /^[a-z]+-[a-z]+-[0-9a-zA-Z]{6}$/)
  const { subnet, tags, priority_level, _preview_enable_public_ipv4, _preview_infiniband_partition } = made
  assert.deepEqual([subnet, tags, priority_level, made.cloud_init_user_data_used], [null, null, 'normal', false])
  assert.deepEqual([_preview_enable_public_ipv4, _preview_infiniband_partition], [false, null])
  for (const absent of ['private_ip', '_preview_public_ip', '_preview_firewall', 'managed_by']) {
    assert.ok(!(absent in made), absent)
  }
  const open = await make({ _preview_enable_public_ipv4: true })
  const { data } = await get('/preview/v2/firewalls?limit=200')
  assert.equal(open._preview_firewall, data.find(({ is_default }: { is_default: boolean }) => is_default).id)
  assert.equal((await make({ image: pad.image.replace('image_', 'vmi_') })).image.id, pad.image)
})

test('an invalid request is 400, with code and field', async () => {
  for (const [body, code, field] of [
    [{ pool: undefined }, 'required', 'pool'],
    [{ sku: undefined }, 'required', 'sku'],
    [{ image: undefined }, 'required', 'image'],
    [{ pool: null }, 'invalid_type', 'pool'],
    [{ pool: 'default' }, 'invalid_format', 'pool'],
    [{ sku: 'svc:sku:a:b:c' }, 'invalid_format', 'sku'],
    [{ image: 'ubuntu' }, 'invalid_format', 'image'],
    [{ subnet: 'frwl_a' }, 'invalid_format', 'subnet'],
    [{ _preview_firewall: 'snet_a' }, 'invalid_format', '_preview_firewall'],
    [{ _preview_infiniband_partition: 7 }, 'invalid_type', '_preview_infiniband_partition'],
    [{ _preview_enable_public_ipv4: 'true' }, 'invalid_type', '_preview_enable_public_ipv4'],
    [{ priority_level: 'high' }, 'invalid_value', 'priority_level'],
    [{ tags: { _a: 'b' } }, 'invalid_format', 'tags._a'],
    [{ tags: { a: 'b=c' } }, 'invalid_format', 'tags.a'],
    [{ workspace: account.workspace_id }, 'unknown_field', 'workspace'],
    [{ cloud_init_user_data: null }, 'invalid_type', 'cloud_init_user_data'],
  ] as const) {
    assert.deepEqual(refusalOf(await attempt(body)), [400, code, field], JSON.stringify(body))
  }
  await assertNameRule(place, 'POST', least)
  const key = { 'Idempotency-Key': 'a b' }
  const response = await server.attempt('create_instance', { token, body: least, headers: key })
  assert.deepEqual(refusalOf(response), [400, 'invalid_idempotency_key', 'Idempotency-Key'])
})

test('the references of a request must exist, be visible and match', async () => {
  const stranger = await server.account()
  const theirs = { token: stranger.token, body: {} }
  const elsewhere = await makeWorkspace()
  const { id: foreign } = await server.call('create_firewall', theirs)
  const own = async (url: string, body: object = {}) => (await post(url, { ...body, workspace: elsewhere.id })).id
  const fabric = { infiniband_fabric: 'fabric-b' }
  const [ib, plain] = [await makeSku(server, { rdma_type: 'infiniband', ...fabric }), pad.cold]
  const other = await makeSku(server, { rdma_type: 'infiniband', infiniband_fabric: 'fabric-c' })
  const partition = (await post('/preview/v2/infiniband_partitions', fabric)).id
  const south = (await post('/preview/v2/subnets', { region: 'south' })).id
  const unaddressed = await makeSku(server, { supports_public_ipv4: false })
  const retired = await makeSku(server)
  await server.call('retire_sku', { params: { id: retired } })
  const revoked = await makeImage(server, account)
  await post(`/v2/images/${revoked.id}/revoke`)
  await post('/sandbox/hosts', { sku: pad.cold, count: 1 }, stranger.token)
  const open = { _preview_enable_public_ipv4: true }
  const ibField = '_preview_infiniband_partition'
  for (const [body, code, field] of [
    [{ pool: 'pool_absent' }, 'reference_not_found', 'pool'],
    [{ pool: `svc:pool:${account.id}:default:absent` }, 'reference_not_found', 'pool'],
    [{ sku: 'sku_absent' }, 'sku_not_available', 'sku'],
    [{ sku: retired }, 'sku_not_available', 'sku'],
    [{ image: 'image_absent' }, 'image_not_available', 'image'],
    [{ image: 'vmi_absent' }, 'image_not_available', 'image'],
    [{ image: `svc:image:${account.id}:default:absent` }, 'image_not_available', 'image'],
    [{ image: (await makeImage(server, stranger)).resource_path }, 'image_not_available', 'image'],
    [{ image: revoked.id }, 'image_not_available', 'image'],
    [{ sku: unaddressed, ...open }, 'public_ipv4_not_supported', '_preview_enable_public_ipv4'],
    [{ _preview_firewall: 'frwl_absent' }, 'not_applicable', '_preview_firewall'],
    [{ ...open, _preview_firewall: 'frwl_absent' }, 'reference_not_found', '_preview_firewall'],
    [{ ...open, _preview_firewall: foreign }, 'reference_not_found', '_preview_firewall'],
    [{ ...open, _preview_firewall: await own('/preview/v2/firewalls') }, 'workspace_mismatch', '_preview_firewall'],
    [{ subnet: 'snet_absent' }, 'reference_not_found', 'subnet'],
    [{ subnet: await own('/preview/v2/subnets', { region: 'north' }) }, 'workspace_mismatch', 'subnet'],
    [{ subnet: south }, 'region_mismatch', 'subnet'],
    [{ [ibField]: 'ibpart_absent' }, 'reference_not_found', ibField],
    [{ sku: ib, [ibField]: await own('/preview/v2/infiniband_partitions', fabric) }, 'workspace_mismatch', ibField],
    [{ sku: plain, [ibField]: partition }, 'infiniband_not_supported', ibField],
    [{ sku: other, [ibField]: partition }, 'fabric_mismatch', ibField],
  ] as const) {
    assert.deepEqual(refusalOf(await attempt(body)), [422, code, field], JSON.stringify(body))
  }
  const hosted = await server.account()
  const { data } = await post('/sandbox/hosts', { sku: pad.cold, count: 1 }, hosted.token)
  const image = (await makeImage(server, hosted)).id
  const supply = await attempt({ pool: data[0].pool.id, image }, hosted.token)
  assert.deepEqual(refusalOf(supply), [422, 'pool_kind_not_allowed', 'pool'])
})

test('an instance gets the lowest free address of its subnet, and is refused if the subnet is full', async () => {
  const subnet = (await post('/preview/v2/subnets', { region: 'north', cidr: '10.2.0.0/28' })).id
  const members = []
  for (let n = 4; n < 15; n++) members.push(await make({ subnet }))
  const addresses = members.map(({ private_ip }) => private_ip)
  assert.deepEqual(
    addresses,
    Array.from({ length: 11 }, (_, n) => `10.2.0.${n + 4}`),
  )
  assert.deepEqual(refusalOf(await attempt({ subnet })), [422, 'subnet_full', 'subnet'])
  const ended = await terminate(members[3].id)
  assert.ok(!('private_ip' in ended), 'no machine exists, so the address is free at once')
  assert.equal((await make({ subnet })).private_ip, '10.2.0.7')
})

test('concurrent create_instance requests get different addresses', async () => {
  const subnet = (await post('/preview/v2/subnets', { region: 'north', cidr: '10.3.0.0/28' })).id
  const responses = await Promise.all(Array.from({ length: 14 }, () => patiently(() => attempt({ subnet }))))
  const made = responses.filter(({ status }) => status === 201).map(({ body }) => body.private_ip)
  assert.equal(new Set(made).size, 11)
  assert.deepEqual(responses.map(({ status }) => status).sort(), [...Array(11).fill(201), ...Array(3).fill(422)])
})

test('ended instances keep their names until they are purged; the limit counts living instances', async () => {
  const own = await server.account()
  const { pool, cold: sku, image } = await makeLaunchPad(server, own)
  await server.call('put_account_limit', { params: { account: own.id, name: 'instances' }, body: { value: 2 } })
  const body = { pool, sku, image }
  const first = await post(path, { ...body, name: 'node' }, own.token)
  const again = await server.attempt('create_instance', { token: own.token, body: { ...body, name: 'node' } })
  assert.deepEqual(refusalOf(again), [409, 'name_taken', 'name'])
  await post(path, { ...body, name: 'Node' }, own.token)
  assert.deepEqual(refusalOf(await attempt(body, own.token)), [422, 'limit_exceeded', null])
  assert.equal((await get('/preview/v2/limits/instances', own.token)).used, 2)
  await post(`${path}/${first.id}/terminate`, {}, own.token)
  assert.equal((await get('/preview/v2/limits/instances', own.token)).used, 1)
  assert.equal((await attempt({ ...body, name: 'node' }, own.token)).status, 409)
  await server.call('delete_instance', { params: { id: first.id }, token: own.token })
  assert.equal((await attempt({ ...body, name: 'node' }, own.token)).status, 201)
})

test('update_instance changes name, tags, priority and firewall, and keeps omitted fields', async () => {
  const firewall = (await post('/preview/v2/firewalls')).id
  const made = await make({ _preview_enable_public_ipv4: true, tags: { a: '1' }, priority_level: 'yield' })
  await server.advance(5)
  const url = `${path}/${made.id}`
  assert.deepEqual(await patch(url, {}), made)
  const renamed = await patch(url, { name: 'other-name' })
  assert.equal(renamed.resource_path, `svc:instance:${account.id}:default:other-name`)
  assert.ok(renamed._preview_updated_at > made._preview_updated_at)
  assert.equal((await server.attempt('get_instance', { params: { id: made.resource_path }, token })).status, 404)
  assert.deepEqual((await patch(url, { tags: { b: '2' } })).tags, { b: '2' })
  assert.equal((await patch(url, { tags: null })).tags, null)
  assert.equal((await patch(url, { priority_level: 'critical' })).priority_level, 'critical')
  assert.equal((await patch(url, { priority_level: null })).priority_level, 'normal')
  const changed = await patch(url, { _preview_firewall: firewall })
  assert.equal(changed._preview_firewall, firewall)
  assert.deepEqual(await get(`${path}/${changed.resource_path}`), changed)
  const closed = await make()
  await make({ name: 'taken' })
  const elsewhere = (await post('/preview/v2/firewalls', { workspace: (await makeWorkspace()).id })).id
  for (const [id, body, expected] of [
    [made.id, { name: 'taken' }, [409, 'name_taken', 'name']],
    [made.id, { name: null }, [400, 'invalid_type', 'name']],
    [made.id, { _preview_firewall: null }, [400, 'invalid_type', '_preview_firewall']],
    [made.id, { image: pad.image }, [400, 'unknown_field', 'image']],
    [made.id, { _preview_firewall: 'frwl_absent' }, [422, 'reference_not_found', '_preview_firewall']],
    [made.id, { _preview_firewall: elsewhere }, [422, 'workspace_mismatch', '_preview_firewall']],
    [closed.id, { _preview_firewall: firewall }, [422, 'not_applicable', '_preview_firewall']],
    ['inst_absent', { tags: null }, [404, 'not_found', undefined]],
  ] as const) {
    const response = await server.attempt('update_instance', { params: { id }, token, body })
    assert.deepEqual(refusalOf(response), expected, JSON.stringify(body))
  }
  await terminate(made.id)
  const late = await server.attempt('update_instance', { params: { id: made.id }, token, body: { tags: null } })
  assert.deepEqual(refusalOf(late), [409, 'instance_terminated', null])
  assert.deepEqual(await eventsOf(server, token, made.id), ['instance.created token', 'instance.terminated token'])
})

test('update_instance_priorities changes all or none, and the last entry of an instance applies', async () => {
  const [a, b, c] = [await make(), await make(), await make()]
  const send = (data: object[]) => server.attempt('update_instance_priorities', { token, body: { data } })
  const level = async (id: string) => (await get(`${path}/${id}`)).priority_level
  const response = await send([
    { id: b.id, priority_level: 'yield' },
    { id: a.resource_path, priority_level: 'critical' },
    { id: b.resource_path, priority_level: null },
  ])
  const shown = response.body.data.map(({ id, priority_level }) => [id, priority_level])
  assert.deepEqual(
    [response.body.object, response.body.has_more, shown],
    [
      'list',
      false,
      [
        [b.id, 'normal'],
        [a.id, 'critical'],
      ],
    ],
  )
  assert.deepEqual([await level(a.id), await level(b.id)], ['critical', 'normal'])
  const workspace = await makeWorkspace()
  const capacity = { account: account.id, workspace: workspace.id, from_pool: pad.supply, sku: pad.sku }
  const { now } = await get('/sandbox/clock')
  const start_at = now - (now % 60) + 60
  const allocation_schedule = [{ start_at, end_at: null, node_count: 1 }]
  await post('/sandbox/hosts', { sku: pad.sku, count: 1 }, server.platform_token)
  const pool = (await server.call('create_read_only_pool', { body: { ...capacity, allocation_schedule } })).id
  const far = await make({ pool })
  await terminate(c.id)
  const yielding = (...ids: string[]) => ids.map((id) => ({ id, priority_level: 'yield' }))
  for (const [data, expected] of [
    [[], [400, 'too_few', 'data']],
    [Array(101).fill(yielding(a.id)[0]), [400, 'too_many', 'data']],
    [[{ id: a.id }], [400, 'required', 'data.0.priority_level']],
    [yielding(a.id, 'inst_absent'), [422, 'reference_not_found', 'data.1.id']],
    [yielding(a.id, far.id), [422, 'workspace_mismatch', 'data']],
    [yielding(a.id, c.id), [409, 'instance_terminated', null]],
  ] as const) {
    const [status, , field] = refusalOf(await send(data as object[]))
    assert.deepEqual([status, field], [expected[0], expected[2]], JSON.stringify(data).slice(0, 100))
  }
  assert.equal(await level(a.id), 'critical')
  const { token: theirs } = await server.account()
  const foreign = { token: theirs, body: { data: yielding(a.id) } }
  assert.deepEqual(refusalOf(await server.attempt('update_instance_priorities', foreign)), [
    422,
    'reference_not_found',
    'data.0.id',
  ])
  const reader = (await makeToken(server, account, { instance: ['read'] })).token
  assert.equal((await server.attempt('update_instance_priorities', { ...foreign, token: reader })).status, 403)
})

test('terminate_instance ends an instance once; delete_instance deletes only ended instances', async () => {
  const made = await make({ name: 'short-lived' })
  const url = `${path}/${made.id}`
  assert.deepEqual(refusalOf(await server.attempt('delete_instance', { params: { id: made.id }, token })), [
    409,
    'instance_not_terminated',
    null,
  ])
  assert.equal((await get(url)).name, 'short-lived', 'a refused deletion keeps the name')
  const ended = await post(`${path}/${made.resource_path}/terminate`)
  assert.deepEqual(ended, { ...made, state: 'terminated', _preview_updated_at: ended._preview_updated_at })
  const again = await server.request('POST', `${url}/terminate`, { token })
  assert.deepEqual(refusalOf(again), [409, 'instance_terminated', null])
  assert.deepEqual(await get(url), ended)
  assert.equal((await server.attempt('delete_instance', { params: { id: made.resource_path }, token })).status, 204)
  for (const method of ['GET', 'DELETE']) {
    assert.deepEqual(refusalOf(await server.request(method, url, { token })), [404, 'not_found', undefined])
  }
  assert.deepEqual((await listOf(made.id)).data, [])
  assert.deepEqual(await eventsOf(server, token, made.id), ['instance.created token', 'instance.terminated token'])
})

test('an ended instance is purged after seven days, which frees its name', async () => {
  await server.call('freeze_clock')
  const { id, name } = await make()
  await terminate(id)
  await server.advance(7 * 86_400 - 1)
  assert.equal((await get(`${path}/${id}`)).state, 'terminated')
  assert.equal((await attempt({ name })).status, 409)
  await server.advance(1)
  assert.equal((await server.attempt('get_instance', { params: { id }, token })).status, 404)
  assert.equal((await attempt({ name })).status, 201)
  await server.call('resume_clock')
})

test('an instance runs while it has allocation, and a deleted one is 404 before its machine is gone', async () => {
  const body = { sku: pad.sku, _preview_enable_public_ipv4: true }
  const made = await make(body)
  await server.settle()
  const running = await get(`${path}/${made.id}`)
  assert.equal(running.state, 'running')
  assert.match(running._preview_public_ip, /^\d+\.\d+\.\d+\.\d+$/)
  await terminate(made.id)
  await server.call('delete_instance', { params: { id: made.id }, token })
  assert.equal((await server.attempt('get_instance', { params: { id: made.id }, token })).status, 404)
  await server.settle()
  const types = ['created token', 'running system', 'terminated token'].map((what) => `instance.${what}`)
  assert.deepEqual(await eventsOf(server, token, made.id), types)
})

test('list_instances is newest first and filters by every parameter', async () => {
  const own = await server.account()
  const { pool, sku, cold, image, template } = await makeLaunchPad(server, own)
  const mine = (body: object = {}) => post(path, { pool, sku: cold, image, ...body }, own.token)
  const clock = async () => (await get('/sandbox/clock')).now
  const where = { server, token: own.token, path }
  const first = await mine()
  const between = await clock()
  await server.advance(10)
  const other = await makeImage(server, own)
  const second = await mine({ image: other.id })
  await server.advance(10)
  const fleet = { pool, sku, instance_template: template, target_instance_count: 1 }
  const deployment = await post('/preview/v2/deployments', fleet, own.token)
  await server.advance(30)
  const [member] = await idsOf(where, `deployment=${deployment.id}`)
  const third = await mine({ name: 'a_b.c' })
  await post(`${path}/${third.id}/terminate`, {}, own.token)
  const all = [third.id, member, second.id, first.id]
  const { id: workspace, resource_path } = (await get('/preview/v2/account', own.token)).workspace
  for (const [query, expected] of [
    ['', all],
    [`workspace=${workspace}`, all],
    [`workspace=${resource_path}`, all],
    [`workspace=${account.workspace_id}`, []],
    [`id=${first.id}&id=${second.resource_path}&id=inst_absent`, [second.id, first.id]],
    [`pool=${pool}`, all],
    [`name=${second.name}`, [second.id]],
    [`name=${second.name}&workspace=${account.workspace_id}`, []],
    [`name=${second.name.slice(0, -1)}*`, [second.id]],
    [`name=*${second.name.slice(1, -1)}*`, [second.id]],
    ['name=a_*', [third.id]],
    ['name=*_b*', [third.id]],
    ['name=*b_c', []],
    ['name=A_b.c', []],
    ['name=*', all],
    ['pool=pool_absent', []],
    [`sku=${sku}`, [member]],
    [`sku=${sku}&sku=${cold}`, all],
    [`image=${other.resource_path}`, [second.id]],
    [`image=${image.replace('image_', 'vmi_')}`, [third.id, member, first.id]],
    ['state=terminated', [third.id]],
    ['state=running&state=terminated', [third.id, member]],
    [`deployment=${deployment.resource_path}`, [member]],
    [`deployment=svc:deployment:${own.id}:default:absent`, []],
    [`created_after=${second.created_at}`, [third.id, member, second.id]],
    [`created_before=${between}`, [first.id]],
    [`created_after=${first.created_at}&created_before=${first.created_at}`, [first.id]],
  ] as const) {
    assert.deepEqual(await idsOf(where, query), expected, query)
  }
  await assertPages(where, all as string[], `workspace=${workspace}`)
  await assertTagFilters(where, (tags) => mine({ tags }))
  for (const [query, code] of [
    ['state=paused', 'invalid_value'],
    ['deployment=inst_a', 'invalid_format'],
    ['created_after=soon', 'invalid_type'],
    ['name=a*b*c*', 'invalid_format'],
    ['name=a%25', 'invalid_format'],
    ['names=a', 'unknown_field'],
  ]) {
    assert.deepEqual(
      refusalOf(await server.attempt('list_instances', { query, token })).slice(0, 2),
      [400, code],
      query,
    )
  }
})

test('each operation needs its own right', async () => {
  const { id: image } = await server.call('create_ready_image', { body: { name: 'for-all', is_public: true } })
  const calls = {
    create: { method: 'POST', path, body: { ...least, image }, verb: 'create' },
    list: { method: 'GET', path, verb: 'list' },
  }
  const one = async () => `${path}/${(await make()).id}`
  const gone = async () => {
    const { id } = await make()
    await terminate(id)
    return `${path}/${id}`
  }
  const single = {
    read: { method: 'GET', path: await one(), verb: 'read' },
    update: { method: 'PATCH', path: await one(), body: { tags: null }, verb: 'write' },
    terminate: { method: 'POST', path: `${await one()}/terminate`, verb: 'write' },
    delete: { method: 'DELETE', path: await gone(), verb: 'delete' },
  }
  await assertRights(server, account, 'instance', { ...calls, ...single })
})
