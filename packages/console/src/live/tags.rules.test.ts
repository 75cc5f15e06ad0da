import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sentTags, tagsOf, tagsText } from './tags.rules.ts'

test('tags are read as they are shown, also with commas', () => {
  assert.deepEqual(tagsOf('team=research, run = 42\n\nurl=a=b'), { team: 'research', run: '42', url: 'a=b' })
  assert.match(String(tagsOf('team')), /write key=value/)
  assert.equal(tagsText({ zones: 'a,b' }), 'zones=a\\,b')
  const part = fc.stringMatching(/^[a-z,\\]{1,8}$/)
  fc.assert(
    fc.property(fc.dictionary(part, part), (tags) => {
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
