import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeKeys } from './key-files.ts'
import { loadKeys } from './keys.ts'
import { createCryptoRandom } from './random.ts'
import { isSignedText, signText } from './signed-text.ts'

const files = makeKeys('operator', createCryptoRandom())
const { master } = loadKeys(files)
const other = loadKeys(makeKeys('operator', createCryptoRandom())).master

test('a text is known again, and no other, under its own key only', () => {
  const signature = signText(master, 'PUT /a 1')
  assert.ok(isSignedText(master, 'PUT /a 1', signature))
  assert.ok(!isSignedText(master, 'PUT /a 2', signature))
  assert.ok(!isSignedText(other, 'PUT /a 1', signature))
  assert.ok(!isSignedText(master, 'PUT /a 1', { ...signature, key_id: 7 }))
  for (const wrong of ['', signature.signature.slice(1), `${signature.signature}A`, 'A'.repeat(43)]) {
    assert.ok(!isSignedText(master, 'PUT /a 1', { ...signature, signature: wrong }), wrong)
  }
})

test('what was signed before the key changed still counts while the old key is known', () => {
  const signature = signText(master, 'text')
  const keys = [...files.master.keys, { key_id: 2, secret: createCryptoRandom().bytes(32).toString('base64url') }]
  const changed = loadKeys({ ...files, master: { ...files.master, keys, current: 2 } }).master
  assert.ok(isSignedText(changed, 'text', signature))
  assert.equal(signText(changed, 'text').key_id, 2)
})
