import assert from 'node:assert/strict'
import { startPasskeyRegistration, useRecoveryCode } from '@bourse/api/iam/passkey-sign-in.ts'
import { createUserPasskey } from '@bourse/api/iam/passkeys.ts'
import { test } from 'vitest'
import { leftOut } from '../../../../test/left-out.ts'
import { decidePendingCredit, pendingCreditLock } from '../../src/billing/pending-credits.store.ts'
import { type Network, parseNetwork } from '../../src/core/base/networks.rules.ts'
import type { Runtime } from '../../src/core/work/runtime.ts'
import { writeGrant } from '../../src/iam/access/grants.service.ts'
import { adminRole } from '../../src/iam/access/roles.rules.ts'
import { lockAccount } from '../../src/iam/names/owners.service.ts'
import { makePasskey } from '../api/authenticator.ts'
import { browserOf, openBrowser } from '../api/browsers.ts'
import { answersBehind, type LockHolder } from '../market/lock-races.ts'
import { makeAccountToken, platformAccount } from '../support/access.ts'
import { makeLink, makePerson, makeUser, ownPage, press, submit } from '../support/fixtures/people.ts'
import { openTestServer, startTestServer } from '../support/server.ts'

// Requests from several networks: those of one network that type codes wait for each other anyway.
// They wait in turn, on a slow machine for longer than production lets them.
const lock_milliseconds = 8_000
const proxies = [parseNetwork('127.0.0.0/8') as Network]
const server = await startTestServer({ trusted_proxies: proxies, lock_milliseconds })
const account = await server.account()
const runtime = server.inside?.runtime as Runtime
const inside = leftOut(server.inside ? false : 'needs the inside of the server')

/** The statuses of requests that all wait for a lock before it is released, in order. */
async function statusesBehind(holder: LockHolder, ask: () => readonly Promise<{ status: number }>[]) {
  const responses = await answersBehind(runtime, holder, ask)
  return responses.map(({ status }) => status).toSorted()
}

const ownAccount: LockHolder = { lock: (ctx) => lockAccount(ctx, account.id) }

test('of two requests that have seen an open sign-in link, one opens a session', inside, async () => {
  const path = await makeLink(server, account, (await makeUser(server, account)).id)
  const statuses = await statusesBehind(ownAccount, () => [press(server, path), press(server, path)])
  assert.deepEqual(statuses, [303, 410])
})

test('of two requests that have seen a recovery code, one opens a session', inside, async () => {
  const user = (await makeUser(server, account)).id
  const browser = await browserOf(server, account, user)
  const asked = await browser.ask('POST', startPasskeyRegistration.path, {})
  const { body } = makePasskey(asked.body, browser.origin)
  const added = await browser.ask('POST', createUserPasskey.path.replace(':id', user), body)
  const [code] = added.body.recovery_codes
  const use = (address: string) =>
    openBrowser(server).ask('POST', useRecoveryCode.path, { code }, { 'x-forwarded-for': address })
  const uses = () => ['192.0.2.1', '198.51.100.1'].map(use)
  assert.deepEqual(await statusesBehind(ownAccount, uses), [200, 401])
})

test(
  'a change of the ways in of a user waits for a role that the user gets, and then needs its rights',
  inside,
  async () => {
    const { id: user } = await makeUser(server, account, 'role_viewer')
    const browser = await browserOf(server, account, user)
    const asked = await browser.ask('POST', startPasskeyRegistration.path, {})
    const { body } = makePasskey(asked.body, browser.origin)
    const { id: passkey } = (await browser.ask('POST', createUserPasskey.path.replace(':id', user), body)).body
    const { token } = await makeAccountToken(server, account, { '*': ['read', 'list'], user: ['read', 'write'] })
    const params = { id: user, passkey }
    const rename = { params, token, body: { name: 'renamed' } } as const
    assert.equal((await server.attempt('update_user_passkey', rename)).status, 200)
    const promote: LockHolder = {
      ...ownAccount,
      end: (ctx) =>
        writeGrant(ctx, { account_id: account.id, principal_id: user, role_id: adminRole, workspace_id: null }),
    }
    const responses = await answersBehind(runtime, promote, () => [
      server.attempt('update_user_passkey', rename),
      server.attempt('delete_user_passkey', { params, token }),
    ])
    assert.deepEqual(
      responses.map(({ status, body }) => [status, body?.error?.type]),
      [
        [403, 'forbidden'],
        [403, 'forbidden'],
      ],
    )
  },
)

test('an approval of a credit waits for what ends it, and then posts nothing', inside, async () => {
  const platform = await platformAccount(server)
  const operators = await Promise.all([1, 2].map(() => makeAccountToken(server, platform, { platform: ['write'] })))
  const [one, two] = operators.map(({ token }) => token) as [string, string]
  const { id: customer, token } = await server.account()
  const body = { type: 'credit_grant', amount_dollars: '7.00', description: 'A credit.' } as const
  const { id } = await server.call('create_pending_credit', { params: { account: customer }, token: one, body })
  const statuses = await statusesBehind(
    {
      lock: (ctx) => ctx.lock(pendingCreditLock, [id]),
      end: (ctx) => decidePendingCredit(ctx.db, id, { state: 'expired', transaction_id: null, by: null, at: ctx.now }),
    },
    () => [server.attempt('approve_pending_credit', { params: { id }, token: two })],
  )
  assert.deepEqual(statuses, [409])
  const balance = await server.call('get_balance', { token })
  assert.equal(balance.total_dollars, '0.000000')
})

/** How often each status comes back from requests that are sent at once. */
async function statusesOf(count: number, ask: () => Promise<{ status: number }>): Promise<Record<number, number>> {
  const responses = await Promise.all(Array.from({ length: count }, ask))
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('of ten wrong codes at a time, five are looked at', async () => {
  const { cookie } = await makePerson(server, account)
  const guesses = {
    device: () => submit(server, '/device', 'user_code=BBBB-BBBB', { ...ownPage, cookie }),
    recovery: () => submit(server, '/sign_in/recovery', 'recovery_code=wrong', ownPage),
  }
  for (const [kind, guess] of Object.entries(guesses)) {
    for (let round = 0; round < 3; round++) {
      await server.advance(61)
      const wrong = kind === 'device' ? 404 : 403
      assert.deepEqual(await statusesOf(10, guess), { [wrong]: 5, 429: 5 }, `${kind}, round ${round}`)
    }
  }
})

test('of twenty programs of a network that begin at a time, ten wait', async () => {
  await using strict = await openTestServer({ rate_multiplier: 1, lock_milliseconds })
  const begin = () => strict.attempt('start_device_login', { token: null, body: {} })
  assert.deepEqual(await statusesOf(20, begin), { 200: 10, 429: 10 })
})
