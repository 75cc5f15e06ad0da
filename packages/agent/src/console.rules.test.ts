import assert from 'node:assert/strict'
import { logBudget, logChunkBytesMax } from '@bourse/api/fleet/agent.ts'
import { test } from 'vitest'
import { bytesAllowed, chunksOf, freshBudget, gapChunk, spend } from './console.rules.ts'

test('a budget allows the burst, then the rate, and never less than a full chunk', () => {
  const { bytes_per_second, burst_bytes } = logBudget
  assert.equal(bytesAllowed(freshBudget, 5_000), burst_bytes)
  const spent = spend(freshBudget, burst_bytes, 5_000)
  assert.equal(bytesAllowed(spent, 5_000), 0)
  assert.equal(bytesAllowed(spent, 5_000 + (1000 * (logChunkBytesMax - 1)) / bytes_per_second), 0)
  assert.equal(bytesAllowed(spent, 6_000), bytes_per_second)
  assert.equal(bytesAllowed(spent, 10 ** 9), burst_bytes)
  assert.equal(bytesAllowed(spend(spent, 16_384, 6_000), 6_000), 0)
})

test('a short piece counts as a longer one', () => {
  let budget = freshBudget
  let sends = 0
  while (bytesAllowed(budget, 0) > 0) {
    budget = spend(budget, 1, 0)
    sends += 1
  }
  assert.ok(sends <= 1024, `${sends} sends`)
})

test('bytes are cut into numbered chunks, and a gap is one chunk behind those under way', () => {
  const chunks = chunksOf(Buffer.alloc(2 * logChunkBytesMax + 1), { seqnum: 7, logged_at: 3 })
  assert.deepEqual(
    chunks.map(({ seqnum, data }) => [seqnum, Buffer.from(data, 'base64').length]),
    [
      [7, logChunkBytesMax],
      [8, logChunkBytesMax],
      [9, 1],
    ],
  )
  const at = { next_seqnum: 7, logged_at: 3 }
  assert.equal(gapChunk(5, { ...at, is_under_way: false }).seqnum, 7)
  assert.equal(gapChunk(5, { ...at, is_under_way: true }).seqnum, 263)
})
