import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from './csv.ts'

test('rows follow a header line, and values with separators are quoted', () => {
  const rows = [{ a: 1, b: 'plain', c: null }, { a: 'x,y', b: 'say "hi"', c: { deep: [1] } }, { b: 'two\r\nlines' }]
  const text = 'a,b,c\r\n1,plain,\r\n"x,y","say ""hi""","{""deep"":[1]}"\r\n,"two\r\nlines",\r\n'
  assert.equal(csvOf(rows, ['a', 'b', 'c']), text)
  assert.equal(csvOf([], ['a', 'b']), 'a,b\r\n')
})
