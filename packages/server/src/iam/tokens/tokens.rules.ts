/** The expiry of API tokens. */
import type { RefusalData } from '../../core/base/refusal.ts'

const daySeconds = 86_400
const defaultLifeSeconds = 90 * daySeconds
/** Five years of which two are leap years. */
const longestLifeSeconds = (5 * 365 + 2) * daySeconds

/** When a token expires, in seconds: by default in 90 days, for null never. */
export function tokenEnd(requested: number | null | undefined, now: number): number | null {
  return requested === undefined ? now + defaultLifeSeconds : requested
}

/** Refuses an expiry in the past or more than five years ahead: `out_of_range` on `expires_at`. */
export function refuseTokenEnd(expires_at: number | null, now: number): RefusalData | undefined {
  if (expires_at === null || (expires_at > now && expires_at <= now + longestLifeSeconds)) return undefined
  const message = 'expires_at must be in the future and at most five years ahead, or null for no expiry.'
  return { code: 'out_of_range', field: 'expires_at', message }
}
