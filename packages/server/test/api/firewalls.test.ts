import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { codeOf, makeToken } from '../support/access.ts'
import { makeCapacity } from '../support/fixtures/capacity.ts'
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
const path = '/preview/v2/firewalls'
const place = { server, token, path }
const ssh = { protocol: 'tcp', port_from: 22, source_cidr: '0.0.0.0/0' }

function make(body: object = {}, by = token) {
  return server.call('create_firewall', { token: by, body })
}

async function makeWorkspace(name?: string): Promise<{ id: string; resource_path: string }> {
  return server.call('create_workspace', { token, body: name === undefined ? {} : { name } })
}

async function defaultFirewall(workspace = account.workspace_id) {
  const { data } = await server.call('list_firewalls', { query: { workspace, limit: 200 }, token })
  return data.find(({ is_default }) => is_default)
}

test('a firewall is created with all fields and read by its id and by its path', async () => {
  const tags = { team: 'blue' }
  const rules = [
    { protocol: 'tcp', port_from: 80, port_to: 443, source_cidr: '10.0.0.0/8', description: 'web' },
    { protocol: 'udp', port_from: 53, source_cidr: '203.0.113.7/32' },
    { protocol: 'icmp', source_cidr: '0.0.0.0/0' },
  ]
  const made = await make({ name: 'web', rules, tags })
  const me = await server.call('get_account', { token })
  assert.deepEqual(made, {
    object: 'firewall',
    id: made.id,
    resource_path: `svc:firewall:${account.id}:default:web`,
    workspace: me.workspace,
    name: 'web',
    is_default: false,
    rules: [rules[0], { ...rules[1], port_to: 53 }, rules[2]],
    tags,
    created_at: made.created_at,
    updated_at: made.created_at,
  })
  assert.match(made.id, /^frwl_[0-9a-zA-Z_-]{21}$/)
  for (const ref of [made.id, made.resource_path]) {
    assert.deepEqual(await server.call('get_firewall', { params: { id: ref }, token }), made)
  }
})

test('create_firewall has defaults for name, workspace and rules', async () => {
  for (const made of [
    await make(),
    await server.call('create_firewall', { token }),
    await make({ rules: null, name: null }),
  ]) {
    assert.match(made.name, /^[a-z]+-[a-z]+-[0-9a-zA-Z]{6}$/)
    assert.deepEqual([made.rules, made.tags, made.is_default], [[], null, false])
    assert.equal(made.workspace.id, account.workspace_id)
  }
  const elsewhere = await makeWorkspace('elsewhere')
  for (const workspace of [elsewhere.id, elsewhere.resource_path]) {
    assert.equal((await make({ workspace })).workspace.id, elsewhere.id)
  }
})

test('each rule is validated, and the refusal names the field', async () => {
  const base = { protocol: 'tcp', port_from: 80, source_cidr: '10.0.0.0/8' }
  const { port_from: _, ...portless } = base
  for (const [rule, code, field] of [
    [{ ...base, port_from: 443, port_to: 80 }, 'invalid_range', 'rules.1.port_to'],
    [portless, 'required', 'rules.1.port_from'],
    [{ ...base, protocol: 'icmp' }, 'invalid_value', 'rules.1.port_from'],
    [{ ...portless, protocol: 'all', port_to: 1 }, 'invalid_value', 'rules.1.port_to'],
    [{ ...base, protocol: 'gre' }, 'invalid_value', 'rules.1.protocol'],
    [{ ...base, port_from: 0 }, 'out_of_range', 'rules.1.port_from'],
    [{ ...base, port_to: 65_536 }, 'out_of_range', 'rules.1.port_to'],
    [{ ...base, port_from: '80' }, 'invalid_type', 'rules.1.port_from'],
    [{ ...base, source_cidr: '10.0.0.1/8' }, 'invalid_cidr', 'rules.1.source_cidr'],
    [{ ...base, source_cidr: '10.0.0.0' }, 'invalid_cidr', 'rules.1.source_cidr'],
    [{ ...base, source_cidr: '10.0.0.0/33' }, 'invalid_cidr', 'rules.1.source_cidr'],
    [{ ...base, source_cidr: '010.0.0.0/8' }, 'invalid_cidr', 'rules.1.source_cidr'],
    [{ ...base, source_cidr: '::/0' }, 'invalid_cidr', 'rules.1.source_cidr'],
    [{ protocol: 'tcp', port_from: 80 }, 'required', 'rules.1.source_cidr'],
    [{ ...base, description: 'd'.repeat(256) }, 'too_long', 'rules.1.description'],
    [{ ...base, direction: 'out' }, 'unknown_field', 'rules.1.direction'],
    [{ ...ssh, port_to: 22, description: 'the same again' }, 'duplicate_entry', 'rules.1'],
  ] as const) {
    const rules = [ssh, rule]
    const created = await server.attempt('create_firewall', { token, body: { rules } })
    assert.deepEqual(refusalOf(created), [400, code, field], JSON.stringify(rule))
    const { id } = await defaultFirewall()
    const replaced = await server.attempt('replace_firewall_rules', { params: { id }, token, body: { rules } })
    assert.deepEqual(refusalOf(replaced), [400, code, field], JSON.stringify(rule))
  }
  const many = Array.from({ length: 51 }, (_, index) => ({ ...base, port_from: index + 1 }))
  assert.deepEqual(refusalOf(await server.attempt('create_firewall', { token, body: { rules: many } })), [
    400,
    'too_many',
    'rules',
  ])
  assert.equal((await make({ rules: many.slice(1) })).rules.length, 50)
})

test('replace_firewall_rules replaces all rules, also of the default firewall', async () => {
  for (const { id } of [await make({ rules: [ssh] }), await defaultFirewall((await makeWorkspace()).id)]) {
    const rules = [{ protocol: 'all', source_cidr: '192.0.2.0/24' }] as const
    const replaced = await server.call('replace_firewall_rules', { params: { id }, token, body: { rules } })
    assert.deepEqual(replaced.rules, rules)
    assert.deepEqual(await server.call('get_firewall', { params: { id }, token }), replaced)
    assert.deepEqual(
      (await server.call('replace_firewall_rules', { params: { id }, token, body: { rules: [] } })).rules,
      [],
    )
  }
  const { id } = await make()
  for (const [body, code] of [
    [{}, 'required'],
    [{ rules: null }, 'invalid_type'],
  ] as const) {
    const response = await server.attempt('replace_firewall_rules', { params: { id }, token, body })
    assert.deepEqual(refusalOf(response), [400, code, 'rules'])
  }
  assert.equal(
    (await server.attempt('replace_firewall_rules', { params: { id: 'frwl_absent' }, token, body: { rules: [] } }))
      .status,
    404,
  )
})

test('names are validated and unique in a workspace', async () => {
  await assertNameRule(place, 'POST', {})
  const made = await make({ name: 'x'.repeat(255) })
  await assertNameRule({ ...place, path: `${path}/${made.id}` }, 'PATCH', {})
  await make({ name: 'taken' })
  for (const name of ['taken', 'default']) {
    assert.deepEqual(refusalOf(await server.attempt('create_firewall', { token, body: { name } })), [
      409,
      'name_taken',
      'name',
    ])
    const renamed = await server.attempt('update_firewall', { params: { id: made.id }, token, body: { name } })
    assert.deepEqual(refusalOf(renamed), [409, 'name_taken', 'name'])
  }
  await make({ name: 'Taken' })
  await make({ name: 'taken', workspace: (await makeWorkspace()).id })
  await make({ name: 'taken' }, (await server.account()).token)
})

test('of 32 concurrent creations with one name, one succeeds', async () => {
  const responses = await Promise.all(
    Array.from({ length: 32 }, () => server.attempt('create_firewall', { token, body: { name: 'raced' } })),
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, ...Array(31).fill(409)])
})

test('update_firewall changes the path, keeps the id and frees the old name', async () => {
  const made = await make({ name: 'before', tags: { a: '1' }, rules: [ssh] })
  await server.advance(5)
  const renamed = await server.call('update_firewall', {
    params: { id: made.resource_path },
    token,
    body: { name: 'after' },
  })
  const resource_path = `svc:firewall:${account.id}:default:after`
  assert.deepEqual(renamed, { ...made, name: 'after', resource_path, updated_at: renamed.updated_at })
  assert.ok(renamed.updated_at >= made.updated_at + 5)
  assert.equal((await server.attempt('get_firewall', { params: { id: made.resource_path }, token })).status, 404)
  await make({ name: 'before' })
  const nothing = await server.attempt('update_firewall', { params: { id: made.id }, token, body: { name: null } })
  assert.deepEqual(refusalOf(nothing), [400, 'invalid_type', 'name'])
  assert.equal(
    (await server.attempt('update_firewall', { params: { id: 'frwl_absent' }, token, body: {} })).status,
    404,
  )
})

test('tags are validated', async () => {
  await assertTags(place, {})
})

test('every workspace has a default firewall that allows SSH and cannot be renamed', async () => {
  const workspace = await makeWorkspace('fresh')
  const firewall = await defaultFirewall(workspace.id)
  assert.deepEqual([firewall.name, firewall.rules], ['default', [{ ...ssh, port_to: 22 }]])
  const renamed = await server.attempt('update_firewall', {
    params: { id: firewall.id },
    token,
    body: { name: 'other' },
  })
  assert.deepEqual(refusalOf(renamed), [422, 'default_firewall', 'name'])
  const tagged = await server.call('update_firewall', {
    params: { id: firewall.id },
    token,
    body: { name: 'default', tags: { a: 'b' } },
  })
  assert.deepEqual([tagged.name, tagged.tags], ['default', { a: 'b' }])
  for (const ref of [firewall.id, firewall.resource_path]) {
    const deleted = await server.attempt('delete_firewall', { params: { id: ref }, token })
    assert.deepEqual(refusalOf(deleted), [422, 'default_firewall', null])
  }
  await server.call('delete_workspace', { params: { id: workspace.id }, token })
  assert.equal((await server.attempt('get_firewall', { params: { id: firewall.id }, token })).status, 404)
})

test('delete_firewall is 204 without a body, once, by id and by path, and frees the name', async () => {
  for (const by of ['id', 'resource_path'] as const) {
    const made = await make({ name: 'passing' })
    const gone = await server.attempt('delete_firewall', { params: { id: made[by] }, token })
    assert.deepEqual([gone.status, gone.text, gone.headers.get('content-type')], [204, '', null])
    for (const [method, at, body] of [
      ['DELETE', made[by]],
      ['GET', made.id],
      ['GET', made.resource_path],
      ['PATCH', made.id, {}],
      ['PUT', `${made.id}/rules`, { rules: [] }],
    ] as const) {
      const again = await server.request(method, `${path}/${at}`, { token, ...(body ? { body } : {}) })
      assert.deepEqual([again.status, again.body.error.type, again.body.error.details], [404, 'not_found', undefined])
    }
  }
  const { id } = await make({ name: 'passing' })
  const withBody = await server.attempt('delete_firewall', { params: { id }, token, body: { ignored: true } })
  assert.equal(withBody.status, 204)
})

test('a firewall cannot be deleted while a template or a living instance refers to it', async () => {
  const { sku, pool, image } = await makeCapacity(server, account, { sku: { supports_public_ipv4: true } })
  const fields = (id: string) => ({ _preview_enable_public_ipv4: true, _preview_firewall: id })
  await assertInUse(place, { fields, sku, pool, image }, () => make(), 'firewall_in_use')
})

test('a reference that is neither an id nor a path of a firewall is refused', async () => {
  const long = `frwl_${'a'.repeat(22)}`
  const others = [`svc:subnet:${account.id}:default:web`, `svc:firewall:${account.id}:web`, `svc:firewall:a:b:c:d`]
  for (const ref of [
    'web',
    'frwl_',
    long,
    'inst_abc',
    'frwl_a%20b',
    'frwl_a%0A',
    ...others,
    `svc:firewall:${account.id}::web`,
  ]) {
    for (const method of ['GET', 'DELETE']) {
      const response = await server.request(method, `${path}/${ref}`, { token })
      assert.deepEqual(refusalOf(response), [400, 'invalid_format', 'id'], `${method} ${ref}`)
    }
  }
  for (const ref of [
    'frwl_a',
    `frwl_${'a'.repeat(21)}`,
    `svc:firewall:${account.id}:default:absent`,
    'svc:firewall:a:b:c',
  ]) {
    assert.equal((await server.attempt('delete_firewall', { params: { id: ref }, token })).status, 404, ref)
  }
})

test('list_firewalls is newest first and works in both directions', async () => {
  const workspace = await makeWorkspace()
  const ids: string[] = []
  for (let count = 0; count < 4; count++) ids.unshift((await make({ workspace: workspace.id })).id)
  ids.push((await defaultFirewall(workspace.id)).id)
  await assertPages(place, ids, `workspace=${workspace.id}`)
  assert.deepEqual((await idsOf(place)).slice(0, 5), ids)
})

test('rows that one server makes one after the other within a second come after a cursor of before', async () => {
  const workspace = await makeWorkspace()
  const list = (more: object) =>
    server.call('list_firewalls', { query: { workspace: workspace.id, ...more } as never, token })
  let { cursor } = await list({})
  for (let round = 0; round < 5; round++) {
    const made = [(await make({ workspace: workspace.id })).id, (await make({ workspace: workspace.id })).id]
    const page = await list({ ending_before: cursor })
    assert.deepEqual(
      page.data.map(({ id }) => id),
      made.toReversed(),
    )
    cursor = page.cursor
  }
})

test('a list filters by workspace, ids, paths and tags and ignores unknown ones', async () => {
  const one = await make({ name: 'filter-1' })
  const two = await make({ name: 'filter-2' })
  const stranger = await make({}, (await server.account()).token)
  const absent = `id=frwl_absent&id=svc:firewall:${account.id}:default:none&id=${stranger.id}`
  assert.deepEqual(await idsOf(place, `id=${one.id}&id=${two.resource_path}&${absent}`), [two.id, one.id])
  assert.deepEqual(await idsOf(place, absent), [])
  const elsewhere = await makeWorkspace()
  assert.deepEqual(await idsOf(place, `id=${one.id}&workspace=${elsewhere.id}`), [])
  assert.deepEqual(await idsOf(place, `workspace=${elsewhere.resource_path}`), [
    (await defaultFirewall(elsewhere.id)).id,
  ])
  assert.deepEqual(await idsOf(place, 'workspace=wksp_absent'), [])
  assert.deepEqual(await idsOf(place, `workspace=${stranger.workspace.id}`), [])
  await assertTagFilters(place, (tags) => make({ tags }))
})

test('a list shows the firewalls of workspaces where the caller may list', async () => {
  const elsewhere = await makeWorkspace()
  const made = await make({ workspace: elsewhere.id })
  const lister = await makeToken(server, account, { firewall: ['list'] }, elsewhere.id)
  assert.deepEqual((await idsOf({ ...place, token: lister.token })).slice(0, 1), [made.id])
  assert.deepEqual(await idsOf({ ...place, token: lister.token }, `workspace=${account.workspace_id}`), [])
})

test('an idempotency key creates one firewall', async () => {
  await assertKeys(place, account, { rules: [ssh] }, { rules: [] })
})

test('each operation needs its verb; without any verb the firewall is 404', async () => {
  const made = await make()
  const at = `${path}/${made.id}`
  await assertRights(server, account, 'firewall', {
    create_firewall: { method: 'POST', path, body: {}, verb: 'create' },
    list_firewalls: { method: 'GET', path, verb: 'list' },
    get_firewall: { method: 'GET', path: at, verb: 'read' },
    update_firewall: { method: 'PATCH', path: at, body: {}, verb: 'write' },
    replace_firewall_rules: { method: 'PUT', path: `${at}/rules`, body: { rules: [] }, verb: 'write' },
    delete_firewall: { method: 'DELETE', path: at, verb: 'delete' },
  })
})

test('a firewall cannot be created in a workspace that is invisible to the caller', async () => {
  const elsewhere = await makeWorkspace()
  const stranger = await server.account()
  const local = await makeToken(server, account, { firewall: ['*'] })
  for (const [by, workspace] of [
    [token, 'wksp_absent'],
    [token, stranger.workspace_id],
    [token, `svc:workspace:${stranger.id}:default`],
    [local.token, elsewhere.id],
  ] as const) {
    const response = await server.attempt('create_firewall', { token: by, body: { workspace } })
    assert.deepEqual(refusalOf(response), [422, 'reference_not_found', 'workspace'])
  }
})

test('the limit of firewalls does not count default and deleted ones', async () => {
  const { token } = await server.account({ trust_level: 'untrusted' })
  const made = await make({}, token)
  await make({}, token)
  const over = await server.attempt('create_firewall', { token, body: {} })
  assert.deepEqual([over.status, codeOf(over)], [422, 'limit_exceeded'])
  assert.match(over.body.error.message, /firewalls/)
  await server.call('delete_firewall', { params: { id: made.id }, token })
  await make({}, token)
})

test('a frozen account can read but not change its firewalls', async () => {
  const account = await server.account()
  const made = await make({}, account.token)
  await server.call('freeze_account', { params: { account: account.id } })
  const frozen = async (method: string, at: string, body?: object) =>
    (await server.request(method, at, { token: account.token, ...(body ? { body } : {}) })).status
  await eventually('the account may create nothing', async () => {
    assert.equal(await frozen('POST', path, {}), 403)
    return true
  })
  assert.equal(await frozen('GET', `${path}/${made.id}`), 200)
  assert.equal(await frozen('GET', path), 200)
  assert.equal(await frozen('PATCH', `${path}/${made.id}`, {}), 403)
  assert.equal(await frozen('PUT', `${path}/${made.id}/rules`, { rules: [] }), 403)
  assert.equal(await frozen('DELETE', `${path}/${made.id}`), 403)
})
