/** What a tab keeps of one person: forms that survive a reload, a new sign-in and a server that is away. */
import { useEffect, useState } from 'react'
import { useAccount } from './clock.ts'

/** The key under which this tab keeps something of the person who is signed in: the next one does not see it. */
export function useOwnKey(name: string): string {
  const { data: account } = useAccount()
  return `bourse.draft.${account?.user?.id ?? account?.id}.${name}`
}

/**
 * Like useState, kept in the tab under a name until it is cleared: for one person, so that the next one at this tab
 * does not see it. Not for secrets.
 */
export function useDraft<T>(name: string, initial: T): [T, (value: T) => void, () => void] {
  const key = useOwnKey(name)
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
