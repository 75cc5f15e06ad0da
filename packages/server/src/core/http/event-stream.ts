/**
 * Server-sent events. An entry is written after the reader has taken the earlier ones, so a slow reader costs the
 * memory of one batch, however long it pauses. A stream ends when its entries end, when its token or right is revoked,
 * after an hour, and when the server closes; the reader reconnects with the id of the last entry.
 * Not this file's work: the content of the entries, and the wait for more (notifier.ts).
 */
import type { ServerResponse } from 'node:http'
import { every, monotonicMilliseconds } from '../base/clock.ts'

/** One event: its id, after which a reader resumes, and its content as one line. */
export type StreamEntry = { readonly id: string; readonly data: string }

/** The source of a stream: entries as they come, in batches of one reading. Ends early when the signal fires. */
export type StreamEntries = (signal: AbortSignal) => AsyncIterable<readonly StreamEntry[]>

/** A stream to open on a response whose head was sent. */
export type StreamOpening = {
  readonly account_id: string
  readonly response: ServerResponse
  readonly entries: StreamEntries
  /** Whether the reader may still read; called every two seconds. A thrown error changes nothing. */
  readonly isAllowed: () => boolean | Promise<boolean>
  /** Called with the error that ended the stream. */
  readonly onFailure: (error: unknown) => void
}

/** The streams of one process. */
export type Streams = {
  /** The number of open streams of an account. */
  count(account_id: string): number
  /** Serves a stream until it ends. */
  open(opening: StreamOpening): Promise<void>
  /** Ends all streams after the entries that they have read, and starts no new one. */
  close(): void
}

declare module '../work/services.ts' {
  interface Services {
    readonly streams: Streams
  }
}

/** Time limits and intervals in milliseconds. */
export type StreamTimes = {
  readonly heartbeat: number
  readonly life: number
  readonly check: number
  /** A reader that takes nothing for this long counts as disconnected. */
  readonly stall: number
}

const usualTimes: StreamTimes = { heartbeat: 15_000, life: 3_600_000, check: 2_000, stall: 60_000 }

/** The time after which a reader reconnects. The first line of the stream contains it. */
const retryMilliseconds = 2_000

type Open = StreamOpening & {
  readonly ending: AbortController
  readonly opened_at: number
  written_at: number
  checked_at: number
}

/** Creates the streams of a process, none open. */
export function createStreams(times: StreamTimes = usualTimes, now: () => number = monotonicMilliseconds): Streams {
  const streams = new Set<Open>()
  let isClosed = false
  let stopPolling: (() => void) | undefined

  const look = () => {
    for (const stream of streams) lookAt(stream, times, now())
  }

  async function open(opening: StreamOpening): Promise<void> {
    const { response } = opening
    const at = now()
    const stream: Open = {
      ...opening,
      ending: new AbortController(),
      ...{ opened_at: at, written_at: at, checked_at: at },
    }
    const end = () => stream.ending.abort()
    response.once('close', end)
    if (isClosed || response.destroyed) end()
    streams.add(stream)
    stopPolling ??= every(Math.min(1_000, times.check, times.heartbeat), look)
    try {
      await write(stream, now)
    } catch (error) {
      opening.onFailure(error)
    } finally {
      streams.delete(stream)
      if (streams.size === 0) {
        stopPolling?.()
        stopPolling = undefined
      }
      finish(response, isClosed)
    }
  }

  return {
    count: (account_id) => [...streams].filter((stream) => stream.account_id === account_id).length,
    open,
    close: () => {
      isClosed = true
      for (const { ending } of streams) ending.abort()
    },
  }
}

async function write(stream: Open, now: () => number): Promise<void> {
  const { response, entries, ending } = stream
  response.write(`retry: ${retryMilliseconds}\n\n`)
  for await (const batch of entries(ending.signal)) {
    for (const { id, data } of batch) {
      if (ending.signal.aborted) return
      stream.written_at = now()
      if (!response.write(`id: ${id}\ndata: ${data}\n\n`)) await drained(stream)
    }
    if (ending.signal.aborted) return
  }
}

function drained({ response, ending: { signal } }: Open): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    response.once('drain', done)
    signal.addEventListener('abort', done, { once: true })
    if (signal.aborted) done()
  })
}

function lookAt(stream: Open, times: StreamTimes, at: number): void {
  const { response, ending, isAllowed } = stream
  if (at - stream.opened_at >= times.life) ending.abort()
  // A reader that has not taken the earlier bytes needs no keep-alive comment, but must read in time.
  if (response.writableNeedDrain) {
    if (at - stream.written_at >= times.stall) ending.abort()
  } else if (at - stream.written_at >= times.heartbeat) {
    stream.written_at = at
    response.write(':\n\n')
  }
  if (at - stream.checked_at < times.check) return
  stream.checked_at = at
  const applyRecheck = (allowed: boolean) => {
    if (!allowed) ending.abort()
  }
  try {
    const allowed = isAllowed()
    if (typeof allowed === 'boolean') applyRecheck(allowed)
    else allowed.then(applyRecheck, () => {})
  } catch {
    // The rights cannot be read now. The stream continues until a check denies it.
  }
}

/** Ends a response. Closes the connection at once where the reader takes nothing, or where the server closes. */
function finish(response: ServerResponse, isClosing: boolean): void {
  if (response.writableNeedDrain) return void response.destroy()
  const { socket } = response
  response.end(() => {
    if (isClosing) socket?.destroySoon()
  })
}
