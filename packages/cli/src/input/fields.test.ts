import assert from 'node:assert/strict'
import { test } from 'node:test'
import { object, wordOrInteger } from '@bourse/api/kit/schema.ts'
import { fieldsOf, placeholderOf, readField } from './fields.ts'

test('a field of a word or a whole number parses digits as a number', () => {
  const [field] = fieldsOf(object({ target: wordOrInteger('node_count', { min: 0, max: 5 }) }))
  assert.ok(field)
  assert.equal(placeholderOf(field), 'number|word')
  assert.deepEqual(
    ['5', '-1', 'node_count', '5x'].map((typed) => readField(field, typed)),
    [5, -1, 'node_count', '5x'],
  )
})
