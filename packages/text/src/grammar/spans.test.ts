import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { lengthOf } from '../formats/durations.ts'
import { readSpan } from './spans.ts'

test('durations are seconds or numbers with units', () => {
  const cases: [string, number | undefined][] = [
    ['0', 0],
    ['90', 90],
    ['90s', 90],
    ['10m', 600],
    ['1h30m', 5400],
    ['1h 30m', 5400],
    ['1 hour and 30 minutes', 5400],
    ['2d', 172_800],
    ['2 days', 172_800],
    ['2 Days', 172_800],
    ['1w', 604_800],
    ['1.5h', 5400],
    ['0.5 s', undefined],
    ['', undefined],
    ['h', undefined],
    ['-1h', undefined],
    ['1h ', undefined],
    ['30m1h', undefined],
    ['1h1h', undefined],
    ['1 month', undefined],
    ['1M', undefined],
    ['99999999999999999999', undefined],
  ]
  for (const [text, seconds] of cases) assert.equal(readSpan(text), seconds, text)
})

test('a number alone counts the unit of the field, and the result must be whole', () => {
  assert.equal(readSpan('1440', 'minutes'), 1440)
  assert.equal(readSpan('1d', 'minutes'), 1440)
  assert.equal(readSpan('90s', 'minutes'), undefined)
  assert.equal(readSpan('1.5s', 'milliseconds'), 1500)
  assert.equal(readSpan('250', 'milliseconds'), 250)
})

test('every duration that the program prints can be typed', () => {
  fc.assert(fc.property(fc.nat(4_000_000_000), (seconds) => assert.equal(readSpan(lengthOf(seconds)), seconds)))
})
