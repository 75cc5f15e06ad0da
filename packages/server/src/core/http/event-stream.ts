/**
 * Answers that go on: server-sent events. One entry is written when the reader has taken those before it, so a slow one
 * costs what one reading costs, however long it sleeps. A stream ends when its entries end, when its token or right is
 * gone, after an hour, and when the server closes; the reader comes back with the id of the last entry.
 * Not this file's work: what the entries are, and how one waits for more (notifier.ts).
 */
import type { ServerResponse } from 'node:http'
import { every, monotonicMilliseconds } from '../base/clock.ts'

/** One event: its id, by which a reader resumes behind it, and its content as one line. */
export type StreamEntry = { readonly id: string; readonly data: string }

/** What a stream gives: entries as they come, in batches of one reading. Ends early when the signal fires. */
export type StreamEntries = (signal: AbortSignal) => AsyncIterable<readonly StreamEntry[]>

/** A stream to open on a response whose head was sent. */
export type StreamOpening = {
  readonly account_id: string
  readonly response: ServerResponse
  readonly entries: StreamEntries
  /** Whether the reader may still read; asked every two seconds. A throw says nothing. */
  readonly isAllowed: () => boolean | Promise<boolean>
  /** Called with the error that ended the stream. */
  readonly onFailure: (error: unknown) => void
}

/** The streams of one process. */
export type Streams = {
  /** How many an account has open. */
  count(account_id: string): number
  /** Serves a stream to its end. */
  open(opening: StreamOpening): Promise<void>
  /** Ends all: they have read what they could, and no new one is begun. */
  close(): void
}

declare module '../work/services.ts' {
  interface Services {
    readonly streams: Streams
  }
}

/** How long things last, in milliseconds. */
export type StreamTimes = {
  readonly heartbeat: number
  readonly life: number
  readonly check: number
  /** A reader that takes nothing for so long has gone. */
  readonly stall: number
}

const usualTimes: StreamTimes = { heartbeat: 15_000, life: 3_600_000, check: 2_000, stall: 60_000 }

/** Milliseconds after which a reader comes back, told in the first line. */
const retryMilliseconds = 2_000

type Open = StreamOpening & {
  readonly ending: AbortController
  readonly opened_at: number
  written_at: number
  checked_at: number
}

/** Makes the streams of a process, none open. */
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
  // Whoever has not taken what was written needs no sign of life, but has to give one.
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
    // Nobody is there to know: the stream goes on until somebody says otherwise.
  }
}

/** Nobody waits for a reader that takes nothing, nor, while the server closes, for what a connection may still ask. */
function finish(response: ServerResponse, isClosing: boolean): void {
  if (response.writableNeedDrain) return void response.destroy()
  const { socket } = response
  response.end(() => {
    if (isClosing) socket?.destroySoon()
  })
}
