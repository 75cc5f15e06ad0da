import assert from 'node:assert/strict'
import { logChunkBytesMin } from '@bourse/api/fleet/agent.ts'
import fc from 'fast-check'
import { test } from 'vitest'
import { chunksToStore, emptyLog, type LogEnd, type NewChunk } from './instance-logs.rules.ts'

const budget = { bytes_per_second: 1_000, burst_bytes: 10_000 }
const start = 1_000_000
const textOf = (data: Buffer) => data.toString()

function chunk(seqnum: number, bytes: number): NewChunk {
  return { seqnum, logged_at: seqnum, data: Buffer.alloc(bytes, 'x') }
}

function store(
  chunks: readonly NewChunk[],
  { end = emptyLog, now_ms = start }: { end?: LogEnd; now_ms?: number } = {},
) {
  return chunksToStore(end, chunks, { budget, now_ms })
}

test('chunks within the budget are stored once, and one behind it is replaced by a line that counts the bytes', () => {
  const stored = store([chunk(1, 4_000), chunk(2, 4_000), chunk(2, 9), chunk(3, 4_000), chunk(4, 5)])
  assert.deepEqual(
    stored.map(({ seqnum, data }) => [seqnum, data.length < 100 ? textOf(data) : data.length]),
    [
      [1, 4_000],
      [2, 4_000],
      [4, '\n[4005 bytes dropped]\n'],
    ],
  )
  assert.deepEqual(store([chunk(3, 5), chunk(4, 5)], { end: stored.at(-1) as LogEnd }), [])
})

test('the budget is refilled with time, up to the burst', () => {
  const end = store([chunk(1, 10_000)]).at(-1) as LogEnd
  const after = (seconds: number, bytes: number) =>
    textOf(store([chunk(2, bytes)], { end, now_ms: start + seconds * 1000 })[0]?.data as Buffer)
  assert.match(after(3, 4_000), /dropped/)
  assert.equal(after(4, 4_000).length, 4_000)
  assert.match(after(1_000, 10_001), /dropped/)
  assert.equal(after(1_000, 10_000).length, 10_000)
  // A clock that is set back refills nothing.
  assert.match(after(-1_000, 2_000), /dropped/)
})

test('empty chunks use up the budget, and all chunks count towards what is kept', () => {
  const stored = store(Array.from({ length: 20 }, (_, index) => chunk(index + 1, 0)))
  assert.equal(stored.length, Math.floor(budget.burst_bytes / logChunkBytesMin) + 1)
  assert.equal(stored.at(-1)?.ends_at_byte, stored.length * logChunkBytesMin)
})

test('of any chunks, at most the burst and the rate are stored, and every byte is stored or counted', () => {
  const calls = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.array(fc.integer({ min: 0, max: 4_096 }))))
  fc.assert(
    fc.property(calls, (list) => {
      let end = emptyLog
      let now_ms = start
      let [sent, kept, dropped, seqnum] = [0, 0, 0, 0]
      for (const [milliseconds, lengths] of list) {
        now_ms += milliseconds
        const stored = store(
          lengths.map((length) => chunk(++seqnum, length)),
          { end, now_ms },
        )
        sent += lengths.reduce((sum, length) => sum + length, 0)
        for (const { data } of stored) {
          const [, count] = /^\n\[(\d+) bytes dropped\]\n$/.exec(textOf(data)) ?? []
          if (count === undefined) kept += data.length
          else dropped += Number(count)
        }
        end = stored.at(-1) ?? end
        assert.equal(end.seqnum, seqnum)
      }
      assert.equal(kept + dropped, sent)
      assert.ok(kept <= budget.burst_bytes + ((now_ms - start) * budget.bytes_per_second) / 1000)
    }),
  )
})
