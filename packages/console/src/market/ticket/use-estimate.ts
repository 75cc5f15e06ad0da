/** The estimate of what is typed, shortly after the last key. */
import type { CreateOrderEstimateBody } from '@bourse/sdk'
import { useEffect, useState } from 'react'
import { client } from '../../live/client.ts'
import { useRead } from '../../live/queries.ts'

/** Milliseconds after the last key until the server is asked: it answers within 150. */
const askAfter = 100
/** Milliseconds after which the same ticket is estimated again: the order book moves without events. */
const askAgain = 5_000

/** A value, once it has stayed the same for some milliseconds. The first one comes at once. */
export function useSettled<T>(value: T, milliseconds: number): T {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), milliseconds)
    return () => clearTimeout(timer)
  }, [text, milliseconds])
  return text === settled ? value : settled === undefined ? (undefined as T) : JSON.parse(settled)
}

/**
 * What an order would do now. The last estimate stays until the next one is there, and is old until then. `isHeld`: it
 * stays as it is.
 */
export function useEstimate(body: CreateOrderEstimateBody | undefined, isHeld = false) {
  const asked = useSettled(body, askAfter)
  // What the ticket held a moment ago is not asked again: the order that it amended may have ended.
  const isPast = JSON.stringify(asked) !== JSON.stringify(body)
  const { data, error, isPlaceholderData } = useRead(
    ['estimate', 'order', asked],
    (signal) => client.orders.createEstimate(asked as CreateOrderEstimateBody, { signal, maxRetries: 0 }),
    {
      enabled: asked !== undefined && !isPast && !isHeld,
      keepsLast: true,
      isNeverFresh: true,
      every: askAgain,
      retry: 1,
    },
  )
  if (body === undefined) return { estimate: undefined, refused: null, isOld: false }
  const isOld = isPlaceholderData || isPast || (!data && !error)
  return { estimate: data, refused: error, isOld }
}

/** The best prices of a window, for the field of the limit. */
export function useQuote(body: CreateOrderEstimateBody | undefined) {
  const asked = useSettled(body && { sku: body.sku, from: body.start_at, length: body.duration_seconds }, askAfter)
  return useRead(
    ['orderbook', 'quote', asked],
    (signal) => {
      const { sku, from = 0, length = 0 } = asked ?? {}
      const window = { start_at: from, end_at: from + length }
      return client.orderbookQuote.get({ requirements: `id:${sku}`, ...window }, { signal })
    },
    { enabled: asked !== undefined, keepsLast: true, every: askAgain },
  )
}
