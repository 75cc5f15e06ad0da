import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { base64Of, decodeBase64, encodeBase64 } from './base64.ts'

test('bytes and texts are read back', () => {
  const check = (bytes: Uint8Array) => {
    assert.equal(encodeBase64(bytes), Buffer.from(bytes).toString('base64'))
    assert.deepEqual(Buffer.from(decodeBase64(encodeBase64(bytes)) ?? []), Buffer.from(bytes))
  }
  fc.assert(fc.property(fc.uint8Array(), check))
  assert.equal(base64Of('ü😀'), Buffer.from('ü😀').toString('base64'))
})

test('what is no base64 has no bytes', () => {
  for (const text of ['a', 'a_b-', 'YQ===', 'YQ==YQ==', ' YQ==', 'Y Q=']) assert.equal(decodeBase64(text), undefined)
  assert.deepEqual(decodeBase64('YQ'), decodeBase64('YQ=='))
})
