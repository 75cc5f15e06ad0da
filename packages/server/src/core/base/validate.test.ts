import assert from 'node:assert/strict'
import {
  array,
  boolean,
  idOrPath,
  integer,
  minute,
  name,
  nameForm,
  object,
  oneOf,
  optional,
  text,
} from '@bourse/api/kit/schema.ts'
import { test } from 'vitest'
import { checkOf } from './validate.ts'

const check = checkOf(
  object({
    name: name(),
    pool: optional(idOrPath('pool', { description: 'Where it runs.' })),
    note: optional(text({ max: 3 })),
    count: optional(integer({ min: 1, max: 5 })),
    open: optional(boolean()),
    words: optional(array(text({ max: 9 }), { min: 1, max: 9 })),
  }),
)

function sentencesFor(value: unknown): string[] {
  return (check(value) ?? []).map(({ field, code, message }) => `${field} ${code}: ${message}`)
}

test('a message names a single allowed value without "one of", and explains minutes', () => {
  const one = checkOf(object({ effect: oneOf(['allow']), at: minute() }))
  const output = (one({ effect: 'deny', at: 61 }) ?? []).map(({ code, message }) => `${code}: ${message}`)
  assert.deepEqual(output, [
    'invalid_value: This must be allow.',
    'not_aligned: This must be a whole minute: a multiple of 60 seconds.',
  ])
})

test('messages name the expected form and the known fields, each error once', () => {
  assert.deepEqual(sentencesFor({ name: 'a' }), [])
  assert.deepEqual(sentencesFor({ name: '-a b' }), [`name invalid_format: This must be ${nameForm}.`])
  assert.deepEqual(sentencesFor({ name: '' }), ['name invalid_format: This must have at least 1 character.'])
  assert.deepEqual(sentencesFor({ name: 'a', pool: 'main' }), [
    'pool invalid_format: This must be an id that begins with `pool_`, or a path as `svc:pool:ACCOUNT:WORKSPACE:NAME`.',
  ])
  assert.deepEqual(sentencesFor({ nam: 'a', name: 'a' }), [
    'nam unknown_field: There is no such field here; there are name, pool, note, count, open, words.',
  ])
  assert.deepEqual(sentencesFor({ name: 1, open: 'yes', count: '1', words: {} }), [
    'name invalid_type: This must be text in quotes.',
    'count invalid_type: This must be a whole number.',
    'open invalid_type: This must be true or false.',
    'words invalid_type: This must be a list.',
  ])
  assert.deepEqual(sentencesFor({ name: 'a', note: 'long', count: 9, words: [] }), [
    'note too_long: This may have at most 3 characters.',
    'count out_of_range: This must lie between 1 and 5.',
    'words required: This needs at least 1 entry.',
  ])
  assert.deepEqual(sentencesFor([]), ['null invalid_type: This must be an object.'])
  assert.deepEqual(sentencesFor({}), ['name required: This field is required.'])
})
