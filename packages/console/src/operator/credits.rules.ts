/** Who may approve a credit or credit limit, in words. Pure; the server decides. */
import type { PendingCredit } from '@bourse/sdk'

type Person = PendingCredit['requested_by'] | PendingCredit['decided_by']

/** A person by e-mail address, a token by name. */
export function whoText(who: Person): string {
  return who?.email ?? who?.name ?? who?.id ?? '–'
}

/** Whether the request is for a credit limit, and not for a posting. */
export function isLimit({ type }: Pick<PendingCredit, 'type'>): boolean {
  return type === 'credit_limit'
}

/** What a decision is called, before and after it. */
export function wordsOf(credit: Pick<PendingCredit, 'type'>): { approve: string; approved: string; refused: string } {
  if (isLimit(credit)) {
    return {
      approve: 'Approve and set',
      approved: 'The credit limit is set.',
      refused: 'The credit limit is refused.',
    }
  }
  return {
    approve: 'Approve and post',
    approved: 'The credit is in the ledger.',
    refused: 'The credit is refused.',
  }
}

/** Whether a credit is the caller's own request, and what that means for its approval. */
export function approvalOf(
  credit: Pick<PendingCredit, 'requested_by' | 'type'>,
  me: { readonly user: string | undefined; readonly token: string | undefined },
): { isOwn: boolean; text: string } {
  const { requested_by } = credit
  const isOwn = requested_by.id !== undefined && (requested_by.id === me.user || requested_by.id === me.token)
  if (isOwn) {
    return {
      isOwn,
      text:
        'You asked for this, so you cannot approve it: not in another session, and not by a token of yours. ' +
        'Send the address of this page to another operator, or take the request back.',
    }
  }
  const asked = `${whoText(requested_by)} asked for it`
  const then = isLimit(credit) ? 'sets the limit of the account' : 'posts it to the account'
  return { isOwn, text: `${asked}. Approving ${then} at once, under both names.` }
}
