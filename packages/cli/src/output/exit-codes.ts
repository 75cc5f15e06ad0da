/** The exit codes of the program. Scripts rely on them, so they are part of the interface. */
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
import { isWithoutTrade } from './outcome.ts'
import { isUsageProblem } from './usage.ts'

/** The codes by their meaning. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  nothing_traded: 3,
  not_found: 4,
  conflict: 5,
  rate_limited: 6,
  no_answer: 7,
  refused: 8,
  access: 77,
  unfit_host: 78,
  wait_timeout: 124,
  interrupted: 130,
  terminated: 143,
} as const

/** The description of each code, for the help. */
export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'done',
  failed: 'any other failure; violations found by doctor; a state that can no longer be reached',
  usage: 'invalid command line; a command that must be confirmed, without a terminal and without --yes',
  nothing_traded: 'nothing was traded; with --dry-run: nothing would be traded',
  not_found: 'not found, or not visible; an event cursor that is too old',
  conflict: 'a conflict with another resource or its state',
  rate_limited: 'too many requests',
  no_answer: 'the server cannot be reached, or has an internal error',
  refused: 'the server refused the values that were sent',
  access: 'no token, an invalid token, or a missing permission',
  unfit_host: 'machines cannot run on this host',
  wait_timeout: 'timeout of a wait',
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

/** The exit code of an error. */
export function exitCodeOf(thrown: unknown): number {
  if (isUsageProblem(thrown)) return exitCodes[thrown.exit ?? 'usage']
  if (isUnfitHost(thrown)) return exitCodes.unfit_host
  if (isWithoutTrade(thrown)) return exitCodes.nothing_traded
  const [, code = 'failed'] = byError.find(([kind]) => thrown instanceof kind) ?? []
  return exitCodes[code]
}
