/**
 * Bytes of any length, in or out: read as they come and written as they are taken, never held. No token: who may do it
 * is said by the URL, which the area signs. These are no operations of the contract; their URLs come out of one.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Runtime } from '../work/runtime.ts'
import type { EndpointHandler, Response } from './request-context.ts'

/** What is asked for. */
export type Transfer = {
  readonly params: Readonly<Record<string, string>>
  /** The text behind the question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly request_id: string
  /** What is sent. Ends with an error where the sender goes away; may be left unread. */
  readonly bytes: () => AsyncIterable<Buffer>
}

/** A response without a body, or with one that is sent in pieces. */
export type TransferAnswer = Omit<Response, 'body'>

/** One way in or out. */
export type TransferRoute = {
  readonly name: string
  readonly method: 'GET' | 'PUT'
  readonly path: string
  readonly run: (runtime: Runtime, transfer: Transfer) => Promise<TransferAnswer>
}

/** The handler of a transfer. */
export function transferHandler(run: TransferRoute['run']): EndpointHandler {
  return async ({ edge, incoming, request_id }, { params, query }) => {
    // Once a request has its response, Node no longer tells it that its connection has gone.
    const breakOff = () => void incoming.destroy(new Error('The connection has gone.'))
    incoming.socket.once('close', breakOff)
    const transfer = { params, query, headers: incoming.headers, request_id, bytes: () => bytesOf(incoming) }
    try {
      return { ...(await run(edge.runtime, transfer)), body: undefined }
    } catch (error) {
      // A client that goes away in the middle of a body is no bug, and gets no response.
      if (incoming.destroyed && !incoming.complete) return 'ended'
      throw error
    } finally {
      incoming.socket.off('close', breakOff)
      // What is still being sent is read past, so that the client comes to read the response.
      incoming.resume()
    }
  }
}

/** Leaving the loop early must not destroy the connection that the response is to go over. */
function bytesOf(incoming: IncomingMessage): AsyncIterable<Buffer> {
  return incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
}
