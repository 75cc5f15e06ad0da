import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeImage, makeLaunchPad, makeValue } from '../support/fixtures/fleet.ts'
import {
  assertKeys,
  assertNameRule,
  assertPages,
  assertRights,
  assertTagFilters,
  idsOf,
  refusalOf,
} from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const path = '/preview/v2/instance_templates'
const place = { server, token, path }
await makeValue(server, 'region', 'south')
const pad = await makeLaunchPad(server, account, {
  properties: { rdma_type: 'infiniband', infiniband_fabric: 'fabric-a' },
})

const get = (url: string, by = token) => server.ok('GET', url, { token: by })
const post = (url: string, body: object = {}, by = token) => server.ok('POST', url, { token: by, body })
const make = (body: object = {}) => post(path, { image: pad.image, ...body })
const attempt = (body: object) =>
  server.attempt('create_instance_template', { token, body: { image: pad.image, ...body } })
const remove = (url: string) => server.request('DELETE', url, { token })

test('create_instance_template stores all fields; get_instance_template reads by id or path', async () => {
  const subnet = await post('/preview/v2/subnets', { region: 'north' })
  const firewall = await post('/preview/v2/firewalls', { name: 'web' })
  const partition = await post('/preview/v2/infiniband_partitions', { infiniband_fabric: 'fabric-a' })
  const image = await get(`/v2/images/${pad.image}`)
  const tags = { team: 'blue' }
  const made = await make({
    name: 'trainer',
    image: image.resource_path,
    tags,
    priority_level: 'preferred',
    subnet: subnet.resource_path,
    _preview_enable_public_ipv4: true,
    _preview_firewall: firewall.resource_path,
    _preview_infiniband_partition: partition.resource_path,
    cloud_init_user_data: 'aGk=',
  })
  const { workspace } = await get('/preview/v2/account')
  assert.deepEqual(made, {
    object: 'instance_template',
    id: made.id,
    name: 'trainer',
    workspace,
    resource_path: `svc:instance_template:${account.id}:default:trainer`,
    image: { object: 'image', id: image.id, name: image.name, resource_path: image.resource_path },
    cloud_init_user_data_used: true,
    ssh_keys: [],
    tags,
    priority_level: 'preferred',
    subnet: subnet.id,
    _preview_enable_public_ipv4: true,
    _preview_firewall: firewall.id,
    _preview_infiniband_partition: partition.id,
    created_at: made.created_at,
  })
  assert.match(made.id, /^itmpl_[0-9a-zA-Z_-]{21}$/)
  for (const ref of [made.id, made.resource_path, encodeURIComponent(made.resource_path)]) {
    assert.deepEqual(await get(`${path}/${ref}`), made)
  }
  for (const kind of ['subnets', 'firewalls', 'infiniband_partitions']) {
    const parent = { subnets: subnet, firewalls: firewall, infiniband_partitions: partition }[kind]
    const response = await remove(`/preview/v2/${kind}/${parent.id}`)
    assert.equal(response.status, 409, kind)
    assert.match(response.body.error.details[0].message, new RegExp(made.id))
  }
  assert.match((await remove(`/v2/images/${image.id}`)).body.error.details[0].message, /instance template itmpl_/)
})

test('a template with few fields has defaults, and get_instance_template_cloud_init is 404', async () => {
  const made = await make({ name: null, tags: null, priority_level: null, subnet: null })
  assert.match(made.name, /^[a-z]+-[a-z]+-[0-9a-zA-Z]{6}$/)
  const { tags, priority_level, subnet, _preview_firewall, _preview_infiniband_partition } = made
  assert.deepEqual([tags, priority_level, subnet], [null, 'normal', null])
  assert.deepEqual([_preview_firewall, _preview_infiniband_partition], [null, null])
  assert.deepEqual([made._preview_enable_public_ipv4, made.cloud_init_user_data_used], [false, false])
  const open = await make({ _preview_enable_public_ipv4: true })
  assert.equal((await get(`/preview/v2/firewalls/${open._preview_firewall}`)).name, 'default')
})

test('invalid templates are refused with code and field', async () => {
  const stranger = await server.account()
  const { id: workspace } = await post('/v2/workspaces')
  const own = async (url: string, body: object = {}) => (await post(url, { ...body, workspace })).id
  const revoked = (await makeImage(server, account)).id
  await post(`/v2/images/${revoked}/revoke`)
  const open = { _preview_enable_public_ipv4: true }
  const fabric = { infiniband_fabric: 'fabric-a' }
  const ibField = '_preview_infiniband_partition'
  await make({ name: 'taken' })
  for (const [body, expected] of [
    [{ image: undefined }, [400, 'required', 'image']],
    [{ image: 'ubuntu' }, [400, 'invalid_format', 'image']],
    [{ priority_level: 'high' }, [400, 'invalid_value', 'priority_level']],
    [{ tags: { 'a,b': 'c' } }, [400, 'invalid_format', 'tags.a,b']],
    [{ sku: pad.sku }, [400, 'unknown_field', 'sku']],
    [{ cloud_init_user_data: 'a' }, [400, 'invalid_base64', 'cloud_init_user_data']],
    [{ name: 'taken' }, [409, 'name_taken', 'name']],
    [{ workspace: 'wksp_absent' }, [422, 'reference_not_found', 'workspace']],
    [{ workspace: stranger.workspace_id }, [422, 'reference_not_found', 'workspace']],
    [{ image: 'image_absent' }, [422, 'image_not_available', 'image']],
    [{ image: (await makeImage(server, stranger)).id }, [422, 'image_not_available', 'image']],
    [{ image: revoked }, [422, 'image_not_available', 'image']],
    [{ _preview_firewall: 'frwl_absent' }, [422, 'not_applicable', '_preview_firewall']],
    [{ ...open, _preview_firewall: 'frwl_absent' }, [422, 'reference_not_found', '_preview_firewall']],
    [
      { ...open, _preview_firewall: await own('/preview/v2/firewalls') },
      [422, 'workspace_mismatch', '_preview_firewall'],
    ],
    [{ subnet: 'snet_absent' }, [422, 'reference_not_found', 'subnet']],
    [{ subnet: await own('/preview/v2/subnets', { region: 'south' }) }, [422, 'workspace_mismatch', 'subnet']],
    [{ [ibField]: 'ibpart_absent' }, [422, 'reference_not_found', ibField]],
    [{ [ibField]: await own('/preview/v2/infiniband_partitions', fabric) }, [422, 'workspace_mismatch', ibField]],
  ] as const) {
    assert.deepEqual(refusalOf(await attempt(body)), expected, JSON.stringify(body))
  }
  await assertNameRule(place, 'POST', { image: pad.image })
  const poor = await server.account()
  await server.call('put_account_limit', {
    params: { account: poor.id, name: 'instance_templates' },
    body: { value: 0 },
  })
  const image = (await makeImage(server, poor)).id
  const response = await server.attempt('create_instance_template', { token: poor.token, body: { image } })
  assert.deepEqual(refusalOf(response), [422, 'limit_exceeded', null])
})

test('delete_instance_template is refused while a deployment uses it, and frees its references', async () => {
  const firewall = (await post('/preview/v2/firewalls')).id
  const count = async () => (await get('/preview/v2/limits/instance_templates')).used
  const before = await count()
  const used = await make({ _preview_enable_public_ipv4: true, _preview_firewall: firewall, name: 'used' })
  const request = { pool: pad.pool, sku: pad.sku, instance_template: used.id, target_instance_count: 0 }
  const deployment = await post('/preview/v2/deployments', request)
  const refused = await remove(`${path}/${used.resource_path}`)
  assert.deepEqual(refusalOf(refused), [409, 'in_use', null])
  assert.match(refused.body.error.details[0].message, new RegExp(deployment.id))
  assert.equal((await remove(`/preview/v2/deployments/${deployment.id}`)).status, 204)
  assert.equal((await remove(`${path}/${used.resource_path}`)).status, 204)
  assert.equal(await count(), before)
  for (const response of [
    await remove(`${path}/${used.id}`),
    await server.attempt('get_instance_template', { params: { id: used.id }, token }),
  ]) {
    assert.deepEqual(refusalOf(response), [404, 'not_found', undefined])
  }
  assert.equal((await remove(`/preview/v2/firewalls/${firewall}`)).status, 204)
  assert.equal((await attempt({ name: 'used' })).status, 201)
})

test('a template can be created in another workspace', async () => {
  const workspace = await post('/v2/workspaces', { name: 'other' })
  const made = await make({ workspace: workspace.resource_path, name: 'apart', _preview_enable_public_ipv4: true })
  assert.equal(made.resource_path, `svc:instance_template:${account.id}:other:apart`)
  const { data } = await get(`/preview/v2/firewalls?workspace=${workspace.id}`)
  assert.equal(made._preview_firewall, data[0].id)
  assert.equal((await remove(`/v2/workspaces/${workspace.id}`)).status, 409)
})

test('list_instance_templates is newest first and filters by every parameter', async () => {
  const own = await server.account()
  const where = { ...place, token: own.token }
  const image = (await makeImage(server, own)).id
  const other = await makeImage(server, own)
  const ids: string[] = []
  for (const body of [{ image }, { image }, { image: other.id }, { image, name: 'last' }, { image }]) {
    ids.unshift((await post(path, body, own.token)).id)
  }
  for (const [query, expected] of [
    ['', ids],
    [`workspace=${own.workspace_id}`, ids],
    [`workspace=${account.workspace_id}`, []],
    [`id=${ids[0]}&id=${`svc:instance_template:${own.id}:default:last`}&id=itmpl_absent`, [ids[0], ids[1]]],
    [`image=${other.resource_path}`, [ids[2]]],
    [`image=${other.id}&image=${image}`, ids],
    ['image=image_absent', []],
  ] as const) {
    assert.deepEqual(await idsOf(where, query), expected, query)
  }
  await assertPages(where, ids, `workspace=${own.workspace_id}`)
  await assertTagFilters(where, (tags) => post(path, { image, tags }, own.token))
})

test('an idempotency key creates one template', async () => {
  const image = pad.image
  await assertKeys(place, account, { image, name: 'once' }, { image, name: 'twice' })
})

test('each operation needs its own right', async () => {
  const { id: image } = await server.call('create_ready_image', { body: { name: 'for-all', is_public: true } })
  const one = async () => `${path}/${(await make()).id}`
  await assertRights(server, account, 'instance_template', {
    create: { method: 'POST', path, body: { image }, verb: 'create' },
    list: { method: 'GET', path, verb: 'list' },
    read: { method: 'GET', path: await one(), verb: 'read' },
    delete: { method: 'DELETE', path: await one(), verb: 'delete' },
  })
})
