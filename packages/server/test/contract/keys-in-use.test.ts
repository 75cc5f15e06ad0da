import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeMarket } from '../support/fixtures/market.ts'
import { refusalOf } from '../support/resources.ts'
import { startHeldCalls } from './held-calls.ts'

const { slow, hold } = await startHeldCalls()

/** A call is refused while the first one with its key runs at another replica, and replayed afterwards. */
async function assertInUse(path: string, token: string, body: object): Promise<void> {
  const held = await hold(path, { token, body })
  const duplicate = await held.again()
  const first = await held.release()
  const replay = await held.again()
  assert.equal(first.status, 201, first.text)
  assert.deepEqual(refusalOf(duplicate), [409, 'idempotency_key_in_use', 'Idempotency-Key'])
  assert.equal(duplicate.headers.get('retry-after'), '1')
  assert.deepEqual([replay.status, replay.text], [first.status, first.text])
  assert.equal(replay.headers.get('idempotency-replayed'), 'true')
}

test('create_firewall: the key of a running call is in use, and can be replayed afterwards', async () => {
  const { token } = await slow.account()
  await assertInUse('/preview/v2/firewalls', token, {})
})

test('create_order: the key of a running batch on another replica is in use', async () => {
  const market = await makeMarket(slow)
  const buyer = await market.buyer()
  const body = market.body(buyer, { side: 'buy', allow_standing: true, allow_partial: true })
  await assertInUse('/v2/orders', buyer.token, body)
})
