/** Forms that survive a reload. */
import { useEffect, useState } from 'react'
import { useOwner } from './draft.ts'
import { draftKey } from './own-keys.rules.ts'

/**
 * Like useState, kept in the tab under a name until it is cleared: for one person, so that the next one at this tab
 * does not see it. Not for secrets. Without a name it is not kept.
 */
export function useDraft<T>(name: string | undefined, initial: T): [T, (value: T) => void, () => void] {
  const owner = useOwner()
  const key = name === undefined ? undefined : draftKey(owner, name)
  const [value, setValue] = useState<T>(() => (key === undefined ? undefined : readDraft<T>(key)) ?? initial)
  useEffect(() => {
    if (key !== undefined) sessionStorage.setItem(key, JSON.stringify(value))
  }, [key, value])
  const clear = () => {
    if (key !== undefined) sessionStorage.removeItem(key)
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
