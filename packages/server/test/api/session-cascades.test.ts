import assert from 'node:assert/strict'
import { test } from 'vitest'
import { codeOf, makeAccountToken, makeRole, makeToken } from '../support/access.ts'
import {
  cookieOf,
  makeLink,
  makePerson,
  makeUser,
  ownPage,
  type Person,
  press,
  signIn,
  submit,
} from '../support/fixtures/people.ts'
import { startTestServer, type TestAccount, type TestResponse } from '../support/server.ts'
import { makePasskey } from './authenticator.ts'
import { browserOf } from './browsers.ts'

const server = await startTestServer()

type SessionToken = { id: string; token: string }

async function make(token: string, body: object = {}): Promise<SessionToken> {
  return server.call('create_token', { token, body })
}

/** A token with the admin role for the whole account. */
async function makeAdmin(account: TestAccount, maker: string): Promise<SessionToken> {
  const made = await make(maker, { roles: ['role_admin'] })
  const body = { principal_type: 'token', principal_id: made.id, role: 'role_admin' } as const
  await server.call('create_grant', { token: account.token, body })
  return made
}

function end(id: string, token: string, query = 'cascade=true'): Promise<TestResponse> {
  return server.attempt('delete_token', { params: { id }, query, token })
}

async function idOf({ token }: { token: string }): Promise<string> {
  return (await server.call('get_account', { token })).token.id
}

/** Which of some tokens are there. */
async function live({ token }: TestAccount, ids: readonly string[]): Promise<boolean[]> {
  const responses = await Promise.all(ids.map((id) => server.attempt('get_token', { params: { id }, token })))
  return responses.map(({ status }) => status === 200)
}

async function approvedDevice({ cookie }: Person): Promise<string> {
  const { device_code, user_code } = await server.call('start_device_login', { token: null, body: {} })
  const form = String(new URLSearchParams({ user_code, answer: 'approve' }))
  assert.equal((await submit(server, '/device', form, { cookie, ...ownPage })).status, 200)
  return device_code
}

function finish(device_code: string): Promise<TestResponse> {
  return server.attempt('finish_device_login', { token: null, body: { device_code } })
}

/** The session of a program that a person lets in. */
async function signInProgram(person: Person): Promise<SessionToken> {
  const token = (await finish(await approvedDevice(person))).body.access_token
  return { token, id: await idOf({ token }) }
}

async function used({ token }: TestAccount): Promise<number> {
  return (await server.call('get_limit', { params: { name: 'tokens' }, token })).used
}

test('a cascade ends what was made in a session, and by that, also through what has ended before', async () => {
  const account = await server.account()
  const stolen = await makePerson(server, account, 'role_admin')
  const own = await signIn(server, account, stolen.user)
  const other = await makePerson(server, account, 'role_admin')
  const before = await used(account)
  const kept = [await make(own.token), await make(other.token), await signInProgram(own)].map(({ id }) => id)
  const program = await signInProgram(stolen)
  const [first, second] = [await make(program.token), await make(stolen.token, { roles: ['role_admin'] })]
  const third = await make(second.token)
  const guest = await signIn(server, { ...account, token: program.token }, other.user)
  const last = await makeAdmin(account, guest.token)
  const nested = await signIn(server, { ...account, token: last.token }, other.user)
  const leaf = await make(nested.token)
  for (const gone of [program.id, second.id]) assert.equal((await end(gone, account.token, '')).status, 204)
  const session = await idOf(stolen)
  const descent = [session, first.id, third.id, await idOf(guest), last.id, await idOf(nested), leaf.id]
  assert.deepEqual(await live(account, [...descent, ...kept]), Array(10).fill(true))
  assert.equal((await end(session, own.token)).status, 204)
  assert.deepEqual(await live(account, descent), Array(7).fill(false))
  assert.deepEqual(await live(account, [...kept, await idOf(own), await idOf(other)]), Array(5).fill(true))
  assert.equal(await used(account), before + 2)
  const again = await end(session, own.token)
  assert.deepEqual([again.status, codeOf(again)], [404, 'not_found'])
})

test('a cascade of a session ends links and approvals made in it that are not used', async () => {
  const account = await server.account()
  const stolen = await makePerson(server, account, 'role_admin')
  const user = (await makeUser(server, account)).id
  const [link, kept] = [await makeLink(server, stolen, user), await makeLink(server, account, user)]
  const code = await approvedDevice(stolen)
  assert.equal((await end(await idOf(stolen), stolen.token)).status, 204)
  assert.equal(cookieOf(await press(server, link)), undefined)
  assert.notEqual(cookieOf(await press(server, kept)), undefined)
  assert.deepEqual(codeOf(await finish(code)), 'expired_token')
})

test('a cascade of a token ends links made with it, also where it was deleted before', async () => {
  const account = await server.account()
  const root = await makeAdmin(account, account.token)
  const between = await makeAdmin(account, root.token)
  const link = await makeLink(server, between, (await makeUser(server, account)).id)
  assert.equal((await end(between.id, account.token, '')).status, 204)
  assert.equal((await end(root.id, account.token)).status, 204)
  assert.equal(cookieOf(await press(server, link)), undefined)
})

test('without a cascade, what was made in a session lives on', async () => {
  const account = await server.account()
  const person = await makePerson(server, account, 'role_admin')
  const made = [await make(person.token), await signInProgram(person)].map(({ id }) => id)
  const link = await makeLink(server, person, (await makeUser(server, account)).id)
  assert.equal((await end(await idOf(person), person.token, 'cascade=false')).status, 204)
  assert.deepEqual(await live(account, made), [true, true])
  assert.notEqual(cookieOf(await press(server, link)), undefined)
})

test('a cascade of a session needs the rights of all tokens that it ends, and does nothing without', async () => {
  const account = await server.account()
  const maker = await makeRole(server, account, { token: ['create', 'read'], pool: ['read'], user: ['write'] })
  const less = await makeRole(server, account, { pool: ['read'] })
  const person = await makePerson(server, account, maker)
  const made = await make(person.token, { roles: [less] })
  const link = await makeLink(server, person, (await makeUser(server, account)).id)
  const session = await idOf(person)
  const ender = await makeToken(server, account, { token: ['delete'] })
  for (const token of [person.token, ender.token]) {
    const refused = await end(session, token)
    assert.deepEqual([refused.status, codeOf(refused)], [403, 'forbidden'])
  }
  const stranger = await makePerson(server, account)
  assert.equal((await end(session, stranger.token)).status, 404)
  assert.deepEqual(await live(account, [session, made.id]), [true, true])
  assert.notEqual(cookieOf(await press(server, link)), undefined)
  assert.equal((await end(session, account.token)).status, 204)
  assert.deepEqual(await live(account, [session, made.id]), [false, false])
})

test('a cascade does not reach from a session of one account into another one', async () => {
  const [account, other] = [await server.account(), await server.account()]
  const person = await makePerson(server, account, 'role_admin')
  const made = await make(person.token)
  assert.equal((await end(await idOf(person), other.token)).status, 404)
  assert.deepEqual(await live(account, [made.id]), [true])
})

/** Signs a user in again at a browser. */
async function signInAgain(account: TestAccount, { cookie, user }: Person, as = user): Promise<{ token: string }> {
  const next = cookieOf(await press(server, await makeLink(server, account, as), { ...ownPage, cookie }))
  assert.ok(next && next !== cookie)
  return { token: next.slice(next.indexOf('=') + 1) }
}

test('a session goes on where its person signs in again in the same browser', async () => {
  const account = await server.account()
  const person = await makePerson(server, account, 'role_admin')
  const [made, program] = [await make(person.token), await signInProgram(person)]
  const later = await signInAgain(account, person)
  const next = await make(later.token)
  const last = await signInAgain(account, { ...person, cookie: `${person.cookie.split('=')[0]}=${later.token}` })
  const inside = await make(program.token)
  const all = [made, next, program, inside].map(({ id }) => id)
  assert.equal((await end(await idOf(last), account.token)).status, 204)
  assert.deepEqual(await live(account, all), [false, false, false, false])
})

test('a session does not go on where somebody else signs in in the same browser', async () => {
  const account = await server.account()
  const person = await makePerson(server, account, 'role_admin')
  const made = await make(person.token)
  const other = await signInAgain(account, person, (await makeUser(server, account, 'role_admin')).id)
  const theirs = await make(other.token)
  assert.equal((await end(await idOf(other), account.token)).status, 204)
  assert.deepEqual(await live(account, [made.id, theirs.id]), [true, false])
})

function endAll(user: string, token: string, query = 'cascade=true'): Promise<TestResponse> {
  return server.attempt('end_user_sessions', { params: { id: user }, query, token })
}

test('end_sessions with a cascade ends all sessions of a user with what was made in them', async () => {
  const account = await server.account()
  const person = await makePerson(server, account, 'role_admin')
  const other = await makePerson(server, account, 'role_admin')
  const kept = [await make(other.token), await make(account.token), other].map(({ token }) => token)
  const first = await make(person.token, { roles: ['role_admin'] })
  const later = await signInAgain(account, person)
  const second = await signIn(server, account, person.user)
  const made = [first, await make(first.token), await make(second.token), await signInProgram(second)]
  const [link, spare] = [await makeLink(server, second, other.user), await makeLink(server, account, other.user)]
  const gone = [...made.map(({ id }) => id), await idOf(later), await idOf(second)]
  const keptIds = await Promise.all(kept.map((token) => idOf({ token })))
  assert.equal((await endAll(person.user, second.token)).status, 204)
  assert.deepEqual(await live(account, gone), Array(6).fill(false))
  assert.deepEqual(await live(account, keptIds), [true, true, true])
  assert.equal(cookieOf(await press(server, link)), undefined)
  assert.notEqual(cookieOf(await press(server, spare)), undefined)
  assert.equal((await endAll(person.user, account.token)).status, 204, 'a user without sessions')
})

test('end_sessions without a cascade leaves what was made in the sessions', async () => {
  const account = await server.account()
  const person = await makePerson(server, account, 'role_admin')
  const [made, session] = [await make(person.token), await idOf(person)]
  for (const query of ['', 'cascade=false']) assert.equal((await endAll(person.user, account.token, query)).status, 204)
  assert.deepEqual(await live(account, [session, made.id]), [false, true])
})

test('end_sessions with a cascade needs the rights of all other tokens that it ends', async () => {
  const account = await server.account()
  const rights = { token: ['create'], pool: ['read'], user: ['write'] }
  const role = await makeRole(server, account, rights)
  const person = await makePerson(server, account, role)
  const ender = await makeAccountToken(server, account, rights)
  const quiet = await makePerson(server, account, role)
  const [made, session] = [
    await make(person.token, { roles: [await makeRole(server, account, { pool: ['read'] })] }),
    await idOf(person),
  ]
  const refused = await endAll(person.user, ender.token)
  assert.deepEqual([refused.status, codeOf(refused)], [403, 'forbidden'])
  assert.deepEqual(await live(account, [session, made.id]), [true, true])
  const quietSession = await idOf(quiet)
  assert.equal((await endAll(quiet.user, ender.token)).status, 204, 'sessions in which nothing was made')
  assert.deepEqual(await live(account, [quietSession]), [false])
  const stranger = await server.account()
  assert.equal((await endAll(person.user, stranger.token)).status, 404)
  assert.equal((await endAll(person.user, account.token)).status, 204)
  assert.deepEqual(await live(account, [session, made.id]), [false, false])
})

test('end_sessions with a cascade keeps the last admin', async () => {
  const account = await server.account()
  const person = await makePerson(server, account, 'role_admin')
  const last = await makeAdmin(account, person.token)
  const root = await idOf(account)
  assert.equal((await end(root, last.token, '')).status, 204)
  const refused = await endAll(person.user, last.token)
  assert.deepEqual([refused.status, codeOf(refused)], [409, 'last_admin'])
  const response = await server.attempt('get_token', { params: { id: last.id }, token: last.token })
  assert.equal(response.status, 200)
})

/** A role of the account, which allows reading pools. */
const makeReader = (account: TestAccount) => makeRole(server, account, { pool: ['read'] })

/** A user whom a helpdesk with few rights and the admin have let in, each by a link. */
async function letIn(account: TestAccount) {
  const helpdesk = await makeAccountToken(server, account, { user: ['write'], pool: ['read'] })
  const role = await makeReader(account)
  const { id: user } = await makeUser(server, account, role)
  const theirs = await signIn(server, { ...account, token: helpdesk.token }, user)
  const ours = await signIn(server, account, user)
  const give = (given: string) =>
    server.call('create_grant', {
      token: account.token,
      body: { principal_type: 'user', principal_id: user, role: given },
    })
  return { user, role, theirs, ours, give }
}

test('what a link of somebody else led to ends when the user gets a right that this one lacks', async () => {
  const account = await server.account()
  const { theirs, ours, give } = await letIn(account)
  const [program, code] = [await signInProgram(theirs), await approvedDevice(theirs)]
  const ids = [await idOf(theirs), program.id, await idOf(ours)]
  await give(await makeReader(account))
  assert.deepEqual(await live(account, ids), [true, true, true], 'a right that the helpdesk has')
  await give('role_trader')
  assert.deepEqual(await live(account, ids), [false, false, true])
  assert.equal(codeOf(await finish(code)), 'expired_token')
})

test('it ends as well when a role of the user gets wider, and ways in that were added end with it', async () => {
  const account = await server.account()
  const helpdesk = await makeAccountToken(server, account, { user: ['write'], pool: ['read'] })
  const role = await makeReader(account)
  const { id: user } = await makeUser(server, account, role)
  const count = async () =>
    (await server.call('list_user_passkeys', { params: { id: user }, token: account.token })).data.length
  for (const by of [{ ...account, token: helpdesk.token }, account]) {
    const browser = await browserOf(server, by, user)
    const begun = (await browser.ask('POST', '/preview/v2/auth/passkeys/registration', {})).body
    const { body } = makePasskey(begun, browser.origin)
    assert.equal((await browser.ask('POST', `/preview/v2/users/${user}/passkeys`, body)).status, 201)
  }
  assert.equal(await count(), 2)
  const update = (actions: object) =>
    server.attempt('update_role', {
      params: { id: role },
      token: account.token,
      body: { policy: { api_version: 'roles/v1', rules: [{ effect: 'allow', actions }] } },
    })
  assert.equal((await update({ pool: ['read'], user: ['write'] })).status, 200)
  assert.equal(await count(), 2, 'rights that the helpdesk has')
  assert.equal((await update({ pool: ['read', 'delete'] })).status, 200)
  assert.equal(await count(), 1)
})

test('a user who makes links for itself keeps what they led to', async () => {
  const account = await server.account()
  const { id: user } = await makeUser(server, account, await makeRole(server, account, { user: ['write'] }))
  const first = await signIn(server, account, user)
  const second = await signIn(server, { ...account, token: first.token }, user)
  const body = { principal_type: 'user', principal_id: user, role: 'role_admin' } as const
  await server.call('create_grant', { token: account.token, body })
  assert.deepEqual(await live(account, [await idOf(first), await idOf(second)]), [true, true])
})

test('a role that gives a user nothing new ends nothing, so no account loses its last admin by one', async () => {
  const account = await server.account()
  const { id: user } = await makeUser(server, account, 'role_admin')
  const person = await signIn(server, account, user)
  await person.call('delete_token', { params: { id: await idOf(account) } })
  const body = { principal_type: 'user', principal_id: user, role: 'role_viewer' } as const
  assert.equal((await person.attempt('create_grant', { body })).status, 201)
  assert.equal((await person.attempt('get_account')).status, 200)
})

test('what somebody led to who has gone since ends when the user gets anything new', async () => {
  const account = await server.account()
  const helpdesk = await makeAccountToken(server, account, { user: ['write'], pool: ['read'] })
  const { id: user } = await makeUser(server, account, await makeReader(account))
  const theirs = await idOf(await signIn(server, { ...account, token: helpdesk.token }, user))
  await server.call('delete_token', { params: { id: helpdesk.id }, token: account.token })
  const give = (role: string) =>
    server.call('create_grant', { token: account.token, body: { principal_type: 'user', principal_id: user, role } })
  await give(await makeReader(account))
  assert.deepEqual(await live(account, [theirs]), [true], 'a role that gives what the user had')
  await give(await makeRole(server, account, { user: ['write'] }))
  assert.deepEqual(await live(account, [theirs]), [false])
})
