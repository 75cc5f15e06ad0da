/**
 * What a guest reads at the metadata address (docs/concepts/preemption.md, "Notice"). It comes in over the host's ends
 * of the links, from the end of its own slot, which no guest can choose: so each is told of itself alone.
 */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { TerminationNotice } from '../drivers/driver.ts'
import { hostEnd, slotOfEnd } from './addresses.rules.ts'
import { metadataPort } from './plan.rules.ts'

const terminationPath = '/bourse/v1/termination'
const requestMilliseconds = 5_000
/** Of one guest; so many guests there are at most that none keeps the others out. */
const connectionsMax = 8

/** Answers at the host's ends, of which at least one has to be there. `noticeOf` tells what a slot's guest may know. */
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
