import assert from 'node:assert/strict'
import { test } from 'vitest'
import { readGroups } from './provider-groups.rules.ts'

test('groups are the texts of a claim, a single one too', () => {
  assert.deepEqual(readGroups(['a', 1, null, 'b']), { groups: ['a', 'b'], left_out: 0 })
  assert.deepEqual(readGroups('a'), { groups: ['a'], left_out: 0 })
  for (const none of [undefined, null, [], {}]) assert.deepEqual(readGroups(none), { groups: [], left_out: 0 })
})

test('a thousand groups are looked at, and the others counted', () => {
  const many = Array.from({ length: 1003 }, (_, index) => `group ${index}`)
  assert.deepEqual(readGroups(many), { groups: many.slice(0, 1000), left_out: 3 })
  assert.equal(readGroups(many.slice(0, 1000)).left_out, 0)
})
