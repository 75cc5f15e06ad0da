import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createCryptoRandom } from '../base/random.ts'
import { deriveSecret, isSecretOf } from './derived-secret.ts'
import { makeKeys } from './key-files.ts'
import { loadKeys } from './keys.ts'

const files = makeKeys('operator', createCryptoRandom())
const { master } = loadKeys(files)
const other = loadKeys(makeKeys('operator', createCryptoRandom())).master
const facts = { purpose: 'URL', facts: ['PUT', '/a', 1] }

test('a secret is valid only for its facts, its purpose and its master key', () => {
  const secret = deriveSecret(master, facts, 1)
  assert.match(secret, /^[0-9a-f]{64}$/)
  assert.ok(isSecretOf(master, facts, { key_id: 1, secret }))
  assert.ok(!isSecretOf(master, { ...facts, facts: ['PUT', '/a', 2] }, { key_id: 1, secret }))
  assert.ok(!isSecretOf(master, { ...facts, purpose: 'ticket' }, { key_id: 1, secret }))
  assert.ok(!isSecretOf(other, facts, { key_id: 1, secret }))
  assert.ok(!isSecretOf(master, facts, { key_id: 7, secret }))
  assert.throws(() => deriveSecret(master, facts, 7), /Master key 7/)
  for (const wrong of ['', secret.slice(1), `${secret}0`, '0'.repeat(64), '€'.repeat(64)]) {
    assert.ok(!isSecretOf(master, facts, { key_id: 1, secret: wrong }), wrong)
  }
})

test('a secret stays valid after a rotation while its master key exists', () => {
  const secret = deriveSecret(master, facts, 1)
  const keys = [...files.master.keys, { key_id: 2, secret: createCryptoRandom().bytes(32).toString('base64url') }]
  const changed = loadKeys({ ...files, master: { ...files.master, keys, current: 2 } }).master
  assert.ok(isSecretOf(changed, facts, { key_id: 1, secret }))
  assert.notEqual(deriveSecret(changed, facts, 2), secret)
})
