/**
 * What the HTTP parser refuses, it refuses on a connection: its answer must neither overtake the answers to earlier
 * requests there nor follow one that the same request has already. Also what Node itself would answer outside of the
 * envelope: a missing Host, an expectation that nobody knows.
 */
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { RefusalData } from '../base/refusal.ts'
import { type Answer, refusalAnswer } from './answer.ts'
import type { Exchange } from './exchange.ts'

/** How an exchange is answered, and what a request is called that has none. */
export type ConnectionOptions = {
  readonly finish: (exchange: Exchange, answer: Answer) => void
  readonly newRequestId: () => string
}

/** Follows the exchanges on each connection. */
export type Connections = {
  /** An exchange that has begun; the last one of its connection so far. */
  begun(exchange: Exchange): void
  /** Whether nothing on a connection waits for its answer. */
  isFree(socket: Socket): boolean
  /** Answers what the parser refused, and closes the connection. */
  refuse(error: Error & { code?: string }, socket: Socket): void
  /** Ends an exchange that takes too long. */
  giveUp(exchange: Exchange): void
}

// On the socket itself: a map by sockets would be written at each request, and looked through at each collection.
const last = Symbol('last exchange')
type Followed = Socket & { [last]?: Exchange }

type ParserError = Error & { code?: string }

const late: RefusalData = { code: 'request_timeout', message: 'The request did not arrive in time.' }
const parserProblems: Record<string, RefusalData> = {
  ERR_HTTP_REQUEST_TIMEOUT: late,
  HPE_HEADER_OVERFLOW: { code: 'too_long', message: 'The headers are longer than 16 KiB.' },
}

const noHttp: RefusalData = { code: 'invalid_format', message: 'This is not well-formed HTTP.' }

/** Makes what follows the connections of one edge. */
export function createConnections({ finish, newRequestId }: ConnectionOptions): Connections {
  return {
    isFree: (socket: Followed) => socket[last]?.response.writableFinished ?? true,
    giveUp: (exchange) => {
      if (exchange.response.headersSent) exchange.request.socket.destroy()
      else finish(exchange, closing(refusalAnswer(late)))
    },
    begun: (exchange) => {
      const socket: Followed = exchange.request.socket
      socket[last] = exchange
    },
    refuse: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
      const exchange = (socket as Followed)[last]
      const isAnswered = !exchange || exchange.response.writableEnded
      // The error lies in the body of a request that has begun: this is the answer to it, if it has none.
      if (exchange && !exchange.request.complete) {
        if (isAnswered) return void socket.destroySoon()
        return finish(exchange, closing(answerTo(error)))
      }
      const end = () => endWith(socket, error, newRequestId())
      if (isAnswered && (!exchange || exchange.response.writableFinished)) return end()
      exchange?.response.once('finish', end)
    },
  }
}

/** Serves requests that expect something like all others; Node would answer some of them by itself. */
export function takeExpectations(server: Server, { isFree }: Connections): void {
  server.on('checkContinue', (request, response) => {
    // Behind a request that waits for its answer, Node writes this between the head and the body of that answer. Nobody
    // may rely on it, so it is left out.
    if (isFree(request.socket)) response.writeContinue()
    server.emit('request', request, response)
  })
  // A server may ignore an expectation that it does not know.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** Whether a request lacks the one header that HTTP/1.1 asks for. */
export function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1'
}

/** The answer to a request without Host. */
export function hostMissing(): Answer {
  return closing(refusalAnswer({ code: 'required', field: 'Host', message: 'HTTP/1.1 requires the header Host.' }))
}

function answerTo({ code = '' }: ParserError): Answer {
  return refusalAnswer(parserProblems[code] ?? noHttp)
}

function closing(answer: Answer): Answer {
  return { ...answer, headers: [...answer.headers, 'Connection', 'close'] }
}

/** Answers on the bare socket: there is no request that an answer could belong to. */
function endWith(socket: Socket, error: ParserError, request_id: string): void {
  // Behind a request that asked to close nothing is answered any more.
  if (error.code === 'HPE_CLOSED_CONNECTION' || !socket.writable) return void socket.destroySoon()
  const { status, body } = answerTo(error)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nX-Request-Id: ${request_id}\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${body?.length ?? 0}\r\n\r\n${body ?? ''}`,
  )
}
