import assert from 'node:assert/strict'
import { test } from 'vitest'
import { csvOf } from './csv.ts'

test('rows follow a header line, and values with separators are quoted', () => {
  const rows = [{ a: 1, b: 'plain', c: null }, { a: 'x,y', b: 'say "hi"', c: { deep: [1] } }, { b: 'two\r\nlines' }]
  const text = 'a,b,c\r\n1,plain,\r\n"x,y","say ""hi""","{""deep"":[1]}"\r\n,"two\r\nlines",\r\n'
  assert.equal(csvOf(rows, ['a', 'b', 'c']), text)
  assert.equal(csvOf([], ['a', 'b']), 'a,b\r\n')
})

test('text that a spreadsheet would run as a formula becomes plain text, and numbers stay numbers', () => {
  for (const text of ['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\t=1', '=HYPERLINK("http://x","y")', '-', '+1e5x', '-1.']) {
    const [, cell = ''] = csvOf([{ a: text }], ['a']).split('\r\n')
    assert.equal(cell.replaceAll('""', '"').replace(/^"(.*)"$/, '$1'), `'${text}`)
  }
  assert.equal(csvOf([{ a: '\r=1' }], ['a']), 'a\r\n"\'\r=1"\r\n')
  for (const number of [-1, '-0.500000', '+3', '1e5', 'a=b', 'x-y', -1n, -1e-7, Number.NEGATIVE_INFINITY]) {
    assert.equal(csvOf([{ a: number }], ['a']), `a\r\n${number}\r\n`)
  }
})
