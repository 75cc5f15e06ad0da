import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isOfStates, withChanged } from './changed-rows.rules.ts'

const rows = [
  { id: 'a', state: 'running' },
  { id: 'b', state: 'running' },
]

test('a row takes its new state, and leaves a list that does not show that state', () => {
  const failed = { id: 'b', state: 'failed' }
  assert.deepEqual(withChanged(rows, failed, {}), [rows[0], failed])
  assert.deepEqual(withChanged(rows, failed, { state: ['running', 'failed'] }), [rows[0], failed])
  assert.deepEqual(withChanged(rows, failed, { state: 'running' }), [rows[0]])
  assert.deepEqual(withChanged(rows, { id: 'c', state: 'running' }, {}), rows)
})

test('other filters need the server to say what they show', () => {
  assert.deepEqual([{}, { state: ['running'] }, { state: 'running', pool: 'p' }, { name: 'web' }].map(isOfStates), [
    true,
    true,
    false,
    false,
  ])
})
