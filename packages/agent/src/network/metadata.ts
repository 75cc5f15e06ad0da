/**
 * Serves the metadata address. Requests arrive at the link ends on the host from the address of a slot, which guests
 * cannot choose, so each guest gets only its own data.
 */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { TerminationNotice } from '../drivers/driver.ts'
import { hostEnd, slotOfEnd } from './addresses.rules.ts'
import { metadataPort } from './plan.rules.ts'

const terminationPath = '/bourse/v1/termination'
const requestMilliseconds = 5_000
/** Connections per guest, so that no guest blocks the others. */
const connectionsMax = 8

/** Serves the link ends on the host, of which at least one must exist. `noticeOf` returns the notice of a slot. */
export async function openMetadata(
  noticeOf: (slot: number) => TerminationNotice | null | undefined,
): Promise<AsyncDisposable> {
  const server = createServer(
    { requestTimeout: requestMilliseconds, headersTimeout: requestMilliseconds, keepAlive: false },
    answer(noticeOf),
  )
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const from = socket.remoteAddress ?? ''
    const count = (open.get(from) ?? 0) + 1
    open.set(from, count)
    socket.once('close', () => open.set(from, (open.get(from) ?? 1) - 1))
    if (count > connectionsMax) socket.destroy()
  })
  server.listen(metadataPort, hostEnd)
  await once(server, 'listening')
  return {
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function answer(noticeOf: (slot: number) => TerminationNotice | null | undefined): RequestListener {
  return (request, response) => {
    request.resume()
    const slot = slotOfEnd(request.socket.remoteAddress ?? '')
    const notice = slot === undefined ? undefined : noticeOf(slot)
    const path = request.url?.split('?')[0]
    const isFound = notice && path === terminationPath && (request.method === 'GET' || request.method === 'HEAD')
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', connection: 'close' }
    response.writeHead(isFound ? 200 : 404, headers)
    response.end(`${JSON.stringify(isFound ? notice : { error: 'not_found' })}\n`)
  }
}
