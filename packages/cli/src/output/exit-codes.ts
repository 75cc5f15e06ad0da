/** What the program's exit code says. Scripts rely on these: they are part of the interface. */
import { isUnfitHost } from '@bourse/agent/problems.ts'
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ForbiddenError,
  GoneError,
  InvalidRequestError,
  MalformedAnswerError,
  NetworkError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  TimeoutError,
  UnprocessableEntityError,
  WaitTimeoutError,
} from '@bourse/sdk/errors.ts'
import { isUsageProblem } from './usage.ts'

/** The codes by what they stand for. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  access: 3,
  not_found: 4,
  conflict: 5,
  rate_limited: 6,
  no_answer: 7,
  refused: 8,
  unfit_host: 78,
  wait_timeout: 124,
  interrupted: 130,
  terminated: 143,
} as const

/** What each code means, for the help. */
export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'done',
  failed: 'failed in another way; doctor found something; what was waited for can never happen',
  usage: 'the command line itself is wrong',
  access: 'no token, one that does not count, or a right that is missing',
  not_found: 'not found, or not visible; an event cursor that is too old',
  conflict: 'a clash with another resource or its state',
  rate_limited: 'too many requests',
  no_answer: 'the server cannot be reached, or has trouble of its own',
  refused: 'the server refused the values that were sent',
  unfit_host: 'machines cannot run on this host',
  wait_timeout: 'what was waited for did not happen in time',
  interrupted: 'ended by Ctrl-C',
  terminated: 'ended at once by a second SIGTERM',
}

const byError: readonly [kind: abstract new (...given: never) => Error, code: keyof typeof exitCodes][] = [
  [AuthenticationError, 'access'],
  [ForbiddenError, 'access'],
  [NotFoundError, 'not_found'],
  [GoneError, 'not_found'],
  [ConflictError, 'conflict'],
  [RateLimitedError, 'rate_limited'],
  [InvalidRequestError, 'refused'],
  [UnprocessableEntityError, 'refused'],
  [ServerError, 'no_answer'],
  [NetworkError, 'no_answer'],
  [TimeoutError, 'no_answer'],
  [MalformedAnswerError, 'no_answer'],
  [WaitTimeoutError, 'wait_timeout'],
  [ApiError, 'failed'],
]

/** The exit code for something thrown. */
export function exitCodeOf(thrown: unknown): number {
  if (isUsageProblem(thrown)) return exitCodes[thrown.exit]
  if (isUnfitHost(thrown)) return exitCodes.unfit_host
  const [, code = 'failed'] = byError.find(([kind]) => thrown instanceof kind) ?? []
  return exitCodes[code]
}
