/** The keys under which a tab keeps something of one person in its session storage. */
import type { Account } from '@bourse/sdk'

/** Whose it is. */
export type Owner = Pick<Account, 'id' | 'user' | 'token'>

const prefix = 'bourse.'
const draftMark = '.draft.'

/** The key of something that the person at an account keeps: neither another person nor another account sees it. */
export function ownKey({ id, user, token }: Owner, name: string): string {
  return `${prefix}${id}.${user?.id ?? token.id}.${name}`
}

/** The key of a draft. */
export function draftKey(owner: Owner, name: string): string {
  return `${ownKey(owner, '')}${draftMark.slice(1)}${name}`
}

/** Those of some keys that are of drafts: of all, or of all but those of `kept`. */
export function draftsAmong(keys: readonly string[], kept?: Owner): string[] {
  const drafts = keys.filter((key) => key.startsWith(prefix) && key.includes(draftMark))
  const own = kept && draftKey(kept, '')
  return own === undefined ? drafts : drafts.filter((key) => !key.startsWith(own))
}
