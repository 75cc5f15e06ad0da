import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { microsOf, parseDollars, printDollars } from './money.ts'

test('micro-dollars are exact both ways', () => {
  for (const text of ['0.000001', '-0.500000', '9007199254740993.000000', '12.340000', '123456789012.000001']) {
    assert.equal(printDollars(microsOf(text)), text)
  }
  const check = (micros: bigint) => {
    assert.deepEqual([microsOf(printDollars(micros)), parseDollars(printDollars(micros))], [micros, micros])
  }
  fc.assert(fc.property(fc.bigInt(-(10n ** 18n), 10n ** 18n), check))
})

test('any decimal text has micro-dollars, and the contract takes those with at most six decimals', () => {
  const cases: [string, bigint, bigint | undefined][] = [
    ['2', 2_000_000n, 2_000_000n],
    ['2.5', 2_500_000n, 2_500_000n],
    ['-0.0000019', -1n, undefined],
    ['0.000001', 1n, 1n],
  ]
  for (const [text, micros, strict] of cases) assert.deepEqual([microsOf(text), parseDollars(text)], [micros, strict])
})
