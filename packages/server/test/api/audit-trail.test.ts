import assert from 'node:assert/strict'
import { listAllAuditEntries, listAuditEntries } from '@bourse/api/iam/audit-entries.ts'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { makeAccountToken } from '../support/access.ts'
import { makeLink, makePerson, makeUser, ownPage, press, submit } from '../support/fixtures/people.ts'
import { startTestServer } from '../support/server.ts'
import { assertStrict } from '../support/strictness.ts'
import { makePasskey, signWith } from './authenticator.ts'
import { browserOf, openBrowser } from './browsers.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account

type TrailEntry = {
  id: string
  account: string
  actor: { type: string; id: string | null; name: string | null }
  operation: string
  targets: { type: string; id: string }[]
  outcome: string
  code: string | null
  changes: { field: string; old_value: string | null; new_value: string | null; is_secret: boolean }[]
  on_behalf_of: string | null
  address: string | null
  user_agent: string | null
  request_id: string
}

async function entries(query: string, by = token): Promise<TrailEntry[]> {
  return (await server.call('list_audit_entries', { query, token: by })).data
}

/** Entries of refused requests are written soon after the response. */
function written(query: string, by = token): Promise<TrailEntry> {
  return eventually(`an entry has ${query}`, async () => (await entries(query, by))[0])
}

function write(method: string, at: string, body?: unknown, by = token) {
  return server.request(method, at, { token: by, ...(body === undefined ? {} : { body }) })
}

test('every operation requires a token and refuses unknown parameters', async () => {
  await assertStrict(server, token, [listAuditEntries, listAllAuditEntries])
})

test('a write is recorded with its author, its target, its request and what it set', async () => {
  const headers = { 'user-agent': 'robot/7', 'x-request-id': 'audit-1' }
  const made = await server.attempt('create_workspace', { token, body: { name: 'audited' }, headers })
  const [entry, ...others] = await entries(`target=${made.body.id}`)
  assert.equal(others.length, 0)
  const me = await server.call('get_account', { token })
  const { id: _, occurred_at: __, ...shown } = entry as TrailEntry & { occurred_at: number }
  assert.deepEqual(shown, {
    object: 'audit_entry',
    account: account.id,
    actor: { type: 'token', id: me.token.id, name: me.token.name },
    operation: 'create_workspace',
    targets: [{ type: 'workspace', id: made.body.id }],
    outcome: 'done',
    code: null,
    changes: [{ field: 'name', old_value: null, new_value: '"audited"', is_secret: false }],
    on_behalf_of: null,
    address: '127.0.0.1',
    user_agent: 'robot/7',
    request_id: 'audit-1',
  })
})

test('a change has the old and the new value, by id and by path, and leaves out what stays the same', async () => {
  const made = await server.call('create_firewall', { token, body: { name: 'one', tags: { a: 'b' } } })
  await write('PATCH', `/preview/v2/firewalls/${made.id}`, { name: 'two', tags: { a: 'b' } })
  await write('PATCH', `/preview/v2/firewalls/${encodeURIComponent(`svc:firewall:${account.id}:default:two`)}`, {
    name: 'three',
  })
  const found = await entries(`target=${made.id}&operation=update_firewall`)
  assert.deepEqual(
    found.map(({ changes }) => changes),
    [
      [{ field: 'name', old_value: '"two"', new_value: '"three"', is_secret: false }],
      [{ field: 'name', old_value: '"one"', new_value: '"two"', is_secret: false }],
    ],
  )
})

test('an action shows which fields of its resource it changed', async () => {
  const image = await server.call('create_ready_image', { token, body: { name: 'acted-on' } })
  await write('POST', `/v2/images/${image.id}/revoke`)
  const [entry] = await entries(`target=${image.id}&operation=revoke_image`)
  const state = entry?.changes.find(({ field }) => field === 'state')
  assert.deepEqual(state, { field: 'state', old_value: '"completed"', new_value: '"revoked"', is_secret: false })
})

test('of requests that change one resource at once, each has the value that the one before set', async () => {
  const made = await server.call('create_firewall', { token, body: { name: 'start' } })
  const names = Array.from({ length: 8 }, (_, index) => `raced-${index}`)
  const responses = await Promise.all(names.map((name) => write('PATCH', `/preview/v2/firewalls/${made.id}`, { name })))
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  const changes = (await entries(`target=${made.id}&operation=update_firewall`)).flatMap((one) => one.changes)
  const next = new Map(changes.map(({ old_value, new_value }) => [old_value, new_value]))
  let at: string | null | undefined = '"start"'
  let steps = 0
  while (next.has(at ?? null)) {
    at = next.get(at ?? null)
    steps++
  }
  const { name } = await server.call('get_firewall', { params: { id: made.id }, token })
  assert.deepEqual([steps, at], [8, JSON.stringify(name)])
})

test('the old value is known although the caller may not read the resource', async () => {
  const writer = await makeAccountToken(server, account, { firewall: ['write'] })
  const made = await server.call('create_firewall', { token, body: { name: 'unread' } })
  const response = await write('PATCH', `/preview/v2/firewalls/${made.id}`, { name: 'written' }, writer.token)
  assert.equal(response.status, 200)
  const found = await entries(`target=${made.id}&operation=update_firewall`)
  assert.deepEqual(
    found.map(({ changes }) => changes),
    [[{ field: 'name', old_value: '"unread"', new_value: '"written"', is_secret: false }]],
  )
})

test('secrets are never recorded, and reading one is', async () => {
  const secret = Buffer.from('#cloud-config secret').toString('base64')
  const image = await server.call('create_ready_image', { token, body: { name: 'with-secret' } })
  const body = { name: 'secretive', image: image.id, cloud_init_user_data: secret }
  const { id } = await server.call('create_instance_template', { token, body })
  await server.call('get_instance_template_cloud_init', { params: { id }, token })
  const [read, made] = await entries(`target=${id}`)
  assert.equal(read?.operation, 'get_instance_template_cloud_init')
  assert.deepEqual(read?.changes, [])
  assert.deepEqual(
    made?.changes.find(({ field }) => field === 'cloud_init_user_data'),
    { field: 'cloud_init_user_data', old_value: null, new_value: null, is_secret: true },
  )
  const hook = await server.call('create_webhook', { token, body: { url: 'https://a.example/x' } })
  await server.call('rotate_webhook_secret', { params: { id: hook.id }, token })
  const fresh = await server.call('create_token', { token, body: { name: 'fresh' } })
  const texts = JSON.stringify(await entries('limit=200'))
  for (const one of [secret, hook.secret, fresh.token]) assert.ok(!texts.includes(one.slice(0, 40)))
})

test('a write that is refused for lack of rights is recorded, and one that the state refuses is not', async () => {
  const reader = await makeAccountToken(server, account, { firewall: ['read'] })
  const made = await server.call('create_firewall', { token, body: { name: 'guarded' } })
  assert.equal((await write('DELETE', `/preview/v2/firewalls/${made.id}`, undefined, reader.token)).status, 403)
  const refused = await written(`target=${made.id}&outcome=refused`)
  assert.deepEqual(
    [refused.operation, refused.code, refused.actor.id, refused.targets, refused.changes],
    ['delete_firewall', 'forbidden', reader.id, [{ type: 'firewall', id: made.id }], []],
  )
  const foreign = await server.account()
  assert.equal((await write('DELETE', `/preview/v2/firewalls/${made.id}`, undefined, foreign.token)).status, 404)
  const unseen = await written(`target=${made.id}`, foreign.token)
  assert.deepEqual([unseen.outcome, unseen.code], ['refused', 'not_found'])
  assert.equal((await write('POST', '/v2/workspaces', { name: 'default' })).status, 409)
  assert.deepEqual(await entries('operation=create_workspace&outcome=refused'), [])
})

test('orders and replacements of one transaction have an entry each', async () => {
  const { data } = await server.call('list_audit_entries', { query: { operation: 'create_order' }, token })
  assert.deepEqual(data, [])
  const platform = (body: unknown, at: string) => server.ok('POST', at, { body })
  const sku = (await platform({}, '/preview/v2/admin/skus')).id
  const supply = await server.call('create_simulated_hosts', { token, body: { sku, count: 1, slots: 8 } })
  const { now } = await server.call('get_clock')
  const start_at = now - (now % 60) + 7200
  const body = {
    pool: supply.data[0].pool.id,
    side: 'sell' as const,
    sku,
    limit_price_dollars_per_node_hour: '6.000000',
    allocation_schedule_delta: [{ start_at, end_at: start_at + 60, node_count: 1 }],
  } as const
  const made = await Promise.all(Array.from({ length: 5 }, () => server.call('create_order', { token, body })))
  const found = await entries('operation=create_order')
  assert.deepEqual(
    new Set(found.flatMap(({ targets }) => targets.map(({ id }) => id))),
    new Set(made.map(({ id }) => id)),
  )
  assert.equal(found.length, 5)
  assert.ok(found[0]?.changes.some(({ field, new_value }) => field === 'side' && new_value === '"sell"'))
})

test('an operator’s act appears in the trail of the platform, and of the account under "platform"', async () => {
  const customer = await server.account()
  await server.call('set_trust_level', {
    params: { account: customer.id },
    body: { trust_level: 'basic' },
    headers: { 'user-agent': 'ops/1' },
  })
  const [seen] = await entries('operation=set_trust_level', customer.token)
  assert.deepEqual(seen?.actor, { type: 'system', id: null, name: 'platform' })
  assert.deepEqual([seen?.address, seen?.user_agent, seen?.on_behalf_of], [null, null, customer.id])
  assert.deepEqual(seen?.changes, [
    { field: 'trust_level', old_value: '"trusted"', new_value: '"basic"', is_secret: false },
  ])
  const all = await server.call('list_all_audit_entries', {
    query: { operation: 'set_trust_level', target: customer.id },
  })
  assert.equal(all.data.length, 2)
  const own = all.data.find((one: TrailEntry) => one.account !== customer.id)
  assert.deepEqual([own.actor.type, own.user_agent, own.on_behalf_of], ['token', 'ops/1', customer.id])
  const { data } = await server.call('list_all_audit_entries', { query: { account: customer.id } })
  assert.ok(data.length > 0 && data.every((one: TrailEntry) => one.account === customer.id))
})

test('an operator’s act on a partner’s host appears in the trail of the partner', async () => {
  const partner = await server.account()
  const sku = await server.call('create_sku', { body: {} })
  const { data } = await server.call('create_simulated_hosts', { body: { sku: sku.id, account: partner.id, count: 1 } })
  const { id } = data[0]
  for (const operation of ['cordon_host', 'uncordon_host'] as const) {
    await server.call(operation, { params: { id } })
    const [seen] = await entries(`operation=${operation}`, partner.token)
    assert.deepEqual(seen?.actor, { type: 'system', id: null, name: 'platform' }, operation)
    assert.deepEqual([seen?.targets, seen?.on_behalf_of], [[{ type: 'host', id }], partner.id])
  }
})

test('sign-ins are recorded, and those that failed', async () => {
  const person = await makePerson(server, account, 'role_viewer')
  const [done] = await entries(`actor=${person.user}&operation=sign_in_by_link`)
  assert.deepEqual([done?.outcome, done?.actor.type, done?.address], ['done', 'user', '127.0.0.1'])
  assert.deepEqual(done?.targets, [{ type: 'user', id: person.user }])
  const link = await makeLink(server, account, person.user)
  await server.advance(901)
  assert.equal((await press(server, link)).status, 410)
  const failed = await written(`actor=${person.user}&operation=sign_in_by_link&outcome=refused`)
  assert.deepEqual([failed.code, failed.actor.id], ['authentication_error', person.user])
  const refused = await person.attempt('create_workspace', { body: {} })
  assert.equal(refused.status, 403)
  const { actor } = await written(`actor=${person.user}&operation=create_workspace`)
  assert.deepEqual([actor.type, actor.id], ['user', person.user])
})

test('a sign-in by a passkey or a recovery code is recorded, and one that failed as a known user', async () => {
  const user = (await makeUser(server, account)).id
  const browser = await browserOf(server, account, user)
  const asked = await browser.ask('POST', '/preview/v2/auth/passkeys/registration', {})
  const { passkey, body } = makePasskey(asked.body, browser.origin)
  const added = await browser.ask('POST', `/preview/v2/users/${user}/passkeys`, body)
  const [code] = added.body.recovery_codes
  const other = openBrowser(server)
  const touch = async (twist = {}) => {
    const { body: shown } = await other.ask('POST', '/preview/v2/auth/passkeys/challenge', {})
    const { origin } = other
    return other.ask('POST', '/preview/v2/auth/passkeys/sign_in', signWith(passkey, shown, origin, twist))
  }
  const use = (typed: string) => other.ask('POST', '/preview/v2/auth/recovery_code', { code: typed })
  const wrong = `${code.slice(0, -1)}${code.at(-1) === 'A' ? 'B' : 'A'}`
  for (const [operation, fail, succeed] of [
    ['sign_in_by_passkey', () => touch({ flags: 1 }), touch],
    ['sign_in_by_recovery_code', () => use(wrong), () => use(code)],
  ] as const) {
    assert.equal((await fail()).status, 401, operation)
    const failed = await written(`actor=${user}&operation=${operation}&outcome=refused`)
    assert.deepEqual(
      [failed.code, failed.actor.type, failed.address, failed.targets],
      ['authentication_error', 'user', '127.0.0.1', [{ type: 'user', id: user }]],
    )
    assert.equal((await succeed()).status, 200, operation)
    const outcomes = (await entries(`actor=${user}&operation=${operation}`)).map(({ outcome }) => outcome)
    assert.deepEqual(outcomes.toSorted(), ['done', 'refused'], operation)
  }
})

test('a program that a person lets in is recorded, and one that was denied', async () => {
  const person = await makePerson(server, account, 'role_viewer')
  for (const [response, outcome, code] of [
    ['deny', 'refused', 'access_denied'],
    ['approve', 'done', null],
  ] as const) {
    const program = { token: null, headers: { 'user-agent': `laptop/${response}` } }
    const { body } = await server.attempt('start_device_login', { ...program, body: {} })
    const { device_code, user_code } = body
    const form = String(new URLSearchParams({ user_code, answer: response }))
    assert.equal((await submit(server, '/device', form, { cookie: person.cookie, ...ownPage })).status, 200, response)
    const finish = { ...program, body: { device_code } }
    await server.attempt('finish_device_login', finish)
    const entry = await written(`actor=${person.user}&operation=sign_in_by_device&outcome=${outcome}`)
    assert.deepEqual([entry.code, entry.targets], [code, [{ type: 'user', id: person.user }]])
  }
})

test('a request with an idempotency key is recorded once, and again where its secret is shown again', async () => {
  const headers = { 'idempotency-key': 'audited-once' }
  const make = () => server.call('create_token', { token, body: { name: 'once' }, headers })
  const { id } = await make()
  assert.equal((await entries(`target=${id}`)).length, 1)
  await make()
  const found = await entries(`target=${id}`)
  assert.deepEqual(
    found.map(({ changes }) => changes.length),
    [0, 1],
  )
})

test('the list shows only the account of its caller, as pages and as CSV, and needs the right to it', async () => {
  const other = await server.account()
  const page = await server.call('list_audit_entries', { query: { limit: 2 }, token })
  assert.ok(page.data.every((one: TrailEntry) => one.account === account.id) && page.has_more)
  const next = await server.call('list_audit_entries', { query: { limit: 2, starting_after: page.cursor }, token })
  assert.ok(next.data[0].id !== page.data[1].id && next.data[0].occurred_at <= page.data[1].occurred_at)
  const csv = await server.attempt('list_audit_entries', {
    query: { limit: 1 },
    token,
    headers: { accept: 'text/csv' },
  })
  assert.match(csv.text, /^id,occurred_at,account,actor,operation,targets,outcome,code,changes,/)
  for (const role of ['role_viewer', 'role_operator', 'role_trader', 'role_billing']) {
    const { token: weak } = await server.call('create_token', { token, body: { roles: [role] } })
    assert.equal((await server.attempt('list_audit_entries', { token: weak })).status, 403)
  }
  assert.ok((await entries('limit=200', other.token)).every((one) => one.account === other.id))
  assert.equal((await server.attempt('list_all_audit_entries', { token })).status, 404)
  const codes = await server.attempt('list_audit_entries', { query: { from: 10, to: 10 }, token })
  assert.deepEqual([codes.status, codes.body.error.details[0].code], [400, 'invalid_range'])
})

test('long values are cut, and their number is bounded', async () => {
  const tags = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`tag-${index}`, 'é'.repeat(200)]))
  const made = await server.call('create_firewall', { token, body: { name: 'long', tags } })
  const [entry] = await entries(`target=${made.id}`)
  const value = entry?.changes.find(({ field }) => field === 'tags')?.new_value ?? ''
  assert.deepEqual([value.length, value.at(-1)], [1025, '…'])
})
