/** What is typed into the ticket is read as the command line reads it. */
import assert from 'node:assert/strict'
import { readWindowText } from '@bourse/text/grammar/windows.ts'
import { localZone } from '@bourse/text/time/local-zone.ts'
import fc from 'fast-check'
import { test } from 'vitest'
import { readTypedWindow } from '../src/market/ticket/typed-order.rules.ts'

/** Thursday, 2026-10-22 12:00:25 UTC. */
const now = 1_792_670_425

test('a window reads like that of the command line', () => {
  const texts = [
    'now for 2h',
    'now +90m',
    '+2h for 6h',
    'in 2 hours for 1d',
    'tomorrow 9am for 6h',
    'tomorrow at noon for 1h30m',
    'today 23:30 to 01:00',
    'monday 14:00 until 18:00',
    'thursday 15:00 to friday 9am',
    'thu 9:30 am for 2 days',
    '2026-12-01 09:00 +2 days',
    '2026-12-01T09:00Z to 2026-12-01T17:00Z',
    '1 Dec 2026 9am – 5pm',
  ]
  for (const text of texts) {
    const { start_at, end_at } = readWindowText(text, { now, zone: localZone() })
    assert.deepEqual(readTypedWindow(text, now), { start: start_at, end: end_at }, text)
  }
})

test('any day and time reads like that of the command line', () => {
  const start = fc.integer({ min: now, max: now + 200 * 86_400 })
  fc.assert(
    fc.property(start, fc.integer({ min: 1, max: 10_000 }), (at, minutes) => {
      const text = `${new Date(at * 1_000).toISOString().slice(0, 16).replace('T', ' ')}Z for ${minutes}m`
      const { start_at, end_at } = readWindowText(text, { now, zone: localZone() })
      assert.deepEqual(readTypedWindow(text, now), { start: start_at, end: end_at }, text)
    }),
  )
})
