import { type ErrorCode, type ErrorDetail, errorCodes } from '@bourse/api/kit/errors.ts'

/** The reason of a refusal, as data. Rules return it, services throw it. */
export type RefusalData = {
  readonly code: ErrorCode
  /** A sentence for the user. It contains no secret value. */
  readonly message: string
  /** The dotted path of a field, the name of a parameter or header, or null where it concerns the whole request. */
  readonly field?: string | null
  /** All entries of `error.details`, if there are several. */
  readonly details?: readonly ErrorDetail[]
  readonly retry_after_seconds?: number
}

/** An expected refusal. `core/http` converts it to a response. Every other error that is thrown is a bug. */
export class Refusal extends Error {
  readonly data: RefusalData

  /** `cause`: the failure behind a refusal with `unavailable`. It is counted and logged, not shown to the caller. */
  constructor(data: RefusalData, cause?: unknown) {
    // The stack is unused, and capturing it took longer than the rest of refusing a request.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(`${data.code}: ${data.message}`, cause === undefined ? undefined : { cause })
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'Refusal'
    this.data = data
  }

  get code(): ErrorCode {
    return this.data.code
  }

  get status(): number {
    return errorCodes[this.data.code].status
  }
}

/** Throws a refusal. */
export function refuse(code: ErrorCode, message: string, field?: string | null): never {
  throw new Refusal(field === undefined ? { code, message } : { code, message, field })
}

/** Throws the refusal that a rule returned, if there is one. */
export function throwIfRefused(refusal: RefusalData | undefined): void {
  if (refusal) throw new Refusal(refusal)
}

/** Whether an error is a refusal with one of these codes, or with any code where none is given. */
export function isRefusal(thrown: unknown, ...codes: ErrorCode[]): thrown is Refusal {
  return thrown instanceof Refusal && (codes.length === 0 || codes.includes(thrown.code))
}
