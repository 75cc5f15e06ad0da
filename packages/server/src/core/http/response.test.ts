import assert from 'node:assert/strict'
import { test } from 'vitest'
import { envelopeOf } from './response.ts'

test('the message of a 400 names its field and counts the other errors; other messages are unchanged', () => {
  const sentence = (...args: Parameters<typeof envelopeOf>) => envelopeOf(...args).error.message
  const bad = { code: 'required', message: 'It is required.' } as const
  assert.equal(sentence({ ...bad, field: 'sku' }), 'sku: It is required.')
  assert.equal(sentence({ ...bad, field: null }), 'It is required.')
  assert.equal(sentence({ ...bad, field: '' }), '"": It is required.')
  const of = (n: number) => ({ ...bad, field: 'a', details: Array.from({ length: n }, () => ({ ...bad, field: 'a' })) })
  assert.equal(sentence(of(2)), 'a: It is required. And 1 more detail.')
  assert.equal(sentence(of(4)), 'a: It is required. And 3 more details.')
  assert.equal(sentence({ code: 'limit_exceeded', field: 'a', message: 'Over it.' }), 'Over it.')
  assert.equal(sentence({ code: 'not_found', message: 'It is not there.' }), 'It is not there.')
})
