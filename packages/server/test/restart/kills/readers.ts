/** Readers of the event log that poll through every kill, and the check of what they have read. */
import type { TestServer } from '../../support/server.ts'

/** The state of one reader: the ids that it has read, in order. */
export type Reader = { readonly token: string; readonly ids: string[]; cursor: string | undefined }

type Poll = { readonly server: TestServer; pass(): Promise<void>; isOver(): boolean }

export function openReader(token: string): Reader {
  return { token, ids: [], cursor: undefined }
}

/** Polls until it is stopped. */
export async function poll(reader: Reader, { server, pass, isOver }: Poll): Promise<void> {
  while (!isOver()) {
    await pass()
    await readPage(reader, server).catch(() => false)
  }
}

/** Reads the rest of the log. Returns the differences from the whole log, read again from the start. */
export async function finish(reader: Reader, server: TestServer): Promise<string[]> {
  while (await readPage(reader, server));
  const fresh = openReader(reader.token)
  while (await readPage(fresh, server));
  const at = fresh.ids.findIndex((id, index) => reader.ids[index] !== id)
  if (at < 0 && fresh.ids.length === reader.ids.length) return []
  return [`lost: a reader has read ${reader.ids.length} events, the log has ${fresh.ids.length}; they differ at ${at}`]
}

/** Reads a page. Returns whether there may be more. */
async function readPage(reader: Reader, server: TestServer): Promise<boolean> {
  const after = reader.cursor === undefined ? '' : `&starting_after=${reader.cursor}`
  const path = `/preview/v2/events?limit=50${after}`
  const { status, body, text } = await server.request('GET', path, { token: reader.token })
  if (status === 503) return true
  if (status !== 200) throw new Error(text)
  for (const { id } of body.data) reader.ids.push(id)
  reader.cursor = body.cursor ?? reader.cursor
  return body.has_more
}
