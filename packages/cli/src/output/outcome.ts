import { ApiError } from '@bourse/sdk/errors.ts'

/** The result of a command that did what it was told and traded nothing. It has an exit code of its own. */
export type NothingTraded = Error & { readonly name: 'NothingTraded' }

/** Creates such a result. The message says why. */
export function nothingTraded(message: string): NothingTraded {
  return Object.assign(new Error(message), { name: 'NothingTraded' as const })
}

/** Whether an error is such a result. */
function isNothingTraded(thrown: unknown): thrown is NothingTraded {
  return thrown instanceof Error && thrown.name === 'NothingTraded'
}

/** Whether a server refused a purchase because nothing is offered on its terms. Nothing was traded then. */
export function isNotOffered(thrown: unknown): thrown is ApiError {
  return thrown instanceof ApiError && thrown.codes.includes('not_offered')
}

/** Whether a command ended without a trade, by its own decision or by that of the server. Its exit code says so. */
export function isWithoutTrade(thrown: unknown): thrown is NothingTraded | ApiError {
  return isNothingTraded(thrown) || isNotOffered(thrown)
}
