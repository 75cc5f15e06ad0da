/** What the account had over the last month. */
import type { Transaction } from '@bourse/sdk'
import { moneyText } from '@bourse/text/formats/short.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { useMemo } from 'react'
import { useAll } from '../live/all.ts'
import { useNow } from '../live/clock.ts'
import { dayStart } from '../live/months.rules.ts'
import { TimeChart } from '../ui/time-chart.tsx'
import type { Series } from '../ui/time-series.ts'
import { totalsAt } from './sums.rules.ts'

const shownDays = 30

/** The chart. */
export function BalanceChart({ total }: { total: string }) {
  const now = useNow(600)
  const from = dayStart(now) - shownDays * daySeconds
  const { data } = useAll('list_transactions', { created_after: String(from) })
  const drawn = useMemo(() => data && drawnOf(data, { total, from, now }), [data, total, from, now])
  if (!drawn) return null
  return (
    <section className="card">
      <TimeChart name={`Balance, ${shownDays} days`} {...drawn} format={dollarsText} height={150} />
    </section>
  )
}

type Span = { readonly total: string; readonly from: number; readonly now: number }

function drawnOf(movements: readonly Transaction[], { total, from, now }: Span) {
  // Of very many movements only the newest are read: the line begins with them.
  const times = [...new Set([...movements.map(({ created_at }) => created_at), now])].toSorted((a, b) => a - b)
  const all = times[0] === now || (times[0] ?? now) > from ? [from, ...times] : times
  const series: readonly Series[] = [{ name: 'Total', kind: 'steps', values: totalsAt(movements, total, all) }]
  return { times: all, series }
}

const dollarsText = (dollars: number) => moneyText(dollars.toFixed(2))
