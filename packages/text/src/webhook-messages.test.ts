import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  eventBody,
  keyBytes,
  publicKeyPrefix,
  secretPrefix,
  shownSignature,
  showSecret,
  signedContent,
  signedHead,
  signedHeaders,
  testBody,
} from './webhook-messages.ts'

const addressee = { account: 'acme', webhook: 'whk_1' }

test('bodies name type, time and addressee before the data', () => {
  const event = { action: 'order.filled', occurred_at: 1_795_392_000, json: '{"object":"event","ü":1}' }
  assert.deepEqual(JSON.parse(eventBody(addressee, event)), {
    type: 'order.filled',
    timestamp: '2026-11-23T00:00:00Z',
    account: 'acme',
    webhook: 'whk_1',
    data: { object: 'event', ü: 1 },
  })
  const { type, webhook, data } = JSON.parse(testBody({ ...addressee, webhook: null }, 1_795_392_000))
  assert.deepEqual([type, webhook, data], ['webhook.test', null, { object: 'webhook_test' }])
})

test('a secret is read as it is shown', () => {
  const bytes = Uint8Array.of(1, 2, 3)
  assert.equal(showSecret(bytes), 'whsec_AQID')
  assert.deepEqual(keyBytes(secretPrefix, 'whsec_AQID'), bytes)
  for (const text of ['AQID', 'whpk_AQID', 'whsec_', 'whsec_?']) assert.equal(keyBytes(secretPrefix, text), undefined)
  assert.deepEqual(keyBytes(publicKeyPrefix, 'whpk_AQID'), bytes)
})

test('signatures cover id, time and body, and the headers show all of them', () => {
  const message = { id: 'evt_1', timestamp: 1_795_392_000, body: '{}' }
  assert.equal(signedContent(message), 'evt_1.1795392000.{}')
  assert.ok(signedContent(message).startsWith(signedHead(message)))
  const signatures = [shownSignature('v1', 'YQ=='), shownSignature('v1a', 'Yg==')]
  assert.deepEqual(signedHeaders(message, signatures), {
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1795392000',
    'webhook-signature': 'v1,YQ== v1a,Yg==',
  })
})
