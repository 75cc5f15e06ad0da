/** Reads server-sent events (HTML standard, section 9.2), as far as this API uses them. */

import { deadline } from './timing.ts'

/** One event. `event` is its type, where it has one. */
export type ServerEvent = { readonly event: string | undefined; readonly id: string; readonly data: string }

/** The limits of reading, in milliseconds: without any byte, and without the first one. */
export type ReadingLimits = {
  readonly signal?: AbortSignal | undefined
  readonly silence?: number
  readonly opening?: number
  /** Called when the first bytes arrive. */
  readonly begin?: () => void
}

/** The server sends a comment at least every 15 s. A connection without data for this long is dead. Milliseconds. */
const longestSilence = 45_000

/** Yields the events of a body until it ends, has sent nothing for `silence` milliseconds, or the signal is aborted. */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array>,
  { signal, silence = longestSilence, opening = silence, begin }: ReadingLimits = {},
): AsyncGenerator<ServerEvent, void, void> {
  const parts = body.getReader()
  const decoder = new TextDecoder()
  const leave = () => void parts.cancel().catch(() => {})
  signal?.addEventListener('abort', leave, { once: true })
  let text = ''
  let limit = opening
  try {
    while (!signal?.aborted) {
      const { done, value } = await readWithin(parts, limit)
      // An event without its empty line is incomplete. The next stream sends it again.
      if (done) return
      if (limit === opening) begin?.()
      limit = silence
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventOf(block)
        if (event) yield event
      }
    }
  } finally {
    signal?.removeEventListener('abort', leave)
    leave()
  }
}

type Parts = ReadableStreamDefaultReader<Uint8Array>

async function readWithin(parts: Parts, milliseconds: number): ReturnType<Parts['read']> {
  const limit = deadline(milliseconds)
  limit.signal.addEventListener('abort', () => void parts.cancel().catch(() => {}), { once: true })
  try {
    return await parts.read()
  } finally {
    limit.release()
  }
}

/** A block without data is a comment or a `retry` field. */
function eventOf(block: string): ServerEvent | undefined {
  const fields = new Map(block.split('\n').map((line) => splitField(line)))
  const [event, id, data] = [fields.get('event'), fields.get('id'), fields.get('data')]
  return id === undefined || data === undefined ? undefined : { event, id, data }
}

function splitField(line: string): [name: string, value: string] {
  const at = line.indexOf(':')
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')]
}
