/** What operations ask of their callers besides rights, by the table of the contract (packages/api/src/trust.ts). */
import type { OperationTrust } from '@bourse/api/kit/trust.ts'
import { recentSignInSeconds } from '@bourse/api/trust.ts'
import type { RefusalData } from '../../core/base/refusal.ts'

const messages = {
  none: 'This token is limited, so it gives and takes no rights or ways in of others.',
  networks: 'This token is limited to resources, and this operation does not act on one of them alone.',
} as const

/** A caller, as far as it counts here. Without limits where its token has none. */
type TrustedCaller = { readonly limits?: { readonly resources: readonly string[] | null } }

/** Refuses a limited token that may not call an operation. Operations without a row are not for API tokens. */
export function refuseLimited(
  { limits }: TrustedCaller,
  asked?: Pick<OperationTrust, 'limited'>,
): RefusalData | undefined {
  if (!asked || !limits || asked.limited === 'any') return undefined
  if (asked.limited === 'networks' && !limits.resources) return undefined
  return { code: 'forbidden', message: messages[asked.limited] }
}

/** A caller as a person: without a user where it is the token of a program, which is not asked. */
type SignedIn = { readonly user_id: string | null; readonly authenticated_at: number | null }

/** Refuses a session whose user signed in too long ago. */
export function refuseOldSignIn({ user_id, authenticated_at }: SignedIn, now: number): RefusalData | undefined {
  if (user_id === null || now - (authenticated_at ?? 0) <= recentSignInSeconds) return undefined
  const message = 'This needs a sign-in of the last 15 minutes. Sign in again.'
  return { code: 'insufficient_user_authentication', message }
}
