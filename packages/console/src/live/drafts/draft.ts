/**
 * What a tab keeps of one person: forms that survive a reload, a session that has ended and a server that is away,
 * until the person signs out or somebody else signs in.
 */
import { useAccount } from '../clock.ts'
import { draftsAmong, type Owner, ownKey } from './own-keys.rules.ts'

/** Who is signed in. The frame shows nothing before that is known. */
export function useOwner(): Owner {
  const { data: account } = useAccount()
  if (!account) throw new Error('Nobody is known to be signed in.')
  return account
}

/** The key under which this tab keeps something of the person who is signed in: the next one does not see it. */
export function useOwnKey(name: string): string {
  return ownKey(useOwner(), name)
}

/** Forgets the drafts of this tab: all, or all but those of one person. */
export function forgetDrafts(kept?: Owner): void {
  for (const key of draftsAmong(Object.keys(sessionStorage), kept)) sessionStorage.removeItem(key)
}
