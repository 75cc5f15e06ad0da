import assert from 'node:assert/strict'
import { createUser, deleteUser, getUser, listUsers, updateUser } from '@bourse/api/iam/users.ts'
import { test } from 'vitest'
import { codeOf, makeAccountToken, makeRole, makeToken } from '../support/access.ts'
import { makeUser } from '../support/fixtures/people.ts'
import { startTestServer } from '../support/server.ts'
import { assertStrict } from '../support/strictness.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const path = '/preview/v2/users'
let made = 0

function make(body: object = {}) {
  made += 1
  return server.call('create_user', { token, body: { email: `user-${made}@example.com`, ...body } })
}

test('every operation requires a token and refuses unknown parameters', async () => {
  await assertStrict(server, token, [createUser, deleteUser, getUser, listUsers, updateUser])
})

test('a user is read by its path and by its id', async () => {
  const user = await make({ name: 'grace', first_name: 'Grace', last_name: null })
  assert.deepEqual(
    { ...user },
    {
      object: 'user',
      id: user.id,
      resource_path: `svc:user:${account.id}:grace`,
      name: 'grace',
      email: user.email,
      first_name: 'Grace',
      last_name: null,
      created_at: user.created_at,
    },
  )
  for (const ref of [user.id, user.resource_path]) {
    assert.deepEqual(await server.call('get_user', { params: { id: ref }, token }), user)
  }
})

test('an address is unique in an account, ignoring case, until its user is deleted', async () => {
  const user = await make({ email: 'One@Example.com' })
  const again = await server.attempt('create_user', { token, body: { email: 'one@example.COM' } })
  assert.deepEqual([again.status, codeOf(again)], [409, 'email_taken'])
  await server.call('create_user', { token: (await server.account()).token, body: { email: 'one@example.com' } })
  await server.call('delete_user', { params: { id: user.id }, token })
  await make({ email: 'one@example.com' })
})

test('an address has one form, however its characters are written', async () => {
  const user = await make({ email: 'rene\u0301@CAFE\u0301.example' })
  assert.equal(user.email, 'ren\u00e9@caf\u00e9.example')
  for (const email of ['ren\u00e9@caf\u00e9.example', 'RENe\u0301@xn--caf-dma.example']) {
    const again = await server.attempt('create_user', { token, body: { email } })
    assert.deepEqual([again.status, codeOf(again)], [409, 'email_taken'], email)
    const { data } = await server.call('list_users', { token, query: { email } })
    assert.deepEqual(data, [user])
  }
})

test('addresses without one @, with an invisible character or a sign of URLs in the domain, are refused', async () => {
  for (const email of ['none', 'a@b@c', '@b', 'a@', 'a b@c', 'a\u200b@b.example', `${'x'.repeat(250)}@y.zz`]) {
    assert.equal((await server.attempt('create_user', { token, body: { email } })).status, 400, email)
  }
  for (const email of ['a@b.example/c', 'a@b.example?c', 'a@b.example#c', 'a@b%2e.example', 'a@b.example:25']) {
    assert.equal((await server.attempt('create_user', { token, body: { email } })).status, 400, email)
  }
  const number = 'bo@1'
  assert.equal((await make({ email: number })).email, number)
  assert.equal(codeOf(await server.attempt('create_user', { token, body: {} })), 'required')
})

test('an idempotency key creates one user', async () => {
  const body = { email: 'keyed@example.com' }
  const headers = { 'Idempotency-Key': 'user-1' }
  const first = await server.attempt('create_user', { token, body, headers })
  const again = await server.attempt('create_user', { token, body, headers })
  assert.deepEqual([again.status, again.body], [201, first.body])
})

test('users are listed newest first, by id, path and address', async () => {
  const account = await server.account()
  const users = []
  for (const name of ['u1', 'u2', 'u3']) {
    const body = { email: `${name}@example.com`, name }
    users.push(await server.call('create_user', { token: account.token, body }))
  }
  const list = async (query: string) => {
    const { data } = await server.call('list_users', { query, token: account.token })
    return data.map(({ name }) => name)
  }
  assert.deepEqual(await list(''), ['u3', 'u2', 'u1'])
  assert.deepEqual(await list('email=U2@EXAMPLE.com'), ['u2'])
  assert.deepEqual(await list(`id=${users[0]?.id}&id=${users[2]?.resource_path}&id=usr_none`), ['u3', 'u1'])
  const { cursor } = await server.call('list_users', { query: { limit: 1 }, token: account.token })
  assert.deepEqual(await list(`limit=1&starting_after=${cursor}`), ['u2'])
  for (const [query, status, code] of [
    [`email=x&starting_after=${cursor}`, 400, 'invalid_cursor'],
    [`starting_after=${cursor}&ending_before=${cursor}`, 422, 'mutually_exclusive'],
  ] as const) {
    const response = await server.attempt('list_users', { query, token: account.token })
    assert.deepEqual([response.status, codeOf(response)], [status, code])
  }
})

test('the names of a user can change, its address cannot', async () => {
  await make({ name: 'held' })
  const user = await make({ name: 'linus', first_name: 'Linus' })
  const patch = (body: object) => server.attempt('update_user', { params: { id: user.id }, token, body })
  const changed = await patch({ name: 'torvalds', first_name: null, last_name: 'T' })
  assert.deepEqual([changed.body.name, changed.body.first_name, changed.body.last_name], ['torvalds', null, 'T'])
  assert.deepEqual((await patch({})).body, changed.body)
  assert.equal((await server.attempt('get_user', { params: { id: user.resource_path }, token })).status, 404)
  const taken = await patch({ name: 'held' })
  assert.deepEqual([taken.status, codeOf(taken)], [409, 'name_taken'])
  assert.equal(codeOf(await patch({ email: 'new@example.com' })), 'unknown_field')
})

test('concurrent changes of different fields are all kept', async () => {
  const user = await make()
  await Promise.all(
    [{ first_name: 'A' }, { last_name: 'B' }, { name: 'both' }].map((body) =>
      server.call('update_user', { params: { id: user.id }, token, body }),
    ),
  )
  const { first_name, last_name, name } = await server.call('get_user', { params: { id: user.id }, token })
  assert.deepEqual([first_name, last_name, name], ['A', 'B', 'both'])
})

test('a deletion removes the grants of a user and frees its name', async () => {
  const user = await make({ name: 'leaving' })
  const body = { principal_type: 'user', principal_id: user.id, role: 'role_viewer' } as const
  const grant = await server.call('create_grant', { token, body })
  const used = async (name: string) => (await server.call('get_limit', { params: { name }, token })).used
  const before = [await used('users'), await used('grants')]
  assert.equal((await server.attempt('delete_user', { params: { id: user.id }, token })).status, 200)
  assert.deepEqual(
    [await used('users'), await used('grants')],
    before.map((n) => n - 1),
  )
  assert.equal((await server.attempt('delete_user', { params: { id: user.id }, token })).status, 404)
  assert.equal((await server.attempt('get_user', { params: { id: user.id }, token })).status, 404)
  assert.equal((await server.attempt('get_grant', { params: { id: grant.id }, token })).status, 404)
  assert.equal((await server.attempt('create_grant', { token, body })).status, 422)
  await make({ name: 'leaving' })
})

test('the last admin of an account cannot be deleted', async () => {
  const account = await server.account()
  const admin = await server.call('create_account_user', {
    params: { account: account.id },
    body: { email: 'root@example.com' },
  })
  const manager = await makeAccountToken(server, account, { '*': ['*'] })
  const me = await server.call('get_account', { token: account.token })
  // The user is the only admin that is left once the other token ends within the hour.
  const body = { expires_at: me.server.now + 2 * 3600 }
  const ending = await server.call('create_token', { token: account.token, body })
  const grant = { principal_type: 'token', principal_id: ending.id, role: 'role_admin' } as const
  await server.call('create_grant', { token: account.token, body: grant })
  await server.call('delete_token', { params: { id: me.token.id }, token: ending.token })
  await server.advance(3600)
  const refused = await server.attempt('delete_user', { params: { id: admin.id }, token: manager.token })
  assert.deepEqual([refused.status, codeOf(refused)], [409, 'last_admin'])
  assert.equal((await server.attempt('get_user', { params: { id: admin.id }, token: manager.token })).status, 200)
})

test('the limit of users is enforced', async () => {
  const { token } = await server.account({ trust_level: 'untrusted' })
  const ask = (n: number) => server.attempt('create_user', { token, body: { email: `${n}@example.com` } })
  for (const n of [1, 2, 3]) assert.equal((await ask(n)).status, 201)
  assert.equal(codeOf(await ask(4)), 'limit_exceeded')
})

test('operations on users need rights in the whole account', async () => {
  const user = await make()
  const inWorkspace = await makeToken(server, account, { user: ['*'] })
  const reader = await makeAccountToken(server, account, { user: ['read'] })
  const lister = await makeAccountToken(server, account, { user: ['list'] })
  const stranger = await server.account()
  const ask = async (who: { token: string }, method: string, rest = '', body?: object) =>
    (await server.request(method, `${path}${rest}`, { token: who.token, ...(body ? { body } : {}) })).status
  assert.equal(await ask(inWorkspace, 'POST', '', { email: 'no@example.com' }), 403)
  assert.equal(await ask(inWorkspace, 'GET'), 403)
  for (const who of [inWorkspace, stranger]) {
    assert.equal(await ask(who, 'GET', `/${user.id}`), 404)
    assert.equal(await ask(who, 'PATCH', `/${user.resource_path}`, {}), 404)
    assert.equal(await ask(who, 'DELETE', `/${user.id}`), 404)
  }
  assert.equal(await ask(reader, 'GET', `/${user.id}`), 200)
  assert.equal(await ask(reader, 'GET'), 403)
  assert.equal(await ask(reader, 'PATCH', `/${user.id}`, {}), 403)
  assert.equal(await ask(reader, 'DELETE', `/${user.id}`), 403)
  assert.equal(await ask(reader, 'POST', '', { email: 'no@example.com' }), 403)
  assert.equal(await ask(lister, 'GET'), 200)
  assert.equal(await ask(lister, 'GET', `/${user.id}`), 403)
})

test('acts on a user need every right that it holds', async () => {
  const manager = await makeAccountToken(server, account, { user: ['*'], grant: ['*'], role: ['*'], pool: ['read'] })
  const manage = await makeRole(server, account, { user: ['write'], pool: ['read'] })
  const acts = [
    ['PATCH', '', 200],
    ['POST', '/sign_in_links', 201],
    ['POST', '/end_sessions', 204],
    ['DELETE', '/identities/idnt_absent', 404],
    ['PATCH', '/passkeys/pkey_absent', 404],
    ['DELETE', '/passkeys/pkey_absent', 404],
    ['DELETE', '', 200],
  ] as const
  for (const [role, mayAct] of [
    ['role_admin', false],
    [manage, true],
  ] as const) {
    const { id } = await makeUser(server, account, role)
    for (const [method, rest, status] of acts) {
      const body = method === 'PATCH' ? { name: `renamed-${role.slice(-4).toLowerCase().replaceAll('_', '-')}` } : {}
      const response = await server.request(method, `${path}/${id}${rest}`, { token: manager.token, body })
      assert.equal(response.status, mayAct ? status : 403, `${method} ${rest} of ${role}: ${response.text}`)
      if (!mayAct) assert.match(response.text, /permission that you do not have: workspace:create/)
    }
  }
})
