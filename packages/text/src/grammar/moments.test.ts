import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { isZone, localZone } from '../time/local-zone.ts'
import { isoIn, momentsOf, spelled, spelledTwice, wallClock, type Zone } from '../time/zones.ts'
import { isInputProblem } from './input-problem.ts'
import { momentAt, readMoment } from './moments.ts'

/** Thursday, 2026-10-22 12:00 UTC, 14:00 in Berlin. */
const now = 1_792_670_400
const berlin = 'Europe/Berlin'

function at(text: string, zone: Zone = berlin): string {
  return new Date(momentAt(readMoment(text), { now, zone, text }) * 1000).toISOString().slice(0, 19)
}

test('a time is relative, a day and a time of the day, ISO 8601, or Unix seconds', () => {
  assert.equal(at('now'), '2026-10-22T12:00:00')
  const cases: [string, string][] = [
    ['1767225600', '2026-01-01T00:00:00'],
    ['946684800', '2000-01-01T00:00:00'],
    ['4102444799', '2099-12-31T23:59:59'],
    ['2026-01-01T00:00Z', '2026-01-01T00:00:00'],
    ['2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00'],
    ['2026-01-01 00:00 UTC', '2026-01-01T00:00:00'],
    ['2026-01-01T00:00:30.250Z', '2026-01-01T00:00:30'],
    ['+2h', '2026-10-22T14:00:00'],
    ['in 2 hours', '2026-10-22T14:00:00'],
    ['-30m', '2026-10-22T11:30:00'],
    ['30 minutes ago', '2026-10-22T11:30:00'],
    ['2026-12-01 09:00', '2026-12-01T08:00:00'],
    ['2026-12-01', '2026-11-30T23:00:00'],
    ['1 Dec 2026 9am', '2026-12-01T08:00:00'],
    ['Dec 1, 2026, 9:30 pm', '2026-12-01T20:30:00'],
    ['1 december 2026', '2026-11-30T23:00:00'],
    ['today 18:00', '2026-10-22T16:00:00'],
    ['tomorrow 9am', '2026-10-23T07:00:00'],
    ['tomorrow at noon', '2026-10-23T10:00:00'],
    ['yesterday', '2026-10-20T22:00:00'],
    ['monday 14:00', '2026-10-26T13:00:00'],
    ['thursday 14:01', '2026-10-22T12:01:00'],
    ['thursday 14:00', '2026-10-29T13:00:00'],
    ['last thursday 15:00', '2026-10-15T13:00:00'],
    ['fri 12am', '2026-10-22T22:00:00'],
    ['tomorrow 9am America/New_York', '2026-10-23T13:00:00'],
    ['tomorrow 9am +05:30', '2026-10-23T03:30:00'],
    ['  tomorrow   9am ', '2026-10-23T07:00:00'],
    ['on friday 9am', '2026-10-23T07:00:00'],
    ['this friday', '2026-10-22T22:00:00'],
    ['next weekend', '2026-10-23T22:00:00'],
    ['this weekend', '2026-10-23T22:00:00'],
    ['weekend 10:00', '2026-10-24T08:00:00'],
    ['tonight', '2026-10-22T16:00:00'],
    ['tonight at 7pm', '2026-10-22T17:00:00'],
    ['tonight midnight', '2026-10-22T22:00:00'],
    ['tonight 2am', '2026-10-23T00:00:00'],
    ['jan 5', '2027-01-04T23:00:00'],
    ['5 january 9am', '2027-01-05T08:00:00'],
    ['oct 22 9am', '2026-10-22T07:00:00'],
    ['oct 21', '2027-10-20T22:00:00'],
    ['feb 29', '2028-02-28T23:00:00'],
  ]
  for (const [text, expected] of cases) assert.equal(at(text), expected, text)
})

test('a night and a weekend that have begun begin now', () => {
  const shown = (text: string, present: string) => {
    const time = Date.parse(`${present}Z`) / 1000
    return new Date(momentAt(readMoment(text), { now: time, zone: 'UTC', text }) * 1000).toISOString().slice(0, 16)
  }
  assert.equal(shown('tonight', '2026-10-22T17:59'), '2026-10-22T18:00')
  assert.equal(shown('tonight', '2026-10-22T21:10'), '2026-10-22T21:10')
  assert.equal(shown('tonight', '2026-10-23T00:10'), '2026-10-23T18:00')
  assert.equal(shown('this weekend', '2026-10-25T08:10'), '2026-10-25T08:10')
  assert.equal(shown('this weekend', '2026-10-24T00:00'), '2026-10-24T00:00')
  assert.equal(shown('next weekend', '2026-10-25T08:10'), '2026-10-31T00:00')
  assert.equal(shown('next weekend', '2026-10-24T08:10'), '2026-10-31T00:00')
})

test('a day begins in the zone of the reader, or in that of the text', () => {
  // In Auckland it is already the 23rd.
  assert.equal(at('tomorrow 9am', 'Pacific/Auckland'), '2026-10-23T20:00:00')
  assert.equal(at('today 09:00 UTC', 'Pacific/Auckland'), '2026-10-22T09:00:00')
})

test('an impossible or ambiguous time is refused with the reason and the accepted forms', () => {
  const cases: [string, RegExp][] = [
    ['32 Feb', /February has no day 32/],
    ['29 Feb 2027', /February has no day 29/],
    ['2026-13-01', /no month 13/],
    ['2026-02-30 10:00', /February has no day 30/],
    ['today 25:00', /no hour 25/],
    ['today 24:00', /no hour 24/],
    ['today 13pm', /no hour 13pm/],
    ['today 0am', /no hour 0am/],
    ['today 10:75', /no minute 75/],
    ['today 10:00:61', /no second 61/],
    ['14:00', /which day/],
    ['9am', /which day/],
    ['next monday', /two days/],
    ['tonight 9am', /a night is from 18:00 until 6:00/],
    ['tonight 16:59', /a night is from 18:00 until 6:00/],
    ['feb 30', /no day 30/],
    ['last weekend', /not a time/],
    ['12/01/2026', /order of day and month/],
    ['01.02.2026 10:00', /order of day and month/],
    ['2026', /looks like a year/],
    ['1767225600000', /milliseconds/],
    ['20261101', /a date has hyphens: 2026-11-01/],
    ['20261301', /a date has hyphens: 2026-13-01/],
    ['20770101', /a date has hyphens/],
    ['0', /between 2000 and 2100/],
    ['946684799', /between 2000 and 2100/],
    ['4102444800', /between 2000 and 2100/],
    ['2h', /not a time/],
    ['+', /not a time/],
    ['', /not a time/],
    ['soon', /"soon" is not a time\.$/],
    ['tomorow', /not a time: "tomorow" is not understood, and may mean tomorrow\./],
    ['please friday 9am', /"please" is not understood\.$/],
    ['1969-12-31', /before 1970/],
    ['tomorrow 9am Mars/Phobos', /not a time/],
  ]
  for (const [text, message] of cases) {
    const refused = (error: Error & { remedy?: string }) =>
      message.test(error.message) && isInputProblem(error) && (error.remedy?.length ?? 0) > 20
    assert.throws(() => readMoment(text), refused, text)
  }
})

test('a time that the clocks skip or show twice is refused', () => {
  assert.throws(() => at('2027-03-28 02:30'), /skip this time/)
  assert.throws(() => at('2026-10-25 02:30'), /show this time twice/)
  assert.equal(at('2026-10-25T02:30+02:00'), '2026-10-25T00:30:00')
  assert.equal(at('2026-10-25 02:30', 'UTC'), '2026-10-25T02:30:00')
})

test('a date begins with its first moment, where the clocks skip midnight or show it twice', () => {
  const cases: [date: string, zone: string, begin: string][] = [
    // Midnight is skipped: 00:00 is 01:00.
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00'],
    ['2026-03-29', 'Atlantic/Azores', '2026-03-29T01:00:00'],
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00'],
    ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00'],
    ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00'],
    // It comes twice: after 01:00 comes 00:00.
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00'],
    ['2026-10-25', 'Atlantic/Azores', '2026-10-25T00:00:00'],
    // The day before is an hour longer: after 24:00 comes 23:00.
    ['2026-04-05', 'America/Santiago', '2026-04-05T04:00:00'],
    ['2026-10-30', 'Africa/Cairo', '2026-10-29T22:00:00'],
    // A day was left out, by which the island changed the side of the date line.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00'],
  ]
  for (const [date, zone, begin] of cases) {
    assert.equal(at(date, zone), begin, `${date} ${zone}`)
    assert.equal(wallClock(Date.parse(`${begin}Z`) / 1000 - 1, zone) < Date.parse(`${date}Z`) / 1000, true)
  }
  assert.throws(() => at('2026-03-08 00:00', 'America/Havana'), /skip this time/)
  assert.throws(() => at('2026-11-01 midnight', 'America/Havana'), /show this time twice/)
})

test('an empty or unknown TZ is UTC', () => {
  const before = process.env.TZ
  try {
    for (const [tz, zone] of [
      ['', 'UTC'],
      ['Mars/Phobos', 'UTC'],
      [berlin, berlin],
    ] as const) {
      process.env.TZ = tz
      assert.equal(localZone(), zone)
      assert.match(spelledTwice(now), /^2026-10-22 12:00 UTC/)
    }
  } finally {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  }
})

const zones = ['UTC', berlin, 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/St_Johns']
const seconds = fc.integer({ min: 946_857_600, max: 4_000_000_000 })

test('a moment that is spelled in a zone is read back, or is one of two', () => {
  fc.assert(
    fc.property(seconds, fc.constantFrom(...zones), (moment, zone) => {
      const wall = wallClock(moment, zone)
      const all = momentsOf(wall, zone)
      assert.ok(all.includes(moment), `${moment} ${zone} ${all}`)
      const text = spelled(moment, zone)
      if (all.length === 1) assert.equal(momentAt(readMoment(text), { now, zone, text }), moment)
      else assert.throws(() => momentAt(readMoment(text), { now, zone, text }), /twice/)
      const utc = `${spelled(moment, 'UTC')} UTC`
      assert.equal(momentAt(readMoment(utc), { now, zone, text: utc }), moment)
    }),
  )
})

test('no text makes the reader fail in another way than with a usage problem', () => {
  const words = ['now', 'tomorrow', '+', '9', 'am', ':', '-', ' ', 'T', 'Z', '2026', 'feb', 'monday', 'UTC', '/', '99']
  const texts = fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(texts, fc.string()), (text) => {
      try {
        assert.ok(momentAt(readMoment(text), { now, zone: berlin, text }) >= 0)
      } catch (error) {
        assert.equal((error as Error).name, 'InputProblem', text)
      }
    }),
  )
})

test('a moment is spelled in UTC, and in the zone of the reader where it differs', () => {
  assert.equal(spelledTwice(now, 'UTC'), '2026-10-22 12:00 UTC')
  assert.equal(isoIn(now, 'UTC'), '2026-10-22T12:00Z')
  assert.equal(isoIn(now, berlin), '2026-10-22T14:00+02:00')
  assert.equal(isoIn(now, 'America/St_Johns'), '2026-10-22T09:30-02:30')
  assert.equal(spelledTwice(now, berlin), '2026-10-22 12:00 UTC (14:00 Europe/Berlin)')
  assert.equal(spelledTwice(now + 11 * 3600, berlin), '2026-10-22 23:00 UTC (2026-10-23 01:00 Europe/Berlin)')
  assert.ok(isZone(localZone()) && !isZone('Mars/Phobos'))
})
