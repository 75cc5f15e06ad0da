/** Creates and writes responses: ready bytes, one flat list of headers, the envelope on every error. */
import { type ErrorDetail, type ErrorEnvelope, errorCodes, typesWithDetails } from '@bourse/api/kit/errors.ts'
import { recentSignInSeconds } from '@bourse/api/trust.ts'
import type { RefusalData } from '../base/refusal.ts'
import { corsHeaders } from './cors.ts'
import type { RateVerdict } from './rate-limits.ts'
import type { RequestContext, Response, ResponseContent } from './request-context.ts'

const noHeaders: readonly string[] = []
/** Longer ones cost more to copy than they save. */
const shortBytes = 2048
const jsonType = 'application/json; charset=utf-8'

/** A response with a JSON body. */
export function jsonResponse(status: number, value: unknown, headers: readonly string[] = noHeaders): Response {
  return { status, body: Buffer.from(JSON.stringify(value)), headers }
}

/** The envelope of a refusal. Types without details carry the message alone. */
export function envelopeOf(refusal: RefusalData): ErrorEnvelope {
  const { type } = errorCodes[refusal.code]
  if (!typesWithDetails.includes(type)) return { error: { type, message: refusal.message } }
  const { code, field = null } = refusal
  const details = refusal.details?.length ? [...refusal.details] : [{ field, code, message: refusal.message }]
  return { error: { type, message: type === 'invalid_request_error' ? inOne(details) : refusal.message, details } }
}

/**
 * All details in one sentence: a reader who sees only the message, in a log or a stack trace, needs the name of the
 * field.
 */
function inOne(details: readonly ErrorDetail[]): string {
  const { field = null, message } = details[0] as ErrorDetail
  const others = details.length - 1
  const more = others === 0 ? '' : ` And ${others} more ${others === 1 ? 'detail' : 'details'}.`
  return `${field === null ? '' : `${field === '' ? '""' : field}: `}${message}${more}`
}

/** The response to a refusal. */
export function refusalResponse(refusal: RefusalData, headers: readonly string[] = noHeaders): Response {
  const { status, type } = errorCodes[refusal.code]
  const own = [...headers]
  // Programs then need not read the message: a missing right, for example, is mended otherwise than an own request.
  if (!typesWithDetails.includes(type) && refusal.code !== type) own.push('X-Error-Code', refusal.code)
  if (status === 401) own.push('WWW-Authenticate', challengeTo(refusal))
  // It must be absent where the coding of the body is not the reason (RFC 9110, section 12.5.3).
  if (status === 415 && refusal.field === 'Content-Encoding') own.push('Accept-Encoding', 'identity')
  const wait = refusal.retry_after_seconds ?? (status === 503 || status === 429 ? 1 : undefined)
  if (wait !== undefined) own.push('Retry-After', String(Math.max(1, Math.ceil(wait))))
  return jsonResponse(status, envelopeOf(refusal), own)
}

/** The challenge of a 401. A session that is too old for an operation needs another sign-in (RFC 9470). */
function challengeTo({ code }: RefusalData): string {
  if (code !== 'insufficient_user_authentication') return 'Bearer'
  return `Bearer error="${code}", max_age=${recentSignInSeconds}`
}

/** The response to a bug. It shows no internal details. */
export function bugResponse(): Response {
  return refusalResponse({
    code: 'api_error',
    message: 'Something went wrong on our side. Try again; if it stays, report the request id.',
  })
}

/** Sends a response with a ready body, or none. */
export function sendWhole(context: RequestContext, response: Response): void {
  const { outgoing } = context
  const headers = headersOf(context, response)
  const { body, lead, status, media_type = jsonType } = response
  const length = (body?.length ?? 0) + (lead?.length ?? 0)
  if (body) headers.push('Content-Type', media_type, 'Content-Length', String(length))
  // 204 and 304 never have a body; the length of a 304 would be that of the omitted body.
  else if (status !== 204 && status !== 304) headers.push('Content-Length', '0')
  outgoing.writeHead(status, headers)
  // A string is written together with the head, which takes half the time of two writes. Latin 1 keeps every byte.
  if (lead !== undefined) outgoing.write(lead, 'latin1')
  if (body && length <= shortBytes) outgoing.end(body.toString('latin1'), 'latin1')
  else outgoing.end(body)
}

/** Sends the head of an event stream. No cache or proxy may buffer the entries. */
export function sendStreamHead(context: RequestContext, response: Response): void {
  const headers = headersOf(context, response)
  headers.push('Content-Type', 'text/event-stream; charset=utf-8')
  headers.push('Cache-Control', 'no-store', 'X-Accel-Buffering', 'no')
  context.outgoing.writeHead(response.status, headers)
}

/** Sends the head of a response whose body follows in pieces. */
export function sendContentHead(context: RequestContext, response: Response, { size_bytes }: ResponseContent): void {
  const headers = headersOf(context, response)
  headers.push('Content-Type', response.media_type ?? 'application/octet-stream')
  if (size_bytes === undefined) headers.push('Transfer-Encoding', 'chunked')
  else headers.push('Content-Length', String(size_bytes))
  context.outgoing.writeHead(response.status, headers)
}

function headersOf({ edge, incoming, request_id, rate }: RequestContext, response: Response): string[] {
  const headers = ['X-Request-Id', request_id, 'X-Content-Type-Options', 'nosniff']
  for (const text of edge.transport_headers ?? noHeaders) headers.push(text)
  for (const text of response.headers) headers.push(text)
  for (const text of corsHeaders(edge.console_origin, incoming)) headers.push(text)
  if (edge.is_closing || response.closes) headers.push('Connection', 'close')
  if (rate) pushRate(headers, rate)
  return headers
}

function pushRate(headers: string[], { limit, remaining, reset_seconds, policy }: RateVerdict): void {
  headers.push('RateLimit-Limit', String(limit), 'RateLimit-Remaining', String(remaining))
  headers.push('RateLimit-Reset', String(reset_seconds), 'RateLimit-Policy', policy)
}
