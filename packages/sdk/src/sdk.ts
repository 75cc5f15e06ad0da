/** The package `@bourse/sdk`: a typed client of the Bourse API. */
export type { Call, Reply, RequestOptions } from './call.ts'
export { type Client, createClient } from './client.ts'
export type { Answer, Body, Item, OperationName, Params, Query } from './client-types.ts'
export {
  ApiError,
  AttestationVerificationError,
  AuthenticationError,
  BourseError,
  ConflictError,
  type Detail,
  ForbiddenError,
  GoneError,
  InvalidRequestError,
  isTransient,
  MalformedAnswerError,
  NetworkError,
  NotFoundError,
  PaymentRequiredError,
  RateLimitedError,
  ServerError,
  TimeoutError,
  UnprocessableEntityError,
  UnreachableStateError,
  WaitTimeoutError,
  type WebhookVerificationCode,
  WebhookVerificationError,
} from './errors.ts'
export type { EventFilters, FollowOptions, Gap } from './follow.ts'
export type { FollowLogsOptions, LogChunk } from './follow-logs.ts'
export type { ErrorCode, ErrorType } from './generated/errors.ts'
export type * from './generated/types.ts'
export type { ListCall, Page } from './page.ts'
export type { ClientOptions } from './plain-client.ts'
export type { Logger } from './transport.ts'
export { type VerifiedAttestation, type VerifyAttestationOptions, verifyAttestation } from './verify-attestation.ts'
export { type VerifyOptions, verifyWebhook, type WebhookHeaders, type WebhookMessage } from './verify-webhook.ts'
export type { Until, WaitOptions } from './wait-until.ts'
