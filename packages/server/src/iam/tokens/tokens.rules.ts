/** When API tokens end. */
import type { RefusalData } from '../../core/base/refusal.ts'

const daySeconds = 86_400
const defaultLifeSeconds = 90 * daySeconds
/** The longest five years that there are: two of them leap years. */
const longestLifeSeconds = (5 * 365 + 2) * daySeconds

/** When a token ends: absent in 90 days, null never. */
export function tokenEnd(requested: number | null | undefined, now: number): number | null {
  return requested === undefined ? now + defaultLifeSeconds : requested
}

/** Refuses an end that has passed or lies more than five years ahead: `out_of_range` on `expires_at`. */
export function refuseTokenEnd(expires_at: number | null, now: number): RefusalData | undefined {
  if (expires_at === null || (expires_at > now && expires_at <= now + longestLifeSeconds)) return undefined
  const message = 'A token ends later than now and at most five years ahead, or with null never.'
  return { code: 'out_of_range', field: 'expires_at', message }
}
