import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'vitest'
import { createCryptoRandom } from '../core/base/random.ts'
import { makeKeys } from '../core/keys/key-files.ts'
import { loadKeys } from '../core/keys/keys.ts'
import type { ServerKeys } from '../core/keys/server-keys.ts'
import { messageOf } from './messages.service.ts'
import { privateKeysOf } from './webhook-keys.service.ts'
import type { Job } from './webhook-queue.service.ts'

const keys = loadKeys(makeKeys('operator', createCryptoRandom())) as unknown as ServerKeys
const sending = { account: 'acme', webhook: 'whk_1', now: 100, timestamp: 1_000 }

function jobOf(position: number): Job {
  const about = { action: 'image.revoked', target_type: 'image', target_id: 'image_1' }
  const body = `{"object":"event","id":"evt_${position}","cursor":"`
  const event = { ...about, position, occurred_at: 100, id: `evt_${position}`, body, cursor: `evtc_${position}` }
  return { origin: 'event', event, row: undefined }
}

test('the content is what the keys of the installation sign, and ends with the body', async () => {
  const { id, timestamp, content, body, signatures } = messageOf(keys, jobOf(1), sending)
  assert.equal(String(content), `${id}.${timestamp}.${body}`)
  assert.deepEqual(JSON.parse(String(body)), {
    type: 'image.revoked',
    timestamp: '1970-01-01T00:01:40Z',
    account: 'acme',
    webhook: 'whk_1',
    data: { object: 'event', id: 'evt_1', cursor: 'evtc_1' },
  })
  const [signature] = await signatures
  const [key] = privateKeysOf(keys.master)
  assert.ok(key && signature)
  const bytes = Buffer.from(signature.slice('v1a,'.length), 'base64')
  assert.ok(verify(null, content, createPublicKey(key), bytes))
})
