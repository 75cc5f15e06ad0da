import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTags, tagsText } from './tags.rules.ts'

test('tags survive their text', () => {
  const tags = { team: 'data', tier: 'front', bare: '' }
  assert.deepEqual(readTags(tagsText(tags)), tags)
  assert.deepEqual(readTags(' a = b ,, c'), { a: 'b', c: '' })
  assert.equal(readTags('  '), null)
  assert.equal(tagsText(null), '')
})
