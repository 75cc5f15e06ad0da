/** What was spent lately, what is left, and how long it lasts. */
import { daySeconds } from '@bourse/text/time/units.ts'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { useRead } from '../live/queries.ts'
import { beginnings, daysLeft } from './home.rules.ts'

/** Days of which the page shows what was spent. */
export const spendingDays = 14

/** Who may not see money is told so once, on its own page. */
const options = { retry: 1 }

/** The figures; without data until they are read. */
export function useSpending() {
  const now = useNow(60)
  const { day, month } = beginnings(now)
  const from = Math.min(month, day - (spendingDays - 1) * daySeconds)
  const to = day + daySeconds
  const balance = useRead(['balance'], () => client.balance.get(), options)
  const usage = useRead(
    ['usage', 'home', from, to],
    () => client.usage.list({ from, to, granularity: 'day', limit: 200 }).all({ max: 1_000 }),
    options,
  )
  const available = balance.data?.available_dollars
  const isKnown = usage.data !== undefined && available !== undefined
  return {
    rows: usage.data,
    available,
    left: isKnown ? daysLeft(usage.data, available, now) : undefined,
    today: day,
    month,
    now,
    error: balance.error ?? usage.error,
  }
}
