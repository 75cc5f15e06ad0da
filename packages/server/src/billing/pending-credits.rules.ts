import { printDollars } from '@bourse/text/money.ts'
import { daySeconds, hourSeconds, weekSeconds } from '@bourse/text/time/units.ts'
import type { RefusalData } from '../core/base/refusal.ts'

/** How long a credit waits for a second operator. */
export const pendingSeconds = weekSeconds

/** How long each of two operators has to have had the right before one approves what the other one requested. */
const rightAgeSeconds = daySeconds

/** The limit above which a credit needs a second operator, in micro-dollars; undefined where none does. */
export function dualControlMicros(dollars: number | undefined): bigint | undefined {
  return dollars === undefined ? undefined : BigInt(dollars) * 1_000_000n
}

/** For how long what was credited alone counts together with what is credited next, in seconds. */
export const aloneSeconds = daySeconds

/** Refuses a credit that one operator may not post alone. `alone` is what the account was credited like that before. */
export function refuseAlone(
  { amount, alone }: { readonly amount: bigint; readonly alone: bigint },
  limitMicros: bigint | undefined,
): RefusalData | undefined {
  if (limitMicros === undefined || amount <= 0n || amount + alone <= limitMicros) return undefined
  const before = alone === 0n ? '' : `It was credited ${printDollars(alone)} dollars alone. `
  const message =
    `Credits above ${limitMicros / 1_000_000n} dollars to an account in 24 hours need a second operator. ${before}` +
    'Use create_pending_credit.'
  return { code: 'second_operator_required', field: 'amount_dollars', message }
}

/**
 * Refuses a credit limit above which an operator may not credit alone, unless it lowers the one that there is: what
 * may be spent without paying is credit too.
 */
export function refuseLimitAlone(
  limits: { readonly present: bigint; readonly wanted: bigint },
  limitMicros: bigint | undefined,
): RefusalData | undefined {
  if (limitMicros === undefined || limits.wanted <= limitMicros || limits.wanted <= limits.present) return undefined
  const message =
    `A credit limit above ${limitMicros / 1_000_000n} dollars needs a second operator: ` +
    'use create_pending_credit with the type credit_limit.'
  return { code: 'second_operator_required', field: 'credit_limit_dollars', message }
}

/** Refuses to ask a second operator for a credit limit that is not above the present one. One operator may lower it. */
export function refuseNoRaise(limits: { readonly present: bigint; readonly wanted: bigint }): RefusalData | undefined {
  if (limits.wanted > limits.present) return undefined
  const message =
    `The credit limit is ${printDollars(limits.present)} dollars already. Lowering it needs no second operator: ` +
    'use put_credit_limit.'
  return { code: 'not_applicable', field: 'amount_dollars', message }
}

/** Refuses to set a credit limit that was requested when the account had another one. */
export function refuseChangedLimit(limits: {
  readonly before: bigint
  readonly present: bigint
}): RefusalData | undefined {
  if (limits.present === limits.before) return undefined
  const message =
    `The credit limit was ${printDollars(limits.before)} dollars when this was requested, and is ` +
    `${printDollars(limits.present)} dollars.`
  return { code: 'credit_limit_changed', message }
}

/**
 * Refuses an approval while one of the two operators has had the right for less than a day. Whoever can make operators
 * could otherwise make one for this, and everybody else would learn of it when the money is gone.
 */
export function refuseNewRight(
  since: { readonly requester: number; readonly approver: number },
  now: number,
): RefusalData | undefined {
  const left = Math.max(since.requester, since.approver) + rightAgeSeconds - now
  if (left <= 0) return undefined
  const who = since.approver >= since.requester ? 'You have' : 'Who requested it has'
  const hours = Math.ceil(left / hourSeconds)
  const message = `${who} had platform:write for less than a day. It can be approved in ${hours} h.`
  return { code: 'right_too_new', message }
}

/** Refuses a decision on a credit that has ended. One whose time is over counts as expired before it is stored. */
export function refuseEnded(
  { state, expires_at }: { readonly state: string; readonly expires_at: number },
  now: number,
): RefusalData | undefined {
  const ended = state === 'pending' && expires_at <= now ? 'expired' : state
  if (ended === 'pending') return undefined
  return { code: 'invalid_state', message: `The credit is ${ended}, so it can no longer be approved or refused.` }
}
