/** Follows the console of an instance as it is written. */
import type { LogChunk } from '../../api/src/fleet/instance-access.ts'
import type { RequestOptions } from './call.ts'
import { isTransient } from './errors.ts'
import { waitAfter } from './follow.ts'
import { readServerEvents } from './server-events.ts'
import { pause } from './timing.ts'

/** From where a console is followed. */
export type FollowLogsOptions = {
  /** Number of the last chunk that was taken care of. Absent: from the oldest chunk that is kept. */
  readonly after?: number | undefined
  /** Ends the walk. */
  readonly signal?: AbortSignal
  /** Milliseconds before a stream that ended is opened again. Default 1,000. */
  readonly interval?: number
}

/** Opens the stream behind a chunk; undefined where there will never be more. */
export type OpenLogs = (
  after: number | undefined,
  options: RequestOptions,
) => Promise<ReadableStream<Uint8Array> | undefined>

/**
 * Gives every chunk in order, each once, and then those to come, until the machine is gone and all is read or the
 * signal ends it. Trouble that passes is waited out; what does not pass (the token, the instance) is thrown.
 */
export async function* followLogs(
  open: OpenLogs,
  { after: first, signal, interval = 1_000 }: FollowLogsOptions = {},
): AsyncGenerator<LogChunk, void, void> {
  const own = signal ? { signal } : {}
  let after = first
  let failures = 0
  try {
    while (!signal?.aborted) {
      try {
        const body = await open(after, own)
        if (!body) return
        for await (const { data } of readServerEvents(body, own)) {
          failures = 0
          const chunk = JSON.parse(data) as LogChunk
          after = chunk.seqnum
          yield chunk
          if (signal?.aborted) return
        }
        // Nobody is told that a machine is gone that never said a word but by being asked behind the first chunk.
        after ??= 0
        await pause(interval, signal)
      } catch (error) {
        if (signal?.aborted) return
        if (!isTransient(error) && !isBroken(error)) throw error
        failures += 1
        await pause(waitAfter(error, failures, interval), signal)
      }
    }
  } catch (error) {
    // Breaking off is how a walk without an end comes to its end.
    if (!signal?.aborted) throw error
  }
}

/** A body that ends in the middle: fetch calls it a TypeError, whatever became of the connection. */
function isBroken(error: unknown): boolean {
  return error instanceof TypeError
}
