import type { RefusalData } from '../core/base/refusal.ts'

/** How long a credit waits for a second operator. */
export const pendingSeconds = 7 * 86_400

/** The limit above which a credit needs a second operator, in micro-dollars; undefined where none does. */
export function dualControlMicros(dollars: number | undefined): bigint | undefined {
  return dollars === undefined ? undefined : BigInt(dollars) * 1_000_000n
}

/** Refuses a credit that one operator may not post alone. */
export function refuseAlone(amount_micros: bigint, limit_micros: bigint | undefined): RefusalData | undefined {
  if (limit_micros === undefined || amount_micros <= limit_micros) return undefined
  const message = `A credit above ${limit_micros / 1_000_000n} dollars needs a second operator:`
  return { code: 'second_operator_required', field: 'amount_dollars', message: `${message} use create_pending_credit.` }
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
