/** Who may approve a credit, in words. Pure; the server decides. */
import type { PendingCredit } from '@bourse/sdk'

type Person = PendingCredit['requested_by'] | PendingCredit['decided_by']

/** A person by e-mail address, a token by name. */
export function whoText(who: Person): string {
  return who?.email ?? who?.name ?? who?.id ?? '–'
}

/** Whether a credit is the caller's own request, and what that means for its approval. */
export function approvalOf(
  { requested_by }: Pick<PendingCredit, 'requested_by'>,
  me: { readonly user: string | undefined; readonly token: string | undefined },
): { isOwn: boolean; text: string } {
  const isOwn = requested_by.id !== undefined && (requested_by.id === me.user || requested_by.id === me.token)
  if (isOwn) {
    return {
      isOwn,
      text:
        'You asked for this credit, so you cannot approve it: not in another session, and not by a token of yours. ' +
        'Send the address of this page to another operator, or take the request back.',
    }
  }
  const asked = `${whoText(requested_by)} asked for it`
  return { isOwn, text: `${asked}. Approving posts it to the account at once, under both names.` }
}
