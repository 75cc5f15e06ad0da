import assert from 'node:assert/strict'
import { test } from 'vitest'
import { returnTogether } from './mass-return.ts'

test('a fleet of 500 hosts that returns loses no instance, and reports again within three minutes', async ({
  annotate,
}) => {
  const { return_seconds, p99_milliseconds } = await returnTogether()
  await annotate(`back after ${return_seconds.toFixed(1)} s, 99th percentile ${p99_milliseconds.toFixed(0)} ms`)
  assert.ok(return_seconds < 180, `the last agent returned after ${return_seconds} s`)
})
