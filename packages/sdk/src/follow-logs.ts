/** Follows the console output of an instance. */

import { pause } from '@bourse/text/time/pause.ts'
import type { RequestOptions } from './call.ts'
import type { Item } from './client-types.ts'
import { isTransient } from './errors.ts'
import { isBroken, longestWait, usualInterval, waitAfter } from './follow.ts'
import { readServerEvents } from './server-events.ts'

/** A chunk of console output: base64 in `data`, numbered without gaps. */
export type LogChunk = Item<'list_instance_logs'>

/** The options of following a console. */
export type FollowLogsOptions = {
  /** The number of the last processed chunk. Default: start at the oldest retained chunk. */
  readonly after?: number | undefined
  /** Ends the iteration. */
  readonly signal?: AbortSignal
  /** Milliseconds before a stream that ended is opened again. Default: what the stream asks for, else 1,000. */
  readonly interval?: number
}

/** Opens the stream after a chunk. Undefined if no more chunks can follow. */
export type OpenLogs = (
  after: number | undefined,
  options: RequestOptions,
) => Promise<ReadableStream<Uint8Array> | undefined>

/**
 * Yields every chunk in order, each once, and waits for new ones. Ends when the machine no longer exists and all chunks
 * are read, or when the signal is aborted. Retries transient errors and throws others, for example NotFoundError.
 */
export async function* followLogs(
  open: OpenLogs,
  { after: first, signal, interval }: FollowLogsOptions = {},
): AsyncGenerator<LogChunk, void, void> {
  const own = signal ? { signal } : {}
  let after = first
  let failures = 0
  let reopening = interval ?? usualInterval
  const retry = (milliseconds: number) => {
    reopening = interval ?? Math.min(milliseconds, longestWait)
  }
  try {
    while (!signal?.aborted) {
      try {
        const body = await open(after, own)
        if (!body) return
        for await (const { data } of readServerEvents(body, { ...own, retry })) {
          failures = 0
          const chunk = JSON.parse(data) as LogChunk
          after = chunk.seqnum
          yield chunk
          if (signal?.aborted) return
        }
        // Without a chunk so far, only a request after chunk 0 shows that the machine no longer exists.
        after ??= 0
        await pause(reopening, signal)
      } catch (error) {
        if (signal?.aborted) return
        if (!isTransient(error) && !isBroken(error)) throw error
        failures += 1
        await pause(waitAfter(error, failures, interval ?? usualInterval), signal)
      }
    }
  } catch (error) {
    // An aborted signal is the normal end of the iteration.
    if (!signal?.aborted) throw error
  }
}
