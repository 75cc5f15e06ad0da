import assert from 'node:assert/strict'
import { test } from 'vitest'
import { nameFilter, tagFilter } from './instance-filters.rules.ts'

test('a filter of tags is a key or a pair, one of names a part of them or a pattern', () => {
  assert.deepEqual(tagFilter(' team=research '), { tag: 'team=research' })
  assert.deepEqual(tagFilter('team'), { tag_key: 'team' })
  assert.deepEqual(tagFilter('team='), { tag_key: 'team' })
  assert.deepEqual(tagFilter(''), {})
  assert.deepEqual([nameFilter('web'), nameFilter('web-*'), nameFilter('')], [{ name: '*web*' }, { name: 'web-*' }, {}])
})
