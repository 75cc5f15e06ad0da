import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { windowTexts } from '../formats/amounts.ts'
import { readWindowText } from './windows.ts'

/** Thursday, 2026-10-22 12:00:25 UTC. */
const now = 1_792_670_425
const minute = 1_792_670_400

function shown(text: string, zone = 'Europe/Berlin'): string {
  const { start_at, end_at } = readWindowText(text, { now, zone })
  const moment = (at: number) => new Date(at * 1000).toISOString().slice(5, 16)
  return `${moment(start_at)} ${end_at === null ? 'open' : moment(end_at)}`
}

test('a window is a start with a length, an end or no end', () => {
  const cases: [string, string][] = [
    ['now +2h', '10-22T12:00 10-22T14:00'],
    ['now for 90m', '10-22T12:00 10-22T13:30'],
    ['+2h +6h', '10-22T14:00 10-22T20:00'],
    ['tomorrow 9am +6h', '10-23T07:00 10-23T13:00'],
    ['2026-12-01 09:00 +2 days', '12-01T08:00 12-03T08:00'],
    ['2026-12-01 09:00 to 17:00', '12-01T08:00 12-01T16:00'],
    ['2026-12-01 22:00 to 06:00', '12-01T21:00 12-02T05:00'],
    ['2026-12-01T09:00Z to 17:00', '12-01T09:00 12-01T17:00'],
    ['2026-12-01 09:00 – 17:00 UTC', '12-01T09:00 12-01T17:00'],
    ['monday 9am until tuesday 9am', '10-26T08:00 10-27T08:00'],
    ['+2h until +6h', '10-22T14:00 10-22T18:00'],
    ['2026-12-01T09:00Z/2026-12-01T12:00Z', '12-01T09:00 12-01T12:00'],
    ['2026-12-01 09:00 +05:30 for 1h', '12-01T03:30 12-01T04:30'],
    ['2026-12-01 09:00 +0530 +90m', '12-01T03:30 12-01T05:00'],
    ['now +1440 m', '10-22T12:00 10-23T12:00'],
    ['now until never', '10-22T12:00 open'],
    ['tomorrow 9am onwards', '10-23T07:00 open'],
  ]
  for (const [text, expected] of cases) assert.equal(shown(text), expected, text)
})

test('a window that ends before it starts, is not in minutes or unreadable is refused with the accepted forms', () => {
  const cases: [string, RegExp][] = [
    ['tomorrow 9am to today 9am', /ends before it starts/],
    ['today 9am to today 9am', /ends before it starts/],
    ['now +90s', /whole minutes/],
    ['now +0m', /whole minutes/],
    ['now for 120', /names no unit/],
    ['tomorrow', /not a window/],
    ['', /not a window/],
    ['now + soon', /not a window/],
    ['32 Feb 2026 +2h', /no day 32/],
    ['9am +2h', /which day/],
    ['now +999999999999h', /whole minutes/],
  ]
  for (const [text, message] of cases) assert.throws(() => shown(text), message, text)
})

test('every window that the program prints can be typed', () => {
  const starts = fc.integer({ min: 20_000_000, max: 60_000_000 })
  fc.assert(
    fc.property(starts, fc.integer({ min: 1, max: 400_000 }), (start, minutes) => {
      const window = { start_at: start * 60, end_at: (start + minutes) * 60 }
      const { utc } = windowTexts(window.start_at, window.end_at, 'UTC')
      assert.deepEqual(readWindowText(utc, { now, zone: 'Europe/Berlin' }), window, utc)
    }),
  )
})

test('now begins with the present minute', () => {
  assert.equal(readWindowText('now +1h', { now, zone: 'UTC' }).start_at, minute)
})
