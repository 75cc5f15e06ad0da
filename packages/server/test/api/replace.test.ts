import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeToken } from '../support/access.ts'
import { eventsOf, makeImage, makeLaunchPad, makeSku } from '../support/fixtures/fleet.ts'
import { assertNameRule, idsOf, refusalOf } from '../support/resources.ts'
import { startTestServer, type TestAccount } from '../support/server.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const path = '/v2/instances'
// Simulated machines stop after seconds, in which the real duration of a test must not count.
await server.call('freeze_clock')
const pad = await makeLaunchPad(server, account)
const { image } = pad
const least = { pool: pad.pool, sku: pad.cold, image }

const get = (url: string, by = token) => server.ok('GET', url, { token: by })
const post = (url: string, body: object = {}, by = token) => server.ok('POST', url, { token: by, body })
const make = (body: object = {}) => post(path, { ...least, ...body })
const replace = (id: string, body: object = {}) => post(`${path}/${id}/replace`, { image, ...body })
const attempt = (id: string, body: object = {}, { by = token, key = '' } = {}) =>
  server.attempt('replace_instance', {
    params: { id },
    token: by,
    body: { image, ...body },
    ...(key && { headers: { 'Idempotency-Key': key } }),
  })

async function makeRunning(body: object = {}, at = pad): Promise<any> {
  const { id } = await post(path, { ...least, sku: at.sku, pool: at.pool, ...body })
  await server.settle()
  const made = await get(`${path}/${id}`)
  assert.equal(made.state, 'running')
  return made
}

test('a replacement keeps all fields except id, image, name and user data, and ends the old instance', async () => {
  const fabric = 'fabric-a'
  const sku = await makeSku(server, { rdma_type: 'infiniband', infiniband_fabric: fabric })
  const subnet = (await post('/preview/v2/subnets', { region: 'north', cidr: '10.1.0.0/28' })).id
  const firewall = (await post('/preview/v2/firewalls')).id
  const partition = (await post('/preview/v2/infiniband_partitions', { infiniband_fabric: fabric })).id
  const network = { subnet, _preview_enable_public_ipv4: true, _preview_firewall: firewall }
  const about = { tags: { team: 'blue' }, priority_level: 'critical', _preview_infiniband_partition: partition }
  const old = await make({ sku, name: 'old', cloud_init_user_data: 'aGk=', ...network, ...about })
  await server.advance(5)
  const fresh = await makeImage(server, account)
  const made = await replace(old.id, { image: fresh.resource_path })
  const { id, name, resource_path, created_at, _preview_updated_at, image: shown, ...kept } = made
  assert.match(id, /^inst_[0-9a-zA-Z_-]{21}$/)
  assert.match(name, /^[a-z]+-[a-z]+-[0-9a-zA-Z]{6}$/)
  assert.notEqual(id, old.id)
  assert.equal(resource_path, `svc:instance:${account.id}:default:${name}`)
  assert.equal(shown.id, fresh.id)
  assert.ok(created_at > old.created_at && _preview_updated_at === created_at)
  const {
    id: _id,
    name: _name,
    resource_path: _path,
    created_at: _at,
    _preview_updated_at: _up,
    image: _image,
    ...of
  } = old
  assert.deepEqual(kept, { ...of, cloud_init_user_data_used: false })
  assert.deepEqual(await get(`${path}/${id}`), made)
  const ended = await get(`${path}/svc:instance:${account.id}:default:old`)
  const { private_ip: _moved, ...left } = old
  assert.deepEqual(ended, { ...left, state: 'terminated', _preview_updated_at: created_at })
  const { data } = await get('/preview/v2/events?limit=200')
  const last = data.slice(-2).map(({ action, targets, actor }: any) => [action, targets[0].id, actor.type])
  assert.deepEqual(last, [
    ['instance.terminated', old.id, 'token'],
    ['instance.created', id, 'token'],
  ])
})

test('a replacement accepts a path, the older prefix of image ids, a name and user data', async () => {
  const old = await make()
  const body = { image: image.replace('image_', 'vmi_'), name: 'second', cloud_init_user_data: 'aGk=' }
  const made = await replace(old.resource_path, body)
  assert.deepEqual([made.name, made.image.id, made.cloud_init_user_data_used], ['second', image, true])
  assert.equal((await get(`${path}/${made.id}/cloud_init_user_data`)).cloud_init_user_data, 'aGk=')
  const third = await replace(made.id, { name: null })
  assert.match(third.name, /^[a-z]+-[a-z]+-[0-9a-zA-Z]{6}$/)
  assert.equal((await get('/preview/v2/limits/instances')).used, await livingCount())
})

async function livingCount(): Promise<number> {
  const states = ['awaiting_allocation', 'running', 'failed'].map((state) => `state=${state}`)
  return (await idsOf({ server, token, path }, states.join('&'))).length
}

test('replace_instance: a successor gets slot and addresses before instances that waited longer', async () => {
  const own = await server.account()
  const small = await makeLaunchPad(server, own, { hosts: 1, slots: 1 })
  const at = { token: own.token }
  const subnet = (await server.call('create_subnet', { ...at, body: { region: 'north' } })).id
  const body = { pool: small.pool, sku: small.sku, image: small.image, subnet, _preview_enable_public_ipv4: true }
  const launch = async (more: object = {}) => server.call('create_instance', { ...at, body: { ...body, ...more } })
  const { id } = await launch()
  await server.settle()
  const old = await get(`${path}/${id}`, own.token)
  assert.equal(old.state, 'running')
  const waiting = await launch({ priority_level: 'critical' })
  const made = await server.call('replace_instance', { params: { id }, ...at, body: { image: small.image } })
  assert.deepEqual([made.state, made.private_ip], ['awaiting_allocation', old.private_ip])
  assert.equal(made._preview_public_ip, old._preview_public_ip)
  await server.advance(60)
  const running = await get(`${path}/${made.id}`, own.token)
  assert.deepEqual(
    [running.state, running.private_ip, running._preview_public_ip],
    ['running', old.private_ip, old._preview_public_ip],
  )
  const ended = await get(`${path}/${id}`, own.token)
  assert.ok(!('private_ip' in ended) && !('_preview_public_ip' in ended))
  assert.equal((await get(`${path}/${waiting.id}`, own.token)).state, 'awaiting_allocation')
  const [host] = small.hosts
  assert.deepEqual((await server.call('get_host', { params: { id: host } })).instances, [made.id])
  const next = await launch()
  assert.ok(![old.private_ip, waiting.private_ip].includes(next.private_ip), `${next.private_ip} is the successor’s`)
})

test('the addresses of a successor that never ran stay in use until the old machine is gone', async () => {
  const subnet = (await post('/preview/v2/subnets', { region: 'north', cidr: '10.3.0.0/28' })).id
  const old = await makeRunning({ subnet })
  const made = await replace(old.id)
  await post(`${path}/${made.id}/terminate`)
  assert.notEqual((await make({ subnet })).private_ip, old.private_ip, 'the machine has not confirmed its stop')
  await server.advance(60)
  assert.equal((await make({ subnet })).private_ip, old.private_ip, 'free once the machine is gone')
})

test('the successor of a failed instance starts elsewhere at once, unless it has inherited an address', async () => {
  const subnet = (await post('/preview/v2/subnets', { region: 'north', cidr: '10.4.0.0/28' })).id
  const successorOfFailed = async (body: object) => {
    const old = await makeRunning(body)
    await server.call('create_fault', { body: { kind: 'instance_unhealthy', instance: old.id } })
    await server.settle()
    const { id } = await replace(old.id)
    await server.settle()
    return { old, made: await get(`${path}/${id}`) }
  }
  assert.equal((await successorOfFailed({})).made.state, 'running')
  for (const body of [{ subnet }, { _preview_enable_public_ipv4: true }]) {
    const { old, made } = await successorOfFailed(body)
    assert.equal(made.state, 'awaiting_allocation', 'the old machine may still use the address')
    await server.advance(60)
    const { state, private_ip, _preview_public_ip } = await get(`${path}/${made.id}`)
    assert.deepEqual([state, private_ip, _preview_public_ip], ['running', old.private_ip, old._preview_public_ip])
  }
})

test('the successor of a waiting successor of a failed instance starts elsewhere too', async () => {
  const own = await server.account()
  const at = { token: own.token }
  const small = await makeLaunchPad(server, own, { hosts: 1, slots: 1 })
  const replaceOwn = async (id: string) =>
    server.call('replace_instance', { params: { id }, ...at, body: { image: small.image } })
  const body = { pool: small.pool, sku: small.sku, image: small.image }
  const { id: old } = await server.call('create_instance', { ...at, body })
  await server.settle()
  await server.call('create_fault', { body: { kind: 'instance_unhealthy', instance: old } })
  await server.settle()
  const first = await replaceOwn(old)
  await server.settle()
  const second = await replaceOwn(first.id)
  await server.call('create_simulated_hosts', { body: { sku: small.sku, count: 1, slots: 1 } })
  await server.settle()
  assert.equal((await get(`${path}/${second.id}`, own.token)).state, 'running')
})

test('an instance can be replaced in every state except terminated', async () => {
  const failed = await makeRunning()
  await server.call('create_fault', { body: { kind: 'instance_unhealthy', instance: failed.id } })
  await server.settle()
  assert.equal((await get(`${path}/${failed.id}`)).state, 'failed')
  for (const { id } of [await make(), await makeRunning(), failed]) {
    assert.equal((await replace(id)).state, 'awaiting_allocation')
    assert.equal((await get(`${path}/${id}`)).state, 'terminated')
    assert.deepEqual(refusalOf(await attempt(id)), [409, 'instance_terminated', null])
  }
})

test('the successor of an instance that is replaced during placement starts', async () => {
  for (let round = 0; round < 20; round++) {
    const { id } = await make({ sku: pad.sku })
    const made = await replace(id)
    await server.advance(60)
    assert.equal((await get(`${path}/${made.id}`)).state, 'running')
    await post(`${path}/${made.id}/terminate`)
    await server.advance(60)
  }
})

test('the successor of a member is a member too, with a name from the template of the deployment', async () => {
  const request = { pool: pad.pool, sku: pad.sku, instance_template: pad.template, target_instance_count: 2 }
  const named = { ...request, instance_name_template: 'node-{{nanoid(8)}}', name: 'fleet' }
  const deployment = await post('/preview/v2/deployments', named)
  await server.settle()
  const members = () => idsOf({ server, token, path }, `deployment=${deployment.id}&state=running`)
  const [old = '', other = ''] = await members()
  const made = await replace(old)
  assert.deepEqual([made.managed_by.id, made.managed_by.name], [deployment.id, 'fleet'])
  assert.match(made.name, /^node-[0-9a-zA-Z]{8}$/)
  await server.advance(60)
  assert.deepEqual((await members()).sort(), [made.id, other].sort())
  assert.equal((await replace(made.id, { name: 'own-name' })).name, 'own-name')
  await server.advance(60)
  assert.equal((await get(`/preview/v2/deployments/${deployment.id}`)).live_instance_count, 2)
  await server.call('delete_deployment', { params: { id: deployment.id }, token })
  assert.deepEqual(await members(), [])
})

test('a replacement keeps a retired SKU', async () => {
  const sku = await makeSku(server)
  const old = await make({ sku })
  await server.call('retire_sku', { params: { id: sku } })
  assert.equal((await replace(old.id)).sku.id, sku)
})

test('each refusal has its code, and the order of the checks is fixed', async () => {
  const taken = await make({ name: 'taken' })
  const { id } = await make({ name: 'mine' })
  const revoked = (await makeImage(server, account)).id
  await post(`/v2/images/${revoked}/revoke`)
  const stranger = await server.account()
  const theirs = (await makeImage(server, stranger)).resource_path
  const none = 'image_absent'
  for (const [target, body, expected] of [
    [id, { image: undefined }, [400, 'required', 'image']],
    [id, { image: null }, [400, 'invalid_type', 'image']],
    [id, { image: 'ubuntu' }, [400, 'invalid_format', 'image']],
    [id, { image: `svc:image:${account.id}:default` }, [400, 'invalid_format', 'image']],
    [id, { tags: {} }, [400, 'unknown_field', 'tags']],
    [id, { cloud_init_user_data: 'a' }, [400, 'invalid_base64', 'cloud_init_user_data']],
    ['frwl_a', {}, [400, 'invalid_format', 'id']],
    ['inst_absent', { image: none }, [404, 'not_found', undefined]],
    [`svc:instance:${account.id}:default:absent`, {}, [404, 'not_found', undefined]],
    [id, { image: none }, [422, 'image_not_available', 'image']],
    [id, { image: `svc:image:${account.id}:default:absent` }, [422, 'image_not_available', 'image']],
    [id, { image: theirs, name: 'mine' }, [422, 'image_not_available', 'image']],
    [id, { image: revoked, name: 'taken' }, [422, 'image_not_available', 'image']],
    [id, { name: 'mine' }, [422, 'same_name_as_replaced', 'name']],
    [id, { name: 'taken' }, [409, 'name_taken', 'name']],
  ] as const) {
    assert.deepEqual(refusalOf(await attempt(target, body)), expected, JSON.stringify([target, body]))
  }
  await assertNameRule({ server, token, path: `${path}/${id}/replace` }, 'POST', { image })
  assert.equal((await get(`${path}/${id}`)).state, 'awaiting_allocation', 'no refusal has changed anything')
  assert.deepEqual(await eventsOf(server, token, id), ['instance.created token'])
  await post(`${path}/${taken.id}/terminate`)
  assert.deepEqual(refusalOf(await attempt(id, { name: 'taken' })), [409, 'name_taken', 'name'])
  await post(`${path}/${id}/terminate`)
  assert.deepEqual(refusalOf(await attempt(id, { image: none, name: 'mine' })), [409, 'instance_terminated', null])
  assert.deepEqual(refusalOf(await attempt(id, { image: none, name: '-' })), [400, 'invalid_format', 'name'])
  assert.deepEqual(refusalOf(await attempt(id, {}, { by: stranger.token })), [404, 'not_found', undefined])
})

test('a replacement needs the rights write and create, and an account that is not frozen', async () => {
  const { id } = await make()
  const reading = { image: ['read'] }
  const by = async (actions: Record<string, string[]>) => (await makeToken(server, account, actions)).token
  for (const [actions, status] of [
    [{ ...reading }, 404],
    [{ ...reading, instance: ['read', 'create'] }, 403],
    [{ ...reading, instance: ['read', 'write'] }, 403],
    [{ instance: ['write', 'create'] }, 422],
  ] as const) {
    assert.equal((await attempt(id, {}, { by: await by(actions as never) })).status, status, JSON.stringify(actions))
  }
  assert.equal((await attempt(id, {}, { by: await by({ ...reading, instance: ['write', 'create'] }) })).status, 201)
  const frozen = await server.account()
  const place = await makeLaunchPad(server, frozen)
  const body = { pool: place.pool, sku: place.cold, image: place.image }
  const { id: kept } = await post(path, body, frozen.token)
  // A new token, because rights are cached for two seconds.
  const { token: byFrozen } = await makeToken(server, frozen, { '*': ['*'] })
  await server.call('freeze_account', { params: { account: frozen.id } })
  assert.equal((await attempt(kept, { image: place.image }, { by: byFrozen })).status, 403)
})

test('a key replays its first response to callers that have the rights now, and to no others', async () => {
  const { id } = await make()
  const first = await attempt(id, { name: 'keyed' }, { key: 'one' })
  assert.equal(first.status, 201)
  assert.equal(first.headers.get('idempotency-replayed'), null)
  const rights = { instance: ['write', 'create'], image: ['read'] }
  const rotated = await makeToken(server, account, rights)
  for (const by of [token, rotated.token]) {
    const again = await attempt(id, { name: 'keyed' }, { key: '"one"', by })
    assert.deepEqual([again.status, again.text], [201, first.text])
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
  }
  await post(`${path}/${first.body.id}/terminate`)
  await server.call('delete_instance', { params: { id: first.body.id }, token })
  await server.call('delete_instance', { params: { id }, token })
  assert.equal((await attempt(id, { name: 'keyed' }, { key: 'one' })).text, first.text, 'replayed after the deletion')
  for (const [actions, status] of [
    [{ image: ['read'] }, 404],
    [{ ...rights, instance: ['write', 'read'] }, 403],
  ] as const) {
    const { token: by } = await makeToken(server, account, actions as never)
    assert.equal((await attempt(id, { name: 'keyed' }, { key: 'one', by })).status, status)
  }
  const stranger = await server.account()
  assert.equal((await attempt(id, { name: 'keyed' }, { key: 'one', by: stranger.token })).status, 404)
})

test('a key counts for the id and the path of what it names, and as sent once the path is not valid', async () => {
  const old = await make({ name: 'by-path' })
  const first = await attempt(old.resource_path, {}, { key: 'path' })
  const { resource_path: image } = await server.call('get_image', { params: { id: pad.image }, token })
  for (const [id, body] of [
    [old.id, {}],
    [old.id, { image }],
    [old.resource_path, { image }],
    [old.id, { image: pad.image.replace('image_', 'vmi_') }],
  ] as const) {
    const same = await attempt(id, body, { key: 'path' })
    assert.deepEqual([same.status, same.text], [201, first.text], JSON.stringify([id, body]))
  }
  const { id: another } = await make()
  for (const [id, body] of [
    [another, {}],
    [old.id, { image: image.replace(/[^:]+$/, 'absent') }],
    [old.id, { name: old.resource_path.slice(-3) }],
  ] as const) {
    assert.deepEqual(refusalOf(await attempt(id, body, { key: 'path' })), [
      422,
      'idempotency_key_reused',
      'Idempotency-Key',
    ])
  }
  await server.call('delete_instance', { params: { id: old.id }, token })
  const again = await attempt(old.resource_path, {}, { key: 'path' })
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal((await attempt(old.resource_path)).status, 404)
})

test('a refused request does not use its key', async () => {
  const { id } = await make()
  assert.equal((await attempt(id, { image: 'image_absent' }, { key: 'free' })).status, 422)
  assert.equal((await attempt(id, {}, { key: 'free' })).status, 201)
})

test('of many concurrent replacements of one instance, one succeeds', async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = await make()
    const responses = await Promise.all(Array.from({ length: 32 }, () => attempt(id)))
    assert.equal(responses.filter(({ status }) => status === 201).length, 1)
    for (const response of responses) {
      if (response.status !== 201) assert.deepEqual(refusalOf(response), [409, 'instance_terminated', null])
    }
    assert.deepEqual(await eventsOf(server, token, id), ['instance.created token', 'instance.terminated token'])
  }
})

test('concurrent replacements of different instances each get their own response or refusal', async () => {
  const asked: Awaited<ReturnType<typeof askedOf>>[] = []
  for (let i = 0; i < 4; i++) asked.push(await askedOf(await server.account()))
  await server.settle()
  for (const { ended, own } of asked) await post(`${path}/${ended}/terminate`, {}, own.token)
  const calls = asked.flatMap(({ own, image, stand, wait, ended, other }) => [
    { own, id: stand, body: { image, name: 'wanted' } },
    { own, id: wait, body: { image, cloud_init_user_data: 'aGk=' } },
    { own, id: ended, body: { image } },
    { own, id: other, body: { image, name: 'stand' } },
    { own, id: other, body: { image: 'image_absent' } },
    { own, id: 'inst_absent', body: { image } },
  ])
  const responses = await Promise.all(calls.map(({ own, id, body }) => attempt(id, body, { by: own.token })))
  for (const [which, { own, image, stand, wait }] of asked.entries()) {
    const [first, second, ...refused] = responses.slice(6 * which, 6 * which + 6)
    assert.deepEqual([first?.body.name, second?.body.cloud_init_user_data_used], ['wanted', true])
    assert.deepEqual(refused.map(refusalOf), [
      [409, 'instance_terminated', null],
      [409, 'name_taken', 'name'],
      [422, 'image_not_available', 'image'],
      [404, 'not_found', undefined],
    ])
    for (const [old, fresh] of [
      [stand, first?.body],
      [wait, second?.body],
    ]) {
      assert.deepEqual([fresh.image.id, fresh.resource_path.split(':')[2]], [image, own.id])
      assert.equal((await get(`${path}/${old}`, own.token)).state, 'terminated')
      assert.ok((await eventsOf(server, own.token, old)).includes('instance.terminated token'))
      assert.deepEqual(await eventsOf(server, own.token, fresh.id), ['instance.created token'])
    }
  }
})

/** Instances of an account: one on a host, two that wait, and one to end. */
async function askedOf(own: TestAccount) {
  const { pool, sku, cold, image } = await makeLaunchPad(server, own, { hosts: 1, slots: 2 })
  const launch = async (body: object) => (await post(path, { pool, image, ...body }, own.token)).id
  const [stand, ended] = [await launch({ sku, name: 'stand' }), await launch({ sku })]
  return { own, image, stand, ended, wait: await launch({ sku: cold }), other: await launch({ sku: cold }) }
}

test('replace_instance: the record and the name of the old instance are purged seven days later', async () => {
  const old = await make({ name: 'of-a-week' })
  const made = await replace(old.id)
  const seen = async ({ id }: { id: string }) =>
    (await server.attempt('get_instance', { params: { id }, token })).status
  await server.advance(7 * 86_400 - 60)
  assert.deepEqual([await seen(old), await seen(made)], [200, 200])
  await server.advance(60)
  assert.deepEqual([await seen(old), await seen(made)], [404, 200])
  await make({ name: 'of-a-week' })
})

test('no audit finds anything after these tests', async () => {
  await assertSound(account)
})

/** Asserts that the limit counts living instances, and that each has a unique name and address. */
async function assertSound(of: TestAccount): Promise<void> {
  const { data } = await server.call('list_instances', { query: { limit: 200 }, token: of.token })
  const names = data.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  const living = data.filter(({ state }) => state !== 'terminated')
  const addresses = living.flatMap(({ subnet, private_ip }) => (private_ip ? [`${subnet} ${private_ip}`] : []))
  assert.equal(new Set(addresses).size, addresses.length)
  assert.equal((await server.call('get_limit', { params: { name: 'instances' }, token: of.token })).used, living.length)
}
