/** Reads event streams over HTTP, entry by entry. The connections close at the end of the test file. */
import { afterAll } from 'vitest'

/** One entry of a stream. `event` is set for a gap only. */
export type StreamedEntry = {
  readonly id: string
  readonly event: string | undefined
  readonly data: any
}

export type EventStreamReader = {
  readonly response: Response
  /** What was read so far. */
  readonly entries: readonly StreamedEntry[]
  text(): string
  /** Reads until the condition is true. Returns false if the stream ends first. */
  until(holds: () => boolean): Promise<boolean>
  /** Reads until there are this many entries. Fails if the stream ends first. */
  take(count: number): Promise<readonly StreamedEntry[]>
  /** Reads to the end of the stream. */
  toTheEnd(): Promise<readonly StreamedEntry[]>
  leave(): void
}

export type StreamOptions = {
  readonly token: string
  readonly path?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

const open: AbortController[] = []

/** Closes all connections. Call it once in a file, outside of its tests. */
export function closeStreamsAfterwards(): void {
  afterAll(() => {
    for (const controller of open) controller.abort()
  })
}

/** Requests the stream of events. */
export async function openEvents(
  url: string,
  { token, path = '/preview/v2/events', query = '', headers = {} }: StreamOptions,
): Promise<EventStreamReader> {
  const controller = new AbortController()
  open.push(controller)
  const response = await fetch(`${url}${path}?${query}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  })
  return readerOf(response, controller)
}

function readerOf(response: Response, controller: AbortController): EventStreamReader {
  const parts = (response.body as ReadableStream<Uint8Array> | null)?.pipeThrough(new TextDecoderStream()).getReader()
  const entries: StreamedEntry[] = []
  let text = ''
  let rest = ''
  const until = async (holds: () => boolean): Promise<boolean> => {
    while (!holds()) {
      const { done = true, value = '' } = (await parts?.read()) ?? {}
      if (done) return false
      text += value
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop() as string
      for (const block of blocks) {
        const entry = entryOf(block)
        if (entry) entries.push(entry)
      }
    }
    return true
  }
  const take = async (count: number) => {
    if (!(await until(() => entries.length >= count))) throw new Error(`The stream ended after: ${text}`)
    return entries
  }
  const toTheEnd = async () => {
    await until(() => false)
    return entries
  }
  return { response, entries, text: () => text, until, take, toTheEnd, leave: () => controller.abort() }
}

/** Undefined for comments and the reconnection time. */
function entryOf(block: string): StreamedEntry | undefined {
  const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
  const data = fields.get('data')
  return data === undefined
    ? undefined
    : { id: fields.get('id') as string, event: fields.get('event'), data: JSON.parse(data) }
}
