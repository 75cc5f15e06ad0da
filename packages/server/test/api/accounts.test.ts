import assert from 'node:assert/strict'
import { getAccount } from '@bourse/api/iam/account.ts'
import {
  createAccount,
  createAccountUser,
  freezeAccount,
  getAdministeredAccount,
  listAccounts,
  setTrustLevel,
  unfreezeAccount,
  updateAccount,
} from '@bourse/api/iam/accounts.ts'
import type { TrustLevel } from '@bourse/api/iam/limits.ts'
import { test } from 'vitest'
import { codeOf, makeAccountToken, makeToken, platformAccount, whenRefused } from '../support/access.ts'
import type { CallQuery } from '../support/calls.ts'
import { grantCredit } from '../support/fixtures/money.ts'
import { cookieOf, makeLink, makePerson, makeUser, type Person, press, signIn } from '../support/fixtures/people.ts'
import { startTestServer } from '../support/server.ts'
import { assertStrict } from '../support/strictness.ts'
import { makePasskey } from './authenticator.ts'
import { browserOf } from './browsers.ts'

const server = await startTestServer()
const path = '/preview/v2/admin/accounts'
let made = 0

function freshId(): string {
  made += 1
  return `corp-${process.pid}-${made}`
}

test('every operation requires a token and refuses unknown parameters', async () => {
  await assertStrict(server, server.platform_token, [
    getAccount,
    createAccount,
    createAccountUser,
    freezeAccount,
    getAdministeredAccount,
    listAccounts,
    setTrustLevel,
    unfreezeAccount,
    updateAccount,
  ])
})

test('every caller can read its account, token and user', async () => {
  const account = await server.account({ name: 'Acme', entity_type: 'business', trust_level: 'basic' })
  const me = await server.call('get_account', { token: account.token })
  assert.equal(me.id, account.id)
  assert.deepEqual([me.name, me.entity_type, me.trust_level, me.is_frozen], ['Acme', 'business', 'basic', false])
  assert.equal(me.is_platform, false)
  assert.equal(me.token.expires_at, null)
  assert.equal(me.workspace.resource_path, `svc:workspace:${account.id}:default`)
  assert.equal(me.user, null)
  assert.deepEqual([me.server.mode, me.server.interface_version], ['sandbox', '0.1.0'])
  assert.ok(me.server.now >= me.created_at)
  assert.equal((await server.call('get_account')).is_platform, true)
})

test('without a valid token the response is 401', async () => {
  for (const token of [null, 'nonsense', 'a.b.c']) {
    const response = await server.attempt('get_account', { token })
    assert.equal(response.status, 401)
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
    assert.equal(response.body.error.type, 'authentication_error')
  }
})

test('a new account has a workspace, a firewall for it, an admin token and the trust level basic', async () => {
  const id = freshId()
  const { token, ...account } = await server.call('create_account', { body: { id } })
  assert.deepEqual(account, {
    object: 'account',
    id,
    name: id,
    entity_type: null,
    trust_level: 'basic',
    is_frozen: false,
    is_platform: false,
    token_lifetime_max_days: 365,
    created_at: account.created_at,
    balance: {
      object: 'balance',
      available_dollars: '0.000000',
      total_dollars: '0.000000',
      held_dollars: '0.000000',
      credit_limit_dollars: '0.000000',
      low_at_dollars: null,
      is_low: false,
      updated_at: account.created_at,
    },
  })
  assert.equal((await server.call('list_workspaces', { token })).data[0].name, 'default')
  const rights = await server.call('get_permissions', { token })
  assert.deepEqual(rights.account.user, ['create', 'read', 'list', 'write', 'delete'])
  assert.equal(rights.account.platform, undefined)
  const [first] = (await server.call('list_tokens', { token })).data
  assert.deepEqual(first.created_by, { type: 'system' })
})

test('an account id is unique and must be a slug', async () => {
  const { id } = await server.account()
  const again = await server.attempt('create_account', { body: { id } })
  assert.deepEqual([again.status, codeOf(again)], [409, 'account_exists'])
  for (const wrong of ['ab', 'Upper', '-start', 'under_score', 'x'.repeat(41), 7]) {
    assert.equal((await server.attempt('create_account', { body: { id: wrong } })).status, 400, String(wrong))
  }
  assert.equal(codeOf(await server.attempt('create_account', { body: {} })), 'required')
})

test('a replay returns the same token, which is not stored', async () => {
  const body = { id: freshId() }
  const headers = { 'Idempotency-Key': body.id }
  const first = await server.attempt('create_account', { body, headers })
  const again = await server.attempt('create_account', { body, headers })
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.get('cache-control'), 'no-store')
})

test('accounts are listed newest first, by id, trust level and state', async () => {
  const ids = [freshId(), freshId(), freshId()]
  for (const id of ids) await server.call('create_account', { body: { id, trust_level: 'partner' } })
  await server.call('freeze_account', { params: { account: ids[1] as string } })
  const list = async (query: string) => (await server.call('list_accounts', { query })).data.map(({ id }) => id)
  const filter = ids.map((id) => `id=${id}`).join('&')
  assert.deepEqual(await list(filter), ids.toReversed())
  assert.deepEqual(await list(`${filter}&is_frozen=true`), [ids[1]])
  assert.deepEqual(await list(`${filter}&trust_level=basic`), [])
  const first = await server.call('list_accounts', { query: `${filter}&limit=1` })
  const second = await server.call('list_accounts', { query: `${filter}&limit=1&starting_after=${first.cursor}` })
  assert.deepEqual([second.data[0].id, second.has_more], [ids[1], true])
  const reused = await server.attempt('list_accounts', { query: { id: [ids[0]], starting_after: first.cursor } })
  assert.deepEqual([reused.status, codeOf(reused)], [400, 'invalid_cursor'])
  const both = await server.attempt('list_accounts', {
    query: { starting_after: first.cursor, ending_before: first.cursor },
  })
  assert.deepEqual([both.status, codeOf(both)], [422, 'mutually_exclusive'])
})

test('the operator sees the balance of each account, in lists and after changes', async () => {
  const { id, token } = await server.account()
  await grantCredit(server, id, '7.500000')
  const own = await server.call('get_balance', { token })
  assert.equal(own.total_dollars, '7.500000')
  assert.deepEqual((await server.call('get_administered_account', { params: { account: id } })).balance, own)
  assert.deepEqual((await server.call('list_accounts', { query: { id: [id] } })).data[0].balance, own)
  assert.deepEqual(
    (await server.call('update_account', { params: { account: id }, body: { name: 'Other' } })).balance,
    own,
  )
  assert.deepEqual((await server.call('freeze_account', { params: { account: id } })).balance, own)
})

test('the name of an account can change, its entity type can be set once', async () => {
  const { id } = await server.account()
  const patch = (body: object) => server.attempt('update_account', { params: { account: id }, body })
  assert.equal((await patch({ name: 'Fine Machines' })).body.name, 'Fine Machines')
  assert.equal((await patch({ entity_type: 'personal' })).body.entity_type, 'personal')
  const refused = await patch({ entity_type: 'business' })
  assert.deepEqual([refused.status, codeOf(refused)], [409, 'invalid_state'])
  const { name, entity_type } = await server.call('get_administered_account', { params: { account: id } })
  assert.deepEqual([name, entity_type], ['Fine Machines', 'personal'])
})

test('people of a frozen account read and sign out: they end no other session and let nobody in', async () => {
  const own = await server.account()
  const { id: user } = await makeUser(server, own, 'role_admin')
  const browser = await browserOf(server, own, user)
  const ask = (method: string, path: string, body: object = {}) => browser.ask(method, `/preview/v2${path}`, body)
  const begun = (await ask('POST', '/auth/passkeys/registration')).body
  const { passkey, body: added } = makePasskey(begun, browser.origin)
  const made = await ask('POST', `/users/${user}/passkeys`, added)
  assert.ok(made.status === 201 && passkey, made.text)
  const start = () => server.call('start_device_login', { token: null, body: {} })
  const [{ user_code }, approved] = [await start(), await start()]
  assert.equal((await browser.submit('/device', { user_code: approved.user_code, answer: 'approve' })).status, 200)
  const [other, stranger] = [await signIn(server, own, user), await makePerson(server, own)]
  const idOf = async (person: Person) => (await person.call('get_account')).token.id
  const [otherId, strangerId] = [await idOf(other), await idOf(stranger)]
  const ownId = (await browser.ask('GET', '/preview/v2/account')).body.token.id
  await server.call('freeze_account', { params: { account: own.id } })
  await whenRefused(() => ask('POST', '/auth/passkeys/registration'))
  assert.equal((await browser.submit('/device', { user_code, answer: 'approve' })).status, 403)
  for (const [method, path, body] of [
    ['POST', '/auth/passkeys/registration', {}],
    ['POST', `/users/${user}/passkeys`, added],
    ['POST', `/users/${user}/recovery_codes`, undefined],
    ['PATCH', `/users/${user}/passkeys/${made.body.id}`, { name: 'x' }],
    ['DELETE', `/users/${user}/passkeys/${made.body.id}`, undefined],
    ['DELETE', `/users/${user}/identities/idnt_absent`, undefined],
    ['POST', `/users/${user}/end_sessions`, undefined],
    ['POST', `/users/${stranger.user}/end_sessions`, undefined],
    ['DELETE', `/tokens/${otherId}`, undefined],
    ['DELETE', `/tokens/${strangerId}`, undefined],
    ['DELETE', `/tokens/${ownId}?cascade=true`, undefined],
  ] as const) {
    const response = await ask(method, path, body)
    assert.deepEqual([response.status, codeOf(response as never)], [403, 'forbidden'], `${method} ${path}`)
    assert.match(response.text, /frozen/)
  }
  assert.equal((await browser.submit('/sign_in/passkeys', { answer: 'new_codes' })).status, 403)
  assert.equal((await browser.ask('GET', `/preview/v2/users/${user}/passkeys`)).status, 200)
  const { device_code } = approved
  const program = await server.attempt('finish_device_login', { token: null, body: { device_code } })
  assert.equal(codeOf(program), 'access_denied', 'a program that was approved before')
  assert.equal((await ask('DELETE', `/tokens/${ownId}`)).status, 204, 'signing out')
  assert.equal((await other.attempt('get_account')).status, 200)
})

test('the operator freezes an account and signs its people out, also where it is frozen already', async () => {
  const [own, aside] = [await server.account(), await server.account()]
  const freeze = (query: CallQuery<'freeze_account'>) =>
    server.call('freeze_account', { params: { account: own.id }, query })
  const [{ id: user }, elsewhere] = [await makeUser(server, own, 'role_admin'), await makePerson(server, aside)]
  const [person, link] = [await signIn(server, own, user), await makeLink(server, own, user)]
  const kept = await makeLink(server, aside, elsewhere.user)
  for (const query of [{}, { end_sessions: false }]) {
    await freeze(query)
    assert.equal((await person.attempt('get_account')).status, 200)
  }
  await freeze({ end_sessions: true })
  assert.equal((await whenRefused(() => person.attempt('get_account'))).status, 401)
  assert.equal(cookieOf(await press(server, link)), undefined)
  assert.equal((await elsewhere.attempt('get_account')).status, 200, 'another account')
  assert.notEqual(cookieOf(await press(server, kept)), undefined)
  assert.equal((await server.attempt('get_account', { token: own.token })).status, 200, 'a token of a program')
})

test('a frozen account may only read until it is unfrozen', async () => {
  const account = await server.account()
  const [frozen, thawed] = [await makeToken(server, account, { workspace: ['*'] }), await adminOf(account)]
  for (let i = 0; i < 2; i++)
    assert.equal((await server.call('freeze_account', { params: { account: account.id } })).is_frozen, true)
  assert.equal(
    (await server.attempt('get_workspace', { params: { id: account.workspace_id }, token: frozen.token })).status,
    200,
  )
  const refused = await server.attempt('update_workspace', {
    params: { id: account.workspace_id },
    token: frozen.token,
    body: {},
  })
  assert.equal(refused.status, 403)
  assert.match(refused.body.error.message, /frozen/)
  for (let i = 0; i < 2; i++)
    assert.equal((await server.call('unfreeze_account', { params: { account: account.id } })).is_frozen, false)
  assert.equal(
    (await server.attempt('update_workspace', { params: { id: account.workspace_id }, token: thawed, body: {} }))
      .status,
    200,
  )
})

test('the platform account cannot be frozen', async () => {
  const { id } = await platformAccount(server)
  assert.equal((await server.attempt('freeze_account', { params: { account: id } })).status, 403)
})

test('a change of the trust level emits an event of the account by the system', async () => {
  const account = await server.account({ trust_level: 'basic' })
  const set = (trust_level: TrustLevel) =>
    server.call('set_trust_level', { params: { account: account.id }, body: { trust_level } })
  assert.equal((await set('partner')).trust_level, 'partner')
  await set('partner')
  await set('untrusted')
  const { data } = await server.call('list_events', { query: { action: 'trust_level.updated' }, token: account.token })
  assert.equal(data.length, 2)
  for (const event of data) {
    assert.deepEqual(event.actor, { type: 'system' })
    assert.deepEqual(event.targets, [{ type: 'account', id: account.id }])
  }
  const wrong = await server.attempt('set_trust_level', {
    params: { account: account.id },
    body: { trust_level: 'best' },
  })
  assert.deepEqual([wrong.status, codeOf(wrong)], [400, 'invalid_value'])
})

test('a new user of an account gets a role for the whole account, by default admin', async () => {
  const account = await server.account()
  const admin = await server.call('create_account_user', {
    params: { account: account.id },
    body: { email: 'ada@example.com', name: 'ada' },
  })
  assert.equal(admin.resource_path, `svc:user:${account.id}:ada`)
  const viewer = await server.call('create_account_user', {
    params: { account: account.id },
    body: { email: 'bob@example.com', role: `svc:role:${account.id}:viewer` },
  })
  const roleOf = async (id: string) => {
    const { data } = await server.call('list_grants', { query: { principal_id: [id] }, token: account.token })
    return data.map((grant: { role: { id: string }; workspace: unknown }) => [grant.role.id, grant.workspace])
  }
  assert.deepEqual(await roleOf(admin.id), [['role_admin', null]])
  assert.deepEqual(await roleOf(viewer.id), [['role_viewer', null]])
  const stranger = await server.account()
  const foreign = await server.call('create_role', {
    token: stranger.token,
    body: { name: 'r', policy: { api_version: 'roles/v1', rules: [{ effect: 'allow', actions: { pool: ['read'] } }] } },
  })
  for (const [body, code] of [
    [{ email: 'ADA@example.com' }, 'email_taken'],
    [{ email: 'c@example.com', name: 'ada' }, 'name_taken'],
    [{ email: 'd@example.com', role: foreign.id }, 'reference_not_found'],
    [{ email: 'nobody' }, 'invalid_format'],
  ] as const) {
    assert.equal(codeOf(await server.attempt('create_account_user', { params: { account: account.id }, body })), code)
  }
  await server.call('put_account_limit', { params: { account: account.id, name: 'users' }, body: { value: 2 } })
  const full = await server.attempt('create_account_user', {
    params: { account: account.id },
    body: { email: 'e@example.com' },
  })
  assert.deepEqual([full.status, codeOf(full)], [422, 'limit_exceeded'])
})

test('operations on an unknown account are 404', async () => {
  const { id } = await server.account()
  for (const [method, rest, body] of requests) {
    const response = await server.request(method, `${path}/no-such-account${rest}`, body ? { body } : {})
    assert.equal(response.status, 404, `${method} ${rest}`)
  }
  assert.equal((await server.call('get_administered_account', { params: { account: id } })).id, id)
})

test('administration is 404 for other accounts and needs its right in the platform account', async () => {
  const account = await server.account()
  const platform = await platformAccount(server)
  const reader = await makeAccountToken(server, platform, { platform: ['read'] })
  const writer = await makeAccountToken(server, platform, { platform: ['write'] })
  const inWorkspace = await makeToken(server, platform, { '*': ['*'] })
  const all = [
    ['POST', path, { id: freshId() }],
    ['GET', path],
    ...requests.map(([method, rest, body]) => [method, `${path}/${account.id}${rest}`, body]),
  ] as [string, string, object?][]
  for (const [method, target, body] of all) {
    const ask = async (token: string) =>
      (await server.request(method, target, { token, ...(body ? { body } : {}) })).status
    const lacking = method === 'GET' ? writer : reader
    assert.equal(await ask(account.token), 404, `${method} ${target} by a customer`)
    assert.equal(await ask(inWorkspace.token), 404, `${method} ${target} with rights in a workspace`)
    assert.equal(await ask(lacking.token), 403, `${method} ${target} without the verb`)
  }
  assert.equal(
    (await server.attempt('get_administered_account', { params: { account: account.id }, token: reader.token })).status,
    200,
  )
  assert.equal(
    (await server.attempt('freeze_account', { params: { account: account.id }, token: writer.token })).status,
    200,
  )
})

const requests: [string, string, object?][] = [
  ['GET', ''],
  ['PATCH', '', {}],
  ['POST', '/freeze'],
  ['POST', '/unfreeze'],
  ['PUT', '/trust_level', { trust_level: 'basic' }],
  ['POST', '/users', { email: 'x@example.com' }],
]

/**
 * A second admin token, which is not in the gate's cache: the gate caches the rights of a used token for two seconds.
 */
async function adminOf(account: { token: string }): Promise<string> {
  const token = await server.call('create_token', { token: account.token, body: { roles: ['role_admin'] } })
  return token.token
}
