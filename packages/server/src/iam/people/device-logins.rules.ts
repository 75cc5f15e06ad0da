/** Sign-in of a program that has no browser, after RFC 8628. */

import type { RefusalData } from '../../core/base/refusal.ts'

export const deviceLoginSeconds = 600
/** The most open requests of a network, a hundred times as many in a sandbox, and of all networks. */
const openOfNetworkMax = 10
export const openMax = 10_000
/** A /48 of IPv6 may hold many customers, or be that of one. */
const widerFactor = 10
const slowerSeconds = 5
const longestInterval = 60

// Consonants only: no letter looks like a digit or another letter, and no word comes of them. 34 bits.
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const codeLength = 8

/** The most open requests of a network. `rateMultiplier` is the factor of all rates. */
export function openLoginsMax(rateMultiplier: number): number {
  return openOfNetworkMax * rateMultiplier
}

/** Whether there is no room for one more request. `ofNetworkMax` is the most of a network. */
export function isFull(open: { of_network: number; of_wider: number; all: number }, ofNetworkMax: number): boolean {
  return open.of_network >= ofNetworkMax || open.of_wider >= ofNetworkMax * widerFactor || open.all >= openMax
}

/** Draws a code for a person. `draw` gives a random whole number from 0 up to, but not including, its argument. */
export function drawUserCode(draw: (below: number) => number): string {
  return Array.from({ length: codeLength }, () => letters[draw(letters.length)]).join('')
}

/** A code as a person sees it: `BDFG-HJKL`. */
export function userCodeText(code: string): string {
  return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`
}

/** Reads what a person typed, in any case and with any separators; undefined if it cannot be a code. */
export function readUserCode(typed: string): string | undefined {
  const code = typed.slice(0, 64).toUpperCase().replaceAll(/[\s-]/g, '')
  return new RegExp(`^[${letters}]{${codeLength}}$`).test(code) ? code : undefined
}

/** A request as a poll finds it. */
export type PolledLogin = {
  readonly state: 'pending' | 'approved' | 'denied'
  readonly expires_at: number
  readonly interval_seconds: number
  /** Since the poll before; null for the first. */
  readonly milliseconds_since_poll: number | null
}

type PollDecision =
  | { readonly is_approved: true }
  | { readonly is_approved: false; readonly refusal: RefusalData; readonly interval_seconds?: number }

/** What a poll gets. `interval_seconds` is the new interval of a program that polls too often. */
export function decidePoll(login: PolledLogin | undefined, now: number): PollDecision {
  if (!login || login.expires_at <= now)
    return refusal('expired_token', 'The codes have expired or were used. Begin again.')
  const { state, interval_seconds, milliseconds_since_poll } = login
  if (state === 'denied') return refusal('access_denied', 'The person has refused.')
  if (state === 'approved') return { is_approved: true }
  if (milliseconds_since_poll !== null && milliseconds_since_poll < interval_seconds * 1000) {
    const slower = Math.min(longestInterval, interval_seconds + slowerSeconds)
    return { ...refusal('slow_down', `Wait ${slower} s between two polls.`), interval_seconds: slower }
  }
  return refusal('authorization_pending', 'Nobody has approved this program yet.')
}

type DeviceLoginCode = 'expired_token' | 'access_denied' | 'slow_down' | 'authorization_pending'

function refusal(code: DeviceLoginCode, message: string): { is_approved: false; refusal: RefusalData } {
  return { is_approved: false, refusal: { code, message, field: 'device_code' } }
}
