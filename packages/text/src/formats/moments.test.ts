import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { absoluteOf, ageOf, minuteOf, rangeOf } from './moments.ts'

const noon = Date.UTC(2026, 0, 31, 12) / 1000
const utc = { times: 'utc', exact: false } as const
const tokyo = { times: 'local', exact: false, zone: 'Asia/Tokyo' } as const

test('times are in UTC or in the local time with its offset, exact ones in ISO 8601', () => {
  assert.equal(absoluteOf(noon, utc), '2026-01-31 12:00:00Z')
  assert.equal(absoluteOf(noon, { ...utc, exact: true }), '2026-01-31T12:00:00Z')
  assert.equal(absoluteOf(noon, tokyo), '2026-01-31 21:00:00+09:00')
  assert.equal(absoluteOf(noon, { ...tokyo, exact: true }), '2026-01-31T21:00:00+09:00')
  assert.equal(absoluteOf(noon, { ...tokyo, zone: 'America/St_Johns' }), '2026-01-31 08:30:00-03:30')
  assert.equal(minuteOf(noon, utc), '2026-01-31 12:00Z')
  assert.equal(absoluteOf(Number.MAX_SAFE_INTEGER, utc), String(Number.MAX_SAFE_INTEGER))
})

test('an exact local time is the same moment', () => {
  const zones = fc.constantFrom('UTC', 'Asia/Tokyo', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe')
  const check = (seconds: number, zone: string) => {
    const text = absoluteOf(seconds, { times: 'local', exact: true, zone })
    assert.equal(Date.parse(text) / 1000, seconds, text)
  }
  fc.assert(fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), zones, check), { numRuns: 200 })
})

test('a range shows its date once, and both offsets where they differ', () => {
  assert.equal(rangeOf(noon, noon + 7200, utc), '2026-01-31 12:00 – 14:00Z')
  assert.equal(rangeOf(noon, noon + 86_400, utc), '2026-01-31 12:00 – 2026-02-01 12:00Z')
  assert.equal(rangeOf(noon, null, utc), '2026-01-31 12:00Z – open')
  assert.equal(rangeOf(noon, noon + 7200, tokyo), '2026-01-31 21:00 – 23:00+09:00')
  const change = Date.UTC(2026, 2, 29, 0) / 1000
  const berlin = { ...tokyo, zone: 'Europe/Berlin' }
  assert.equal(rangeOf(change, change + 7200, berlin), '2026-03-29 01:00+01:00 – 04:00+02:00')
  assert.equal(rangeOf(noon, noon + 60, { ...utc, exact: true }), '2026-01-31T12:00:00Z – 2026-01-31T12:01:00Z')
})

test('an age is rounded down to its largest unit, and a moment far away has none', () => {
  const cases = { 0: 'now', 12: '12 s ago', 3599: '59 min ago', 7200: '2 h ago', 172800: '2 d ago' }
  for (const [away, text] of Object.entries(cases)) assert.equal(ageOf(noon - Number(away), noon), text)
  assert.equal(ageOf(noon + 90_000, noon), 'in 25 h')
  assert.equal(ageOf(noon - 100 * 86_400, noon), undefined)
})
