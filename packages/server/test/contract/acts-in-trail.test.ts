/** The audit trail of what people do at pages, and of what a sign-in leads to. */
import assert from 'node:assert/strict'
import type { AuditEntry } from '@bourse/api/iam/audit-entries.ts'
import { afterAll, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { type Database, statement } from '../../src/core/db/db.ts'
import { makePasskey } from '../api/authenticator.ts'
import { type Browser, browserOf, openBrowser } from '../api/browsers.ts'
import { type ProviderStatement, startTestProvider } from '../api/oidc.ts'
import { begin, comeBackFrom, nextOf } from '../api/provider-steps.ts'
import { makeLink, makeUser } from '../support/fixtures/people.ts'
import { startTestServer } from '../support/server.ts'

const dex = await startTestProvider()
afterAll(() => dex[Symbol.asyncDispose]())
const id = `trail-${process.pid}`
const groups = new Map([['traders', { role: 'role_trader', workspace: undefined }]] as const)
const server = await startTestServer({
  sign_in_providers: [
    dex.setting(id),
    dex.setting(id, { name: 'adds', auto_provision: true, default_role: 'role_viewer' }),
    dex.setting(id, { name: 'groups', group_claim: 'groups', group_roles: groups }),
  ],
})
const account = await server.account({ id })
const { token } = account
const inside = leftOut(server.inside ? false : 'needs the inside of the server')
let subjects = 0

async function entries(query: string): Promise<AuditEntry[]> {
  return (await server.call('list_audit_entries', { query: `limit=50&${query}`, token })).data
}

/** An entry that is queued, and written soon. */
function written(query: string): Promise<AuditEntry> {
  return eventually(`an entry has ${query}`, async () => (await entries(query))[0])
}

const setOf = ({ changes }: AuditEntry) =>
  Object.fromEntries(changes.map(({ field, new_value }) => [field, JSON.parse(new_value ?? 'null')]))

/** A user, and a browser at which it is signed in. */
async function person(): Promise<{ user: string; browser: Browser }> {
  const { id: user } = await makeUser(server, account)
  return { user, browser: await browserOf(server, account, user) }
}

/** The only entry of a person for an operation. */
async function onlyOf(user: string, operation: string): Promise<AuditEntry> {
  const found = await entries(`actor=${user}&operation=${operation}`)
  assert.equal(found.length, 1, operation)
  const [entry] = found as [AuditEntry]
  assert.deepEqual([entry.outcome, entry.actor.type, entry.address], ['done', 'user', '127.0.0.1'])
  return entry
}

async function addPasskey(browser: Browser, user: string): Promise<string> {
  const asked = await browser.ask('POST', '/preview/v2/auth/passkeys/registration', {})
  const { body } = makePasskey(asked.body, browser.origin)
  return (await browser.ask('POST', `/preview/v2/users/${user}/passkeys`, body)).body.id
}

async function signIn(name: string, told: ProviderStatement): Promise<Browser> {
  const browser = openBrowser(server, { host: '127.0.0.1' })
  const response = await comeBackFrom(dex, browser, await begin(browser, name), told)
  assert.equal(response.status, 200, response.text)
  return browser
}

test('the removal of a passkey and new recovery codes by the forms of the page are recorded', async () => {
  const { user, browser } = await person()
  const passkey = await addPasskey(browser, user)
  await browser.submit('/sign_in/passkeys', { answer: 'new_codes' })
  await browser.submit('/sign_in/passkeys', { answer: 'remove', passkey })
  const made = await onlyOf(user, 'create_recovery_codes')
  assert.deepEqual([made.targets, made.changes], [[{ type: 'user', id: user }], []])
  const { targets } = await onlyOf(user, 'delete_user_passkey')
  assert.deepEqual(targets, [
    { type: 'user', id: user },
    { type: 'passkey', id: passkey },
  ])
})

test('a passkey is recorded once, in the transaction that adds it', inside, async () => {
  const { user, browser } = await person()
  const passkey = await addPasskey(browser, user)
  const entry = await onlyOf(user, 'create_user_passkey')
  assert.ok(entry.targets.some((target) => target.id === passkey))
  assert.ok(await areTogether('passkeys', passkey, entry.id))
})

test('signing out is recorded', async () => {
  const { user, browser } = await person()
  const { token: session } = (await browser.ask('GET', '/preview/v2/account')).body
  await browser.submit('/sign_out', { answer: 'sign_out' })
  assert.deepEqual((await onlyOf(user, 'sign_out')).targets, [{ type: 'token', id: session.id }])
})

test('the approval of a program is recorded with what asked, whether or not it comes for its session', async () => {
  const { user, browser } = await person()
  const headers = { 'user-agent': 'laptop/1' }
  const body = { client_name: 'a laptop' }
  const { user_code } = await server.call('start_device_login', { token: null, headers, body })
  await browser.submit('/device', { user_code, answer: 'approve' })
  const asked = { client_name: 'a laptop', device: 'laptop/1', address: '127.0.0.1' }
  assert.deepEqual(setOf(await onlyOf(user, 'approve_device_login')), asked)
})

test('an identity that a link connects is recorded, in the transaction that connects it', inside, async () => {
  const { id: user } = await makeUser(server, account)
  const browser = openBrowser(server, { host: '127.0.0.1' })
  const next = nextOf(await browser.submit(await makeLink(server, account, user), { answer: 'connect dex' }))
  const sub = `subject-${++subjects}`
  assert.equal((await comeBackFrom(dex, browser, String(next), { sub })).status, 200)
  const entry = await onlyOf(user, 'connect_identity')
  assert.deepEqual(setOf(entry), { provider: 'dex', issuer: dex.issuer, subject: sub })
  const [, identity] = entry.targets
  assert.ok(await areTogether('identities', identity?.id as string, entry.id))
})

test('grants that groups give and end are recorded as acts of the provider', inside, async () => {
  const { id: user } = await makeUser(server, account)
  const browser = openBrowser(server, { host: '127.0.0.1' })
  const next = nextOf(await browser.submit(await makeLink(server, account, user), { answer: 'connect groups' }))
  const sub = `subject-${++subjects}`
  await comeBackFrom(dex, browser, String(next), { sub, claims: { groups: ['traders'] } })
  const [given] = (await entries(`target=${user}&operation=create_grant`)) as [AuditEntry]
  assert.deepEqual(given.actor, { type: 'system', id: null, name: 'provider groups' })
  assert.deepEqual(setOf(given), { principal_id: user, role: 'role_trader', provider: 'groups' })
  const grant = given.targets[0]?.id as string
  assert.ok(await areTogether('grants', grant, given.id))
  await signIn('groups', { sub })
  const [ended, ...others] = await entries(`target=${grant}&operation=delete_grant`)
  assert.deepEqual([ended?.actor.name, others.length], ['provider groups', 0])
  assert.equal(ended?.changes.find(({ field }) => field === 'role')?.old_value, '"role_trader"')
})

test('a user that a provider adds is recorded, with the default role', async () => {
  const sub = `subject-${++subjects}`
  const browser = await signIn('adds', { sub, claims: { email: `${sub}@trail.example`, email_verified: true } })
  const { id: user } = (await browser.ask('GET', '/preview/v2/account')).body.user
  const [added] = (await entries(`target=${user}&operation=create_user`)) as [AuditEntry]
  assert.deepEqual([added.actor.name, setOf(added).subject], ['provider adds', sub])
  const [given] = (await entries(`target=${user}&operation=create_grant`)) as [AuditEntry]
  assert.deepEqual([given.actor.name, setOf(given).role], ['provider adds', 'role_viewer'])
})

test('a sign-in at a provider that lets nobody in is recorded in the account of the provider', async () => {
  const failures: [string, (browser: Browser, address: string) => Promise<{ status: number }>][] = [
    ['unknown', (browser, address) => comeBackFrom(dex, browser, address, { sub: 'nobody' })],
    ['forged', (browser, address) => comeBackFrom(dex, browser, address, { signs: 'a stranger' })],
  ]
  for (const [agent, fail] of failures) {
    const browser = openBrowser(server, { host: '127.0.0.1' })
    const before = (await entries('operation=sign_in_by_provider&outcome=refused')).length
    assert.equal((await fail(browser, await begin(browser))).status, 403)
    await eventually(`the sign-in that is ${agent} is recorded`, async () => {
      return (await entries('operation=sign_in_by_provider&outcome=refused')).length > before
    })
  }
  const [entry] = await entries('operation=sign_in_by_provider&outcome=refused')
  assert.deepEqual([entry?.actor.type, entry?.code, entry?.targets], ['system', 'authentication_error', []])
})

test('a token that is used from a network that it does not allow is recorded, also where it only reads', async () => {
  const body = { allowed_cidrs: ['203.0.113.0/24'], roles: ['role_viewer'] }
  const away = await server.call('create_token', { token, body })
  assert.equal((await server.attempt('list_workspaces', { token: away.token })).status, 403)
  const entry = await written(`actor=${away.id}&outcome=refused`)
  assert.deepEqual(
    [entry.operation, entry.code, entry.address],
    ['list_workspaces', 'network_not_allowed', '127.0.0.1'],
  )
})

test('a token is recorded from a foreign network whatever its path says', async () => {
  const body = { allowed_cidrs: ['203.0.113.0/24'], roles: ['role_viewer'] }
  for (const [given, shown] of [
    [`${'a'.repeat(254)}😀`, `${'a'.repeat(254)}\ufffd`],
    [`svc:${'😀'.repeat(200)}\u0000`, `svc:${'😀'.repeat(125)}\ufffd`],
  ] as const) {
    const away = await server.call('create_token', { token, body })
    const used = await server.attempt('get_image_download', { params: { id: given }, token: away.token })
    assert.equal(used.status, 403)
    const { targets } = await written(`actor=${away.id}&outcome=refused`)
    assert.deepEqual(targets, [{ type: 'image', id: shown }])
  }
})

/** Whether a row and an entry were written by one transaction. */
async function areTogether(table: string, row: string, entry: string): Promise<boolean> {
  const text = `select (select xmin::text from ${table} where id = '${row}') =
      (select xmin::text from audit_entries where id = '${entry}') as found`
  const database = server.inside?.runtime.database as Database
  return (await database.reader.row(statement<{ found: boolean }>(null, text)))?.found ?? false
}
