/** Times of the ticket and of the market's map in other zones, with clocks that are put forward and back. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { localText, secondsText } from './ticket.rules.ts'

const { TZ: own } = process.env

afterEach(() => {
  if (own === undefined) delete process.env.TZ
  else process.env.TZ = own
})

test('an hour that the clock shows twice stays the one that it was', () => {
  process.env.TZ = 'Europe/Berlin'
  // 02:30 in summer time, and an hour later 02:30 in winter time.
  const summer = Date.UTC(2026, 9, 25, 0, 30) / 1_000
  const winter = summer + 3_600
  assert.equal(localText(String(summer)), localText(String(winter)))
  for (const at of [summer, winter]) {
    assert.equal(secondsText(localText(String(at)), String(at)), String(at))
    assert.equal(secondsText(localText(String(at + 600)), String(at)), String(at + 600))
  }
  assert.equal(secondsText('2026-10-25T02:30'), String(summer))
  assert.equal(secondsText('2026-10-25T04:30', String(summer)), String(winter + 7_200))
})

describe.each(['Europe/Berlin', 'Asia/Kolkata'])('typed orders and tickets hold in %s', async (zone) => {
  beforeEach(() => {
    process.env.TZ = zone
  })
  // With a query, a file is evaluated again, and its tests belong to this group.
  await import(`./ticket.rules.test.ts?zone=${zone}`)
  await import(`./typed-order.rules.test.ts?zone=${zone}`)
})
