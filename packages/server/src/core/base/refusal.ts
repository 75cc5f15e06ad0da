import { type ErrorCode, type ErrorDetail, errorCodes } from '@bourse/api/kit/errors.ts'

/** Why something is not done, as data: rules return it, services throw it. */
export type RefusalData = {
  readonly code: ErrorCode
  /** A sentence that helps its reader; never a secret value. */
  readonly message: string
  /** Dotted path of the field, a parameter's or header's name, or null when it is about the whole. */
  readonly field?: string | null
  /** All entries of `error.details`, where there is more than one. */
  readonly details?: readonly ErrorDetail[]
  readonly retry_after_seconds?: number
}

/** An expected refusal on its way to `core/http`, which alone catches it. Everything else that is thrown is a bug. */
export class Refusal extends Error {
  readonly data: RefusalData

  constructor(data: RefusalData) {
    // Nobody looks at its stack, and taking one down took longer than all else about refusing a request.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(`${data.code}: ${data.message}`)
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

/** Refuses with one code of the contract's closed list. */
export function refuse(code: ErrorCode, message: string, field?: string | null): never {
  throw new Refusal(field === undefined ? { code, message } : { code, message, field })
}

/** Throws what a rule returned, if it refused. */
export function throwIfRefused(refusal: RefusalData | undefined): void {
  if (refusal) throw new Refusal(refusal)
}

/** Whether something thrown is a refusal with one of these codes (any, when none is named). */
export function isRefusal(thrown: unknown, ...codes: ErrorCode[]): thrown is Refusal {
  return thrown instanceof Refusal && (codes.length === 0 || codes.includes(thrown.code))
}
