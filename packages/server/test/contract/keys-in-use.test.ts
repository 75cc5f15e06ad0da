import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import { makeKeys } from '../../src/core/keys/key-files.ts'
import { loadKeys } from '../../src/core/keys/keys.ts'
import { createTestDatabase } from '../support/database.ts'
import { makeMarket } from '../support/market.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer, type TestAnswer } from '../support/server.ts'

const database = await createTestDatabase()
const keys = loadKeys(makeKeys('sandbox', createCryptoRandom()))
/** Holds a command that has claimed its key and has not committed. */
let blocked: PromiseWithResolvers<void> | undefined
let reached = Promise.withResolvers<void>()
let isArmed = false
const slow = await startTestServer({
  target: database.target,
  keys,
  // Longer than a duplicate waits.
  idle_milliseconds: 10_000,
  failpoint: async (name, request_id) => {
    // Steps of reconcilers and other work of the system have no key.
    if (name !== 'after_claim' || !isArmed || !request_id.startsWith('req_')) return
    isArmed = false
    reached.resolve()
    await blocked?.promise
  },
})
const other = await startTestServer({ target: database.target, keys })
afterAll(() => database[Symbol.asyncDispose]())

/** Holds a call, sends a duplicate with its key to another replica, and then lets the first one finish. */
async function twice(path: string, token: string, body: object): Promise<{ first: TestAnswer; duplicate: TestAnswer }> {
  const headers = { 'Idempotency-Key': 'in-use' }
  blocked = Promise.withResolvers()
  reached = Promise.withResolvers()
  isArmed = true
  const first = slow.request('POST', path, { token, body, headers })
  await reached.promise
  const began = performance.now()
  const duplicate = await other.request('POST', path, { token, body, headers })
  assert.ok(performance.now() - began > 1_900, 'the duplicate waits before it is refused')
  blocked.resolve()
  const made = await first
  const replay = await other.request('POST', path, { token, body, headers })
  assert.deepEqual([replay.status, replay.text], [made.status, made.text])
  assert.equal(replay.headers.get('idempotency-replayed'), 'true')
  return { first: made, duplicate }
}

function assertInUse({ first, duplicate }: { first: TestAnswer; duplicate: TestAnswer }): void {
  assert.equal(first.status, 201, first.text)
  assert.deepEqual(refusalOf(duplicate), [409, 'idempotency_key_in_use', 'Idempotency-Key'])
  assert.equal(duplicate.headers.get('retry-after'), '1')
}

test('create_firewall: the key of a running call is in use, and can be replayed afterwards', async () => {
  const { token } = await slow.account()
  assertInUse(await twice('/preview/v2/firewalls', token, {}))
})

test('create_order: the key of a running batch on another replica is in use', async () => {
  const market = await makeMarket(slow)
  const buyer = await market.buyer()
  const body = market.body(buyer, { side: 'buy', allow_standing: true, allow_partial: true })
  assertInUse(await twice('/v2/orders', buyer.token, body))
})
