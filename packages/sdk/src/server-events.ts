/** Reads server-sent events (HTML standard, sections 9.2.5 and 9.2.6). */

import { deadline } from './timing.ts'

/**
 * One event. `event` is its type, undefined for `message`. `id` is the newest id of the stream, empty where it has not
 * given one.
 */
export type ServerEvent = { readonly event: string | undefined; readonly id: string; readonly data: string }

/** The limits of reading, in milliseconds: without any byte, and without the first one. */
export type ReadingLimits = {
  readonly signal?: AbortSignal | undefined
  readonly silence?: number
  readonly opening?: number
  /** Called when the first bytes arrive. */
  readonly begin?: () => void
  /** Called with how long the stream asks to wait before it is opened again. */
  readonly retry?: (milliseconds: number) => void
}

/** The server sends a comment at least every 15 s. A connection without data for this long is dead. Milliseconds. */
const longestSilence = 45_000
/** The most characters of an event and of its line that has not ended. More is no event of this API. */
const lengthMax = 16 * 1024 * 1024

/**
 * Yields the events of a body until it ends, has sent nothing for `silence` milliseconds, or the signal is aborted.
 * Throws a RangeError where an event is longer than 16 Mi characters.
 */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array>,
  { signal, silence = longestSilence, opening = silence, begin, retry }: ReadingLimits = {},
): AsyncGenerator<ServerEvent, void, void> {
  const parts = body.getReader()
  // This also removes a byte order mark.
  const decoder = new TextDecoder()
  const read = createParser(retry)
  const leave = () => void parts.cancel().catch(() => {})
  signal?.addEventListener('abort', leave, { once: true })
  let limit = opening
  try {
    while (!signal?.aborted) {
      const { done, value } = await readWithin(parts, limit)
      // An event without its empty line is incomplete. The next stream sends it again.
      if (done) return
      if (limit === opening) begin?.()
      limit = silence
      for (const event of read(decoder.decode(value, { stream: true }))) {
        if (signal?.aborted) return
        yield event
      }
    }
  } finally {
    signal?.removeEventListener('abort', leave)
    leave()
  }
}

type StreamReader = ReadableStreamDefaultReader<Uint8Array>

async function readWithin(parts: StreamReader, milliseconds: number): ReturnType<StreamReader['read']> {
  const limit = deadline(milliseconds)
  limit.signal.addEventListener('abort', () => void parts.cancel().catch(() => {}), { once: true })
  try {
    return await parts.read()
  } finally {
    limit.release()
  }
}

/** Makes a reader of pieces of the text of a stream, which returns the events that a piece completes. */
function createParser(retry: ReadingLimits['retry']): (piece: string) => ServerEvent[] {
  let event = ''
  let id = ''
  let data: string[] = []
  let length = 0
  const events: ServerEvent[] = []
  const readLine = (line: string) => {
    if (line === '') {
      const type = event === '' || event === 'message' ? undefined : event
      if (data.length > 0) events.push({ event: type, id, data: data.join('\n') })
      event = ''
      data = []
      length = 0
      return
    }
    const [name, value] = splitField(line)
    if (name === 'event') event = value
    if (name === 'id' && !value.includes('\0')) id = value
    if (name === 'retry' && /^\d+$/.test(value)) retry?.(Number(value))
    if (name !== 'data') return
    data.push(value)
    length += value.length
  }

  let rest = ''
  let hasReturned = false
  return (piece) => {
    // A line feed that begins a piece may be the second half of the end of a line.
    const text = hasReturned && piece.startsWith('\n') ? piece.slice(1) : piece
    if (piece !== '') hasReturned = piece.endsWith('\r')
    const [first = '', ...others] = text.split(/\r\n|\n|\r/)
    rest += first
    for (const line of others) {
      readLine(rest)
      rest = line
    }
    if (length + rest.length > lengthMax) throw new RangeError('The stream has an event that is too long.')
    return events.splice(0)
  }
}

/** The name and the value of a field. A comment has an empty name. */
function splitField(line: string): [name: string, value: string] {
  const at = line.indexOf(':')
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')]
}
