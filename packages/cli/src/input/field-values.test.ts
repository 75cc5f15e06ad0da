import assert from 'node:assert/strict'
import { test } from 'vitest'
import { readPair } from './field-values.ts'

test('a tag is split at its first equals sign', () => {
  assert.deepEqual(readPair('a=b=c'), ['a', 'b=c'])
  assert.deepEqual(readPair('a='), ['a', ''])
  for (const text of ['a', '=b', '']) assert.throws(() => readPair(text), /not a tag/)
})
