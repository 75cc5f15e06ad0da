/**
 * How much console output of a machine is sent: a token bucket, so that a guest that writes without end costs the
 * server little. What exceeds it stays on the host, in a ring. Not this file's work: the server's own limit.
 */
import { logBudget, logChunkBytesMax, logChunkBytesMin, logChunksMax } from '@bourse/api/fleet/agent.ts'
import { droppedBytesText, type LogChunk } from '@bourse/api/fleet/instance-access.ts'

/** The state of a budget: how much of the burst is used, at a time of the monotonic clock. */
export type ConsoleBudget = { readonly used: number; readonly at: number }

/** A budget of which nothing is used. */
export const freshBudget: ConsoleBudget = { used: 0, at: 0 }

/** How many bytes may be sent now, in one call. */
export function bytesAllowed(budget: ConsoleBudget, now: number): number {
  const free = logBudget.burst_bytes - refill(budget, now).used
  // A short chunk counts as a longer one, so nothing is sent until there is room for a full one.
  return free < logChunkBytesMax ? 0 : Math.min(free, logChunkBytesMax * logChunksMax)
}

/** The budget after some bytes were sent. */
export function spend(budget: ConsoleBudget, bytes: number, now: number): ConsoleBudget {
  const { used, at } = refill(budget, now)
  return { used: used + Math.max(bytes, logChunkBytesMin), at }
}

function refill({ used, at }: ConsoleBudget, now: number): ConsoleBudget {
  const refilled = (Math.max(0, now - at) * logBudget.bytes_per_second) / 1000
  return { used: Math.max(0, used - refilled), at: now }
}

/** The bytes in chunks, numbered from `seqnum` on. */
export function chunksOf(bytes: Buffer, { seqnum, logged_at }: { seqnum: number; logged_at: number }): LogChunk[] {
  const chunks: LogChunk[] = []
  for (let at = 0; at < bytes.length; at += logChunkBytesMax) {
    const data = bytes.subarray(at, at + logChunkBytesMax).toString('base64')
    chunks.push({ seqnum: seqnum + chunks.length, logged_at, data })
  }
  return chunks
}

/**
 * The chunk in place of bytes that are no longer on the host. Chunks that were under way before may have arrived, so
 * its number lies behind all of theirs; otherwise the server would skip it.
 */
export function gapChunk(
  dropped: number,
  { next_seqnum, is_under_way, logged_at }: { next_seqnum: number; is_under_way: boolean; logged_at: number },
): LogChunk {
  const seqnum = next_seqnum + (is_under_way ? logChunksMax : 0)
  return { seqnum, logged_at, data: Buffer.from(droppedBytesText(dropped)).toString('base64') }
}
