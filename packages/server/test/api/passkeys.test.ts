import assert from 'node:assert/strict'
import {
  finishPasskeySignIn,
  startPasskeyRegistration,
  startPasskeySignIn,
  useRecoveryCode,
} from '@bourse/api/iam/passkey-sign-in.ts'
import {
  createRecoveryCodes,
  createUserPasskey,
  deleteUserPasskey,
  listUserPasskeys,
  updateUserPasskey,
} from '@bourse/api/iam/passkeys.ts'
import { test } from 'vitest'
import { codeOf, makeAccountToken, makeToken, whenRefused } from '../support/access.ts'
import { cookieName, makeUser } from '../support/fixtures/people.ts'
import { startTestServer } from '../support/server.ts'
import { assertStrict } from '../support/strictness.ts'
import { makePasskey, type SoftPasskey, signWith, type Twist } from './authenticator.ts'
import { type Browser, browserOf, openBrowser, whoIs } from './browsers.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const auth = '/preview/v2/auth'

type PasskeyUser = { browser: Browser; user: string; passkey: SoftPasskey; added: any }

/** Adds a passkey at a browser. */
async function add(browser: Browser, user: string, twist: Twist = {}, body: object = {}) {
  const asked = await browser.ask('POST', startPasskeyRegistration.path, {})
  assert.equal(asked.status, 200, asked.text)
  const made = makePasskey(asked.body, browser.origin, twist)
  const response = await browser.ask('POST', createUserPasskey.path.replace(':id', user), { ...made.body, ...body })
  return { ...made, asked: asked.body, response }
}

/** A person with a passkey, signed in at a browser. */
async function keyed(role?: string, by = account): Promise<PasskeyUser> {
  const user = (await makeUser(server, by, role)).id
  const browser = await browserOf(server, by, user)
  const { passkey, response } = await add(browser, user)
  assert.equal(response.status, 201, response.text)
  return { browser, user, passkey, added: response.body }
}

async function challenge(browser: Browser) {
  const asked = await browser.ask('POST', startPasskeySignIn.path, {})
  assert.equal(asked.status, 200, asked.text)
  return asked.body
}

/** Signs in with a passkey at a browser. */
async function signIn(browser: Browser, passkey: SoftPasskey, twist: Twist = {}, more: object = {}) {
  const body = signWith(passkey, await challenge(browser), browser.origin, twist)
  return browser.ask('POST', finishPasskeySignIn.path, { ...body, ...more })
}

const listOf = (user: string, by = token) => server.attempt('list_user_passkeys', { params: { id: user }, token: by })

test('every operation requires a token and refuses unknown parameters', async () => {
  await assertStrict(server, token, [listUserPasskeys, updateUserPasskey, deleteUserPasskey, createRecoveryCodes])
})

test('a person adds a passkey and signs in with it at another browser, without a name', async () => {
  const { user, passkey, added } = await keyed('role_viewer')
  assert.match(added.id, /^pkey_/)
  assert.equal(added.recovery_codes.length, 10)
  const other = openBrowser(server)
  const entered = await signIn(other, passkey)
  assert.equal(entered.status, 200, entered.text)
  assert.deepEqual([entered.body.user, entered.body.account], [user, account.id])
  assert.match(entered.headers.get('set-cookie') ?? '', /HttpOnly; SameSite=Strict/)
  assert.equal(await whoIs(other), user)
  const [{ last_used_at }] = (await listOf(user)).body.data
  assert.ok(last_used_at)
  assert.equal((await other.ask('POST', '/v2/workspaces', {})).status, 403)
})

test('what belongs to another challenge, site or ceremony adds no passkey', async () => {
  const user = (await makeUser(server, account)).id
  const browser = await browserOf(server, account, user)
  const twists: Record<string, Twist> = {
    'another origin': { origin: 'https://evil.example' },
    'another port': { origin: 'http://localhost:1' },
    'another relying party': { rp_id: 'evil.example' },
    'another challenge': { challenge: 'A'.repeat(43) },
    'another ceremony': { type: 'webauthn.get' },
    'no user verification': { flags: 1 },
    'no user presence': { flags: 4 },
    'another attestation format': { is_attested: true },
  }
  for (const [what, twist] of Object.entries(twists)) {
    const { response } = await add(browser, user, twist)
    assert.deepEqual([response.status, codeOf(response as never)], [400, 'invalid_value'], what)
  }
  assert.deepEqual((await listOf(user)).body.data, [])
})

test('a challenge adds one passkey, in its session and within five minutes', async () => {
  const user = (await makeUser(server, account)).id
  const browser = await browserOf(server, account, user)
  const path = `/preview/v2/users/${user}/passkeys`
  const asked = await browser.ask('POST', startPasskeyRegistration.path, {})
  const kept = browser.cookies.get(cookieName(server, 'passkey')) as string
  const first = makePasskey(asked.body, browser.origin)
  const other = await browserOf(server, account, user)
  other.cookies.set(cookieName(server, 'passkey'), kept)
  const foreign = await other.ask('POST', path, first.body)
  assert.deepEqual([foreign.status, codeOf(foreign as never)], [409, 'invalid_state'], 'another session')
  browser.cookies.delete(cookieName(server, 'passkey'))
  assert.equal((await browser.ask('POST', path, first.body)).status, 409, 'another browser')
  browser.cookies.set(cookieName(server, 'passkey'), kept)
  assert.equal((await browser.ask('POST', path, first.body)).status, 201)
  browser.cookies.set(cookieName(server, 'passkey'), kept)
  const again = await browser.ask('POST', path, makePasskey(asked.body, browser.origin).body)
  assert.deepEqual([again.status, codeOf(again as never)], [409, 'invalid_state'], 'used')
  const late = await browser.ask('POST', startPasskeyRegistration.path, {})
  await server.advance(301)
  assert.equal((await browser.ask('POST', path, makePasskey(late.body, browser.origin).body)).status, 409, 'late')
})

test('a passkey is added by its own user, to itself, after a recent sign-in, on pages of the server', async () => {
  const { user, browser } = await keyed('role_admin')
  const other = (await makeUser(server, account)).id
  const { response } = await add(browser, other)
  assert.deepEqual([response.status, response.body.error.type], [403, 'forbidden'])
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'x-bourse-request': '' },
  ]) {
    const refused = await browser.ask('POST', startPasskeyRegistration.path, {}, headers as Record<string, string>)
    assert.equal(refused.status, 401, JSON.stringify(headers))
  }
  const bearer = { authorization: `Bearer ${token}` }
  const program = await openBrowser(server).ask('POST', startPasskeyRegistration.path, {}, bearer)
  assert.deepEqual([program.status, program.body.error.type], [403, 'forbidden'])
  await server.advance(901)
  const old = await browser.ask('POST', startPasskeyRegistration.path, {})
  assert.deepEqual([old.status, old.headers.get('www-authenticate')?.includes('max_age=900')], [401, true])
  assert.equal((await browser.ask('POST', `/preview/v2/users/${user}/recovery_codes`)).status, 401)
  const [{ id }] = (await listOf(user)).body.data
  assert.equal((await browser.ask('DELETE', `/preview/v2/users/${user}/passkeys/${id}`)).status, 401)
})

test('no response but that of the passkey, to this challenge, on this site, signs in', async () => {
  const { passkey, user } = await keyed()
  const stranger = await keyed()
  const browser = openBrowser(server)
  const twists: Record<string, Twist> = {
    'another origin': { origin: 'https://evil.example' },
    'another relying party': { rp_id: 'evil.example' },
    'another challenge': { challenge: 'A'.repeat(43) },
    'another ceremony': { type: 'webauthn.create' },
    'no user verification': { flags: 1 },
    'no user presence': { flags: 4 },
    'another user': { user_handle: stranger.passkey.user_handle },
    'no user': { user_handle: 'AA' },
    'a count that goes back': { count: 0 },
  }
  await signIn(browser, passkey)
  for (const [what, twist] of Object.entries(twists)) {
    const fresh = openBrowser(server)
    const response = await signIn(fresh, passkey, twist)
    assert.deepEqual([response.status, response.body.error.type], [401, 'authentication_error'], what)
    assert.equal(await whoIs(fresh), undefined, what)
  }
  const fresh = openBrowser(server)
  const swapped = { ...signWith(stranger.passkey, await challenge(fresh), fresh.origin) }
  const forged = { ...swapped, credential_id: passkey.id.toString('base64url'), user_handle: passkey.user_handle }
  assert.equal(
    (await fresh.ask('POST', finishPasskeySignIn.path, forged)).status,
    401,
    'the credential of another user',
  )
  const unknown = { ...swapped, credential_id: 'AAAAAAAAAAAAAAAAAAAAAA' }
  assert.equal((await fresh.ask('POST', finishPasskeySignIn.path, unknown)).status, 401, 'an unknown credential')
  assert.equal((await signIn(fresh, passkey)).status, 200)
  assert.equal(await whoIs(fresh), user)
})

test('a challenge signs in once, at the browser that asked for it, within five minutes', async () => {
  const { passkey } = await keyed()
  const browser = openBrowser(server)
  const asked = await challenge(browser)
  const kept = browser.cookies.get(cookieName(server, 'passkey')) as string
  const body = signWith(passkey, asked, browser.origin)
  const other = openBrowser(server)
  assert.equal((await other.ask('POST', finishPasskeySignIn.path, body)).status, 401, 'another browser')
  await challenge(other)
  assert.equal((await other.ask('POST', finishPasskeySignIn.path, body)).status, 401, 'another challenge')
  assert.equal((await browser.ask('POST', finishPasskeySignIn.path, body)).status, 200)
  for (const replayed of [body, signWith(passkey, asked, browser.origin)]) {
    browser.cookies.set(cookieName(server, 'passkey'), kept)
    assert.equal((await browser.ask('POST', finishPasskeySignIn.path, replayed)).status, 401, 'replayed')
  }
  const late = openBrowser(server)
  const old = signWith(passkey, await challenge(late), late.origin)
  await server.advance(301)
  assert.equal((await late.ask('POST', finishPasskeySignIn.path, old)).status, 401, 'late')
})

test('other sites and other addresses of the server have no part in passkeys', async () => {
  const { passkey } = await keyed()
  const browser = openBrowser(server)
  const body = signWith(passkey, await challenge(browser), browser.origin)
  for (const site of ['cross-site', 'same-site', 'none']) {
    const headers = { 'sec-fetch-site': site }
    for (const [path, sent] of [
      ['challenge', {}],
      ['sign_in', body],
    ] as const) {
      const response = await browser.ask('POST', `${auth}/passkeys/${path}`, sent, headers)
      assert.deepEqual([response.status, response.body.error.type], [403, 'forbidden'], `${path} ${site}`)
    }
    assert.equal((await browser.ask('POST', useRecoveryCode.path, { code: 'A' }, headers)).status, 403, site)
  }
  const byNumber = await openBrowser(server, { host: '127.0.0.1' }).ask('POST', startPasskeySignIn.path, {})
  assert.deepEqual([byNumber.status, codeOf(byNumber as never)], [422, 'not_applicable'])
  assert.match(byNumber.text, /localhost/)
})

test('signing in again is for the same user', async () => {
  const [one, other] = [await keyed(), await keyed()]
  await server.advance(901)
  const more = { is_step_up: true }
  const foreign = await signIn(one.browser, other.passkey, {}, more)
  assert.equal(foreign.status, 401)
  assert.equal(await whoIs(one.browser), one.user)
  const [code] = other.added.recovery_codes
  assert.equal((await one.browser.ask('POST', useRecoveryCode.path, { code, ...more })).status, 401)
  assert.equal((await one.browser.ask('POST', `/preview/v2/users/${one.user}/recovery_codes`)).status, 401)
  assert.equal((await signIn(one.browser, one.passkey, {}, more)).status, 200)
  assert.equal((await one.browser.ask('POST', `/preview/v2/users/${one.user}/recovery_codes`)).status, 201)
  assert.equal((await signIn(openBrowser(server), one.passkey, {}, more)).status, 401, 'nobody is signed in')
})

test('passkeys are listed, renamed and removed by their user, and by whoever has the right on users', async () => {
  const { browser, user, added } = await keyed()
  const path = `/preview/v2/users/${user}/passkeys/${added.id}`
  const renamed = await browser.ask('PATCH', path, { name: 'Laptop' })
  assert.deepEqual([renamed.status, renamed.body.name], [200, 'Laptop'])
  const { data } = (await browser.ask('GET', `/preview/v2/users/${user}/passkeys`)).body
  assert.deepEqual(data, [renamed.body])
  const reader = await makeAccountToken(server, account, { user: ['read'] })
  assert.equal((await listOf(user, reader.token)).status, 200)
  assert.equal(
    (await server.attempt('delete_user_passkey', { params: { id: user, passkey: added.id }, token: reader.token }))
      .status,
    403,
  )
  assert.equal((await listOf(user, (await server.account()).token)).status, 404)
  const [, other] = [await listOf(user), await keyed()]
  assert.equal((await other.browser.ask('GET', `/preview/v2/users/${user}/passkeys`)).status, 404)
  assert.equal((await other.browser.ask('DELETE', path)).status, 404)
  const foreign = `/preview/v2/users/${other.user}/passkeys/${added.id}`
  assert.equal((await other.browser.ask('DELETE', foreign)).status, 404, 'the passkey of another user')
  assert.equal((await browser.ask('DELETE', path)).status, 204)
  assert.equal((await browser.ask('DELETE', path)).status, 404)
})

test('a user has at most ten passkeys, and each credential once', async () => {
  const { browser, user } = await keyed()
  for (let n = 2; n <= 10; n++) {
    const { response } = await add(browser, user)
    assert.deepEqual([response.status, response.body.recovery_codes], [201, null])
  }
  const eleventh = await browser.ask('POST', startPasskeyRegistration.path, {})
  assert.deepEqual([eleventh.status, codeOf(eleventh as never)], [422, 'limit_exceeded'])
  const names = (await listOf(user)).body.data.map(({ name }) => name)
  assert.equal(new Set(names).size, 10)
})

test('a recovery code signs in once, and new codes end those before', async () => {
  const { browser, user, added } = await keyed()
  const [code, spare] = added.recovery_codes
  const use = (typed: string, at = openBrowser(server)) =>
    at.ask('POST', useRecoveryCode.path, { code: typed }).then((response) => ({ response, at }))
  const { response, at } = await use(code.toLowerCase().replaceAll('-', ' '))
  assert.equal(response.status, 200, response.text)
  assert.equal(await whoIs(at), user)
  assert.equal((await use(code)).response.status, 401)
  const replaced = await browser.ask('POST', `/preview/v2/users/${user}/recovery_codes`)
  assert.deepEqual([replaced.status, replaced.body.codes.length], [201, 10])
  assert.equal(replaced.headers.get('cache-control'), 'no-store')
  assert.equal((await use(spare)).response.status, 401)
  const both = await Promise.all([use(replaced.body.codes[0]), use(replaced.body.codes[0])])
  assert.deepEqual(both.map((one) => one.response.status).toSorted(), [200, 401])
})

test('five wrong codes a minute are too many, and keep nobody out who has a right one', async () => {
  const { added } = await keyed()
  const [code] = added.recovery_codes
  const last = code.at(-1) === 'A' ? 'B' : 'A'
  const use = (typed: string) => openBrowser(server).ask('POST', useRecoveryCode.path, { code: typed })
  await server.advance(61)
  for (const wrong of [`${code.slice(0, -1)}${last}`, 'AAAAA-AAAAA-AAAAA-AAAAA-AAAAA', 'x', '-', `${code}A`]) {
    assert.equal((await use(wrong)).status, 401, wrong)
  }
  const limited = await use('AAAAA-AAAAA-AAAAA-AAAAA-AAAAA')
  assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '60'])
  assert.equal((await use(code)).status, 200)
  await server.advance(61)
  assert.equal((await use('AAAAA-AAAAA-AAAAA-AAAAA-AAAAA')).status, 401)
})

test('recovery codes are the spare of passkeys, and go with the last one', async () => {
  const { browser, user, added } = await keyed()
  const second = await add(browser, user)
  const remove = (id: string) => browser.ask('DELETE', `/preview/v2/users/${user}/passkeys/${id}`)
  assert.equal((await remove(added.id)).status, 204)
  const use = (code: string) => openBrowser(server).ask('POST', useRecoveryCode.path, { code })
  assert.equal((await use(added.recovery_codes[0])).status, 200)
  assert.equal((await remove(second.response.body.id)).status, 204)
  assert.equal((await use(added.recovery_codes[1])).status, 401)
  const codes = await browser.ask('POST', `/preview/v2/users/${user}/recovery_codes`)
  assert.deepEqual([codes.status, codeOf(codes as never)], [409, 'invalid_state'])
  for (const by of [token, (await keyed()).browser]) {
    const path = `/preview/v2/users/${user}/recovery_codes`
    const response =
      typeof by === 'string'
        ? await server.attempt('create_recovery_codes', { params: { id: user }, token: by })
        : await by.ask('POST', path)
    assert.equal(response.status, 403)
  }
})

test('the way in of the last admin stays', async () => {
  const own = await server.account()
  const admin = await keyed('role_admin', own)
  const me = await server.call('get_account', { token: own.token })
  await server.call('delete_token', { params: { id: me.token.id }, token: own.token })
  const path = `/preview/v2/users/${admin.user}/passkeys/${admin.added.id}`
  const last = await admin.browser.ask('DELETE', path)
  assert.deepEqual([last.status, codeOf(last as never)], [409, 'last_admin'])
  const { response } = await add(admin.browser, admin.user)
  assert.equal((await admin.browser.ask('DELETE', path)).status, 204)
  const next = `/preview/v2/users/${admin.user}/passkeys/${response.body.id}`
  assert.equal((await admin.browser.ask('DELETE', next)).status, 409)
})

test('the end of all that descends from a token ends the passkeys that its links led to', async () => {
  const brief = await server.call('create_token', { token, body: { roles: ['role_admin'] } })
  await server.call('create_grant', {
    token,
    body: { principal_type: 'token', principal_id: brief.id, role: 'role_admin' },
  })
  const { passkey, added } = await keyed('role_viewer', { ...account, token: brief.token })
  const later = openBrowser(server)
  assert.equal((await signIn(later, passkey)).status, 200)
  await server.call('delete_token', { params: { id: brief.id }, query: { cascade: true }, token })
  assert.equal((await signIn(openBrowser(server), passkey)).status, 401)
  const code = { code: added.recovery_codes[0] }
  assert.equal((await openBrowser(server).ask('POST', useRecoveryCode.path, code)).status, 401)
  const ended = await whenRefused(() => later.ask('GET', '/preview/v2/account'))
  assert.equal(ended.status, 401)
})

/** The path that ends the session of a browser and all that was made in it. */
async function cascadeOf(browser: Browser): Promise<string> {
  return `/preview/v2/tokens/${(await browser.ask('GET', '/preview/v2/account')).body.token.id}?cascade=true`
}

test('the end of all that was made in a session ends the passkeys added in it', async () => {
  const { browser, user, passkey, added } = await keyed()
  assert.equal((await signIn(browser, passkey)).status, 200)
  const path = await cascadeOf(browser)
  const [later, old] = [openBrowser(server), await browserOf(server, account, user)]
  assert.equal((await signIn(later, passkey)).status, 200)
  const ender = await makeToken(server, account, { token: ['delete'] })
  const refused = await server.request('DELETE', path, { token: ender.token })
  assert.deepEqual([refused.status, /user:write/.test(refused.text)], [403, true])
  await server.advance(901)
  assert.equal((await old.ask('DELETE', path)).status, 401)
  assert.equal((await listOf(user)).body.data.length, 1)
  assert.equal((await (await browserOf(server, account, user)).ask('DELETE', path)).status, 204)
  assert.equal((await signIn(openBrowser(server), passkey)).status, 401)
  const [code] = added.recovery_codes
  assert.equal((await openBrowser(server).ask('POST', useRecoveryCode.path, { code })).status, 401)
  for (const ended of [browser, later]) {
    assert.equal((await whenRefused(() => ended.ask('GET', '/preview/v2/account'))).status, 401)
  }
})

test('a cascade of a session cannot take the last way in of an account, nor any where it is frozen', async () => {
  const own = await server.account()
  const admin = await keyed('role_admin', own)
  const { token: root } = await server.call('get_account', { token: own.token })
  await server.call('delete_token', { params: { id: root.id }, token: own.token })
  const path = await cascadeOf(admin.browser)
  const last = await admin.browser.ask('DELETE', path)
  assert.deepEqual([last.status, codeOf(last as never)], [409, 'last_admin'])
  await server.call('freeze_account', { params: { account: own.id } })
  const frozen = await whenRefused(async () => {
    const response = await admin.browser.ask('DELETE', path)
    return { ...response, status: response.status === 409 ? 200 : response.status }
  })
  assert.deepEqual([frozen.status, codeOf(frozen as never)], [403, 'forbidden'])
})

test('a deleted user has no way in left', async () => {
  const { user, passkey, added } = await keyed()
  await server.call('delete_user', { params: { id: user }, token })
  assert.equal((await signIn(openBrowser(server), passkey)).status, 401)
  const code = { code: added.recovery_codes[0] }
  assert.equal((await openBrowser(server).ask('POST', useRecoveryCode.path, code)).status, 401)
})
