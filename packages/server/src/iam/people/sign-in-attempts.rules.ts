/** A sign-in that is under way: what the browser has to bring back, and where it goes afterwards. */
import { timingSafeEqual } from 'node:crypto'
import type { Id } from '@bourse/api/kit/ids.ts'

/** How long somebody may take to touch an authenticator. */
export const passkeySeconds = 300
/** How long somebody may take at a provider. */
export const providerSeconds = 600
/** How long the browser remembers where to go, while somebody fetches a link. */
export const returnSeconds = 900

/** What a browser keeps, encrypted, so that nothing is stored for whoever only begins. `id` counts once. */
export type SignInAttempt = { readonly id: string; readonly expires_at: number } & (
  | { readonly kind: 'passkey_sign_in'; readonly challenge: string }
  | { readonly kind: 'passkey_registration'; readonly challenge: string; readonly token_id: Id<'token'> }
  | ProviderAttempt
)

/** A sign-in at a provider. */
export type ProviderAttempt = {
  readonly kind: 'provider'
  readonly provider: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly return_to: string | null
  /** Whether the person is asked to sign in again, now. */
  readonly is_step_up: boolean
  /** Only this user may sign in. */
  readonly user_id: string | null
  /** The session that was open in the browser, which the new one replaces. */
  readonly replaces: Id<'token'> | null
  /** The sign-in link whose user gets the identity. */
  readonly link: string | null
}

/** How far the clock of a provider may be behind. */
const lateSecondsMax = 60

/**
 * Whether a person signed in at a provider after an attempt had begun, as whoever signs in again has to. What asks the
 * provider for that is in an address, which the person can change, so only the time that it tells counts.
 */
export function isSinceBegin({ expires_at }: Pick<SignInAttempt, 'expires_at'>, signedInAt: number): boolean {
  return signedInAt >= expires_at - providerSeconds - lateSecondsMax
}

export type AttemptOf<K extends SignInAttempt['kind']> = Extract<SignInAttempt, { kind: K }>

const returnLengthMax = 512

/**
 * The path to go to after a sign-in, if a text is one of this server; undefined otherwise. Browsers read `//` and `\`
 * as the beginning of another host, and leave out tabs and line ends.
 */
export function readReturnTo(text: string | null | undefined): string | undefined {
  if (!text || text.length > returnLengthMax || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return undefined
  const here = 'http://here.invalid'
  if (!URL.canParse(text, here)) return undefined
  const { origin, pathname, search, hash } = new URL(text, here)
  // Dots in the path may lead to an address of another host: /.//evil.example
  return origin === here && !pathname.startsWith('//') ? pathname + search + hash : undefined
}

/** What a browser remembers while somebody fetches a sign-in link. */
export type SignInReturn = { readonly return_to: string | undefined; readonly is_step_up: boolean }

/** The text of what a browser remembers; undefined if it is nothing. */
export function returnText({ return_to, is_step_up }: SignInReturn): string | undefined {
  if (return_to === undefined && !is_step_up) return undefined
  return `${is_step_up ? 1 : 0}${Buffer.from(return_to ?? '').toString('base64url')}`
}

/** Reads what a browser remembers. */
export function readReturn(text: string | undefined): SignInReturn {
  if (text === undefined || !/^[01][A-Za-z0-9_-]{0,700}$/.test(text)) return { return_to: undefined, is_step_up: false }
  const path = Buffer.from(text.slice(1), 'base64url').toString('utf8')
  return { return_to: readReturnTo(path), is_step_up: text[0] === '1' }
}

/** Whether two texts are the same. Takes the same time for any two texts of one length. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
