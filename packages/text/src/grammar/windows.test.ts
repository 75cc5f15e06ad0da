import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { windowTexts } from '../formats/amounts.ts'
import { readWindowParts, readWindowText } from './windows.ts'
import { unknownWords } from './words.ts'

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
    ['for 6h', '10-22T12:00 10-22T18:00'],
    ['until friday 18:00', '10-22T12:00 10-23T16:00'],
    ['until friday 18:00 UTC', '10-22T12:00 10-23T18:00'],
    ['now until 18:00 UTC', '10-22T12:00 10-22T18:00'],
    ['until 15:30', '10-22T12:00 10-22T13:30'],
    ['from friday 9am to 11am', '10-23T07:00 10-23T09:00'],
    ['tonight', '10-22T16:00 10-23T04:00'],
    ['tonight for 6h', '10-22T16:00 10-22T22:00'],
    ['tonight 9pm to 3am', '10-22T19:00 10-23T01:00'],
    ['next weekend', '10-23T22:00 10-25T23:00'],
    ['this weekend UTC', '10-24T00:00 10-26T00:00'],
    ['next weekend 10:00 for 2h', '10-24T08:00 10-24T10:00'],
    ['jan 5 +2 days', '01-04T23:00 01-06T23:00'],
    ['dec 30 to jan 2', '12-29T23:00 01-01T23:00'],
    ['monday 9am until thursday 9am', '10-26T08:00 10-29T08:00'],
    ['friday 9am until thursday 10am', '10-23T07:00 10-29T09:00'],
    ['jan 5 until oct 22', '01-04T23:00 10-21T22:00'],
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
    ['tonight 9pm', /not a window/],
    ['weekend at noon', /not a window/],
    ['for', /not a window/],
    ['until yesterday', /ends before/],
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

test('a part of a window says what it says, and now stays now', () => {
  const read = (text: string) => readWindowParts(text, { now, zone: 'UTC' })
  assert.deepEqual(read('for 6h'), { length: 21_600 })
  assert.deepEqual(read('until 18:00'), { end_at: minute + 6 * 3_600 })
  assert.deepEqual(read('now'), { start_at: minute, is_now: true })
  assert.deepEqual(read('Now for 1h'), { start_at: minute, is_now: true, length: 3_600 })
  assert.deepEqual(read('tomorrow'), { start_at: minute + 12 * 3_600 })
  assert.deepEqual(read('now until never'), { start_at: minute, is_now: true, end_at: null })
  assert.deepEqual(read('tonight'), { start_at: minute + 6 * 3_600, end_at: minute + 18 * 3_600 })
})

test('a night that has begun is what is left of it', () => {
  const late = Date.parse('2026-10-22T21:10:25Z') / 1000
  const { start_at, end_at } = readWindowText('tonight', { now: late, zone: 'UTC' })
  assert.deepEqual([start_at, end_at], [late - 25, Date.parse('2026-10-23T06:00Z') / 1000])
  assert.equal(readWindowParts('tonight for 1h', { now: late, zone: 'UTC' }).is_now, true)
})

test('a word that is none of the grammar is named, with the one that is like it', () => {
  const cases: [string, ReturnType<typeof unknownWords>][] = [
    ['tomorow 9am for 6h', [{ word: 'tomorow', near: 'tomorrow' }]],
    ['please monday 14:00 untill 18:00', [{ word: 'please' }, { word: 'untill', near: 'until' }]],
    ['wendesday 9am America/New_York', [{ word: 'wendesday', near: 'wednesday' }]],
    ['2026-12-01T09:00Z/2026-12-01T12:00Z', []],
    ['5 january 2027, 9:30 pm for 1h30m', []],
    ['tomorrow 9am Mars/Phobos', [{ word: 'Mars/Phobos' }]],
    ['', []],
  ]
  for (const [text, words] of cases) assert.deepEqual(unknownWords(text), words, text)
})

test('now begins with the present minute', () => {
  assert.equal(readWindowText('now +1h', { now, zone: 'UTC' }).start_at, minute)
})
