/** Every operation that needs a sign-in of the last 15 minutes refuses an old session, and no other. */
import assert from 'node:assert/strict'
import { trust } from '@bourse/api/trust.ts'
import { test } from 'vitest'
import { type Browser, browserOf } from '../api/browsers.ts'
import { makePerson, makeUser, type Person } from '../support/fixtures/people.ts'
import { startTestServer, type TestResponse } from '../support/server.ts'
import type { CaseCall } from './case.ts'
import { cases } from './cases.ts'
import { type NamedEndpoint, operations, pathOf, send } from './operations.ts'
import { pageCalls } from './page-calls.ts'
import { makeWorld } from './world.ts'

const server = await startTestServer()
const world = await makeWorld(server)
const asking = operations.filter(({ name }) => trust[name].recent_sign_in !== 'never')

async function callOf({ name }: NamedEndpoint): Promise<CaseCall> {
  if (name === 'delete_token') return callOfCascade(({ token }) => token)
  if (name === 'end_user_sessions') return callOfCascade(({ user }) => user)
  return (await cases[name].call?.(world)) ?? {}
}

/** Ends a session in which a passkey was added, or all of its user. */
async function callOfCascade(idOf: (made: { token: string; user: string }) => string): Promise<CaseCall> {
  const added = await pageCalls.create_user_passkey?.(world)
  if (!added) throw new Error('Nothing adds a passkey.')
  const { browser, call } = added
  const me = await browser.ask('GET', '/preview/v2/account')
  const { status, text } = await browser.ask('POST', `/preview/v2/users/${call.params?.id}/passkeys`, call.body)
  assert.equal(status, 201, text)
  const id = idOf({ token: me.body.token.id, user: call.params?.id ?? '' })
  return { params: { id }, query: 'cascade=true' }
}

async function personFor({ access }: NamedEndpoint): Promise<Person> {
  const owner = access.startsWith('platform:') ? world.platform : world.account
  return makePerson(server, owner, 'role_admin')
}

/** Calls that a browser of the person makes, on a page of the server. */
async function atBrowser(operation: NamedEndpoint): Promise<{ browser: Browser; call: CaseCall }> {
  const made = await pageCalls[operation.name]?.(world)
  if (made) return made
  const user = (await makeUser(server, world.account)).id
  return { browser: await browserOf(server, world.account, user), call: { params: { id: user } } }
}

function assertAsked({ status, headers, text }: Pick<TestResponse, 'status' | 'headers' | 'text'>, name: string): void {
  assert.equal(status, 401, `${name}: ${text}`)
  const challenge = 'Bearer error="insufficient_user_authentication", max_age=900'
  assert.equal(headers.get('www-authenticate'), challenge, name)
}

const onPages = new Set(['create_user_passkey', 'create_recovery_codes', 'start_passkey_registration'])

for (const operation of asking) {
  const { name, method } = operation
  test(`${name} needs a sign-in of the last 15 minutes`, async () => {
    if (onPages.has(name)) {
      const { browser, call } = await atBrowser(operation)
      await server.advance(901)
      return assertAsked(await browser.ask(method, pathOf(operation, call), call.body), name)
    }
    const person = await personFor(operation)
    const fresh = await send(server, operation, await callOf(operation), person.token)
    assert.equal(fresh.status, cases[name].status ?? operation.success, `${name}: ${fresh.text}`)
    await server.advance(901)
    assertAsked(await send(server, operation, await callOf(operation), person.token), name)
  })
}

test('an old session gets no secret out of a replay', async () => {
  for (const name of ['create_account', 'create_host_enrolment', 'create_token', 'create_webhook'] as const) {
    const operation = operations.find((one) => one.name === name) as NamedEndpoint
    const [person, call] = [await personFor(operation), await callOf(operation)]
    const ask = () => send(server, operation, call, person.token, { 'idempotency-key': `${name}-${person.user}` })
    assert.equal((await ask()).status, operation.success, name)
    assert.equal((await ask()).status, operation.success, name)
    await server.advance(901)
    assertAsked(await ask(), name)
  }
})
