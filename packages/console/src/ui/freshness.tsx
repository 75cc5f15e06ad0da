/** How fresh a list is. */

import { durationText } from '@bourse/text/formats/short.ts'
import { useEffect, useState } from 'react'

/** "Updated 3 s ago", by this machine's clock, with the count of what is shown. */
export function Freshness({
  updatedAt,
  count,
  hasMore = false,
}: {
  updatedAt: number
  count?: number
  hasMore?: boolean
}) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  if (updatedAt === 0) return null
  const seconds = Math.max(0, Math.floor((now - updatedAt) / 1000))
  const rows = count === undefined ? '' : `${count}${hasMore ? '+' : ''} ${count === 1 ? 'row' : 'rows'} · `
  return (
    <span>
      {rows}updated {seconds < 2 ? 'just now' : `${durationText(seconds)} ago`}
    </span>
  )
}
