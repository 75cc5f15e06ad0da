import assert from 'node:assert/strict'
import { test } from 'vitest'
import { dayText, momentText, shortDayText, tickText, timeText, weekdayText, windowText } from './values.rules.ts'

test('moments are English, of 24 hours, in the local zone, whatever the language of the machine', () => {
  const local = (...parts: [number, number, number, number, number]) => new Date(...parts).getTime() / 1_000
  const [year, at] = [new Date().getFullYear(), local(new Date().getFullYear(), 2, 5, 0, 30)]
  assert.equal(momentText(at), 'Mar 5, 00:30')
  assert.equal(momentText(local(year - 1, 2, 5, 16, 4)), `Mar 5, ${year - 1}, 16:04`)
  assert.equal(timeText(at), '00:30')
  assert.equal(dayText(at), 'Mar 5')
  assert.equal(weekdayText(local(2026, 10, 28, 12, 0)), 'Sat, Nov 28')
})

test('a label of an axis is a time, and the day where one begins', () => {
  const midnight = new Date(2026, 10, 28).getTime() / 1_000
  assert.deepEqual([midnight, midnight + 6 * 3_600].map(tickText), ['Nov 28', '06:00'])
})

/** A moment in the zone of this machine. */
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime() / 1000

test('a short day has its weekday', () => {
  assert.equal(shortDayText(at(27, 9)), 'Fri 27')
})

test('a window names the second day only where it ends on another one', () => {
  assert.equal(windowText(at(27, 9), at(27, 15)), 'Fri 27, 09:00–15:00')
  assert.equal(windowText(at(27, 18), at(28, 0)), 'Fri 27, 18:00–24:00')
  assert.equal(windowText(at(27, 18), at(28, 6, 30)), 'Fri 27, 18:00 – Sat 28, 06:30')
})
