import assert from 'node:assert/strict'
import { test } from 'vitest'
import { accepts, prefers, ranksAsHigh } from './accept.ts'

for (const [accept, isPreferred, isAsHigh] of [
  [undefined, false, false],
  ['*/*', false, false],
  ['application/json', false, false],
  ['text/html, text/*', false, false],
  ['text/csv', true, true],
  ['Text/CSV ; q=0.5', true, true],
  ['text/csv;charset=utf-8', true, true],
  ['text/csv, application/json', false, true],
  ['application/json;q=0.5, text/csv', true, true],
  ['text/csv;q=0.4, */*;q=0.5', false, false],
  ['text/csv, */*;q=0.1', true, true],
  ['text/csv;q=0', false, false],
  ['text/csv;q=high', false, false],
] as const) {
  test(`Accept: ${accept} ${isPreferred ? 'prefers' : isAsHigh ? 'allows' : 'excludes'} CSV`, () => {
    assert.deepEqual([prefers(accept, 'text/csv'), ranksAsHigh(accept, 'text/csv')], [isPreferred, isAsHigh])
  })
}

test('an encoding is accepted by its name or a wildcard, unless its quality is zero', () => {
  for (const header of ['br', 'gzip, BR;q=0.1', '*', 'br, *;q=0']) assert.ok(accepts(header, 'br'), header)
  for (const header of [undefined, '', 'gzip', 'br;q=0', 'br;q=0, *', '*;q=0'])
    assert.ok(!accepts(header, 'br'), header)
})
