/** Readers of the event log that poll through every kill, and the check of what they have read. */
import { eventually } from '../../../../../test/eventually.ts'
import type { TestServer } from '../../support/server.ts'

/** The state of one reader: the ids that it has read, in order. */
export type ListReader = { readonly token: string; readonly ids: string[]; cursor: string | undefined }

type Poll = { readonly server: TestServer; pass(): Promise<void>; isOver(): boolean }

export function openReader(token: string): ListReader {
  return { token, ids: [], cursor: undefined }
}

/** Polls until it is stopped. */
export async function poll(reader: ListReader, { server, pass, isOver }: Poll): Promise<void> {
  while (!isOver()) {
    await pass()
    await readPage(reader, server).catch(() => false)
  }
}

/**
 * Reads the rest of the log. Returns the differences from the whole log, read again from the start. The server's own
 * work may add events meanwhile, so the reader reads on after that.
 */
export async function finish(reader: ListReader, server: TestServer): Promise<string[]> {
  const fresh = openReader(reader.token)
  await readToTheEnd(reader, server)
  const read = reader.ids.length
  await readToTheEnd(fresh, server)
  await readToTheEnd(reader, server)
  const at = fresh.ids.findIndex((id, index) => reader.ids[index] !== id)
  if (at < 0 && read <= fresh.ids.length) return []
  return [`lost: a reader has read ${read} events, the log has ${fresh.ids.length}; they differ at ${at}`]
}

async function readToTheEnd(reader: ListReader, server: TestServer): Promise<void> {
  const isAtTheEnd = async () => !(await readPage(reader, server))
  await eventually('a reader reaches the end of the log', isAtTheEnd, { every_milliseconds: 0 })
}

/** Reads a page. Returns whether there may be more. */
async function readPage(reader: ListReader, server: TestServer): Promise<boolean> {
  const { status, body, text } = await server.attempt('list_events', {
    query: { limit: 50, starting_after: reader.cursor },
    token: reader.token,
  })
  if (status === 503) return true
  if (status !== 200) throw new Error(text)
  for (const { id } of body.data) reader.ids.push(id)
  reader.cursor = body.cursor ?? reader.cursor
  return body.has_more
}
