/**
 * Which chunks of a console are stored: each instance has a token bucket of log bytes. What exceeds it is dropped, and
 * one chunk in its place says how much. Not this file's work: the budget of the agent, which delays before it drops.
 */
import { logBudget, logChunkBytesMin } from '@bourse/api/fleet/agent.ts'
import { droppedBytesText } from '@bourse/api/fleet/instance-access.ts'

/** The token bucket of an instance. */
export type LogBudget = { readonly bytes_per_second: number; readonly burst_bytes: number }

/** The end of a console: its last number, the bytes counted so far, and the state of its budget. */
export type LogEnd = {
  readonly seqnum: number
  readonly ends_at_byte: number
  readonly budget_used: number
  readonly budget_at_ms: number
}

/** A chunk as it is stored. */
export type StoredChunk = LogEnd & { readonly logged_at: number; readonly data: Buffer }

/** A chunk of an agent, decoded. */
export type NewChunk = { readonly seqnum: number; readonly logged_at: number; readonly data: Buffer }

/** The budget of an instance in production. That of the agent, which sends late what exceeds it, is smaller. */
export const serverLogBudget: LogBudget = {
  bytes_per_second: 2 * logBudget.bytes_per_second,
  burst_bytes: 2 * logBudget.burst_bytes,
}

/** How many of the newest bytes of a console are kept (docs/concepts/instances.md, "Logs"). */
export const logBytesKept = 16 * 1024 * 1024
/** The end of a console without chunks. */
export const emptyLog: LogEnd = { seqnum: 0, ends_at_byte: 0, budget_used: 0, budget_at_ms: 0 }

/** The chunks that are stored behind `end`. Those that are stored already are left out. */
export function chunksToStore(
  end: LogEnd,
  chunks: readonly NewChunk[],
  { budget, now_ms }: { budget: LogBudget; now_ms: number },
): StoredChunk[] {
  const elapsed = Math.max(0, now_ms - end.budget_at_ms)
  const refilled = Math.floor((elapsed * budget.bytes_per_second) / 1000)
  let last: LogEnd = { ...end, budget_used: Math.max(0, end.budget_used - refilled), budget_at_ms: now_ms }
  const stored: StoredChunk[] = []
  const add = (chunk: NewChunk, used: number) => {
    const { seqnum, logged_at, data } = chunk
    last = { ...last, seqnum, ends_at_byte: last.ends_at_byte + sizeOf(data), budget_used: last.budget_used + used }
    stored.push({ ...last, logged_at, data })
  }
  const fresh = newChunks(end, chunks)
  let at = 0
  for (const chunk of fresh) {
    const used = sizeOf(chunk.data)
    // What follows a dropped chunk is dropped too, so that a call has one gap at most.
    if (last.budget_used + used > budget.burst_bytes) break
    add(chunk, used)
    at += 1
  }
  const dropped = fresh.slice(at)
  const newest = dropped.at(-1)
  if (newest) {
    const bytes = dropped.reduce((sum, { data }) => sum + data.length, 0)
    add({ ...newest, data: Buffer.from(droppedBytesText(bytes)) }, 0)
  }
  return stored
}

/** The chunks behind the end whose numbers rise. */
function newChunks({ seqnum }: LogEnd, chunks: readonly NewChunk[]): NewChunk[] {
  let last = seqnum
  return chunks.filter((chunk) => {
    if (chunk.seqnum <= last) return false
    last = chunk.seqnum
    return true
  })
}

function sizeOf(data: Buffer): number {
  return Math.max(data.length, logChunkBytesMin)
}
