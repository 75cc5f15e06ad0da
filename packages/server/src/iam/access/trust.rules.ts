/** What operations ask of their callers besides rights, by the table of the contract (packages/api/src/trust.ts). */
import type { OperationTrust } from '@bourse/api/trust.ts'
import type { RefusalData } from '../../core/base/refusal.ts'

const messages = {
  none: 'This token is limited, so it gives and takes no rights or ways in of others.',
  networks: 'This token is limited to resources, and this operation does not act on one of them alone.',
} as const

/** A caller, as far as it counts here. Without limits where its token has none. */
type TrustedCaller = { readonly limits?: { readonly resources: readonly string[] | null } }

/** Refuses a limited token that may not call an operation. Operations without a row are not for API tokens. */
export function refuseByTrust({ limits }: TrustedCaller, asked?: OperationTrust): RefusalData | undefined {
  if (!asked || !limits || asked.limited === 'any') return undefined
  if (asked.limited === 'networks' && !limits.resources) return undefined
  return { code: 'forbidden', message: messages[asked.limited] }
}
