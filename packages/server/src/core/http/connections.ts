/**
 * Responds to errors of the HTTP parser, which belong to a connection. Such a response must not overtake the responses
 * to earlier requests on the connection, and must not follow a response that the same request already has. Also handles
 * what Node itself would answer without the envelope: a missing Host, an unknown expectation.
 */
import { type IncomingMessage, type Server as PlainServer, STATUS_CODES } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import type { Socket } from 'node:net'
import { monotonicMilliseconds } from '../base/clock.ts'
import type { RefusalData } from '../base/refusal.ts'
import { isNameOfServer, namesOfServer } from '../base/server-names.rules.ts'
import { startInTurn } from './pipelining.ts'
import type { RequestConnections, RequestContext, Response } from './request-context.ts'
import { refusalResponse } from './response.ts'

/** Sends the response to a request, and makes the id for bytes that never became a request. */
type ConnectionOptions = {
  readonly respond: (context: RequestContext, response: Response) => void
  readonly newRequestId: () => string
}

// On the socket itself: a map by socket would be written on each request and traversed by each garbage collection.
const newest = Symbol('newest request')
type FollowedSocket = Socket & { [newest]?: RequestContext }

type ParserError = Error & { code?: string }

const late: RefusalData = { code: 'request_timeout', message: 'The request did not arrive in time.' }
const parserProblems: Record<string, RefusalData> = {
  ERR_HTTP_REQUEST_TIMEOUT: late,
  HPE_HEADER_OVERFLOW: { code: 'too_long', message: 'The headers are longer than 16 KiB.' },
}

const noHttp: RefusalData = { code: 'invalid_format', message: 'This is not well-formed HTTP.' }

/** As for bodies: what has begun to arrive when the server stops has so much time left. */
const begunMilliseconds = 5_000
/** A connection without a byte is in reserve, or was accepted just now and its request is on the way. */
const unusedMilliseconds = 1_000

/** Creates the connection tracking of one edge. */
export function createConnections({ respond, newRequestId }: ConnectionOptions): RequestConnections {
  const open = new Set<Socket>()
  let stoppedAt = Number.POSITIVE_INFINITY
  const isFree = (socket: FollowedSocket) => socket[newest]?.outgoing.writableFinished ?? true
  return {
    follow: (socket) => {
      open.add(socket)
      socket.once('close', () => open.delete(socket))
    },
    stop: () => {
      stoppedAt = monotonicMilliseconds()
    },
    check: () => {
      const elapsed = monotonicMilliseconds() - stoppedAt
      if (elapsed < unusedMilliseconds) return
      for (const socket of open) {
        if (isFree(socket) && (elapsed >= begunMilliseconds || socket.bytesRead === 0)) socket.destroy()
      }
    },
    begin: (context, start) => {
      const socket: FollowedSocket = context.incoming.socket
      const before = socket[newest]?.outgoing
      socket[newest] = context
      startInTurn(socket, before, { outgoing: context.outgoing, start })
    },
    isFree,
    timeOut: (context) => {
      if (context.outgoing.headersSent) context.incoming.socket.destroy()
      else respond(context, closing(refusalResponse(late)))
    },
    refuse: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
      const context = (socket as FollowedSocket)[newest]
      const isAnswered = !context || context.outgoing.writableEnded
      // The error is in the body of a request that has begun. This is its response, if it has none.
      if (context && !context.incoming.complete) {
        if (isAnswered) return void socket.destroySoon()
        return respond(context, closing(responseTo(error)))
      }
      const end = () => endWith(socket, error, newRequestId())
      if (isAnswered && (!context || context.outgoing.writableFinished)) return end()
      context?.outgoing.once('finish', end)
    },
  }
}

/** Serves requests with an Expect header like all others; Node would answer some of them by itself. */
export function takeExpectations(server: PlainServer | SecureServer, { isFree }: RequestConnections): void {
  server.on('checkContinue', (request, response) => {
    // Behind a request that waits for its response, Node writes this between the head and the body of that response. A
    // client must not rely on it, so it is left out.
    if (isFree(request.socket)) response.writeContinue()
    server.emit('request', request, response)
  })
  // A server may ignore an unknown expectation.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/**
 * The response to a request without a Host header or with several (RFC 9112, section 3.2). Undefined for exactly one.
 */
export function refuseHost({ headers, rawHeaders, httpVersion }: IncomingMessage): Response | undefined {
  if (headers.host === undefined) {
    if (httpVersion !== '1.1') return undefined
    return closing(refusalResponse({ code: 'required', field: 'Host', message: 'HTTP/1.1 requires the header Host.' }))
  }
  if (hasOneHost(rawHeaders)) return undefined
  const message = 'The header Host is repeated. Proxies and servers would disagree on which one counts.'
  return closing(refusalResponse({ code: 'repeated_parameter', field: 'Host', message }))
}

/** Refuses a request for another name, where the operation shows something without a token. */
export function refuseName({ edge, incoming, target }: RequestContext): Response | undefined {
  const { host } = incoming.headers
  if (host === undefined || !target?.endpoint?.errors.includes('host_not_allowed')) return undefined
  const { allowed_hosts = [], runtime } = edge
  if (isNameOfServer(host, namesOfServer([runtime.public_url(), ...allowed_hosts]))) return undefined
  const message = 'The header Host has no name of this server. Ask by an IP address, or see BOURSE_ALLOWED_HOSTS.'
  return refusalResponse({ code: 'host_not_allowed', message })
}

/**
 * Reads a request target in absolute form, as proxies send it: the host in it replaces the header Host, and the rest is
 * the URL of the request (RFC 9112, section 3.2.2).
 */
export function takeAbsoluteForm(incoming: IncomingMessage): void {
  const [, host, pathAndQuery] = /^https?:\/\/([^/?#@]+)([^#]*)$/i.exec(incoming.url ?? '') ?? []
  if (host === undefined || pathAndQuery === undefined) return
  incoming.headers.host = host
  incoming.url = pathAndQuery.startsWith('/') ? pathAndQuery : `/${pathAndQuery}`
}

/** Node keeps the first Host header and drops the others, so only the raw headers show that there were several. */
function hasOneHost(rawHeaders: readonly string[]): boolean {
  let found = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') found++
  }
  return found === 1
}

function responseTo({ code = '' }: ParserError): Response {
  return refusalResponse(parserProblems[code] ?? noHttp)
}

function closing(response: Response): Response {
  return { ...response, closes: true }
}

/** Responds on the bare socket: there is no request to respond to. */
function endWith(socket: Socket, error: ParserError, requestId: string): void {
  // After a request with `Connection: close`, nothing gets a response.
  if (error.code === 'HPE_CLOSED_CONNECTION' || !socket.writable) return void socket.destroySoon()
  const { status, body } = responseTo(error)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${body?.length ?? 0}\r\n\r\n${body ?? ''}`,
  )
}
