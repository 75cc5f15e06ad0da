/**
 * Transfers of any length, in or out. The bytes are streamed and never buffered as a whole. A transfer needs no token:
 * the area signs its URL, which grants access. Transfers are not operations of the contract; an operation returns their
 * URLs.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Runtime } from '../work/runtime.ts'
import type { EndpointHandler, Response } from './request-context.ts'

/** The request of a transfer. */
export type Transfer = {
  readonly params: Readonly<Record<string, string>>
  /** The text after the question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly request_id: string
  /** The body. Ends with an error where the sender disconnects; may be left unread. */
  readonly bytes: () => AsyncIterable<Buffer>
}

/** A response without a body, or with a streamed body. */
export type TransferAnswer = Omit<Response, 'body'>

/** One kind of transfer. */
export type TransferRoute = {
  readonly name: string
  readonly method: 'GET' | 'PUT'
  readonly path: string
  readonly run: (runtime: Runtime, transfer: Transfer) => Promise<TransferAnswer>
}

/** The handler of a transfer. */
export function transferHandler(run: TransferRoute['run']): EndpointHandler {
  return async ({ edge, incoming, request_id }, { params, query }) => {
    // Once a request has its response, Node no longer reports that its connection has closed.
    const breakOff = () => void incoming.destroy(new Error('The connection has gone.'))
    incoming.socket.once('close', breakOff)
    const transfer = { params, query, headers: incoming.headers, request_id, bytes: () => bytesOf(incoming) }
    try {
      return { ...(await run(edge.runtime, transfer)), body: undefined }
    } catch (error) {
      // A client that disconnects in the middle of a body is no bug, and gets no response.
      if (incoming.destroyed && !incoming.complete) return 'ended'
      throw error
    } finally {
      incoming.socket.off('close', breakOff)
      // The rest of the body is read and discarded, so that the client reads the response.
      incoming.resume()
    }
  }
}

/** Leaving the loop early must not destroy the connection that the response is sent on. */
function bytesOf(incoming: IncomingMessage): AsyncIterable<Buffer> {
  return incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
}
