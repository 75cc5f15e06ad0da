import assert from 'node:assert/strict'
import { deleteUserIdentity, identitiesMax, listUserIdentities } from '@bourse/api/iam/identities.ts'
import { afterAll, test } from 'vitest'
import { codeOf } from '../support/access.ts'
import { cookieName, makeLink, makeUser } from '../support/fixtures/people.ts'
import { startTestServer } from '../support/server.ts'
import { assertStrict } from '../support/strictness.ts'
import { type Browser, type BrowserResponse, openBrowser, whoIs } from './browsers.ts'
import { type ProviderStatement, startTestProvider, type TestProvider } from './oidc.ts'
import { begin, type Coming, comeBackFrom, nextOf } from './provider-steps.ts'

const [dex, other, odd, down] = [
  await startTestProvider(),
  await startTestProvider(),
  await startTestProvider(),
  await startTestProvider(),
] as const
afterAll(() => Promise.all([dex, other, odd].map((one) => one[Symbol.asyncDispose]())))
await down[Symbol.asyncDispose]()
const last = `last-${process.pid}`
const id = `people-${process.pid}`
const workspace = `svc:workspace:${id}:default` as const
const groups = new Map([
  ['traders', { role: 'role_trader', workspace: undefined }],
  ['runners', { role: 'role_operator', workspace }],
  ['admins', { role: 'role_admin', workspace: undefined }],
  ['gone', { role: `role_${'0'.repeat(21)}`, workspace: undefined }],
] as const)
const server = await startTestServer({
  sign_in_providers: [
    dex.setting(id),
    other.setting(id, { name: 'other' }),
    other.setting(id, { name: 'adds', auto_provision: true, default_role: 'role_viewer' }),
    dex.setting(id, { name: 'groups', auto_provision: true, group_claim: 'groups', group_roles: groups }),
    dex.setting('nobody-here', { name: 'nowhere' }),
    dex.setting(last, { name: 'last' }),
    down.setting(id, { name: 'down' }),
    ...['odd-1', 'odd-2', 'odd-3', 'odd-4'].map((name) => odd.setting(id, { name })),
  ],
})
const account = await server.account({ id })
const { token } = account
let subjects = 0
const newSubject = () => `subject-${++subjects}`

const newBrowser = () => openBrowser(server, { host: '127.0.0.1' })

/** Comes back from a provider: from dex, unless told otherwise. */
function comeBack(
  browser: Browser,
  address: string,
  told: ProviderStatement,
  { at = dex, ...coming }: Coming & { at?: TestProvider } = {},
) {
  return comeBackFrom(at, browser, address, told, coming)
}

async function signIn(
  browser: Browser,
  told: ProviderStatement,
  name = 'dex',
  fields: Record<string, string> = {},
  at = dex,
) {
  return comeBack(browser, await begin(browser, name, fields), told, { at })
}

/** Connects a subject with a user by a sign-in link, at a browser. */
async function connect(
  browser: Browser,
  user: string,
  sub: string,
  { name = 'dex', at = dex } = {},
): Promise<BrowserResponse> {
  const page = await browser.submit(await makeLink(server, account, user), { answer: `connect ${name}` })
  const next = nextOf(page)
  assert.ok(next, page.text)
  return comeBack(browser, next, { sub }, { at })
}

/** A user with an identity at dex. */
async function known(role?: string): Promise<{ user: string; sub: string }> {
  const [user, sub] = [(await makeUser(server, account, role)).id, newSubject()]
  const connected = await connect(newBrowser(), user, sub)
  assert.equal(connected.status, 200, connected.text)
  return { user, sub }
}

const identitiesOf = async (user: string) =>
  (await server.call('list_user_identities', { params: { id: user }, token })).data

async function assertRefused(response: BrowserResponse, browser: Browser, status: number, what: string): Promise<void> {
  assert.equal(response.status, status, `${what}: ${response.text}`)
  assert.equal(await whoIs(browser), undefined, what)
  const requestId = response.headers.get('x-request-id')
  // Anybody can send what belongs to no sign-in, so the log has nothing of it, and the page refers to no log.
  const isLogged = !response.text.includes('This sign-in did not begin in this browser')
  assert.equal(response.text.includes(`<code>${requestId}</code>`), isLogged, `${what}: ${response.text}`)
}

test('every operation requires a token and refuses unknown parameters', async () => {
  await assertStrict(server, token, [listUserIdentities, deleteUserIdentity])
})

test('a link connects a user with a provider, by which it comes in from then on', async () => {
  const { user, sub } = await known('role_viewer')
  const [identity] = await identitiesOf(user)
  const { provider, issuer, subject } = identity
  assert.deepEqual([provider, issuer, subject], ['dex', dex.issuer, sub])
  const browser = newBrowser()
  const entered = await signIn(browser, { sub }, 'dex', { return_to: '/console/orders?a=b' })
  assert.deepEqual([entered.status, nextOf(entered)], [200, '/console/orders?a=b'])
  assert.equal(await whoIs(browser), user)
  assert.equal(browser.cookies.has('bourse_provider'), false)
})

test('a request to a provider carries state, nonce and a challenge, and no secret', async () => {
  const browser = newBrowser()
  const [one, two] = [new URL(await begin(browser)), new URL(await begin(browser))]
  const read = (url: URL, name: string) => url.searchParams.get(name)
  assert.deepEqual([read(one, 'response_type'), read(one, 'code_challenge_method')], ['code', 'S256'])
  assert.equal(read(one, 'redirect_uri'), `${server.url}/sign_in/oidc/dex/callback`)
  for (const name of ['state', 'nonce', 'code_challenge']) {
    assert.match(read(one, name) ?? '', /^[A-Za-z0-9_-]{43}$/)
    assert.notEqual(read(one, name), read(two, name))
  }
  assert.equal(one.searchParams.has('client_secret'), false)
})

test('an identity that nobody knows is let in by nobody, whatever its address', async () => {
  const user = await makeUser(server, account, 'role_admin')
  for (const email_verified of [true, false]) {
    const browser = newBrowser()
    const told = { sub: newSubject(), claims: { email: user.email, email_verified } }
    await assertRefused(await signIn(browser, told), browser, 403, 'the address of a user')
  }
  assert.deepEqual(await identitiesOf(user.id), [])
})

test('the same subject of another issuer is somebody else', async () => {
  const { sub } = await known()
  const browser = newBrowser()
  await assertRefused(await signIn(browser, { sub }, 'other', {}, other), browser, 403, 'another issuer')
})

test('an answer that is not from the provider, for this server and this sign-in signs nobody in', async () => {
  const { sub } = await known()
  const now = Math.floor(Date.now() / 1000)
  const forgeries: Record<string, ProviderStatement> = {
    'alg none': { signs: 'none' },
    'the key of a stranger': { signs: 'a stranger' },
    'the client secret as a key': { signs: 'the client secret' },
    'another audience': { forged: { aud: 'somebody-else' } },
    'two audiences and another party': { forged: { aud: ['bourse', 'other'], azp: 'other' } },
    'another issuer': { forged: { iss: other.issuer } },
    'another nonce': { forged: { nonce: 'A'.repeat(43) } },
    'no nonce': { forged: { nonce: undefined } },
    expired: { forged: { iat: now - 900, exp: now - 600 } },
    'no end': { forged: { exp: undefined } },
    'no subject': { forged: { sub: undefined } },
    'an empty subject': { forged: { sub: '' } },
    'a long subject': { forged: { sub: 'a'.repeat(256) } },
    'an error': { status: 500 },
  }
  for (const [what, told] of Object.entries(forgeries)) {
    const browser = newBrowser()
    await assertRefused(await signIn(browser, { sub, ...told }), browser, 403, what)
  }
})

test('a sign-in ends in the browser where it began, once, with its own state', async () => {
  const { sub, user } = await known()
  const [browser, victim] = [newBrowser(), newBrowser()]
  const address = await begin(browser)
  const kept = browser.cookies.get('bourse_provider') as string
  await assertRefused(await comeBack(victim, address, { sub }), victim, 403, 'the state of another browser')
  const foreign = await begin(victim)
  await assertRefused(await comeBack(victim, address, { sub }), victim, 403, 'the state of another sign-in')
  await assertRefused(await comeBack(victim, foreign, { sub }), victim, 403, 'a sign-in after a failed one')
  const states = { more: { state: 'A'.repeat(43) } }
  await assertRefused(await comeBack(victim, await begin(victim), { sub }, states), victim, 403, 'another state')
  assert.equal((await comeBack(browser, address, { sub })).status, 200)
  assert.equal(await whoIs(browser), user)
  const again = newBrowser()
  again.cookies.set('bourse_provider', kept)
  const replayed = await again.open(`/sign_in/oidc/dex/callback?${queryOf(dex, address, sub)}`)
  await assertRefused(replayed, again, 403, 'replayed')
  const late = newBrowser()
  const old = await begin(late)
  await server.advance(601)
  await assertRefused(await comeBack(late, old, { sub }), late, 403, 'late')
})

function queryOf(provider: TestProvider, address: string, sub: string): URLSearchParams {
  const { code, state } = provider.authorize(address, { sub })
  return new URLSearchParams({ code, state })
}

test('the answer of one provider does not pass for that of another', async () => {
  const { sub } = await known()
  const browser = newBrowser()
  const path = '/sign_in/oidc/other/callback'
  const asked = other.asked.length
  await assertRefused(await comeBack(browser, await begin(browser), { sub }, { path }), browser, 403, 'another address')
  assert.equal(other.asked.length, asked, 'the code of one provider went to another one')
  const mixed = newBrowser()
  const more = { iss: other.issuer }
  await assertRefused(await comeBack(mixed, await begin(mixed), { sub }, { more }), mixed, 403, 'another iss')
  assert.equal((await newBrowser().open('/sign_in/oidc/absent/callback?code=a&state=b')).status, 404)
  const refused = newBrowser()
  const { state } = dex.authorize(await begin(refused), {})
  const query = new URLSearchParams({ error: 'access_denied', error_description: '<b>no</b>', state })
  const declined = await refused.open(`/sign_in/oidc/dex/callback?${query}`, 'cross-site')
  await assertRefused(declined, refused, 403, 'declined')
  assert.equal(declined.text.includes('<b>'), false)
})

test('other sites begin no sign-in, and change no session', async () => {
  const browser = newBrowser()
  for (const site of ['cross-site', 'same-site', 'none']) {
    const response = await browser.submit('/sign_in/oidc/dex', {}, { 'sec-fetch-site': site })
    assert.deepEqual([response.status, browser.cookies.size], [403, 0], site)
  }
  assert.equal((await browser.open('/sign_in/oidc/dex', 'cross-site')).status, 405)
})

test('a provider that is down has a page of its own, and ends no session', async () => {
  const { sub, user } = await known()
  const signedIn = newBrowser()
  await signIn(signedIn, { sub })
  const late = newBrowser()
  const address = await begin(late)
  dex.setDown(true)
  await assertRefused(await comeBack(late, address, { sub }), late, 502, 'down at the end')
  assert.equal(await whoIs(signedIn), user)
  // Nobody is sent to it, although what it publishes is known: the browser would find no way back.
  const form = { return_to: '/console/instances' }
  const begun = async (status: number) => {
    // A provider is asked again after two seconds, which are those of many more sign-ins.
    for (let tries = 0; tries < 5_000; tries++) {
      const response = await newBrowser().submit('/sign_in/oidc/dex', form)
      if (response.status === status) return response
    }
    return assert.fail(`No sign-in is answered with ${status}.`)
  }
  const early = await begun(502)
  assert.match(early.text, /The provider does not answer/)
  assert.match(early.text, /href="[^"]*\/sign_in\?return_to=%2Fconsole%2Finstances&amp;provider=dex"/)
  assert.equal(await whoIs(signedIn), user)
  dex.setDown(false)
  await begun(200)
  const page = await newBrowser().submit('/sign_in/oidc/down', {})
  assert.equal(page.status, 502)
  assert.match(page.text, /does not answer/)
})

test('what a provider publishes is bounded, complete, and about itself', async () => {
  const wrong = [{ issuer: other.issuer }, { padding: 'x'.repeat(300_000) }, { authorization_endpoint: undefined }]
  for (const [index, changes] of wrong.entries()) {
    odd.describe(changes)
    const page = await newBrowser().submit(`/sign_in/oidc/odd-${index + 1}`, {})
    assert.equal(page.status, 502, Object.keys(changes)[0])
  }
})

test('what a provider says of itself is read once for many sign-ins, and not when they come back', async () => {
  const { sub } = await known()
  const before = dex.asked.length
  const browsers = Array.from({ length: 20 }, newBrowser)
  const addresses = await Promise.all(browsers.map((browser) => begin(browser)))
  assert.ok(dex.asked.length - before < browsers.length, `${dex.asked.length - before} requests`)
  const begun = dex.asked.length
  await comeBack(browsers[0] as Browser, addresses[0] as string, { sub })
  assert.deepEqual(dex.asked.slice(begun), ['/token'])
})

test('an identity is connected once, and only to the user of the link', async () => {
  const { sub, user } = await known()
  const another = (await makeUser(server, account)).id
  const browser = newBrowser()
  const path = await makeLink(server, account, another)
  const next = nextOf(await browser.submit(path, { answer: 'connect dex' })) as string
  await assertRefused(await comeBack(browser, next, { sub }), browser, 409, 'taken')
  assert.deepEqual([await identitiesOf(another), (await identitiesOf(user)).length], [[], 1])
  assert.equal((await browser.submit(path, { answer: 'sign_in' })).status, 303, 'the link is still good')
  const used = newBrowser()
  const link = await makeLink(server, account, another)
  const onward = nextOf(await used.submit(link, { answer: 'connect dex' })) as string
  await newBrowser().submit(link, { answer: 'sign_in' })
  await assertRefused(await comeBack(used, onward, { sub: newSubject() }), used, 410, 'a link that was used meanwhile')
  assert.deepEqual(await identitiesOf(another), [])
})

test('a link is still good where its user has as many identities as it may', async () => {
  const { id: user } = await makeUser(server, account)
  for (let n = 0; n < identitiesMax; n++) {
    assert.equal((await connect(newBrowser(), user, newSubject())).status, 200)
  }
  const [browser, path] = [newBrowser(), await makeLink(server, account, user)]
  const next = nextOf(await browser.submit(path, { answer: 'connect dex' })) as string
  await assertRefused(await comeBack(browser, next, { sub: newSubject() }), browser, 403, 'one more')
  assert.equal((await identitiesOf(user)).length, identitiesMax)
  assert.equal((await browser.submit(path, { answer: 'sign_in' })).status, 303)
})

test('a provider of another account connects nobody', async () => {
  const user = (await makeUser(server, account)).id
  const browser = newBrowser()
  const path = await makeLink(server, account, user)
  assert.equal((await browser.open(path)).text.includes('nowhere'), false)
  assert.equal((await browser.submit(path, { answer: 'connect nowhere' })).status, 303, 'as if it were not there')
  const lost = newBrowser()
  await assertRefused(await signIn(lost, { sub: newSubject() }, 'nowhere'), lost, 403, 'no account')
})

test('a provider that adds users gives them the default role, and only verified and free addresses', async () => {
  const taken = await makeUser(server, account)
  const cases: [Record<string, unknown>, string | null][] = [
    [
      { email: 'new@people.example', email_verified: true, given_name: 'New', family_name: 'Person' },
      'new@people.example',
    ],
    [{ email: 'unverified@people.example', email_verified: false }, null],
    [{ email: 'unsaid@people.example' }, null],
    [{ email: taken.email.toUpperCase(), email_verified: true }, null],
    [{ email: 'no address', email_verified: true, given_name: 7, family_name: '' }, null],
  ]
  for (const [claims, email] of cases) {
    const [browser, sub] = [newBrowser(), newSubject()]
    const entered = await signIn(browser, { sub, claims }, 'adds', {}, other)
    assert.equal(entered.status, 200, entered.text)
    const user = (await browser.ask('GET', '/preview/v2/account')).body.user
    assert.equal(user.email, email)
    assert.notEqual(user.id, taken.id)
    const grants = await server.call('list_grants', { query: { principal_id: [user.id] }, token })
    assert.deepEqual(
      grants.data.map(({ role }) => role.id),
      ['role_viewer'],
    )
    const again = newBrowser()
    await signIn(again, { sub, claims }, 'adds', {}, other)
    assert.equal(await whoIs(again), user.id)
  }
})

test('groups set the grants that they gave, at each sign-in, and no others', async () => {
  const sub = newSubject()
  const rolesOf = async (user: string) => {
    const { data } = await server.call('list_grants', { query: { principal_id: [user] }, token })
    return data.map(({ role, workspace: at, provider }) => `${role.name} ${at?.name ?? '*'} ${provider}`).toSorted()
  }
  const enter = async (groups: unknown) => {
    const browser = newBrowser()
    const entered = await signIn(browser, { sub, claims: { groups } }, 'groups')
    assert.equal(entered.status, 200, entered.text)
    return (await whoIs(browser)) as string
  }
  const user = await enter(['traders', 'runners', 'unknown', 'gone'])
  assert.deepEqual(await rolesOf(user), ['operator default groups', 'trader * groups'])
  const body = { principal_type: 'user', principal_id: user, role: 'role_billing' } as const
  await server.call('create_grant', { token, body })
  await enter('runners')
  assert.deepEqual(await rolesOf(user), ['billing * null', 'operator default groups'])
  await server.call('create_grant', { token, body: { ...body, role: 'role_trader' } })
  await enter(['traders'])
  assert.deepEqual(await rolesOf(user), ['billing * null', 'trader * null'])
  await enter(undefined)
  assert.deepEqual(await rolesOf(user), ['billing * null', 'trader * null'])
})

test('signing in again at a provider is for the same user, and asks for a new sign-in there', async () => {
  const [one, two] = [await known(), await known()]
  const browser = newBrowser()
  await signIn(browser, { sub: one.sub })
  await server.advance(901)
  const address = await begin(browser, 'dex', { step_up: '1' })
  assert.equal(new URL(address).searchParams.get('prompt'), 'login')
  assert.equal((await comeBack(browser, address, { sub: two.sub })).status, 403)
  assert.equal(await whoIs(browser), one.user)
  const again = await begin(browser, 'dex', { step_up: '1' })
  assert.equal((await comeBack(browser, again, { sub: one.sub })).status, 200)
  assert.equal((await browser.ask('POST', `/preview/v2/users/${one.user}/recovery_codes`)).status, 409)
})

test('a sign-in is as old as the provider says, and old if it does not say', async () => {
  const { user, sub } = await known()
  const now = Math.floor(Date.now() / 1000)
  for (const [auth_time, status] of [
    [now - 3600, 401],
    [undefined, 401],
    [now * 1000, 401],
    [now - 60, 409],
  ]) {
    const browser = newBrowser()
    const address = await begin(browser)
    assert.match(new URL(address).searchParams.get('max_age') ?? '', /^[0-9]{6,}$/)
    assert.equal((await comeBack(browser, address, { sub, claims: { auth_time } })).status, 200)
    const response = await browser.ask('POST', `/preview/v2/users/${user}/recovery_codes`)
    assert.equal(response.status, status, String(auth_time))
  }
})

test('signing in again needs the word of the provider that it was now', async () => {
  const { user, sub } = await known()
  const browser = newBrowser()
  await signIn(browser, { sub })
  const kept = browser.cookies.get(cookieName(server, 'session'))
  const now = Math.floor(Date.now() / 1000)
  for (const auth_time of [now - 3600, now - 300, undefined]) {
    const address = new URL(await begin(browser, 'dex', { step_up: '1' }))
    assert.deepEqual([address.searchParams.get('prompt'), address.searchParams.get('max_age')], ['login', '0'])
    // Whoever sits at the browser can leave out what asks the person.
    address.searchParams.delete('prompt')
    address.searchParams.delete('max_age')
    const response = await comeBack(browser, address.href, { sub, claims: { auth_time } })
    assert.equal(response.status, 403)
    assert.match(response.text, /did not ask you to sign in again/)
    assert.deepEqual([await whoIs(browser), browser.cookies.get(cookieName(server, 'session'))], [user, kept])
  }
})

test('nobody signs in again by a provider that does not tell when people sign in', async () => {
  odd.describe({ claims_supported: ['iss', 'sub', 'email'] })
  const page = (fields: Record<string, string>) => newBrowser().submit('/sign_in/oidc/odd-4', fields)
  const refused = await page({ step_up: '1' })
  assert.equal(refused.status, 403)
  assert.match(refused.text, /does not say when people sign in/)
  assert.equal((await page({})).status, 200, 'the first sign-in')
  odd.describe({})
})

test('a link that connects a provider signs in as of now', async () => {
  const user = (await makeUser(server, account)).id
  const browser = newBrowser()
  const next = nextOf(await browser.submit(await makeLink(server, account, user), { answer: 'connect dex' }))
  const claims = { auth_time: undefined }
  assert.equal((await comeBack(browser, String(next), { sub: newSubject(), claims })).status, 200)
  assert.equal((await browser.ask('POST', `/preview/v2/users/${user}/recovery_codes`)).status, 409)
})

test('a sign-in replaces the session of its browser', async () => {
  const { user, sub } = await known()
  const browser = newBrowser()
  await signIn(browser, { sub })
  const before = browser.cookies.get(cookieName(server, 'session'))
  await signIn(browser, { sub })
  assert.notEqual(browser.cookies.get(cookieName(server, 'session')), before)
  const { data } = (await browser.ask('GET', '/preview/v2/tokens?kind=session')).body
  // The session of the browser that connected the identity, and this one.
  assert.deepEqual([data.length, await whoIs(browser)], [2, user])
})

test('an identity that is removed lets nobody in, and that of the last admin stays', async () => {
  const { user, sub } = await known()
  const [{ id: identity }] = await identitiesOf(user)
  const stranger = await server.account()
  const path = `/preview/v2/users/${user}/identities/${identity}`
  assert.equal(
    (await server.attempt('delete_user_identity', { params: { id: user, identity }, token: stranger.token })).status,
    404,
  )
  const browser = newBrowser()
  await signIn(browser, { sub })
  assert.equal((await browser.ask('DELETE', path)).status, 204)
  assert.equal((await browser.ask('DELETE', path)).status, 404)
  const refused = newBrowser()
  await assertRefused(await signIn(refused, { sub }), refused, 403, 'removed')
})

test('the last admin of an account is one who comes in by a provider', async () => {
  const own = await server.account({ id: last })
  const user = (await makeUser(server, own, 'role_admin')).id
  const browser = newBrowser()
  const page = await browser.submit(await makeLink(server, own, user), { answer: 'connect last' })
  assert.equal((await comeBack(browser, nextOf(page) as string, { sub: 'last' })).status, 200)
  const me = await server.call('get_account', { token: own.token })
  await server.advance(1000)
  await server.call('delete_token', { params: { id: me.token.id }, token: own.token })
  assert.equal((await signIn(browser, { sub: 'last' }, 'last')).status, 200)
  const [{ id: identity }] = (await browser.ask('GET', `/preview/v2/users/${user}/identities`)).body.data
  const response = await browser.ask('DELETE', `/preview/v2/users/${user}/identities/${identity}`)
  assert.deepEqual([response.status, codeOf(response as never)], [409, 'last_admin'])
})

test('a sign-in at a provider changes nothing in a frozen account', async () => {
  const { user, sub } = await known()
  const link = await makeLink(server, account, (await makeUser(server, account)).id)
  const rolesOf = async () =>
    (await server.call('list_grants', { query: { principal_id: [user] }, token })).data.map(({ role }) => role.id)
  await server.call('freeze_account', { params: { account: id } })
  const browser = newBrowser()
  assert.equal((await signIn(browser, { sub, claims: { groups: ['admins'] } }, 'groups')).status, 200)
  assert.equal(await whoIs(browser), user, 'who is known comes in')
  assert.deepEqual(await rolesOf(), [])
  const newcomer = newBrowser()
  await assertRefused(await signIn(newcomer, { sub: newSubject() }, 'groups'), newcomer, 403, 'a new user')
  const guest = newBrowser()
  const next = nextOf(await guest.submit(link, { answer: 'connect dex' }))
  assert.ok(next)
  await assertRefused(await comeBack(guest, next, { sub: newSubject() }), guest, 403, 'a new identity')
  await server.call('unfreeze_account', { params: { account: id } })
  assert.equal((await signIn(newBrowser(), { sub, claims: { groups: ['admins'] } }, 'groups')).status, 200)
  assert.deepEqual(await rolesOf(), ['role_admin'])
})
