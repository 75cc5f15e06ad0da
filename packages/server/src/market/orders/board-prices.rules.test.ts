import assert from 'node:assert/strict'
import { test } from 'vitest'
import { changeOf, inHours } from './board-prices.rules.ts'

const hour = 3_600
const now = 1_000 * hour + 600
const trade = (hoursAgo: number, last_micros: bigint) => ({ start_at: (1_000 - hoursAgo) * hour, last_micros })

test('a change is against the last price of an hour that had ended a day ago', () => {
  const trades = [trade(40, 1_000_000n), trade(25, 2_000_000n), trade(24, 9_000_000n), trade(1, 2_050_000n)]
  assert.deepEqual(changeOf(trades, now), { last_micros: 2_050_000n, change_bps: 250 })
  assert.equal(changeOf(trades, now - 601).change_bps, 10_500)
  assert.equal(changeOf([trade(30, 3_000_000n), trade(0, 2_000_000n)], now).change_bps, -3_333)
})

test('without a trade since a day ago, or before, there is no change', () => {
  assert.deepEqual(changeOf([], now), { last_micros: undefined, change_bps: null })
  assert.deepEqual(changeOf([trade(30, 5n)], now), { last_micros: 5n, change_bps: null })
  assert.deepEqual(changeOf([trade(3, 5n)], now), { last_micros: 5n, change_bps: null })
  assert.deepEqual(changeOf([trade(30, 0n), trade(3, 5n)], now), { last_micros: 5n, change_bps: null })
})

test('hours without trades keep their places', () => {
  const [first, last] = [trade(3, 1n), trade(1, 2n)]
  assert.deepEqual(inHours([trade(9, 3n), first, last], first.start_at, 3), [first, undefined, last])
})
