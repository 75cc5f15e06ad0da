import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { sentTags, tagsOf, tagsText } from './tags.rules.ts'

test('tags are read as they are shown', () => {
  assert.deepEqual(tagsOf('team=research, run = 42\n\npath=C:\\dir'), { team: 'research', run: '42', path: 'C:\\dir' })
  // The server refuses it, and says why at the field.
  assert.deepEqual(tagsOf('url=a=b'), { url: 'a=b' })
  assert.match(String(tagsOf('team')), /write key=value/)
  // A line of text keeps neither line breaks nor spaces at an end.
  const key = fc.stringMatching(/^[^_,=\s][^,=\s]{0,8}$/)
  const value = fc.stringMatching(/^[^,=\n]{0,8}$/).map((text) => text.trim())
  fc.assert(
    fc.property(fc.dictionary(key, value), (tags) => {
      assert.deepEqual(tagsOf(tagsText(tags)), { ...tags })
    }),
  )
})

test('no tags are sent as null', () => {
  assert.equal(sentTags('  '), null)
  assert.equal(sentTags('team'), null)
  assert.deepEqual(sentTags(' a = b ,, c='), { a: 'b', c: '' })
  assert.equal(tagsText(null), '')
})
