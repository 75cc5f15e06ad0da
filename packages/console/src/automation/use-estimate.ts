/** Estimates that follow what is typed. */
import type { AutomationEstimate } from '@bourse/sdk'
import { useEffect, useState } from 'react'
import { useRead } from '../live/queries.ts'
import type { LiveEstimate } from './estimate-view.tsx'

/** Milliseconds without a change before an estimate is asked for. */
const pause = 250

/** The value after it has stayed the same for a moment. */
function useSettled<T>(value: T): T {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return JSON.parse(settled) as T
}

/**
 * The estimate of a body; null asks for none. `about` tells which automation it is of, or that it is of a new one.
 */
export function useEstimate<B>(
  about: string,
  body: B | null,
  read: (body: B) => Promise<AutomationEstimate>,
): LiveEstimate {
  const settled = useSettled(body)
  const { data, error, isFetching } = useRead(['estimate', about, settled], () => read(settled as B), {
    enabled: body !== null && settled !== null,
    every: 15_000,
    keepsLast: true,
    retry: 1,
  })
  return { data, error, isOld: isFetching }
}
