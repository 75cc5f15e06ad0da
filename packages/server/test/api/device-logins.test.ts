import assert from 'node:assert/strict'
import { startDeviceLogin } from '@bourse/api/iam/device-logins.ts'
import { beforeEach, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { codeOf, whenRefused } from '../support/access.ts'
import { cookieName, cookieOf, makePerson, ownPage, type Person, signIn, submit } from '../support/fixtures/people.ts'
import { openTestServer, startTestServer, type TestResponse } from '../support/server.ts'

// Many polls of one request wait for each other, on a slow machine for longer than production lets them.
const server = await startTestServer({ lock_milliseconds: 8_000 })
const account = await server.account()
const { token } = account
const { path } = startDeviceLogin
const day = 86_400

type Codes = { device_code: string; user_code: string; verification_uri: string; verification_uri_complete: string }

// Wrong codes of one address are counted, and all tests have the same.
beforeEach(() => server.advance(61))

function begin(body: object = {}): Promise<TestResponse> {
  return server.request('POST', path, { token: null, body })
}

async function start(body: object = {}): Promise<Codes> {
  return (await begin(body)).body
}

function finish(device_code: string): Promise<TestResponse> {
  return server.attempt('finish_device_login', { token: null, body: { device_code } })
}

function open(query = '', headers: Record<string, string> = {}): Promise<TestResponse> {
  return server.request('GET', `/device${query}`, { token: null, headers })
}

function show({ cookie }: Person, user_code: string): Promise<TestResponse> {
  return open(`?user_code=${user_code}`, { cookie, ...ownPage })
}

function decide(person: Person, user_code: string, response = 'approve', headers: Record<string, string> = ownPage) {
  const body = String(new URLSearchParams({ user_code, answer: response }))
  return submit(server, '/device', body, { cookie: person.cookie, ...headers })
}

async function assertPending(device_code: string): Promise<void> {
  assert.match(codeOf(await finish(device_code)), /^(authorization_pending|slow_down)$/)
}

test('a program gets the codes of RFC 8628 without a token', async () => {
  const response = await begin({ client_name: 'a laptop' })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const { device_code, user_code, ...rest } = response.body
  assert.match(device_code, /^[A-Za-z0-9_-]{43}$/)
  assert.match(user_code, /^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/)
  assert.deepEqual(rest, {
    verification_uri: `${server.url}/device`,
    verification_uri_complete: `${server.url}/device?user_code=${user_code}`,
    expires_in: 600,
    interval: 1,
  })
  for (const body of [{ client_name: '' }, { client_name: 'x'.repeat(65) }, { client_name: 'a\nb' }, { odd: 1 }]) {
    assert.equal((await begin(body)).status, 400, JSON.stringify(body))
  }
  for (const code of [0x7f, 0x9b, 0xad, 0x61c, 0x200b, 0x200d, 0x200f, 0x202e, 0x2066, 0xfe0f, 0xfeff, 0xe0041]) {
    const { status, body } = await begin({ client_name: `Ada${String.fromCodePoint(code)}s laptop` })
    assert.deepEqual([status, body.error.details[0].field], [400, 'client_name'], code.toString(16))
  }
})

test('an approved program gets one session of the person, for 30 days', async () => {
  const person = await makePerson(server, account, 'role_viewer')
  const { device_code, user_code } = await start({ client_name: 'a laptop' })
  const pending = await finish(device_code)
  assert.deepEqual([pending.status, codeOf(pending)], [400, 'authorization_pending'])
  assert.equal((await show(person, user_code)).status, 200)
  await assertPending(device_code)
  assert.equal((await decide(person, user_code)).status, 200)
  const done = await finish(device_code)
  assert.equal(done.status, 200)
  assert.deepEqual([done.body.token_type, done.body.expires_in], ['Bearer', 30 * day])
  const me = (await server.attempt('get_account', { token: done.body.access_token })).body
  assert.equal(me.user.id, person.user)
  const { data } = (await person.attempt('list_tokens', { query: { kind: 'session' } })).body
  assert.match(data[0].device, /^a laptop \(.+\)$/)
  for (let time = 0; time < 2; time++) {
    const again = await finish(device_code)
    assert.deepEqual([again.status, codeOf(again)], [400, 'expired_token'])
  }
  await server.call('end_user_sessions', { params: { id: person.user }, token })
})

test('two polls at a time get one session', async () => {
  const person = await makePerson(server, account)
  const many = Array.from({ length: 16 }, () => undefined)
  // Polls that come one after the other show nothing, so several requests are polled often.
  for (let round = 0; round < 4; round++) {
    const { device_code, user_code } = await start()
    await decide(person, user_code)
    const responses = await Promise.all(many.map(() => finish(device_code)))
    const statuses = responses.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [200, ...many.slice(1).map(() => 400)])
  }
})

test('a session of a program ends when it is not used for seven days', async () => {
  const person = await makePerson(server, account)
  const { device_code, user_code } = await start()
  await decide(person, user_code)
  const { access_token } = (await finish(device_code)).body
  const ask = async () => (await server.attempt('get_account', { token: access_token })).status
  assert.equal(await ask(), 200)
  const { data } = await server.call('list_tokens', { query: { kind: 'session' }, token })
  const { id } = data.find(({ suffix }) => access_token.endsWith(suffix))
  /** Waits until a use is recorded that is another one than before. */
  const usedAnew = (before: number | null): Promise<number> =>
    eventually('the use of the session is recorded', async () => {
      assert.equal(await ask(), 200)
      const { last_used_at } = await server.call('get_token', { params: { id }, token })
      assert.notEqual(last_used_at, before)
      return last_used_at
    })
  const first = await usedAnew(null)
  await server.advance(7 * day - 120)
  assert.equal(await ask(), 200)
  await usedAnew(first)
  await server.advance(7 * day + 120)
  await whenRefused(() => server.attempt('get_account', { token: access_token }))
})

test('a program that polls too often is slowed down', async () => {
  const { device_code } = await start()
  const codes = []
  for (let poll = 0; poll < 3; poll++) codes.push(codeOf(await finish(device_code)))
  assert.deepEqual(codes, ['authorization_pending', 'slow_down', 'slow_down'])
})

test('a refused program gets access_denied', async () => {
  const person = await makePerson(server, account)
  const { device_code, user_code } = await start()
  await decide(person, user_code, 'deny')
  assert.equal(codeOf(await finish(device_code)), 'access_denied')
  assert.equal((await decide(person, user_code)).status, 404)
  assert.equal(codeOf(await finish(device_code)), 'access_denied')
})

test('the codes expire after ten minutes, also when they were approved', async () => {
  const person = await makePerson(server, account)
  const [open, approved] = [await start(), await start()]
  await decide(person, approved.user_code)
  await server.advance(601)
  for (const { device_code } of [open, approved]) assert.equal(codeOf(await finish(device_code)), 'expired_token')
  assert.equal((await show(person, open.user_code)).status, 404)
  assert.equal((await decide(person, open.user_code)).status, 404)
})

test('an unknown device code is refused like an expired one', async () => {
  assert.equal(codeOf(await finish('A'.repeat(43))), 'expired_token')
  for (const wrong of ['', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`]) {
    assert.equal((await finish(wrong)).status, 400, wrong)
    assert.notEqual(codeOf(await finish(wrong)), 'expired_token')
  }
})

test('the page shows what asks and from where, and never interprets it', async () => {
  const person = await makePerson(server, account)
  const { user_code } = await start({ client_name: '<script>alert(1)</script>' })
  for (const typed of [user_code, user_code.toLowerCase(), ` ${user_code.replace('-', ' ')} `]) {
    const page = await show(person, encodeURIComponent(typed))
    assert.equal(page.status, 200, typed)
    assert.match(page.text, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/)
    assert.match(page.text, /127\.0\.0\.1/)
    assert.match(page.text, new RegExp(user_code))
    assert.doesNotMatch(page.text, /<script/)
  }
  const { headers } = await show(person, user_code)
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'.*frame-ancestors 'none'$/)
  assert.equal(headers.get('x-frame-options'), 'DENY')
})

test('only a person who is signed in sees and approves a program', async () => {
  const { device_code, user_code } = await start()
  const cookie = `${cookieName(server, 'session')}=${token}`
  const stranger = { cookie: '' } as Person
  const machine = { cookie } as Person
  for (const caller of [stranger, machine]) {
    assert.equal((await show(caller, user_code)).status, 401)
    assert.equal((await decide(caller, user_code)).status, 401)
  }
  const bearer = await open(`?user_code=${user_code}`, { authorization: `Bearer ${token}` })
  assert.equal(bearer.status, 401)
  assert.doesNotMatch(bearer.text, /asks to act for you|Approve/)
  assert.match(bearer.text, new RegExp(`/sign_in\\?return_to=%2Fdevice%3Fuser_code%3D${user_code}`))
  await assertPending(device_code)
})

test('no page of another site approves a program', async () => {
  const person = await makePerson(server, account)
  const { device_code, user_code } = await start()
  for (const headers of [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ] as Record<string, string>[]) {
    assert.equal((await decide(person, user_code, 'approve', headers)).status, 403, JSON.stringify(headers))
  }
  const get = await open(`?user_code=${user_code}&answer=approve`, { cookie: person.cookie, ...ownPage })
  assert.equal(get.status, 200)
  await assertPending(device_code)
  assert.equal((await decide(person, user_code, 'approve', { origin: server.url })).status, 200)
})

test('a person may type five wrong codes a minute, which counts for nobody else at the same address', async () => {
  const person = await makePerson(server, account)
  const { user_code } = await start()
  const wrong = user_code === 'BBBB-BBBB' ? 'CCCC-CCCC' : 'BBBB-BBBB'
  assert.equal((await show(person, 'no code')).status, 404)
  for (let time = 0; time < 5; time++) {
    const response = time % 2 === 0 ? await show(person, wrong) : await decide(person, wrong)
    assert.equal(response.status, 404)
  }
  assert.equal((await show(person, user_code)).status, 429)
  assert.equal((await decide(person, user_code)).status, 429)
  assert.equal((await show(await makePerson(server, account), user_code)).status, 200)
  await server.advance(61)
  assert.equal((await show(person, user_code)).status, 200)
})

test('an approval needs a sign-in of the last 15 minutes', async () => {
  const person = await makePerson(server, account)
  await server.advance(901)
  const { device_code, user_code } = await start()
  assert.equal((await decide(person, user_code)).status, 401)
  await assertPending(device_code)
  const again = await signIn(server, account, person.user)
  assert.equal((await decide(again, user_code)).status, 200)
  const { access_token } = (await finish(device_code)).body
  await server.advance(901)
  const old = await server.attempt('create_grant', {
    token: access_token,
    body: { principal_type: 'user', principal_id: person.user, role: 'role_viewer' },
  })
  assert.equal(old.status, 401)
})

test('what a user approved ends with the user, and with the end of its sessions', async () => {
  for (const end of ['DELETE', 'POST'] as const) {
    const person = await makePerson(server, account)
    const { device_code, user_code } = await start()
    assert.equal((await decide(person, user_code)).status, 200)
    const user = `/preview/v2/users/${person.user}`
    await server.ok(end, end === 'DELETE' ? user : `${user}/end_sessions`, { token })
    assert.equal(codeOf(await finish(device_code)), 'expired_token')
  }
})

test('an address has at most ten open requests', async () => {
  await using strict = await openTestServer({ rate_multiplier: 1 })
  const ask = () => strict.request('POST', path, { token: null, body: {} })
  for (let n = 0; n < 10; n++) assert.equal((await ask()).status, 200)
  const refused = await ask()
  assert.deepEqual([refused.status, codeOf(refused)], [429, 'rate_limited'])
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
})

test('a form that is too long, or none, changes nothing', async () => {
  const person = await makePerson(server, account)
  const { device_code, user_code } = await start()
  const headers = { cookie: person.cookie, ...ownPage }
  const long = `user_code=${user_code}&answer=approve&more=${'x'.repeat(5_000)}`
  assert.equal((await submit(server, '/device', long, headers)).status, 400)
  const json = JSON.stringify({ user_code, response: 'approve' })
  assert.equal((await submit(server, '/device', json, { ...headers, 'content-type': 'text/plain' })).status, 400)
  await assertPending(device_code)
  assert.equal(cookieOf(await decide(person, user_code)), undefined)
})
