import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  dateText,
  dayStart,
  monthAfter,
  monthOf,
  monthStart,
  monthsSince,
  monthText,
  periodsOf,
  readDate,
} from './months.rules.ts'

test('months go over the end of a year', () => {
  assert.equal(monthAfter('2026-01', -1), '2025-12')
  assert.equal(monthAfter('2025-12', 1), '2026-01')
  assert.equal(monthOf(monthStart('2026-03') - 1), '2026-02')
  assert.equal(monthText('2026-02'), 'February 2026')
})

test('periods have no gaps', () => {
  assert.deepEqual(periodsOf(0, 3 * 86_400, 'day'), [0, 86_400, 172_800])
  const months = periodsOf(monthStart('2025-12'), monthStart('2026-03'), 'month')
  assert.deepEqual(months.map(monthOf), ['2025-12', '2026-01', '2026-02'])
})

test('days are those of UTC', () => {
  assert.equal(dayStart(90_000), 86_400)
  assert.equal(dateText(90_000), '1970-01-02')
  assert.equal(readDate('1970-01-02'), 86_400)
  assert.equal(readDate('2026-13-40'), undefined)
  assert.equal(readDate('soon'), undefined)
})

test('months are offered since the account exists, and not for ever', () => {
  const now = monthStart('2026-02')
  assert.deepEqual(monthsSince(monthStart('2025-12') + 86_400, now), ['2026-02', '2026-01', '2025-12'])
  assert.deepEqual(monthsSince(now, now), ['2026-02'])
  assert.deepEqual(monthsSince(now + 40 * 86_400, now), ['2026-02'])
  assert.equal(monthsSince(0, now).length, 24)
})
