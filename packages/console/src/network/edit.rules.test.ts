import assert from 'node:assert/strict'
import { test } from 'vitest'
import { changesOf } from './edit.rules.ts'

test('only what the form has changed is sent', () => {
  const before = { id: 'snet_1', name: 'storage', tags: { team: 'data' } }
  assert.deepEqual(changesOf(before, { name: 'storage', tags: 'team=data' }), {})
  assert.deepEqual(changesOf(before, { name: 'store', tags: 'team=data' }), { name: 'store' })
  assert.deepEqual(changesOf(before, { name: 'storage', tags: '' }), { tags: null })
  assert.deepEqual(changesOf({ ...before, tags: null }, { name: 'storage', tags: 'a=b' }), { tags: { a: 'b' } })
})
