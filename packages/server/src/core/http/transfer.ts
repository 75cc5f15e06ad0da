/**
 * Transfers of any length, in or out. The bytes are streamed and never buffered as a whole. A transfer needs no token:
 * the area signs its URL, which grants access. Transfers are not operations of the contract; an operation returns their
 * URLs. Pages for people are served in the same way.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { RefusalData } from '../base/refusal.ts'
import type { Caller } from '../work/ctx.ts'
import type { Runtime } from '../work/runtime.ts'
import { addressRefusal, isSameOrigin, pageSession } from './credentials.ts'
import type { EndpointHandler, RequestContext, Response } from './request-context.ts'

/** The request of a transfer. */
export type TransferRequest = {
  readonly params: Readonly<Record<string, string>>
  /** The text after the question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly request_id: string
  /** The body. Ends with an error where the sender disconnects; may be left unread. */
  readonly bytes: () => AsyncIterable<Buffer>
  readonly sender: RequestSender
  /** Whether the request comes from a page of this server. */
  readonly is_same_origin: boolean
  /** The person who is signed in at the browser, if the request comes from a page of this server. */
  readonly signedIn: () => Promise<Caller | undefined>
  /** Draws from the bucket of failed authentications of the address. False: it is empty. */
  readonly takeFailure: () => boolean
  /**
   * The refusal of a token, for which a URL was signed, from a network that it does not allow. It draws from the same
   * bucket. Beyond the bucket it carries a `Retry-After`, and is not recorded.
   */
  readonly refuseAddress: (tokenId: string) => RefusalData
}

/** What sent a request, by its own account, and from where. Both are bounded. */
export type RequestSender = { readonly device: string; readonly address: string }

/** A response without a body, with a streamed body, or with ready bytes. */
export type TransferResponse = Omit<Response, 'body'> & { readonly body?: Buffer | undefined }

/** One kind of transfer. */
export type TransferRoute = {
  readonly name: string
  readonly method: 'GET' | 'PUT' | 'POST'
  readonly path: string
  /** A page for people: its requests are short, and an address may send so many. */
  readonly is_page?: boolean
  readonly run: (runtime: Runtime, transfer: TransferRequest) => Promise<TransferResponse>
}

/** The handler of a transfer. */
export function transferHandler(run: TransferRoute['run']): EndpointHandler {
  return async (context, { params, query }) => {
    const { edge, incoming, request_id } = context
    // Once a request has its response, Node no longer reports that its connection has closed.
    const breakOff = () => void incoming.destroy(new Error('The connection has gone.'))
    incoming.socket.once('close', breakOff)
    const transfer: TransferRequest = {
      params,
      query,
      headers: incoming.headers,
      request_id,
      bytes: () => bytesOf(incoming),
      sender: senderOf(context),
      is_same_origin: isSameOrigin(incoming, edge.runtime),
      signedIn: async () => readPerson(context),
      takeFailure: () => edge.rate_limits.takeFailedAuthentication(context.address).allowed,
      refuseAddress: (tokenId) => addressRefusal(context, tokenId),
    }
    try {
      return { body: undefined, ...(await run(edge.runtime, transfer)) }
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

/** Longer texts are cut. */
const deviceLengthMax = 255
const addressLengthMax = 64

/** What sent a request, and from where. */
export function senderOf({
  incoming: { headers },
  address,
}: Pick<RequestContext, 'incoming' | 'address'>): RequestSender {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '') || 'unknown'
  return {
    device: headers['user-agent']?.slice(0, deviceLengthMax) || 'unknown',
    address: plain.slice(0, addressLengthMax),
  }
}

function readPerson({ edge, incoming }: RequestContext): Caller | undefined | Promise<Caller | undefined> {
  const session = pageSession(incoming, edge.runtime)
  return session === undefined ? undefined : edge.gate.authenticate(session)
}

/** Leaving the loop early must not destroy the connection that the response is sent on. */
function bytesOf(incoming: IncomingMessage): AsyncIterable<Buffer> {
  return incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
}
