import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createDelays } from './delays.ts'

test('a delay ends by its time, and its place is free again', async () => {
  const delays = createDelays(1)
  await delays.hold(1)
  assert.ok(delays.hold(1))
})

test('beyond the most, nothing is held', async () => {
  const delays = createDelays(2)
  const held = [delays.hold(60_000), delays.hold(60_000)]
  assert.equal(delays.hold(60_000), undefined)
  delays.end()
  await Promise.all(held)
})

test('when all delays end, nothing is held any more', async () => {
  const delays = createDelays()
  delays.end()
  await delays.hold(60_000)
})
