import assert from 'node:assert/strict'
import { test } from 'vitest'
import { codeOf, makeToken } from '../support/access.ts'
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
const account = await server.account()
const { token } = account
const path = '/preview/v2/subnets'
const place = { server, token, path }
const region = 'north-1'

function make(body: object = {}, by = token) {
  return server.call('create_subnet', { token: by, body: { region, ...body } })
}

function ask(body: object, by = token) {
  return server.attempt('create_subnet', { token: by, body: { region, ...body } })
}

async function makeWorkspace(): Promise<string> {
  return (await server.call('create_workspace', { token, body: {} })).id
}

test('a subnet is created with all fields and read by its id and by its path', async () => {
  const made = await make({ name: 'lan', cidr: '192.168.4.0/22', tags: { team: 'blue' } })
  const me = await server.call('get_account', { token })
  assert.deepEqual(made, {
    object: 'subnet',
    id: made.id,
    resource_path: `svc:subnet:${account.id}:default:lan`,
    workspace: me.workspace,
    name: 'lan',
    region,
    cidr: '192.168.4.0/22',
    available_addresses: 1024 - 5,
    tags: { team: 'blue' },
    created_at: made.created_at,
    updated_at: made.created_at,
  })
  assert.match(made.id, /^snet_[0-9a-zA-Z_-]{21}$/)
  for (const ref of [made.id, made.resource_path]) {
    assert.deepEqual(await server.call('get_subnet', { params: { id: ref }, token }), made)
  }
})

test('create_subnet uses by default the first free /20 of 10.64.0.0/10', async () => {
  const workspace = await makeWorkspace()
  const cidrs: string[] = []
  for (let count = 0; count < 2; count++) cidrs.push((await make({ workspace })).cidr)
  assert.deepEqual(cidrs, ['10.64.0.0/20', '10.64.16.0/20'])
  await make({ workspace, cidr: '10.64.40.0/24' })
  const third = await make({ workspace, cidr: null })
  assert.equal(third.cidr, '10.64.48.0/20')
  assert.equal(third.available_addresses, 4096 - 5)
  const oldest = (await idsOf(place, `workspace=${workspace}`)).at(-1) as string
  await server.call('delete_subnet', { params: { id: oldest }, token })
  assert.equal((await make({ workspace })).cidr, '10.64.0.0/20')
  assert.equal((await make({ workspace: await makeWorkspace() })).cidr, '10.64.0.0/20')
})

test('a range is a private IPv4 network with a prefix length from 16 to 28', async () => {
  for (const cidr of [
    '8.8.8.0/24',
    '172.32.0.0/16',
    '172.15.0.0/16',
    '192.169.0.0/16',
    '11.0.0.0/16',
    '10.0.0.0/15',
    '10.0.0.0/29',
    '10.0.0.1/24',
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0/24',
    '10.0.0.0/024',
    '010.0.0.0/24',
    '10.0.0.0.0/24',
    '10.256.0.0/24',
    '/24',
    'fd00::/64',
    '',
  ]) {
    assert.deepEqual(refusalOf(await ask({ cidr })), [400, 'invalid_cidr', 'cidr'], cidr)
  }
  assert.deepEqual(refusalOf(await ask({ cidr: 10 })), [400, 'invalid_type', 'cidr'])
  const workspace = await makeWorkspace()
  for (const [cidr, free] of [
    ['10.0.0.0/16', 65_531],
    ['172.31.255.240/28', 11],
    ['172.16.0.0/16', 65_531],
    ['192.168.255.0/24', 251],
  ] as const) {
    assert.equal((await make({ cidr, workspace })).available_addresses, free, cidr)
  }
})

test('ranges of one workspace must not overlap, those of two workspaces may', async () => {
  const workspace = await makeWorkspace()
  await make({ workspace, cidr: '10.1.16.0/20' })
  for (const cidr of ['10.1.16.0/20', '10.1.0.0/16', '10.1.31.240/28', '10.1.16.0/24']) {
    assert.deepEqual(refusalOf(await ask({ workspace, cidr })), [409, 'subnet_overlap', 'cidr'], cidr)
    await make({ workspace: await makeWorkspace(), cidr })
  }
  await make({ workspace, cidr: '10.1.0.0/20' })
  await make({ workspace, cidr: '10.1.32.0/20' })
})

test('of 16 concurrent creations with overlapping ranges one succeeds; default ranges differ', async () => {
  const workspace = await makeWorkspace()
  const cidrs = Array.from({ length: 16 }, (_, index) => `10.9.0.0/${16 + (index % 8)}`)
  const requested = await Promise.all(cidrs.map((cidr) => ask({ workspace, cidr })))
  assert.equal(requested.filter(({ status }) => status === 201).length, 1)
  assert.equal(requested.filter((response) => codeOf(response) === 'subnet_overlap').length, 15)
  const drawn = await Promise.all(Array.from({ length: 16 }, () => make({ workspace })))
  assert.equal(new Set(drawn.map(({ cidr }) => cidr)).size, 16)
})

test('the region is required and validated', async () => {
  assert.deepEqual(refusalOf(await server.attempt('create_subnet', { token, body: {} })), [400, 'required', 'region'])
  assert.deepEqual(refusalOf(await server.attempt('create_subnet', { token })), [400, 'required', 'region'])
  for (const [wrong, code] of [
    [null, 'invalid_type'],
    ['', 'invalid_format'],
    ['a b', 'invalid_format'],
    [7, 'invalid_type'],
  ] as const) {
    assert.deepEqual(refusalOf(await ask({ region: wrong })), [400, code, 'region'])
  }
})

test('names are validated and unique in a workspace', async () => {
  await assertNameRule(place, 'POST', { region })
  const made = await make()
  assert.match(made.name, /^[a-z]+-[a-z]+-[0-9a-zA-Z]{6}$/)
  await assertNameRule({ ...place, path: `${path}/${made.id}` }, 'PATCH', {})
  await make({ name: 'taken' })
  assert.deepEqual(refusalOf(await ask({ name: 'taken' })), [409, 'name_taken', 'name'])
  const renamed = await server.attempt('update_subnet', { params: { id: made.id }, token, body: { name: 'taken' } })
  assert.deepEqual(refusalOf(renamed), [409, 'name_taken', 'name'])
  await make({ name: 'TAKEN' })
  await make({ name: 'taken', workspace: await makeWorkspace() })
  // A refused creation takes neither a range nor part of the limit.
  const before = await server.call('get_limit', { params: { name: 'subnets' }, token })
  await ask({ name: 'taken', cidr: '10.7.0.0/16' })
  assert.deepEqual(await server.call('get_limit', { params: { name: 'subnets' }, token }), before)
  await make({ cidr: '10.7.0.0/16' })
})

test('update_subnet changes only name and tags', async () => {
  const made = await make({ name: 'before', tags: { a: '1' } })
  await server.advance(5)
  const renamed = await server.call('update_subnet', {
    params: { id: made.resource_path },
    token,
    body: { name: 'after' },
  })
  const resource_path = `svc:subnet:${account.id}:default:after`
  assert.deepEqual(renamed, { ...made, name: 'after', resource_path, updated_at: renamed.updated_at })
  assert.ok(renamed.updated_at >= made.updated_at + 5)
  assert.deepEqual(await server.call('get_subnet', { params: { id: made.id }, token }), renamed)
  assert.equal((await server.attempt('get_subnet', { params: { id: made.resource_path }, token })).status, 404)
  for (const body of [{ region: 'other' }, { cidr: '10.2.0.0/16' }]) {
    const response = await server.attempt('update_subnet', { params: { id: made.id }, token, body })
    assert.deepEqual(refusalOf(response), [400, 'unknown_field', Object.keys(body)[0]])
  }
})

test('tags are validated', async () => {
  await assertTags(place, { region })
})

test('delete_subnet is 204 once and frees name and range', async () => {
  for (const by of ['id', 'resource_path'] as const) {
    const made = await make({ name: 'passing', cidr: '10.3.0.0/16' })
    const gone = await server.attempt('delete_subnet', { params: { id: made[by] }, token })
    assert.deepEqual([gone.status, gone.text], [204, ''])
    for (const [method, at] of [
      ['DELETE', made[by]],
      ['GET', made.id],
      ['PATCH', made.id],
    ] as const) {
      const again = await server.request(method, `${path}/${at}`, {
        token,
        ...(method === 'PATCH' ? { body: {} } : {}),
      })
      assert.equal(again.status, 404, method)
    }
  }
  for (const ref of ['lan', 'frwl_abc', 'snet_', `svc:firewall:${account.id}:default:lan`]) {
    assert.deepEqual(refusalOf(await server.attempt('delete_subnet', { params: { id: ref }, token })), [
      400,
      'invalid_format',
      'id',
    ])
  }
})

test('a subnet cannot be deleted while a template or a living instance refers to it', async () => {
  await makeValue(server, 'region', region)
  const { sku, pool, image } = await makeCapacity(server, account, { sku: { region } })
  await assertInUse(place, { fields: (id) => ({ subnet: id }), sku, pool, image }, () => make(), 'in_use')
})

test('list_subnets is newest first and works in both directions', async () => {
  const workspace = await makeWorkspace()
  const ids: string[] = []
  for (let count = 0; count < 5; count++) ids.unshift((await make({ workspace })).id)
  await assertPages(place, ids, `workspace=${workspace}`)
})

test('a list filters by workspace, ids, paths, region and tags', async () => {
  const workspace = await makeWorkspace()
  const one = await make({ workspace, region: 'west-7' })
  const two = await make({ workspace, region: 'West-7' })
  const stranger = await make({ region: 'west-7' }, (await server.account()).token)
  const absent = `id=snet_absent&id=${stranger.id}&id=${stranger.resource_path}`
  assert.deepEqual(await idsOf(place, `id=${one.id}&id=${two.resource_path}&${absent}`), [two.id, one.id])
  assert.deepEqual(await idsOf(place, absent), [])
  assert.deepEqual(await idsOf(place, 'region=west-7'), [one.id])
  assert.deepEqual(await idsOf(place, `workspace=${workspace}`), [two.id, one.id])
  assert.deepEqual(await idsOf(place, `workspace=${workspace}&region=none`), [])
  assert.deepEqual(await idsOf(place, `workspace=${stranger.workspace.id}`), [])
  await assertTagFilters(place, (tags) => make({ tags }))
})

test('an idempotency key creates one subnet', async () => {
  await assertKeys(place, account, { region }, { region: 'other' })
})

test('each operation needs its verb; without any verb the subnet is 404', async () => {
  const at = `${path}/${(await make()).id}`
  await assertRights(server, account, 'subnet', {
    create_subnet: { method: 'POST', path, body: { region }, verb: 'create' },
    list_subnets: { method: 'GET', path, verb: 'list' },
    get_subnet: { method: 'GET', path: at, verb: 'read' },
    update_subnet: { method: 'PATCH', path: at, body: {}, verb: 'write' },
    delete_subnet: { method: 'DELETE', path: at, verb: 'delete' },
  })
})

test('a subnet cannot be created in a workspace that is invisible to the caller', async () => {
  const local = await makeToken(server, account, { subnet: ['*'] })
  const stranger = await server.account()
  for (const [by, workspace] of [
    [token, 'wksp_absent'],
    [token, stranger.workspace_id],
    [local.token, await makeWorkspace()],
  ] as const) {
    assert.deepEqual(refusalOf(await ask({ workspace }, by)), [422, 'reference_not_found', 'workspace'])
  }
})

test('the limit of subnets is enforced and does not count deleted ones', async () => {
  const { token } = await server.account({ trust_level: 'untrusted' })
  const made = await make({}, token)
  await make({}, token)
  assert.deepEqual(refusalOf(await ask({}, token)), [422, 'limit_exceeded', null])
  await server.call('delete_subnet', { params: { id: made.id }, token })
  await make({}, token)
})
