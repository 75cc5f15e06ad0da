/** The errors of the client: a class for each error type of the API, and classes for missing or invalid responses. */
import { type ErrorCode, type ErrorType, suggestions } from './generated/errors.ts'

/** One entry of `error.details`. Its code may be newer than this client. */
export type Detail = {
  /** The member or parameter that is wrong; null or absent if none in particular is. */
  readonly field?: string | null
  readonly code: ErrorCode | (string & {})
  readonly message: string
}

/** The base class of all errors of the client. The reason of an aborted signal is thrown as it is. */
export class BourseError extends Error {
  override readonly name: string = 'BourseError'
}

/** An attestation of an instance is not genuine, or is too old. */
export class AttestationVerificationError extends BourseError {
  override readonly name = 'AttestationVerificationError'
}

/**
 * Why a message is refused. `missing_account`: no account to expect was given. `unaddressed`: the message is genuine
 * and of an older server, which names no account. `other_account` and `other_webhook`: it is genuine, and for somebody
 * else.
 */
export type WebhookVerificationCode =
  | 'invalid_headers'
  | 'outside_tolerance'
  | 'invalid_key'
  | 'invalid_signature'
  | 'invalid_body'
  | 'missing_account'
  | 'unaddressed'
  | 'other_account'
  | 'other_webhook'

/** A message is not a genuine message of the expected webhook. */
export class WebhookVerificationError extends BourseError {
  override readonly name = 'WebhookVerificationError'
  readonly code: WebhookVerificationCode

  constructor(message: string, code: WebhookVerificationCode) {
    super(message)
    this.code = code
  }
}

/** The contents of an error response. */
export type Failure = {
  readonly status: number
  readonly type: ErrorType | (string & {})
  readonly message: string
  readonly details: readonly Detail[]
  /** The header `X-Error-Code`, on errors without details. */
  readonly code?: string | undefined
  readonly requestId: string | undefined
  /** Seconds. */
  readonly retryAfter: number | undefined
}

/** The server returned an error response. */
export class ApiError extends BourseError {
  override readonly name: string = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /** `error.type` of the envelope; may be newer than this client. */
  readonly type: Failure['type']
  /** The details of the error; empty on types without details. */
  readonly details: readonly Detail[]
  /** The codes of the details, each once. On types without details, the code where it is not the name of the type. */
  readonly codes: readonly Detail['code'][]
  /** The id of the request in the server's log. */
  readonly requestId: string | undefined
  /** The seconds to wait before another attempt, if the server sent them. */
  readonly retryAfter: number | undefined
  /** What can be done about it: a sentence for each code that this client knows. See docs/errors.md. */
  readonly suggestions: readonly string[]
  /** The same as one text. Never empty: for codes that this client does not know it goes by the type and the status. */
  readonly suggestion: string

  constructor({ status, type, message, details, code, requestId, retryAfter }: Failure) {
    super(message)
    this.status = status
    this.type = type
    this.details = details
    this.codes = [...new Set([...details.map((detail) => detail.code), ...(code === undefined ? [] : [code])])]
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.suggestions = suggestionsOf(this.codes.length > 0 ? this.codes : [type])
    this.suggestion = this.suggestions.length > 0 ? this.suggestions.join(' ') : generalSuggestion(type, status)
  }
}

/** What to do about an error of which no code is known: its server is newer, or a proxy has answered. */
function generalSuggestion(type: string, status: number): string {
  if (Object.hasOwn(suggestions, type)) return suggestions[type as ErrorCode]
  if (status >= 500) return suggestions.api_error
  if (type === 'conflict') return 'Read the resource again: its state does not allow this now.'
  return 'Change the request as the message says. A newer version of this package may know more.'
}

function suggestionsOf(codes: readonly string[]): string[] {
  const known = codes.filter((code): code is ErrorCode => Object.hasOwn(suggestions, code))
  return [...new Set(known.map((code) => suggestions[code]))]
}

/** 400 `invalid_request_error` (also 405, 408, 413, 415): the request itself is wrong; `details` name the fields. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError'
}

/** 401 `authentication_error`: no token, or one that is no longer valid. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError'
}

/** 402 `payment_required`: the cost exceeds what the account may spend. */
export class PaymentRequiredError extends ApiError {
  override readonly name = 'PaymentRequiredError'
}

/** 403 `forbidden`: the permission is missing. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError'
}

/** 404 `not_found`: absent, or not visible to this token. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}

/** 409 `conflict`: a conflict with another resource or its state. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
}

/** 410 `gone`: the cursor is older than the retained events. */
export class GoneError extends ApiError {
  override readonly name = 'GoneError'
}

/** 422 `unprocessable_entity`: well-formed, but contradictory or impossible now. */
export class UnprocessableEntityError extends ApiError {
  override readonly name = 'UnprocessableEntityError'
}

/** 429 `rate_limited`. */
export class RateLimitedError extends ApiError {
  override readonly name = 'RateLimitedError'
}

/** 500 or 503 `api_error`, and any other 5xx response, for example of a proxy. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError'
}

/** No response: the server is unreachable, or the connection broke. The request may have taken effect. */
export class NetworkError extends BourseError {
  override readonly name = 'NetworkError'
  readonly requestId: string

  constructor(message: string, { requestId, cause }: { requestId: string; cause?: unknown }) {
    super(message, { cause })
    this.requestId = requestId
  }
}

/** No response within the time limit. The request may have taken effect. */
export class TimeoutError extends BourseError {
  override readonly name = 'TimeoutError'
  readonly requestId: string

  constructor(message: string, { requestId }: { requestId: string }) {
    super(message)
    this.requestId = requestId
  }
}

/** A response that no Bourse server sends: most likely another program uses the address. */
export class MalformedAnswerError extends BourseError {
  override readonly name = 'MalformedAnswerError'
  readonly status: number
  readonly requestId: string | undefined

  constructor(message: string, { status, requestId }: { status: number; requestId: string | undefined }) {
    super(message)
    this.status = status
    this.requestId = requestId
  }
}

/** The expected state was not reached within the time limit. */
export class WaitTimeoutError extends BourseError {
  override readonly name = 'WaitTimeoutError'
  /** The last known state. */
  readonly state: string | undefined

  constructor(message: string, state: string | undefined) {
    super(message)
    this.state = state
  }
}

/** The expected state can no longer be reached from the present one. */
export class UnreachableStateError extends BourseError {
  override readonly name = 'UnreachableStateError'
  readonly state: string

  constructor(message: string, state: string) {
    super(message)
    this.state = state
  }
}

const classes: Readonly<Record<ErrorType, new (failure: Failure) => ApiError>> = {
  invalid_request_error: InvalidRequestError,
  authentication_error: AuthenticationError,
  payment_required: PaymentRequiredError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  conflict: ConflictError,
  gone: GoneError,
  unprocessable_entity: UnprocessableEntityError,
  rate_limited: RateLimitedError,
  api_error: ServerError,
}

/** Creates the error of a response. An unknown type gives an ApiError, or a ServerError for a status from 500 on. */
export function apiError(failure: Failure): ApiError {
  if (Object.hasOwn(classes, failure.type)) return new classes[failure.type as ErrorType](failure)
  return failure.status >= 500 ? new ServerError(failure) : new ApiError(failure)
}

/** Whether a later attempt may succeed: after no response, an overload, or an internal error of the server. */
export function isTransient(error: unknown): boolean {
  return [NetworkError, TimeoutError, ServerError, RateLimitedError].some((kind) => error instanceof kind)
}
