/**
 * The expiry of API tokens. A token made by a token never outlives it, so that the end of a token ends what was done
 * with it (docs/concepts/tokens.md, "Life").
 */
import { daySeconds } from '@bourse/text/time/units.ts'
import type { RefusalData } from '../../core/base/refusal.ts'

const defaultLifeSeconds = 90 * daySeconds
/** Five years of which two are leap years. */
const longestLifeSeconds = (5 * 365 + 2) * daySeconds
/** A session that is not used for so long ends, since its device may be lost. */
const idleSecondsMax = 7 * daySeconds

/** The token that makes another one. `ends_by` is the bound of a session. */
export type TokenMaker = {
  readonly kind: 'service' | 'session'
  readonly expires_at: number | null
  readonly ends_by: number | null
}

/** The bounds of the expiry of a new token. */
export type EndBounds = {
  readonly now: number
  /** The latest end by the maker; null if there is none. */
  readonly latest: number | null
  /** The longest life of a token that a session makes, in days; null for other makers. */
  readonly days_max: number | null
}

/** Whether a token has expired, or is a session that was not used for too long. */
export function hasEnded(
  token: {
    readonly user_id: string | null
    readonly expires_at: number | null
    readonly last_used_at: number | null
    readonly created_at: number
  },
  now: number,
): boolean {
  if (token.expires_at !== null && token.expires_at <= now) return true
  return token.user_id !== null && now - (token.last_used_at ?? token.created_at) > idleSecondsMax
}

/**
 * For how long a read of a token is fresh, in milliseconds: for `usual`, but never past its expiry. `now` is the
 * business time of the read, rounded down; `clock_rate` how many seconds of it may pass in a second.
 */
export function freshMilliseconds(
  expiresAt: number | null | undefined,
  { now, usual, clock_rate }: { readonly now: number; readonly usual: number; readonly clock_rate: number },
): number {
  if (!expiresAt) return usual
  return Math.max(0, Math.min(usual, ((expiresAt - now - 1) * 1000) / clock_rate))
}

/** The earlier of two ends; null stands for no end. */
export function earlierEnd(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}

/** The latest end of a token by its maker; null if there is none. Undefined stands for the system. */
export function latestTokenEnd(maker: TokenMaker | undefined): number | null {
  if (!maker) return null
  // A session ends within hours or days, which would be useless for a token that a user makes for a machine.
  return maker.kind === 'service' ? maker.expires_at : maker.ends_by
}

/** The longest life of a token by its maker, in days; null if it has none. */
export function longestLifeDays(maker: TokenMaker | undefined, accountDays: number): number | null {
  return maker?.kind === 'session' ? accountDays : null
}

/** Whether an end lies after the latest one allowed. */
export function outlives(expiresAt: number | null, latest: number | null): boolean {
  return latest !== null && (expiresAt === null || expiresAt > latest)
}

/** When a token expires, in seconds: by default in 90 days or at the latest end, for null never. */
export function tokenEnd(requested: number | null | undefined, { now, latest, days_max }: EndBounds): number | null {
  if (requested !== undefined) return requested
  const usual = now + Math.min(defaultLifeSeconds, (days_max ?? Number.POSITIVE_INFINITY) * daySeconds)
  return latest === null ? usual : Math.min(usual, latest)
}

/**
 * Refuses an expiry in the past, over five years ahead or after the latest end: `out_of_range` on `expires_at`. Refuses
 * `token_lifetime_exceeded` beyond the longest life in the account.
 */
export function refuseTokenEnd(
  expiresAt: number | null,
  { now, latest, days_max }: EndBounds,
): RefusalData | undefined {
  const refusal = (message: string): RefusalData => ({ code: 'out_of_range', field: 'expires_at', message })
  if (expiresAt !== null && (expiresAt <= now || expiresAt > now + longestLifeSeconds)) {
    return refusal('expires_at must be in the future and at most five years ahead, or null for no expiry.')
  }
  if (days_max !== null && outlives(expiresAt, now + days_max * daySeconds)) {
    const message = `Tokens that people make in this account live for at most ${days_max} days.`
    return { code: 'token_lifetime_exceeded', field: 'expires_at', message }
  }
  if (!outlives(expiresAt, latest)) return undefined
  return refusal(`A token cannot outlive the token that makes it: expires_at must be at most ${latest}.`)
}
