import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMoment, readPair, readSpan } from './field-values.ts'

test('durations are seconds or numbers with units', () => {
  const cases: [string, number | undefined][] = [
    ['0', 0],
    ['90', 90],
    ['90s', 90],
    ['10m', 600],
    ['1h30m', 5400],
    ['2d', 172_800],
    ['1w', 604_800],
    ['', undefined],
    ['h', undefined],
    ['1.5h', undefined],
    ['-1h', undefined],
    ['1h ', undefined],
  ]
  for (const [text, seconds] of cases) assert.equal(readSpan(text), seconds, text)
})

test('times are absolute, or relative to now', () => {
  const cases: [string, ReturnType<typeof readMoment>][] = [
    ['1767225600', 1_767_225_600],
    ['2026-01-01', 1_767_225_600],
    ['2026-01-01T00:00Z', 1_767_225_600],
    ['2026-01-01T01:00:00+01:00', 1_767_225_600],
    ['now', { from_now: 0 }],
    ['+2h', { from_now: 7200 }],
    ['-30m', { from_now: -1800 }],
    ['yesterday', undefined],
    ['2026-13-01', undefined],
    ['2h', undefined],
    ['+', undefined],
    ['', undefined],
  ]
  for (const [text, moment] of cases) assert.deepEqual(readMoment(text), moment, text)
})

test('a tag is split at its first equals sign', () => {
  assert.deepEqual(readPair('a=b=c'), ['a', 'b=c'])
  assert.deepEqual(readPair('a='), ['a', ''])
  for (const text of ['a', '=b', '']) assert.throws(() => readPair(text), /not a tag/)
})
