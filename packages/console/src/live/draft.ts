/** Values of forms that survive a reload, a new sign-in and a server that is away, in this tab. */
import { useEffect, useState } from 'react'
import { useAccount } from './clock.ts'

/**
 * Like useState, kept in the tab under a name until it is cleared: for one person, so that the next one at this tab
 * does not see it. Not for secrets.
 */
export function useDraft<T>(name: string, initial: T): [T, (value: T) => void, () => void] {
  const { data: account } = useAccount()
  const key = `bourse.draft.${account?.user?.id ?? account?.id}.${name}`
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
