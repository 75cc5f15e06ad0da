/**
 * What a tab keeps of one person: forms that survive a reload, a session that has ended and a server that is away,
 * until the person signs out or somebody else signs in.
 */
import { useEffect, useState } from 'react'
import { useAccount } from '../clock.ts'
import { draftKey, draftsAmong, type Owner, ownKey } from './own-keys.rules.ts'

/** Who is signed in. The frame shows nothing before that is known. */
function useOwner(): Owner {
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

/**
 * Like useState, kept in the tab under a name until it is cleared: for one person, so that the next one at this tab
 * does not see it. Not for secrets.
 */
export function useDraft<T>(name: string, initial: T): [T, (value: T) => void, () => void] {
  const key = draftKey(useOwner(), name)
  const [value, setValue] = useState<T>(() => readDraft(key) ?? initial)
  useEffect(() => sessionStorage.setItem(key, JSON.stringify(value)), [key, value])
  const clear = () => {
    sessionStorage.removeItem(key)
    setValue(initial)
  }
  return [value, setValue, clear]
}

function readDraft<T>(key: string): T | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
