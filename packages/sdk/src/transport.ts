/** Sends requests with retries, delays and time limits, and converts responses to data and errors. */

import { millisecondsOf } from '@bourse/text/formats/durations.ts'
import { pause } from '@bourse/text/time/pause.ts'
import type { Reply, RequestOptions } from './call.ts'
import { apiError, BourseError, type Detail, MalformedAnswerError, NetworkError, TimeoutError } from './errors.ts'
import type { PreparedRequest } from './request.ts'
import { delayBeforeRetry, type FailedAttempt } from './retry.ts'
import { deadline, monotonic, untilDate } from './timing.ts'

/** Receives the log messages of the client, for example `console`. They never contain tokens or bodies. */
export type Logger = {
  debug?(message: string, fields: Readonly<Record<string, unknown>>): void
  warn?(message: string, fields: Readonly<Record<string, unknown>>): void
}

/** The options of the transport. */
export type TransportOptions = {
  readonly baseUrl: string
  readonly token: string | undefined
  /** Whether a browser sends its session cookie. */
  readonly session: boolean
  /** Milliseconds for one attempt. */
  readonly timeout: number
  readonly maxRetries: number
  /** The default is the global `fetch`. */
  readonly fetch: typeof fetch | undefined
  readonly logger: Logger
}

/** Sends one prepared request. */
export type Send = (request: PreparedRequest, options: RequestOptions) => Promise<Reply<unknown>>

/** Creates the function that sends requests. Throws BourseError if the address or the token is malformed. */
export function createTransport(options: TransportOptions): Send {
  const base = readBaseUrl(options.baseUrl)
  const authorization = options.session ? { 'x-bourse-request': '1' } : readToken(options.token)
  return async (request, own) => {
    const maxRetries = own.maxRetries ?? options.maxRetries
    for (let attempt = 1; ; attempt++) {
      const tried = await tryOnce({ ...options, baseUrl: base }, authorization, request, own)
      if ('reply' in tried) return tried.reply
      const { repeatable } = request
      const delay = delayBeforeRetry(tried.failed, { attempt, maxRetries, repeatable, random: random() })
      if (delay === undefined) throw tried.error
      const { operation } = request
      options.logger.warn?.(`${operation} failed, retrying`, { attempt, delay, reason: tried.error.message })
      await pause(delay, own.signal)
      own.signal?.throwIfAborted()
    }
  }
}

/** Creates a random text of 24 characters, for idempotency keys and request ids. */
export function newMark(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return Array.from(bytes, (byte) => alphabet[byte % 64]).join('')
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-'

function random(): number {
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
  return drawn / 2 ** 32
}

type AttemptOutcome = { reply: Reply<unknown> } | { failed: FailedAttempt; error: BourseError }

async function tryOnce(
  { baseUrl, timeout, fetch: given, logger }: TransportOptions,
  authorization: Readonly<Record<string, string>>,
  { operation, method, path, headers, body, media_type, streams = false }: PreparedRequest,
  own: RequestOptions,
): Promise<AttemptOutcome> {
  const requestId = `req_${newMark().slice(0, 21)}`
  const milliseconds = own.timeout ?? timeout
  const limit = deadline(milliseconds, own.signal)
  const began = monotonic()
  const note = (outcome: Readonly<Record<string, unknown>>) =>
    logger.debug?.(operation, { method, path, requestId, milliseconds: Math.round(monotonic() - began), ...outcome })
  try {
    // Called as a plain function: in browsers, `fetch` fails as a method of another object.
    const response = await (given ?? fetch)(baseUrl + path, {
      method,
      headers: { accept: acceptOf(streams), 'x-request-id': requestId, ...authorization, ...headers },
      ...(body === undefined ? {} : { body }),
      // `fetch` would follow some redirects of a POST with a GET.
      redirect: 'manual',
      signal: limit.signal,
    })
    if (streams && response.status === 200) {
      note({ status: response.status })
      return { reply: { data: response.body, status: response.status, headers: response.headers, requestId } }
    }
    const text = await response.text()
    note({ status: response.status })
    return readAnswer(response, text, { requestId, baseUrl, media_type })
  } catch (error) {
    if (error instanceof BourseError) throw error
    own.signal?.throwIfAborted()
    note({ failure: reasonOf(error) })
    const late = new TimeoutError(`No response from ${baseUrl} within ${millisecondsOf(milliseconds)}.`, { requestId })
    const broken = new NetworkError(`No response from ${baseUrl}: ${reasonOf(error)}`, { requestId, cause: error })
    return { failed: { kind: 'broken' }, error: limit.isOver() ? late : broken }
  } finally {
    limit.release()
  }
}

function acceptOf(streams: boolean): string {
  return streams ? 'text/event-stream' : 'application/json, */*;q=0.5'
}

type SentRequest = { readonly requestId: string; readonly baseUrl: string; readonly media_type: string }

function readAnswer(response: Response, text: string, sent: SentRequest): AttemptOutcome {
  const { status, headers } = response
  const requestId = headers.get('x-request-id') ?? sent.requestId
  // A browser reports a redirect that it does not follow as status 0.
  if (status === 0 || (status >= 300 && status < 400)) {
    const to = headers.get('location') ?? 'another address'
    const message = `${sent.baseUrl} redirects to ${to}. Use the address of the server itself.`
    throw new MalformedAnswerError(message, { status, requestId })
  }
  if (response.ok)
    return { reply: { data: readBody(response, text, { ...sent, requestId }), status, headers, requestId } }
  const { type, message, details } = readEnvelope(text, status)
  const retryAfter = readRetryAfter(headers.get('retry-after'))
  const code = headers.get('x-error-code') ?? undefined
  const error = apiError({ status, type, message, details, code, requestId, retryAfter })
  return { failed: { kind: 'answer', status, codes: error.codes, retryAfter }, error }
}

function readBody({ status, headers }: Response, text: string, sent: SentRequest): unknown {
  if (status === 204) return undefined
  const { requestId, media_type } = sent
  if (media_type !== 'application/json') return text
  try {
    if (/\bjson\b/.test(headers.get('content-type') ?? '')) return JSON.parse(text)
  } catch {
    // Invalid JSON is treated like another format.
  }
  throw new MalformedAnswerError('The response is not JSON. Check the address of the Bourse server.', {
    status,
    requestId,
  })
}

type Envelope = { type: string; message: string; details: readonly Detail[] }

/** Reads the error envelope. For a response without one, for example of a proxy, derives the type from the status. */
function readEnvelope(text: string, status: number): Envelope {
  try {
    const { error } = JSON.parse(text) as { error?: Partial<Envelope> }
    if (typeof error?.type === 'string' && typeof error.message === 'string') {
      return { type: error.type, message: error.message, details: Array.isArray(error.details) ? error.details : [] }
    }
  } catch {
    // Invalid JSON is treated like JSON without an envelope.
  }
  const type = statusTypes[status] ?? (status >= 500 ? 'api_error' : 'unknown')
  return { type, message: `The response has status ${status} and no error message.`, details: [] }
}

const statusTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'forbidden',
  404: 'not_found',
  405: 'invalid_request_error',
  408: 'invalid_request_error',
  413: 'invalid_request_error',
  415: 'invalid_request_error',
  429: 'rate_limited',
}

/** The seconds of a `Retry-After` header, which is a number of seconds or a date. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header)
  const milliseconds = untilDate(header)
  return milliseconds === undefined ? undefined : Math.ceil(milliseconds / 1000)
}

/** The message of the innermost cause. The message of `fetch` itself is only "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error.cause === undefined ? error.message : reasonOf(error.cause)
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.search || url.hash) {
    // The message does not contain the text, which may include a password.
    throw new BourseError('The address must be an http or https URL like http://127.0.0.1:8080.')
  }
  return text.replace(/\/+$/, '')
}

function readToken(token: string | undefined): Readonly<Record<string, string>> {
  if (token === undefined) return {}
  // `fetch` would fail too, but with the token in its message.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new BourseError('The API token contains an invalid character.')
  return { authorization: `Bearer ${token}` }
}
