/** What the client throws: a class for each error type of the API, and for what is no answer at all. */
import type { ErrorDetail, ErrorType } from '../../api/src/kit/errors.ts'

/** One entry of `error.details`. Its code may be newer than this client. */
export type Detail = Omit<ErrorDetail, 'code'> & { readonly code: ErrorDetail['code'] | (string & {}) }

/** Whatever the client throws, but for the reason of a signal that the caller aborted. */
export class BourseError extends Error {
  override readonly name: string = 'BourseError'
}

/** What is known of an answer that is no success. */
export type Failure = {
  readonly status: number
  readonly type: ErrorType | (string & {})
  readonly message: string
  readonly details: readonly Detail[]
  readonly requestId: string | undefined
  /** Seconds. */
  readonly retryAfter: number | undefined
}

/** The server answered, and not with a success. */
export class ApiError extends BourseError {
  override readonly name: string = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /** `error.type` of the envelope; may be newer than this client. */
  readonly type: Failure['type']
  /** What exactly is wrong; empty on types without details. */
  readonly details: readonly Detail[]
  /** The codes of the details, each once. */
  readonly codes: readonly Detail['code'][]
  /** Names this one request in the server's log. */
  readonly requestId: string | undefined
  /** Seconds after which it makes sense to try again, where the server said so. */
  readonly retryAfter: number | undefined

  constructor({ status, type, message, details, requestId, retryAfter }: Failure) {
    super(message)
    this.status = status
    this.type = type
    this.details = details
    this.codes = [...new Set(details.map(({ code }) => code))]
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}

/** 400 `invalid_request_error` (also 405, 408, 413): the request itself is wrong; `details` say where. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError'
}

/** 401 `authentication_error`: no token, or one that does not count any more. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError'
}

/** 402 `payment_required`: it costs more than the account may spend. */
export class PaymentRequiredError extends ApiError {
  override readonly name = 'PaymentRequiredError'
}

/** 403 `forbidden`: the right is missing. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError'
}

/** 404 `not_found`: absent, or not visible to this token. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}

/** 409 `conflict`: a clash with another resource or its state. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
}

/** 410 `gone`: the cursor is older than what is kept. */
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

/** 500 or 503 `api_error`, and whatever a proxy in between answers with 5xx. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError'
}

/** No answer came: not reached, or the connection broke. The work may have been done. */
export class NetworkError extends BourseError {
  override readonly name = 'NetworkError'
  readonly requestId: string

  constructor(message: string, { requestId, cause }: { requestId: string; cause?: unknown }) {
    super(message, { cause })
    this.requestId = requestId
  }
}

/** No answer came in time. The work may have been done. */
export class TimeoutError extends BourseError {
  override readonly name = 'TimeoutError'
  readonly requestId: string

  constructor(message: string, { requestId }: { requestId: string }) {
    super(message)
    this.requestId = requestId
  }
}

/** An answer came that no Bourse server gives: most likely another program listens there. */
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

/** What was waited for did not happen in time. */
export class WaitTimeoutError extends BourseError {
  override readonly name = 'WaitTimeoutError'
  /** The state in which it was last seen. */
  readonly state: string | undefined

  constructor(message: string, state: string | undefined) {
    super(message)
    this.state = state
  }
}

/** What is waited for can never happen from the state that was reached. */
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

/** The error for an answer. A type that is newer than this client is a plain ApiError, or a ServerError from 500 on. */
export function apiError(failure: Failure): ApiError {
  if (Object.hasOwn(classes, failure.type)) return new classes[failure.type as ErrorType](failure)
  return failure.status >= 500 ? new ServerError(failure) : new ApiError(failure)
}

/** Whether trying again later may help: no answer, an overload, or trouble of the server's own. */
export function isTransient(error: unknown): boolean {
  return [NetworkError, TimeoutError, ServerError, RateLimitedError].some((kind) => error instanceof kind)
}
