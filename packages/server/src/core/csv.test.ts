import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf, prefersCsv } from './csv.ts'

test('rows stand under their names; what would break a line is quoted', () => {
  const rows = [{ a: 1, b: 'plain', c: null }, { a: 'x,y', b: 'say "hi"', c: { deep: [1] } }, { b: 'two\r\nlines' }]
  const text = 'a,b,c\r\n1,plain,\r\n"x,y","say ""hi""","{""deep"":[1]}"\r\n,"two\r\nlines",\r\n'
  assert.equal(csvOf(rows, ['a', 'b', 'c']), text)
  assert.equal(csvOf([], ['a', 'b']), 'a,b\r\n')
})

test('CSV is for those who name it and like JSON less', () => {
  for (const [accept, expected] of [
    [undefined, false],
    ['*/*', false],
    ['application/json', false],
    ['text/csv', true],
    ['TEXT/CSV; charset=utf-8', true],
    ['text/csv;charset=utf-8', true],
    ['text/csv, application/json', false],
    ['application/json;q=0.5, text/csv', true],
    ['text/csv;q=0.4, */*;q=0.5', false],
    ['text/csv, */*;q=0.1', true],
    ['text/csv;q=0', false],
    ['text/csv;q=high', false],
    ['text/html, text/*', false],
  ] as const) {
    assert.equal(prefersCsv(accept), expected, String(accept))
  }
})
