import assert from 'node:assert/strict'
import { createAccountSignInLink } from '@bourse/api/iam/accounts.ts'
import { afterAll, test } from 'vitest'
import { codeOf, platformAccount, whenRefused } from '../support/access.ts'
import { cookieName, makeLink, makeUser } from '../support/fixtures/people.ts'
import { startTestServer } from '../support/server.ts'
import { assertStrict } from '../support/strictness.ts'
import { makePasskey } from './authenticator.ts'
import { type Browser, browserOf, openBrowser, whoIs } from './browsers.ts'
import { startTestProvider } from './oidc.ts'
import { begin } from './provider-steps.ts'

const dex = await startTestProvider()
afterAll(() => dex[Symbol.asyncDispose]())
const id = `pages-${process.pid}`
const server = await startTestServer({
  sign_in_providers: [dex.setting(id), dex.setting(id, { name: 'hidden', listed: false })],
})
const account = await server.account({ id })
const { token } = account
const hostile = ['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)', '/.//evil.example']

async function personAt(role?: string): Promise<{ browser: Browser; user: string }> {
  const user = (await makeUser(server, account, role)).id
  return { user, browser: await browserOf(server, account, user) }
}

/** Adds a passkey; returns the recovery codes. */
async function addPasskey(browser: Browser, user: string): Promise<string[]> {
  const asked = await browser.ask('POST', '/preview/v2/auth/passkeys/registration', {})
  const { body } = makePasskey(asked.body, browser.origin)
  return (await browser.ask('POST', `/preview/v2/users/${user}/passkeys`, body)).body.recovery_codes
}

test('the page of all ways in shows the providers, passkeys, recovery codes and how to get a link', async () => {
  const page = await openBrowser(server).open('/sign_in?return_to=/console/', 'cross-site')
  assert.equal(page.status, 200)
  for (const text of ['Continue with dex', 'Sign in with a passkey', 'Recovery code', 'bourse users sign-in-link']) {
    assert.ok(page.text.includes(text), text)
  }
  assert.match(page.text, /name="return_to" value="\/console\/"/)
  assert.match(page.text, /action="\/sign_in\/oidc\/dex"/)
  assert.doesNotMatch(page.text, /<script>|<style| on[a-z]+=|style=/)
  const byNumber = await openBrowser(server, { host: '127.0.0.1' }).open('/sign_in')
  assert.match(byNumber.text, /http:\/\/localhost:\d+\/sign_in/)
})

test('a provider that is not listed is shown by its name, and to the people of its account', async () => {
  const hidden = /Continue with hidden/
  const stranger = openBrowser(server)
  assert.doesNotMatch((await stranger.open('/sign_in')).text, hidden)
  assert.doesNotMatch((await stranger.open('/sign_in?provider=no-such-one')).text, hidden)
  assert.match((await stranger.open('/sign_in?provider=hidden')).text, hidden)
  const { browser } = await personAt()
  assert.match((await browser.open('/sign_in?step_up=1')).text, hidden)
  const elsewhere = await server.account()
  const { id: other } = await makeUser(server, elsewhere)
  assert.doesNotMatch((await (await browserOf(server, elsewhere, other)).open('/sign_in')).text, hidden)
})

test('after a failure all ways in still show a provider that is not listed', async () => {
  const hidden = /Continue with hidden/
  const returned = { return_to: '/console/' }
  const waysAfter = async (browser: Browser, { text }: { text: string }) => {
    const [, href] = /href="([^"]+)"[^>]*>All ways in/.exec(text) ?? []
    return browser.open(String(href).replaceAll('&amp;', '&'))
  }
  const browser = openBrowser(server)
  const address = await begin(browser, 'hidden', returned)
  const query = new URLSearchParams({ error: 'access_denied', state: new URL(address).searchParams.get('state') ?? '' })
  const declined = await browser.open(`/sign_in/oidc/hidden/callback?${query}`, 'cross-site')
  assert.equal(declined.status, 403)
  const ways = await waysAfter(browser, declined)
  assert.match(ways.text, hidden)
  assert.match(ways.text, /name="return_to" value="\/console\/"/)
  assert.match((await waysAfter(browser, await browser.open('/sign_in/oidc/hidden/callback?state=x'))).text, hidden)
  assert.match(ways.text, /name="provider" value="hidden"/, 'the form of the recovery code keeps it')
  const wrong = { recovery_code: 'wrong', ...returned }
  for (const [provider, isShown] of [
    ['hidden', true],
    ['"><b>', false],
  ] as const) {
    const refused = await browser.submit('/sign_in/recovery', { ...wrong, provider })
    assert.deepEqual([refused.status, refused.text.includes('provider=')], [403, isShown])
    assert.equal(hidden.test((await waysAfter(browser, refused)).text), isShown)
  }
  assert.doesNotMatch((await browser.open('/sign_in?provider=other')).text, /name="provider"/)
})

test('no page can be framed, cached or made to load from elsewhere', async () => {
  const { browser } = await personAt()
  for (const path of [
    '/sign_in',
    '/sign_out',
    '/sign_in/passkeys',
    '/device',
    '/sign_in/oidc/dex/callback',
    '/sign-in/x',
  ]) {
    const { headers } = await browser.open(path)
    const policy = headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "style-src 'self'", "form-action 'self'", "frame-ancestors 'none'"]) {
      assert.ok(policy.split('; ').includes(rule), `${path}: ${rule}`)
    }
    assert.doesNotMatch(policy, /unsafe|\*|http/, path)
    assert.equal(headers.get('x-frame-options'), 'DENY', path)
    assert.equal(headers.get('cache-control'), 'no-store', path)
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', path)
  }
  for (const [path, type] of [
    ['/sign_in/style.css', 'text/css'],
    ['/sign_in/passkeys.js', 'text/javascript'],
  ] as const) {
    const file = await browser.open(path)
    assert.deepEqual([file.status, file.headers.get('content-type')], [200, `${type}; charset=utf-8`])
  }
})

test('every way in leads back to where somebody came from, and never to another host', async () => {
  const { browser, user } = await personAt()
  const codes = await addPasskey(browser, user)
  const enter = async (return_to: string) => {
    const at = openBrowser(server)
    await at.open(`/sign_in?return_to=${encodeURIComponent(return_to)}`, 'cross-site')
    const byLink = await at.submit(await makeLink(server, account, user), { answer: 'sign_in' })
    await server.advance(61)
    const fields = { recovery_code: codes.pop() as string, return_to }
    const byCode = await openBrowser(server).submit('/sign_in/recovery', fields)
    return [byLink.location, byCode.location]
  }
  assert.deepEqual(await enter('/console/?a=b'), ['/console/?a=b', '/console/?a=b'])
  for (const return_to of hostile) {
    assert.deepEqual(await enter(return_to), ['../', '/'], return_to)
    const page = await openBrowser(server).open(`/sign_in?return_to=${encodeURIComponent(return_to)}`)
    assert.doesNotMatch(page.text, /evil|alert/)
  }
  const link = `${await makeLink(server, account, user)}?return_to=/console/hosts`
  assert.match((await openBrowser(server).open(link)).text, /name="return_to" value="\/console\/hosts"/)
})

test('signing out ends the session, and other sites cannot', async () => {
  const { browser, user } = await personAt()
  const session = browser.cookies.get(cookieName(server, 'session')) as string
  assert.match((await browser.open('/sign_out')).text, /Sign out/)
  assert.equal(await whoIs(browser), user, 'opening the page changes nothing')
  for (const site of ['cross-site', 'same-site', 'none']) {
    assert.equal((await browser.submit('/sign_out', {}, { 'sec-fetch-site': site })).status, 403, site)
  }
  assert.equal(await whoIs(browser), user)
  const out = await browser.submit('/sign_out', { answer: 'sign_out' })
  assert.deepEqual([out.status, browser.cookies.has(cookieName(server, 'session'))], [200, false])
  browser.cookies.set(cookieName(server, 'session'), session)
  const ended = await whenRefused(() => server.attempt('get_account', { token: session }))
  assert.equal(ended.status, 401)
})

test('signing in again by a link is for the same user', async () => {
  const [one, other] = [await personAt(), await personAt()]
  await one.browser.open('/sign_in?step_up=1&return_to=/console/')
  const foreign = await one.browser.submit(await makeLink(server, account, other.user), { answer: 'sign_in' })
  assert.deepEqual([foreign.status, await whoIs(one.browser)], [403, one.user])
  assert.match(foreign.text, /for somebody else/)
  const own = await one.browser.submit(await makeLink(server, account, one.user), { answer: 'sign_in' })
  assert.deepEqual([own.status, own.location], [303, '/console/'])
  const page = await one.browser.open('/sign_in?step_up=1')
  assert.match(page.text, /Sign in again/)
  assert.match((await openBrowser(server).open('/sign_in?step_up=1')).text, /<h1>Sign in to Bourse/)
})

test('in a sandbox a person signs in again by a button, as the same person and nobody else', async () => {
  const { browser, user } = await personAt('role_admin')
  const plain = await browser.open('/sign_in')
  assert.doesNotMatch(plain.text, /Sign in again as/)
  assert.doesNotMatch((await openBrowser(server).open('/sign_in?step_up=1')).text, /Sign in again as/)
  await server.advance(901)
  const write = () => browser.ask('POST', '/preview/v2/users', { email: `${crypto.randomUUID()}@example.com` })
  assert.equal((await write()).headers.get('x-error-code'), 'insufficient_user_authentication')
  const page = await browser.open('/sign_in?step_up=1&return_to=/console/access')
  assert.match(page.text, /Sign in again as [^<]+ of the account/)
  assert.match(page.text, /action="\/sign_in\/again"/)
  const before = browser.cookies.get(cookieName(server, 'session'))
  const fields = { answer: 'again', return_to: '/console/access', step_up: '1' }
  const foreign = await browser.submit('/sign_in/again', fields, { 'sec-fetch-site': 'cross-site' })
  assert.equal(foreign.status, 403)
  const again = await browser.submit('/sign_in/again', fields)
  assert.deepEqual([again.status, again.location, await whoIs(browser)], [303, '/console/access', user])
  assert.equal((await write()).status, 201)
  assert.equal((await whenRefused(() => server.attempt('get_account', { token: before }))).status, 401)
  const stranger = await openBrowser(server).submit('/sign_in/again', fields)
  assert.deepEqual([stranger.status, stranger.headers.get('set-cookie')], [303, null])
  assert.match(String(stranger.location), /^\/sign_in\?/)
})

test('the page of passkeys is for a person who is signed in, and its forms for the page itself', async () => {
  const stranger = await openBrowser(server).open('/sign_in/passkeys')
  assert.deepEqual([stranger.status, stranger.location], [303, '/sign_in?return_to=%2Fsign_in%2Fpasskeys'])
  const { browser, user } = await personAt()
  assert.match((await browser.open('/sign_in/passkeys')).text, /You have none yet/)
  const codes = await addPasskey(browser, user)
  const [{ id: passkey }] = (await browser.ask('GET', `/preview/v2/users/${user}/passkeys`)).body.data
  const page = await browser.open('/sign_in/passkeys')
  assert.match(page.text, /10 of 10 are left/)
  assert.equal(
    codes.some((code) => page.text.includes(code)),
    false,
  )
  const foreign = { 'sec-fetch-site': 'cross-site' }
  assert.equal((await browser.submit('/sign_in/passkeys', { answer: 'remove', passkey }, foreign)).status, 403)
  const made = await browser.submit('/sign_in/passkeys', { answer: 'new_codes' })
  assert.equal(made.text.match(/<li><code>/g)?.length, 10)
  assert.equal((await browser.submit('/sign_in/passkeys', { answer: 'remove', passkey: 'pkey_absent' })).status, 404)
  await server.advance(901)
  const old = await browser.submit('/sign_in/passkeys', { answer: 'remove', passkey })
  assert.deepEqual([old.status, old.location], [303, '/sign_in?return_to=%2Fsign_in%2Fpasskeys&step_up=1'])
  await browser.submit(await makeLink(server, account, user), { answer: 'sign_in' })
  assert.equal((await browser.submit('/sign_in/passkeys', { answer: 'remove', passkey })).status, 303)
  assert.match((await browser.open('/sign_in/passkeys')).text, /You have none yet/)
})

test('wrong recovery codes are refused by the page, five a minute', async () => {
  await server.advance(61)
  const use = () => openBrowser(server).submit('/sign_in/recovery', { recovery_code: 'wrong' })
  for (let n = 0; n < 5; n++) assert.equal((await use()).status, 403)
  assert.equal((await use()).status, 429)
  assert.equal(
    (await openBrowser(server).submit('/sign_in/recovery', {}, { 'sec-fetch-site': 'cross-site' })).status,
    403,
  )
  await server.advance(61)
})

test('a sign-in at a provider is recorded, and one that failed as a known user', async () => {
  const [user, another] = [(await makeUser(server, account)).id, (await makeUser(server, account)).id]
  const connect = async (of: string) => {
    const browser = openBrowser(server, { host: '127.0.0.1' })
    const page = await browser.submit(await makeLink(server, account, of), { answer: 'connect dex' })
    const [, next = ''] = /content="0; url=([^"]+)"/.exec(page.text) ?? []
    assert.ok(next, page.text)
    const { code, state } = dex.authorize(next.replaceAll('&amp;', '&'), { sub: 'recorded' })
    return browser.open(`/sign_in/oidc/dex/callback?${new URLSearchParams({ code, state })}`, 'cross-site')
  }
  const entries = async (of: string, outcome: string) => {
    const query = `actor=${of}&operation=sign_in_by_provider&outcome=${outcome}`
    return (await server.call('list_audit_entries', { query, token })).data
  }
  assert.equal((await connect(user)).status, 200)
  const [done] = await entries(user, 'done')
  assert.deepEqual([done.actor.id, done.address], [user, '127.0.0.1'])
  assert.equal((await connect(another)).status, 409)
  // Entries of what was refused are written soon after the response.
  let failed: any
  for (let tries = 0; tries < 400 && !failed; tries++) [failed] = await entries(user, 'refused')
  assert.deepEqual([failed?.code, failed?.targets], ['authentication_error', [{ type: 'user', id: user }]])
  assert.deepEqual(await entries(another, 'done'), [])
})

test('a cookie of a step is no session, and a session no step', async () => {
  const { browser, user } = await personAt()
  await browser.ask('POST', '/preview/v2/auth/passkeys/registration', {})
  await browser.submit('/sign_in/oidc/dex', {})
  const [session, step, state] = ['session', 'passkey', 'provider'].map(
    (n) => browser.cookies.get(cookieName(server, n)) as string,
  )
  for (const [name, value] of [
    [cookieName(server, 'session'), step],
    [cookieName(server, 'session'), state],
  ] as const) {
    const other = openBrowser(server)
    other.cookies.set(name, value as string)
    assert.equal(await whoIs(other), undefined)
  }
  const path = `/preview/v2/users/${user}/passkeys`
  const body = { credential_id: 'AA', client_data_json: 'AA', attestation_object: 'AA' }
  for (const value of [session, state, 'AA', '']) {
    browser.cookies.set(cookieName(server, 'passkey'), value as string)
    assert.equal((await browser.ask('POST', path, body)).status, 409)
  }
})

test('the operator lets a user in where no admin of the account can come in, and nowhere else', async () => {
  const path = (of: string) => `/preview/v2/admin/accounts/${of}/sign_in_links`
  await assertStrict(server, (await platformAccount(server)).token, [createAccountSignInLink])
  const own = await server.account()
  const admin = (await makeUser(server, own, 'role_admin')).id
  const early = await server.request('POST', path(own.id), { body: { user: admin } })
  assert.deepEqual([early.status, codeOf(early)], [409, 'invalid_state'])
  const browser = await browserOf(server, own, admin)
  const me = await server.call('get_account', { token: own.token })
  await server.call('delete_token', { params: { id: me.token.id }, token: own.token })
  const foreign = (await makeUser(server, account)).id
  for (const user of [foreign, 'usr_absent']) {
    const response = await server.request('POST', path(own.id), { body: { user } })
    assert.deepEqual([response.status, codeOf(response)], [422, 'reference_not_found'])
  }
  assert.equal((await server.request('POST', path('absent'), { body: { user: admin } })).status, 404)
  assert.equal((await server.request('POST', path(own.id), { token, body: { user: admin } })).status, 404)
  const made = await server.request('POST', path(own.id), { body: { user: admin } })
  assert.deepEqual([made.status, made.headers.get('cache-control')], [201, 'no-store'])
  const again = openBrowser(server)
  await again.submit(new URL(made.body.url).pathname, { answer: 'sign_in' })
  assert.equal(await whoIs(again), admin)
  await addPasskey(browser, admin)
  assert.equal((await server.request('POST', path(own.id), { body: { user: admin } })).status, 409)
})
