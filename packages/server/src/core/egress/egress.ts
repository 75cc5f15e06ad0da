/**
 * Requests of the server to URLs that customers choose. Redirects are not followed. Not this file's work: connections
 * and the addresses that they may have (connections.ts), and what a request says.
 */
import type { Dispatcher } from 'undici'
import { after } from '../base/clock.ts'
import { addressCode, type EgressLine, type EgressOptions, openConnections } from './connections.ts'

export type { EgressOptions }

/** Why a request got no answer. */
type EgressError =
  | 'address_not_allowed'
  | 'dns_failed'
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'invalid_answer'

/** The answer of a receiver, without its body; or why there is none. */
export type EgressResponse =
  | { readonly status: number; readonly retry_after: string | undefined }
  | { readonly error: EgressError }

/** Where requests of one URL go. */
export type EgressTarget = { readonly origin: string; readonly path: string }

/** A request. */
type EgressRequest = { readonly headers: readonly string[]; readonly body: Buffer }

/** Sends requests. */
export type Egress = {
  /** Sends a POST with headers as names and values in turn. Resolves within the time limit in any case. */
  post(target: EgressTarget, request: EgressRequest): Promise<EgressResponse>
  /** The connections that are open now. */
  open(): number
  /** Closes all connections; running requests fail. */
  close(): Promise<void>
}

/** The time for a request, from DNS to the end of the answer. */
export const requestMilliseconds = 15_000
/** More of an answer is not read. */
const responseBytesMax = 64 * 1024

/** Where the requests of a URL go. Throws if it is none. */
export function targetOf(url: string): EgressTarget {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname + search }
}

/** Opens the connections of a server. */
export function openEgress(options: EgressOptions): Egress {
  const connections = openConnections(options)
  return {
    post: (target, request) => post(connections.take(target.origin), target, request),
    open: connections.open,
    close: connections.close,
  }
}

function post(
  line: EgressLine,
  { origin, path }: EgressTarget,
  { headers, body }: EgressRequest,
): Promise<EgressResponse> {
  return new Promise((resolve) => {
    const reading: EgressReading = {
      status: undefined,
      retry_after: undefined,
      bytes: 0,
      isLate: false,
      controller: undefined,
    }
    let isOver = false
    const end = (error?: unknown) => {
      if (isOver) return
      isOver = true
      stop()
      line.release(error === undefined)
      resolve(responseOf(reading, error))
    }
    const stop = after(requestMilliseconds, () => {
      reading.isLate = true
      const late = new Error('The receiver did not answer in time.')
      reading.controller?.abort(late)
      end(late)
    })
    const request = {
      origin,
      path,
      method: 'POST',
      headers,
      body,
      headersTimeout: 0,
      bodyTimeout: 0,
      reset: !line.keeps,
    }
    try {
      line.dispatcher.dispatch(request as Dispatcher.DispatchOptions, handlerOf(reading, end))
    } catch (error) {
      end(error)
    }
  })
}

/** How far a request is. */
type EgressReading = {
  status: number | undefined
  retry_after: string | undefined
  bytes: number
  isLate: boolean
  controller: Dispatcher.DispatchController | undefined
}

function handlerOf(reading: EgressReading, end: (error?: unknown) => void): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller) => {
      reading.controller = controller
      if (reading.isLate) controller.abort(new Error('The connection was made too late.'))
    },
    onResponseStart: (_controller, status, headers) => {
      // An interim answer precedes the real one.
      if (status < 200) return
      reading.status = status
      reading.retry_after = headers['retry-after']?.toString()
    },
    // The status decides. The body is read only so that the connection can be used again.
    onResponseData: (controller, chunk) => {
      reading.bytes += chunk.length
      if (reading.bytes > responseBytesMax) controller.abort(new Error('The answer is too long.'))
    },
    onResponseEnd: () => end(),
    onResponseError: (_controller, error) => end(error),
  }
}

function responseOf({ status, retry_after, isLate }: EgressReading, error: unknown): EgressResponse {
  if (status !== undefined) return { status, retry_after }
  return { error: isLate ? 'timeout' : kindOf(error) }
}

const dnsCodes = /^(ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL|EFORMERR|ENONAME|EBADNAME|EREFUSED|ETIMEOUT|ECANCELLED)$/
const tlsCodes = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/

type Thrown = { name?: string; code?: string; errors?: readonly unknown[]; cause?: unknown }

function kindOf(error: unknown): EgressError {
  const { name, code, errors, cause } = error as Thrown
  if (errors && errors.length > 0) return kindOf(errors[0])
  if (code === addressCode) return 'address_not_allowed'
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout'
  if (dnsCodes.test(code ?? '')) return 'dns_failed'
  if (tlsCodes.test(code ?? '')) return 'tls_failed'
  if (name === 'HTTPParserError' || /^UND_ERR_(HEADERS_OVERFLOW|RES)/.test(code ?? '')) return 'invalid_answer'
  return cause === undefined ? 'connection_failed' : kindOf(cause)
}
