import assert from 'node:assert/strict'
import { createUserSignInLink, endUserSessions } from '@bourse/api/iam/users.ts'
import { test } from 'vitest'
import { codeOf, makeAccountToken, makeRole } from '../support/access.ts'
import { cookieOf, makeLink, makePerson, makeUser, ownPage, press, signIn } from '../support/fixtures/people.ts'
import { startTestServer, type TestResponse } from '../support/server.ts'
import { assertStrict } from '../support/strictness.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const users = '/preview/v2/users'
const hour = 3600

function link(user: string, by = token): Promise<TestResponse> {
  return server.attempt('create_user_sign_in_link', { params: { id: user }, token: by })
}

function open(path: string, headers: Record<string, string> = {}): Promise<TestResponse> {
  return server.request('GET', path, { token: null, headers })
}

test('every operation requires a token and refuses unknown parameters', async () => {
  await assertStrict(server, token, [createUserSignInLink, endUserSessions])
})

test('a link gives the browser a cookie that scripts and other sites do not get', async () => {
  const user = await makeUser(server, account, 'role_viewer')
  const made = await link(user.id)
  assert.equal(made.status, 201)
  assert.equal(made.headers.get('cache-control'), 'no-store')
  const { server: facts } = await server.call('get_account', { token })
  assert.deepEqual(Object.keys(made.body), ['object', 'url', 'expires_at'])
  assert.ok(made.body.expires_at - facts.now <= 900)
  assert.match(made.body.url, new RegExp(`^${server.url}/sign-in/[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}$`))
  const response = await press(server, new URL(made.body.url).pathname)
  assert.deepEqual([response.status, response.headers.get('location')], [303, '../'])
  assert.match(
    response.headers.get('set-cookie') ?? '',
    /^bourse_session_[A-Za-z0-9_-]+=[A-Za-z0-9._-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  )
})

test('a link signs its user in, with the rights of the user', async () => {
  const person = await makePerson(server, account, 'role_viewer')
  const me = await person.attempt('get_account')
  assert.equal(me.status, 200)
  assert.deepEqual([me.body.id, me.body.user.id], [account.id, person.user])
  assert.equal((await person.attempt('list_workspaces')).status, 200)
  assert.equal((await person.attempt('create_workspace', { body: {} })).status, 403)
  const session = await server.call('get_token', { params: { id: me.body.token.id }, token })
  const { kind, user, device, address, created_by } = session
  assert.equal(me.body.token.expires_at, session.created_at + 12 * hour)
  assert.deepEqual([kind, user.id, address, created_by.type], ['session', person.user, '127.0.0.1', 'user'])
  assert.ok(device.length > 0)
})

test('the page of a link shows whom it signs in, and opening it changes nothing', async () => {
  const user = await server.call('create_user', { token, body: { email: 'x@a.example', name: 'shown' } })
  const path = await makeLink(server, account, user.id)
  for (let time = 0; time < 3; time++) {
    const page = await open(path)
    assert.equal(page.status, 200)
    assert.equal(page.headers.get('set-cookie'), null)
    assert.match(page.text, /shown \(x@a\.example\)/)
    assert.match(page.text, new RegExp(account.id))
    assert.doesNotMatch(page.text, /<script/)
  }
  assert.ok(cookieOf(await press(server, path)))
})

test('a page cannot be framed, cached or made to load anything', async () => {
  const path = await makeLink(server, account, (await makeUser(server, account)).id)
  for (const response of [await open(path), await open('/sign-in/nothing'), await press(server, path, {})]) {
    const rules = (response.headers.get('content-security-policy') ?? '').split('; ')
    const allowed = ["style-src 'self'", "form-action 'self'"]
    assert.deepEqual(rules, ["default-src 'none'", ...allowed, "base-uri 'none'", "frame-ancestors 'none'"])
    assert.equal(response.headers.get('x-frame-options'), 'DENY')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('referrer-policy'), 'same-origin')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  }
})

test('a link works once, also for two requests at a time', async () => {
  const path = await makeLink(server, account, (await makeUser(server, account)).id)
  const responses = await Promise.all([1, 2, 3, 4].map(() => press(server, path)))
  assert.equal(responses.filter((response) => cookieOf(response) !== undefined).length, 1)
  const again = await press(server, path)
  assert.deepEqual([again.status, cookieOf(again)], [410, undefined])
  const gone = await open(path)
  assert.equal(gone.status, 410)
  for (const command of ['users sign-in-link USER', 'accounts sign-in-link ACCOUNT USER', 'start'])
    assert.ok(gone.text.includes(`<code>bourse ${command}</code>`), command)
})

test('an expired link opens nothing', async () => {
  const path = await makeLink(server, account, (await makeUser(server, account)).id)
  await server.advance(901)
  assert.equal((await open(path)).status, 410)
  const response = await press(server, path)
  assert.deepEqual([response.status, cookieOf(response)], [410, undefined])
})

test('a guessed link, and one that is put together from two, opens nothing', async () => {
  const user = (await makeUser(server, account)).id
  const [one, other] = [await makeLink(server, account, user), await makeLink(server, account, user)]
  const [id, secret] = one.slice('/sign-in/'.length).split('.') as [string, string]
  const foreign = other.split('.')[1] as string
  const changed = `${secret[0] === 'A' ? 'B' : 'A'}${secret.slice(1)}`
  for (const code of [`${id}.${foreign}`, `${id}.${changed}`, `${'A'.repeat(22)}.${secret}`, id, '%00', 'x.y']) {
    for (const response of [await open(`/sign-in/${code}`), await press(server, `/sign-in/${code}`)]) {
      assert.equal(cookieOf(response), undefined, code)
      assert.equal(response.status, 410, code)
    }
  }
  assert.ok(cookieOf(await press(server, one)), 'wrong secrets did not end the link')
})

test('a link for a user needs every right that the user has', async () => {
  const maker = await makeAccountToken(server, account, { user: ['*'], pool: ['read'] })
  const [nobody, admin] = [await makeUser(server, account), await makeUser(server, account, 'role_admin')]
  const peer = await makeUser(server, account, await makeRole(server, account, { pool: ['read'] }))
  assert.equal((await link(nobody.id, maker.token)).status, 201)
  assert.equal((await link(peer.id, maker.token)).status, 201)
  const refused = await link(admin.id, maker.token)
  assert.equal(refused.status, 403)
  assert.equal(refused.text.includes('/sign-in/'), false)
})

test('a link gives no right that its user gets later', async () => {
  const user = (await makeUser(server, account, 'role_viewer')).id
  const path = await makeLink(server, account, user)
  const body = { principal_type: 'user', principal_id: user, role: 'role_admin' } as const
  const grant = await server.call('create_grant', { token, body })
  assert.equal(cookieOf(await press(server, path)), undefined)
  await server.call('delete_grant', { params: { id: grant.id }, token })
  assert.ok(cookieOf(await press(server, path)))
})

test('a link ends when a role of its user allows something else, and not when the role is renamed', async () => {
  const policyOf = (actions: Record<string, string[]>) =>
    ({ api_version: 'roles/v1', rules: [{ effect: 'allow', actions }] }) as const
  const name = `r-${process.pid}`
  const body = { name, policy: policyOf({ pool: ['read'] }) } as const
  const { id: role } = await server.call('create_role', { token, body })
  const user = (await makeUser(server, account, role)).id
  const [one, two] = [await makeLink(server, account, user), await makeLink(server, account, user)]
  const change = (changed: object) => server.call('update_role', { params: { id: role }, token, body: changed })
  await change({ name: `${name}-2` })
  assert.ok(cookieOf(await press(server, one)))
  await change({ policy: policyOf({ '*': ['*'] }) })
  assert.deepEqual([cookieOf(await press(server, two))], [undefined])
})

test('links are made by rights on users of the own account', async () => {
  const user = (await makeUser(server, account)).id
  const stranger = await server.account()
  const reader = await makeAccountToken(server, account, { user: ['read'] })
  for (const action of ['sign_in_links', 'end_sessions']) {
    const ask = (by: string, id = user) => server.request('POST', `${users}/${id}/${action}`, { token: by })
    assert.equal((await ask(stranger.token)).status, 404, action)
    assert.equal((await ask(token, 'usr_absent')).status, 404, action)
    assert.equal((await ask(reader.token)).status, 403, action)
  }
})

test('a user has at most five open links: a further one ends the oldest', async () => {
  const user = (await makeUser(server, account)).id
  const paths = []
  for (let n = 0; n < 6; n++) paths.push(await makeLink(server, account, user))
  const statuses = await Promise.all(paths.map(async (path) => (await open(path)).status))
  assert.deepEqual(statuses.toSorted(), [200, 200, 200, 200, 200, 410])
})

test('the deletion of a user, and the end of its sessions, end its links', async () => {
  const user = (await makeUser(server, account)).id
  const before = await makeLink(server, account, user)
  assert.equal((await server.attempt('end_user_sessions', { params: { id: user }, token })).status, 204)
  assert.equal(cookieOf(await press(server, before)), undefined)
  const path = await makeLink(server, account, user)
  await server.call('delete_user', { params: { id: user }, token })
  assert.equal(cookieOf(await press(server, path)), undefined)
})

test('a link is not opened for a page of another site', async () => {
  const path = await makeLink(server, account, (await makeUser(server, account)).id)
  const foreign = 'https://evil.example'
  for (const headers of [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', origin: server.url },
    { origin: foreign },
    { origin: 'null' },
    { origin: `${server.url}.evil.example` },
  ] as Record<string, string>[]) {
    const response = await press(server, path, headers)
    assert.deepEqual([response.status, cookieOf(response)], [403, undefined], JSON.stringify(headers))
  }
  assert.ok(cookieOf(await press(server, path, { origin: server.url })))
})

test('a session is always a new one, and replaces that of the same browser', async () => {
  const user = (await makeUser(server, account)).id
  const victim = (await makeUser(server, account)).id
  const attacker = await signIn(server, account, user)
  const path = await makeLink(server, account, victim)
  const response = await press(server, path, { ...ownPage, cookie: attacker.cookie })
  const cookie = cookieOf(response)
  assert.ok(cookie && cookie !== attacker.cookie)
  const me = await server.attempt('get_account', { token: null, headers: { ...ownPage, cookie } })
  assert.equal(me.body.user.id, victim)
  const { data } = (await (await signIn(server, account, user)).attempt('list_tokens', { query: { kind: 'session' } }))
    .body
  assert.equal(data.length, 1)
})

test('nothing that a token leads to outlives it', async () => {
  const { server: facts } = await server.call('get_account', { token })
  const body = { roles: ['role_admin'], expires_at: facts.now + 2 * hour }
  const brief = await server.call('create_token', { token, body })
  const own = await makeRole(server, account, { '*': ['*'] })
  const grant = { principal_type: 'token', principal_id: brief.id, role: own } as const
  await server.call('create_grant', { token, body: grant })
  const person = await signIn(server, { ...account, token: brief.token }, (await makeUser(server, account, own)).id)
  const me = (await person.attempt('get_account')).body
  assert.equal(me.token.expires_at, brief.expires_at)
  const longer = await person.attempt('create_token', { body: { expires_at: brief.expires_at + 1 } })
  assert.deepEqual([longer.status, codeOf(longer)], [400, 'out_of_range'])
  const child = (await person.attempt('create_token', { body: {} })).body
  assert.equal(child.expires_at, brief.expires_at)
  assert.deepEqual(child.created_by.id, person.user)
  // The session and the token that it made descend from the token that made the link.
  await server.call('delete_token', { params: { id: brief.id }, query: { cascade: true }, token })
  for (const id of [me.token.id, child.id]) {
    assert.equal((await server.attempt('get_token', { params: { id }, token })).status, 404)
  }
})
