import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { startReplicas } from '../events/replicas.ts'
import { codeOf, whenRefused } from '../support/access.ts'
import { assertAuditsPass } from '../support/audit.ts'
import { makeCapacity } from '../support/fixtures/capacity.ts'
import {
  cookieName,
  cookieOf,
  makeLink,
  makePerson,
  makeUser,
  ownPage,
  press,
  signIn,
} from '../support/fixtures/people.ts'
import { connectTo, openTestServer, startTestServer, type TestResponse, type TestServer } from '../support/server.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const me = '/preview/v2/account'
const sessions = '/preview/v2/tokens?kind=session'

type Headers = Record<string, string>

function withCookie(cookie: string, headers: Headers, method = 'GET', path = me, rest: object = {}, at = server) {
  return at.request(method, path, { token: null, headers: { cookie, ...headers }, ...rest })
}

test('a cookie counts only on requests of the own origin', async () => {
  const { cookie } = await makePerson(server, account)
  const { host } = new URL(server.url)
  const accepted: Record<string, string>[] = [
    ownPage,
    { 'sec-fetch-site': 'none' },
    { origin: server.url },
    { origin: `http://${host}` },
  ]
  for (const headers of accepted) assert.equal((await withCookie(cookie, headers)).status, 200, JSON.stringify(headers))
  const refused: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: server.url },
    { 'sec-fetch-site': '' },
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: `https://${host}` },
    { origin: `${server.url}.evil.example` },
    { referer: server.url },
  ]
  for (const headers of refused) {
    const response = await withCookie(cookie, headers)
    assert.deepEqual([response.status, codeOf(response)], [401, 'authentication_error'], JSON.stringify(headers))
  }
})

test('what a session did is no damage of the log after the session has ended', async () => {
  const { pool, sku, image } = await makeCapacity(server, account, { hosts: 1, slots: 1 })
  const { cookie } = await makePerson(server, account, 'role_admin')
  const own = { ...ownPage, 'x-bourse-request': '1' }
  const raw = JSON.stringify({ pool, sku, image })
  assert.equal((await withCookie(cookie, own, 'POST', '/v2/instances', { raw })).status, 201)
  const [{ id }] = (await withCookie(cookie, ownPage, 'GET', sessions)).body.data
  assert.equal((await withCookie(cookie, own, 'DELETE', `/preview/v2/tokens/${id}`)).status, 204)
  const { data } = await server.call('list_events', { token, query: { limit: 200 } })
  assert.ok(data.some(({ actor }) => 'id' in actor && actor.id === id))
  await assertAuditsPass(server)
})

test('a write with a cookie needs its own header, which no form can send', async () => {
  const { cookie } = await makePerson(server, account, 'role_admin')
  const write = (headers: Record<string, string>, raw = '{}') =>
    withCookie(cookie, headers, 'POST', '/v2/workspaces', { raw })
  const own = { ...ownPage, 'x-bourse-request': '1' }
  assert.equal((await write(own)).status, 201)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const headers of [
    ownPage,
    { ...ownPage, 'x-bourse-request': '' },
    { ...ownPage, 'x-bourse-request': 'true' },
    { 'sec-fetch-site': 'none', 'x-bourse-request': '1' },
    { 'sec-fetch-site': 'cross-site', 'x-bourse-request': '1' },
    { ...ownPage, ...form },
    { 'sec-fetch-site': 'cross-site', ...form },
  ] as Record<string, string>[]) {
    assert.equal((await write(headers)).status, 401, JSON.stringify(headers))
  }
  assert.equal((await write({ ...own, ...form }, 'name=x')).status, 415)
})

test('a bearer token wins over a cookie, also a malformed or an invalid one', async () => {
  const { cookie } = await makePerson(server, account)
  const both = await withCookie(cookie, { ...ownPage, authorization: `Bearer ${token}` })
  assert.equal(both.body.user, null)
  for (const authorization of ['Bearer x', 'Basic eDp5', '']) {
    assert.equal((await withCookie(cookie, { ...ownPage, authorization })).status, 401, authorization)
  }
})

test('a cookie is refused twice, under another name, and cut', async () => {
  const { cookie, token: secret } = await makePerson(server, account)
  const other = (await makePerson(server, account)).cookie
  for (const wrong of [
    `${cookie}; ${other}`,
    `__Host-${cookie}`,
    `other=${secret}`,
    cookie.slice(0, -1),
    `x${cookie}`,
    `${cookieName(server, 'session')}=`,
    cookieName(server, 'session'),
    `bourse_session=${secret}`,
  ]) {
    assert.equal((await withCookie(wrong, ownPage)).status, 401, wrong.slice(0, 30))
  }
  assert.equal((await withCookie(`theme=dark; ${cookie}; a=b`, ownPage)).status, 200)
})

test('a browser that sends the cookies of one sandbox to another is signed in at both', async () => {
  await using other = await openTestServer()
  const [here, there] = [await makePerson(server, account), await makePerson(other, await other.account())]
  const cookies = `${there.cookie}; ${here.cookie}`
  assert.equal((await withCookie(cookies, ownPage)).body.user.id, here.user)
  assert.equal((await withCookie(cookies, ownPage, 'GET', me, {}, other)).body.user.id, there.user)
})

test('no response allows another origin to send credentials', async () => {
  const { cookie } = await makePerson(server, account)
  for (const method of ['GET', 'OPTIONS']) {
    const { headers } = await withCookie(cookie, { origin: 'https://evil.example' }, method)
    assert.equal(headers.get('access-control-allow-credentials'), null)
    assert.equal(headers.get('access-control-allow-origin'), null)
  }
  const console_origin = 'https://console.example'
  await using other = await openTestServer({ console_origin })
  const { headers } = await other.request('OPTIONS', me, { token: null, headers: { origin: console_origin } })
  assert.equal(headers.get('access-control-allow-origin'), console_origin)
  assert.equal(headers.get('access-control-allow-credentials'), null)
  assert.doesNotMatch(headers.get('access-control-allow-headers') ?? '', /x-bourse-request/i)
})

test('a production server marks its cookie for https and for its host alone', async () => {
  await using secure = await openTestServer({ public_url: 'https://market.example' })
  const own = await secure.account()
  const user = await makeUser(secure, own)
  const { url } = await secure.call('create_user_sign_in_link', { params: { id: user.id }, token: own.token })
  assert.ok(url.startsWith('https://market.example/sign-in/'))
  const response = await fetch(`${secure.url}${new URL(url).pathname}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://market.example' },
  })
  assert.deepEqual([response.status, response.headers.get('location')], [303, '../'])
  assert.match(
    response.headers.get('set-cookie') ?? '',
    /^__Host-bourse_session=[A-Za-z0-9._-]+; Path=\/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict$/,
  )
})

test('every response of a host of https tells browsers to use nothing else, and none of another', async () => {
  const hsts_seconds = 86_400
  await using secure = await openTestServer({ public_url: 'https://market.example', hsts_seconds })
  await using plain = await openTestServer({ hsts_seconds })
  for (const path of ['/healthz', '/preview/v2/account', '/sign_in', '/nowhere']) {
    const [response, other] = await Promise.all([secure, plain].map(({ url }) => fetch(url + path)))
    assert.equal(response?.headers.get('strict-transport-security'), 'max-age=86400', path)
    assert.equal(other?.headers.get('strict-transport-security'), null, path)
  }
})

test('people list their own sessions with device, address and last use, without a right', async () => {
  const user = (await makeUser(server, account)).id
  const [one, two] = [await signIn(server, account, user), await signIn(server, account, user)]
  await makePerson(server, account)
  const { data } = (await one.attempt('list_tokens', { query: { kind: 'session' } })).body
  assert.equal(data.length, 2)
  for (const row of data) {
    assert.deepEqual([row.kind, row.user.id, row.address], ['session', user, '127.0.0.1'])
    assert.ok(row.device.length > 0)
  }
  assert.equal((await one.attempt('list_tokens')).status, 403)
  const other = data.find(({ suffix }) => two.token.endsWith(suffix))
  assert.equal((await one.attempt('get_token', { params: { id: other.id } })).status, 200)
  assert.equal((await one.attempt('delete_token', { params: { id: other.id } })).status, 204)
  assert.equal((await whenRefused(() => two.attempt('get_account'))).status, 401)
  assert.equal((await one.attempt('list_tokens', { query: { kind: 'session' } })).body.data.length, 1)
})

test('device and address are shown to oneself, and to those who may write users', async () => {
  const [one, viewer] = [await makePerson(server, account), await makePerson(server, account, 'role_viewer')]
  const { id } = (await one.attempt('get_account')).body.token
  const seen = async (ask: (path: string) => Promise<TestResponse>) => {
    const { data } = (await ask(`/preview/v2/tokens?id=${id}`)).body
    return data.map(({ device, address }: { device: unknown; address: unknown }) => [typeof device, address])
  }
  assert.deepEqual(await seen((path) => server.request('GET', path, { token })), [['string', '127.0.0.1']])
  assert.deepEqual(await seen((path) => viewer.request('GET', path)), [['object', null]])
  assert.deepEqual(await seen((path) => one.request('GET', `${path}&kind=session`)), [['string', '127.0.0.1']])
})

test('nobody ends the session of somebody else without a right', async () => {
  const [one, two] = [await makePerson(server, account), await makePerson(server, account)]
  const { id } = (await two.attempt('get_account')).body.token
  for (const method of ['GET', 'DELETE']) {
    assert.equal((await one.request(method, `/preview/v2/tokens/${id}`)).status, 404)
  }
  const end = (user: string) => one.attempt('end_user_sessions', { params: { id: user } })
  assert.equal((await end(two.user)).status, 404)
  assert.equal((await two.attempt('get_account')).status, 200)
  assert.equal((await end(one.user)).status, 204)
  assert.equal((await whenRefused(() => one.attempt('get_account'))).status, 401)
})

test('an ended session is refused on another replica within five seconds', async () => {
  const { servers, platform_token } = await startReplicas(2)
  const [one, other] = servers.map(({ url }) => connectTo({ url, platform_token })) as [TestServer, TestServer]
  const own = await one.account()
  for (const end of ['sessions', 'user'] as const) {
    const person = await makePerson(one, own, 'role_viewer')
    const ask = () => withCookie(person.cookie, ownPage, 'GET', me, {}, other)
    assert.equal((await ask()).status, 200)
    if (end === 'user') await one.call('delete_user', { params: { id: person.user }, token: own.token })
    else await one.call('end_user_sessions', { params: { id: person.user }, token: own.token })
    assert.equal((await whenRefused(ask)).status, 401, end)
  }
})

test('a deleted user is signed out', async () => {
  const person = await makePerson(server, account, 'role_viewer')
  assert.equal((await person.attempt('get_account')).status, 200)
  await server.call('delete_user', { params: { id: person.user }, token })
  assert.equal((await whenRefused(() => person.attempt('get_account'))).status, 401)
})

test('a session has the rights of its user now', async () => {
  const user = (await makeUser(server, account)).id
  const person = await signIn(server, account, user)
  const read = () => person.attempt('list_workspaces')
  assert.equal((await read()).status, 403)
  const body = { principal_type: 'user', principal_id: user, role: 'role_viewer' } as const
  const grant = await server.call('create_grant', { token, body })
  await eventually('the grant is in effect', async () => (await read()).status === 200)
  await server.call('delete_grant', { params: { id: grant.id }, token })
  assert.equal((await whenRefused(read)).status, 403)
})

test('a session ends by itself after twelve hours', async () => {
  const person = await makePerson(server, account)
  await server.advance(12 * 3600 - 60)
  assert.equal((await person.attempt('get_account')).status, 200)
  await server.advance(61)
  assert.equal((await whenRefused(() => person.attempt('get_account'))).status, 401)
})

test('a session needs a sign-in of the last 15 minutes to give rights to others', async () => {
  const person = await makePerson(server, account, 'role_admin')
  const user = (await makeUser(server, account)).id
  const asks: [string, object | undefined][] = [
    ['/preview/v2/tokens', {}],
    ['/preview/v2/grants', { principal_type: 'user', principal_id: user, role: 'role_viewer' }],
    [`/preview/v2/users/${user}/sign_in_links`, undefined],
  ]
  await server.advance(901)
  const old = asks.map(([path, body]) => person.request('POST', path, body ? { body } : {}))
  for (const response of await Promise.all(old)) {
    assert.deepEqual([response.status, codeOf(response)], [401, 'authentication_error'])
    assert.equal(
      response.headers.get('www-authenticate'),
      'Bearer error="insufficient_user_authentication", max_age=900',
    )
  }
  assert.equal((await person.attempt('create_workspace', { body: {} })).status, 201)
  const again = await signIn(server, account, person.user)
  for (const [path, body] of asks) {
    assert.equal((await again.request('POST', path, body ? { body } : {})).status, 201, path)
  }
})

test('an old session gets no token out of a replay', async () => {
  const person = await makePerson(server, account, 'role_admin')
  const ask = () => person.attempt('create_token', { body: {}, headers: { 'idempotency-key': `old-${person.user}` } })
  const first = await ask()
  assert.equal(first.status, 201)
  await server.advance(901)
  const again = await ask()
  assert.equal(again.status, 401)
  assert.equal(again.text.includes(first.body.token), false)
})

test('a user has at most twenty sessions: a further one ends the oldest', async () => {
  const user = (await makeUser(server, account)).id
  const first = await signIn(server, account, user)
  for (let n = 0; n < 20; n++) await signIn(server, account, user)
  assert.equal((await whenRefused(() => first.attempt('get_account'))).status, 401)
  const last = await signIn(server, account, user)
  assert.equal((await last.attempt('list_tokens', { query: { kind: 'session' } })).body.data.length, 20)
})

test('a session keeps no workspace from being deleted, and ends with its home', async () => {
  const own = await server.account()
  const workspace = await server.call('create_workspace', { token: own.token, body: { name: 'brief' } })
  const user = (await makeUser(server, own)).id
  const body = { principal_type: 'user', principal_id: user, role: 'role_viewer', workspace: workspace.id } as const
  await server.call('create_grant', { token: own.token, body })
  const person = await signIn(server, own, user)
  assert.equal((await person.attempt('get_account')).body.workspace.id, workspace.id)
  await server.call('delete_workspace', { params: { id: workspace.id }, token: own.token })
  assert.equal((await whenRefused(() => person.attempt('get_account'))).status, 401)
})

test('a session takes nothing of the limit of tokens', async () => {
  const used = async () => (await server.call('get_limit', { params: { name: 'tokens' }, token })).used
  const before = await used()
  const person = await makePerson(server, account)
  const { id } = (await person.attempt('get_account')).body.token
  assert.equal(await used(), before)
  await server.call('delete_token', { params: { id }, token })
  assert.equal(await used(), before)
})

test('what a person makes shows the person as its creator', async () => {
  const person = await makePerson(server, account, 'role_admin')
  const { created_by } = (await person.attempt('create_token', { body: {} })).body
  assert.deepEqual([created_by.type, created_by.id], ['user', person.user])
})

test('the device of a session is what it says, cut to 255 characters', async () => {
  const { id } = await makeUser(server, account)
  const path = await makeLink(server, account, id)
  const response = await press(server, path, { ...ownPage, 'user-agent': `<b>${'x'.repeat(4_000)}` })
  const { body } = await withCookie(String(cookieOf(response)), ownPage, 'GET', sessions)
  assert.equal(body.data[0].device, `<b>${'x'.repeat(252)}`)
})
