/**
 * Server-sent events: the open streams of a process. A source writes the entries of a stream: it pulls them where the
 * reader takes them (`pulled`), or writes them to many streams at once. One timer serves all streams: keep-alive
 * comments, the time limits and the rights of the readers. A stream ends when its source ends it, when its token or
 * right is revoked, when its reader is too slow, after an hour, and when the server closes; the reader reconnects with
 * the id of the last entry.
 * Not this file's work: the content of the entries, and the wait for more (the areas).
 */
import type { ServerResponse } from 'node:http'
import { every, monotonicMilliseconds } from '../base/clock.ts'
import type { Caller } from '../work/ctx.ts'

/** One event: its id, after which a reader resumes, and its content as one line. */
export type StreamEntry = { readonly id: string; readonly data: string }

/** Entries as they come, in batches of one reading. Ends early when the signal fires. */
export type StreamEntries = (signal: AbortSignal) => AsyncIterable<readonly StreamEntry[]>

/** An open stream, as its source sees it. */
export type OutgoingStream = {
  /** Sends whole entries. Ends the stream if the reader leaves more than 256 KiB untaken. */
  write(bytes: Buffer | string): void
  /** Whether the reader has bytes to take. `drained` is called when it has taken all of them. */
  readonly is_blocked: boolean
  readonly is_closed: boolean
  /** Ends the stream after what was written. */
  end(): void
  /** Reports an error and ends the stream. */
  fail(error: unknown): void
}

/** What the source of a stream is told. */
export type StreamFeed = {
  /** The reader has taken all bytes of a blocked stream. */
  drained(): void
  /** The stream has ended. Called once. */
  closed(): void
  /** The rights of the reader have changed. */
  callerChanged?(caller: Caller): void
}

/** Begins to write a stream. */
export type StreamSource = (stream: OutgoingStream) => StreamFeed

/** A stream to open on a response whose head was sent. */
export type StreamOpening = {
  readonly token: string
  readonly caller: Caller
  readonly response: ServerResponse
  readonly source: StreamSource
  /** The caller behind a token; undefined if the token has ended. A thrown error changes nothing. */
  readonly authenticate: (token: string) => Caller | undefined | Promise<Caller | undefined>
  /** Whether the caller may still read, after its rights have changed. */
  readonly mayRead: (caller: Caller) => boolean
  /** Called with the error that ended the stream. */
  readonly onFailure: (error: unknown) => void
}

/** The streams of one process. */
export type Streams = {
  /** The number of open streams of an account. */
  count(accountId: string): number
  /** The number of all open streams. */
  total(): number
  /** Opens a stream. */
  open(opening: StreamOpening): void
  /** Ends all streams after what was written, and starts no new one. */
  close(): void
}

declare module '../work/services.ts' {
  interface Services {
    /** The open streams of a server, which it counts by account. */
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

const usualTimes: StreamTimes = { heartbeat: 15_000, life: 3_600_000, check: 1_000, stall: 60_000 }

/** The most bytes that a reader may leave untaken. */
const unsentBytesMax = 256 * 1024
/** The time after which a reader reconnects. The first line of the stream contains it. */
const retryMilliseconds = 2_000
const firstLine = `retry: ${retryMilliseconds}\n\n`
const comment = Buffer.from(':\n\n')
/** The comments are spread over so many turns of the timer. */
const slotCount = 15

/** The streams of one token, whose rights are looked up together. */
type TokenStreams = { caller: Caller; readonly streams: Set<OpenStream>; is_checking: boolean }

/** What the streams of a process share. */
type SharedStreams = {
  readonly times: StreamTimes
  readonly now: () => number
  readonly by_token: Map<string, TokenStreams>
  readonly counts: Map<string, number>
  /** A stream gets its comment when the timer comes to its slot. */
  readonly slots: readonly Set<OpenStream>[]
  slot: number
  slot_at: number
  checked_at: number
  readonly blocked: Set<OpenStream>
  is_closing: boolean
  stopTimer: (() => void) | undefined
}

/** One open stream. It does not hold its source: what a source needs only to begin may be large. */
type OpenStream = Omit<StreamOpening, 'source'> & {
  readonly opened_at: number
  readonly slot: Set<OpenStream>
  feed: StreamFeed | undefined
  is_blocked: boolean
  is_closed: boolean
  /** Bytes that were written, and how many of them the reader had taken when it last took some. */
  written: number
  taken: number
  taken_at: number
}

/** Creates the streams of a process, none open. */
export function createStreams(times: StreamTimes = usualTimes, now: () => number = monotonicMilliseconds): Streams {
  const shared: SharedStreams = {
    times,
    now,
    by_token: new Map(),
    counts: new Map(),
    slots: Array.from({ length: slotCount }, () => new Set<OpenStream>()),
    slot: 0,
    slot_at: 0,
    checked_at: 0,
    blocked: new Set(),
    is_closing: false,
    stopTimer: undefined,
  }
  return {
    count: (accountId) => shared.counts.get(accountId) ?? 0,
    total: () => shared.slots.reduce((sum, slot) => sum + slot.size, 0),
    open: (opening) => open(shared, opening),
    close: () => {
      shared.is_closing = true
      for (const { streams } of [...shared.by_token.values()]) for (const stream of [...streams]) end(shared, stream)
    },
  }
}

function open(shared: SharedStreams, { source, ...opening }: StreamOpening): void {
  const { response } = opening
  const stream: OpenStream = {
    ...opening,
    opened_at: shared.now(),
    slot: shared.slots[shared.slot] as Set<OpenStream>,
    feed: undefined,
    is_blocked: false,
    is_closed: false,
    written: 0,
    taken: 0,
    taken_at: 0,
  }
  addStream(shared, stream)
  response.once('close', () => end(shared, stream))
  write(shared, stream, firstLine)
  if (shared.is_closing || response.destroyed) end(shared, stream)
  if (stream.is_closed) return
  const feed = source(outgoingOf(shared, stream))
  stream.feed = feed
  // The source may have ended the stream before its feed was known.
  if (stream.is_closed) feed.closed()
}

function outgoingOf(shared: SharedStreams, stream: OpenStream): OutgoingStream {
  return {
    write: (bytes) => write(shared, stream, bytes),
    get is_blocked() {
      return stream.is_blocked
    },
    get is_closed() {
      return stream.is_closed
    },
    end: () => end(shared, stream),
    fail: (error) => {
      if (stream.is_closed) return
      stream.onFailure(error)
      end(shared, stream)
    },
  }
}

function write(shared: SharedStreams, stream: OpenStream, bytes: Buffer | string): void {
  const { response } = stream
  if (stream.is_closed) return
  stream.written += bytes.length
  if (response.write(bytes)) return
  if (!stream.is_blocked) block(shared, stream)
  if (response.writableLength > unsentBytesMax) end(shared, stream)
}

function block(shared: SharedStreams, stream: OpenStream): void {
  const { response } = stream
  stream.is_blocked = true
  stream.taken_at = shared.now()
  stream.taken = stream.written - response.writableLength
  shared.blocked.add(stream)
  response.once('drain', () => {
    stream.is_blocked = false
    shared.blocked.delete(stream)
    if (!stream.is_closed) stream.feed?.drained()
  })
}

/** Ends the stream of a reader that has taken nothing for too long. */
function checkProgress(shared: SharedStreams, stream: OpenStream, at: number): void {
  const taken = stream.written - stream.response.writableLength
  if (taken > stream.taken) {
    stream.taken = taken
    stream.taken_at = at
  } else if (at - stream.taken_at >= shared.times.stall) end(shared, stream)
}

/** Sends the keep-alive comment. A reader that has bytes to take needs none. */
function keepAlive(shared: SharedStreams, stream: OpenStream, at: number): void {
  if (at - stream.opened_at >= shared.times.life) end(shared, stream)
  else if (!stream.is_blocked) write(shared, stream, comment)
}

function end(shared: SharedStreams, stream: OpenStream): void {
  if (stream.is_closed) return
  stream.is_closed = true
  removeStream(shared, stream)
  stream.feed?.closed()
  finish(stream.response, shared.is_closing)
}

function addStream(shared: SharedStreams, stream: OpenStream): void {
  const { token, caller } = stream
  const own = shared.by_token.get(token) ?? { caller, streams: new Set(), is_checking: false }
  shared.by_token.set(token, own)
  own.streams.add(stream)
  shared.counts.set(caller.account_id, (shared.counts.get(caller.account_id) ?? 0) + 1)
  stream.slot.add(stream)
  if (shared.stopTimer) return
  const { check, heartbeat } = shared.times
  shared.slot_at = shared.now() + heartbeat / slotCount
  shared.checked_at = shared.now()
  shared.stopTimer = every(Math.min(1_000, check, heartbeat / slotCount), () => look(shared))
}

function removeStream(shared: SharedStreams, stream: OpenStream): void {
  const { token, caller } = stream
  const own = shared.by_token.get(token)
  own?.streams.delete(stream)
  if (own?.streams.size === 0) shared.by_token.delete(token)
  const left = (shared.counts.get(caller.account_id) ?? 1) - 1
  if (left === 0) shared.counts.delete(caller.account_id)
  else shared.counts.set(caller.account_id, left)
  stream.slot.delete(stream)
  shared.blocked.delete(stream)
  if (shared.by_token.size > 0) return
  shared.stopTimer?.()
  shared.stopTimer = undefined
}

/** One turn of the timer. */
function look(shared: SharedStreams): void {
  const { times, slots } = shared
  const at = shared.now()
  for (const stream of [...shared.blocked]) checkProgress(shared, stream, at)
  // After a pause of the process each slot has one turn, not one for each that was missed.
  for (let turns = 0; shared.slot_at <= at && turns < slotCount; turns++) {
    shared.slot = (shared.slot + 1) % slotCount
    shared.slot_at += times.heartbeat / slotCount
    for (const stream of [...(slots[shared.slot] as Set<OpenStream>)]) keepAlive(shared, stream, at)
  }
  if (shared.slot_at <= at) shared.slot_at = at + times.heartbeat / slotCount
  if (at - shared.checked_at < times.check) return
  shared.checked_at = at
  for (const [token, own] of shared.by_token) checkToken(shared, token, own)
}

/** Looks up the caller behind a token again. Streams of one token share the look-up. */
function checkToken(shared: SharedStreams, token: string, own: TokenStreams): void {
  const [first] = own.streams
  if (!first || own.is_checking) return
  const apply = (caller: Caller | undefined) => {
    own.is_checking = false
    if (caller === own.caller) return
    if (caller) own.caller = caller
    for (const stream of [...own.streams]) applyCaller(shared, stream, caller)
  }
  // While the rights cannot be read, the streams go on.
  const goOn = () => {
    own.is_checking = false
  }
  own.is_checking = true
  try {
    const caller = first.authenticate(token)
    if (caller instanceof Promise) caller.then(apply).catch(goOn)
    else apply(caller)
  } catch {
    goOn()
  }
}

function applyCaller(shared: SharedStreams, stream: OpenStream, caller: Caller | undefined): void {
  if (!caller || !stream.mayRead(caller)) end(shared, stream)
  else stream.feed?.callerChanged?.(caller)
}

/** A source that reads on when the reader has taken the earlier entries, so a slow reader costs one batch of memory. */
export function pulled(entries: StreamEntries): StreamSource {
  return (stream) => {
    const ending = new AbortController()
    let goOn: () => void = () => {}
    const drained = () =>
      new Promise<void>((resolve) => {
        goOn = resolve
      })
    const pump = async () => {
      for await (const batch of entries(ending.signal)) {
        for (const { id, data } of batch) {
          if (stream.is_closed) return
          stream.write(`id: ${id}\ndata: ${data}\n\n`)
          if (stream.is_blocked && !stream.is_closed) await drained()
        }
        if (stream.is_closed) return
      }
    }
    pump().then(
      () => stream.end(),
      (error) => stream.fail(error),
    )
    return {
      drained: () => goOn(),
      closed: () => {
        ending.abort()
        goOn()
      },
    }
  }
}

/** Ends a response. Closes the connection at once where the reader takes nothing, or where the server closes. */
function finish(response: ServerResponse, isClosing: boolean): void {
  if (response.destroyed) return
  if (response.writableNeedDrain) return void response.destroy()
  const { socket } = response
  response.end(() => {
    if (isClosing) socket?.destroySoon()
  })
}
