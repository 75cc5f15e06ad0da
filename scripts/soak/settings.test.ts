import assert from 'node:assert/strict'
import { test } from 'vitest'
import { readSoakMinutes, slopeMaxOf } from './settings.ts'

test('a soak takes an hour, or the minutes that are named', () => {
  assert.equal(readSoakMinutes(undefined), 60)
  assert.equal(readSoakMinutes('15'), 15)
  assert.equal(readSoakMinutes('1440'), 1440)
})

test('what is no number of minutes is refused with what would be', () => {
  for (const text of ['', '14', '1441', '20.5', '-20', '1e2', ' 20', '20m', '99999']) {
    const range = 'a whole number from 15 to 1440'
    const message = `The minutes of a soak are ${range}, not '${text}': the first ten are not measured.`
    assert.throws(() => readSoakMinutes(text), { message })
  }
})

test('an hour and more may not grow by 1 MB a minute, and shorter runs not by 50 MB', () => {
  assert.deepEqual([15, 35, 60, 480].map(slopeMaxOf), [10, 2, 1, 1])
})
