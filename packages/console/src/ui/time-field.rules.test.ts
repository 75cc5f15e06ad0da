import assert from 'node:assert/strict'
import { test } from 'vitest'
import { monthSheet, monthsLater, onDay, readTimeField, steppedTime, timeFieldText } from './time-field.rules.ts'

const now = Date.UTC(new Date().getFullYear(), 10, 28, 16, 4) / 1000
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const moments = { kind: 'moment', now, zone } as const
const days = { kind: 'day', now, zone } as const

test('what a field shows is read as the same value', () => {
  for (const at of [now, now + 40 * 86_400, now - 400 * 86_400]) {
    assert.deepEqual(readTimeField(timeFieldText(at, 'moment'), moments), { at })
    assert.deepEqual(readTimeField(timeFieldText(at, 'day'), days), { at: at - (at % 86_400) })
  }
  assert.equal(timeFieldText(undefined, 'day'), '')
})

test('times are typed as the grammar takes them, and what is none says what to write', () => {
  assert.deepEqual(readTimeField('2026-11-28', days), { at: Date.UTC(2026, 10, 28) / 1000 })
  assert.deepEqual(readTimeField('2026-11-28T16:04Z', moments), { at: Date.UTC(2026, 10, 28, 16, 4) / 1000 })
  assert.deepEqual(readTimeField('+2h', moments), { at: now + 7_200 })
  assert.deepEqual(readTimeField('today', days), { at: now - (now % 86_400) })
  assert.match(String(Object.values(readTimeField('soon', moments))), /soon.*Write now/s)
  assert.match(String(Object.values(readTimeField('Feb 30', days))), /30/)
})

test('an hour that the clock shows twice stays the one that it was, and one that it skips is refused', () => {
  const berlin = { kind: 'moment', now, zone: 'Europe/Berlin' } as const
  // 02:30 in summer time, and an hour later 02:30 in winter time.
  const summer = Date.UTC(2026, 9, 25, 0, 30) / 1000
  const winter = summer + 3_600
  for (const at of [summer, winter]) {
    assert.deepEqual(readTimeField('2026-10-25 02:30', { ...berlin, before: at }), { at })
    assert.deepEqual(readTimeField('2026-10-25 02:40', { ...berlin, before: at }), { at: at + 600 })
  }
  assert.deepEqual(readTimeField('2026-10-25 02:30', berlin), { at: summer })
  assert.deepEqual(readTimeField('2026-10-25 04:30', { ...berlin, before: summer }), { at: winter + 7_200 })
  assert.ok('problem' in readTimeField('2026-03-29 02:30', berlin))
})

test('keys step by an hour and a day, or by a day and a week', () => {
  const keys = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Enter']
  assert.deepEqual(
    keys.map((key) => steppedTime(1_000_000, key, 'moment')),
    [1_003_600, 996_400, 1_086_400, 913_600, undefined],
  )
  assert.deepEqual(
    keys.map((key) => steppedTime(1_000_000, key, 'day')),
    [1_086_400, 913_600, 1_604_800, 395_200, undefined],
  )
  assert.equal(steppedTime(0, 'ArrowDown', 'day'), 0)
})

test('a sheet of the calendar has whole weeks from Monday on', () => {
  const sheet = monthSheet(Date.UTC(2026, 10, 15, 12) / 1000)
  assert.deepEqual(
    sheet.map((week) => week.map(({ day }) => day).join(' ')),
    [
      '26 27 28 29 30 31 1',
      '2 3 4 5 6 7 8',
      '9 10 11 12 13 14 15',
      '16 17 18 19 20 21 22',
      '23 24 25 26 27 28 29',
      '30 1 2 3 4 5 6',
    ],
  )
  assert.deepEqual(sheet.flat().filter(({ is_inside }) => is_inside).length, 30)
})

test('another month keeps the day as far as it has one, and another day the time', () => {
  const at = (...parts: [number, number, number, number?]) => Date.UTC(...parts) / 1000
  assert.equal(monthsLater(at(2026, 0, 31, 12), 1), at(2026, 1, 28))
  assert.equal(monthsLater(at(2026, 0, 15), -1), at(2025, 11, 15))
  assert.equal(onDay(at(2026, 10, 28, 16), at(2026, 11, 1), 'UTC'), at(2026, 11, 1, 16))
  // The clocks of Berlin skip 02:30 on this day.
  assert.equal(onDay(at(2026, 2, 28, 1) + 1_800, at(2026, 2, 29), 'Europe/Berlin'), at(2026, 2, 28, 23))
})
