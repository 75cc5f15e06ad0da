/** Writes answers: ready bytes, one flat list of headers, the envelope on every error. */
import type { ServerResponse } from 'node:http'
import { type ErrorDetail, type ErrorEnvelope, errorCodes, typesWithDetails } from '@bourse/api/kit/errors.ts'
import { Refusal, type RefusalData } from '../base/refusal.ts'
import type { AskedRight } from '../work/ctx.ts'
import type { StreamEntries } from './event-stream.ts'
import type { RateVerdict } from './rate-limits.ts'

/** An answer that is ready to be sent. */
export type Answer = {
  readonly status: number
  readonly body: Buffer | undefined
  /** What stands before the body, in ASCII, where most of it is shared with other answers. */
  readonly lead?: string
  readonly headers: readonly string[]
  /** JSON where it is not said. */
  readonly media_type?: string
  /** What follows the head, as it comes, instead of a body. */
  readonly stream?: AnswerStream
}

/** A stream in place of a body. */
export type AnswerStream = {
  readonly entries: StreamEntries
  /** How many streams the account may have open; null = no limit. */
  readonly streams_max: number | null
  /** The rights that it was opened under; they must last. */
  readonly asked: readonly AskedRight[]
}

const noHeaders: readonly string[] = []
/** Longer ones cost more to copy than they save. */
const shortBytes = 2048
const jsonType = 'application/json; charset=utf-8'

/** An answer with a JSON body. */
export function jsonAnswer(status: number, value: unknown, headers: readonly string[] = noHeaders): Answer {
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

/** All details in one sentence: who reads only that, in a log or a stack trace, is to know which field is meant. */
function inOne(details: readonly ErrorDetail[]): string {
  const { field = null, message } = details[0] as ErrorDetail
  const others = details.length - 1
  const more = others === 0 ? '' : ` And ${others} more ${others === 1 ? 'detail' : 'details'}.`
  return `${field === null ? '' : `${field === '' ? '""' : field}: `}${message}${more}`
}

/** The answer to a refusal. */
export function refusalAnswer(refusal: RefusalData, headers: readonly string[] = noHeaders): Answer {
  const { status } = errorCodes[refusal.code]
  const own = [...headers]
  if (status === 401) own.push('WWW-Authenticate', 'Bearer')
  const wait = refusal.retry_after_seconds ?? (status === 503 || status === 429 ? 1 : undefined)
  if (wait !== undefined) own.push('Retry-After', String(Math.max(1, Math.ceil(wait))))
  return jsonAnswer(status, envelopeOf(refusal), own)
}

/** The answer to a bug: nothing of its inside. */
export function bugAnswer(): Answer {
  return refusalAnswer({
    code: 'api_error',
    message: 'Something went wrong on our side. Try again; if it stays, report the request id.',
  })
}

/** Sends an answer over a response that nothing was sent on yet. */
export function send(
  response: ServerResponse,
  answer: Answer,
  request_id: string,
  rate: RateVerdict | undefined,
): void {
  const headers = leading(answer, request_id)
  if (rate) pushRate(headers, rate)
  const { body, lead, status, media_type = jsonType } = answer
  const length = (body?.length ?? 0) + (lead?.length ?? 0)
  if (body) headers.push('Content-Type', media_type, 'Content-Length', String(length))
  else if (status !== 204) headers.push('Content-Length', '0')
  response.writeHead(status, headers)
  // As a string it goes out with its head in one piece, which takes half the time of two. Latin 1 keeps every byte.
  if (lead !== undefined) response.write(lead, 'latin1')
  if (body && length <= shortBytes) response.end(body.toString('latin1'), 'latin1')
  else response.end(body)
}

/** Sends the head of an answer that goes on. No cache or proxy on the way may hold back what follows. */
export function sendStreamHead(
  response: ServerResponse,
  answer: Answer,
  request_id: string,
  rate: RateVerdict | undefined,
): void {
  const own = [
    'Content-Type',
    'text/event-stream; charset=utf-8',
    'Cache-Control',
    'no-store',
    'X-Accel-Buffering',
    'no',
  ]
  const headers = leading(answer, request_id)
  if (rate) pushRate(headers, rate)
  response.writeHead(answer.status, [...headers, ...own])
}

/** Sends the head of an answer whose body of known length follows in pieces. */
export function writeHead(
  response: ServerResponse,
  answer: Omit<Answer, 'body'> & { readonly content_length: number },
  request_id: string,
): void {
  const media_type = answer.media_type ?? 'application/octet-stream'
  const length = String(answer.content_length)
  response.writeHead(answer.status, [
    ...leading(answer, request_id),
    'Content-Type',
    media_type,
    'Content-Length',
    length,
  ])
}

function pushRate(headers: string[], { limit, remaining, reset_seconds, policy }: RateVerdict): void {
  headers.push('RateLimit-Limit', String(limit), 'RateLimit-Remaining', String(remaining))
  headers.push('RateLimit-Reset', String(reset_seconds), 'RateLimit-Policy', policy)
}

function leading({ headers }: Pick<Answer, 'headers'>, request_id: string): string[] {
  return ['X-Request-Id', request_id, 'X-Content-Type-Options', 'nosniff', ...headers]
}

/** The refusal behind an error that Fastify raised before our code ran. */
export function frameworkRefusal(error: { code?: string; statusCode?: number }): Refusal | undefined {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Refusal({ code: 'body_too_large', message: 'The body is larger than 128 KiB.' })
  if (error.code === 'FST_ERR_BAD_URL')
    return new Refusal({ code: 'invalid_url', message: 'The URL is not well percent-encoded.' })
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new Refusal({
      code: 'too_long',
      message: 'A part of the path is longer than 1,024 characters.',
      field: null,
    })
  if (error.code?.startsWith('FST_ERR_CTP'))
    return new Refusal({ code: 'invalid_format', message: 'The body does not fit its headers.', field: null })
  return undefined
}
