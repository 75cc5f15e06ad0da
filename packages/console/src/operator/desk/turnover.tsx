/** What was bought on the last days, by the day of UTC. */
import { moneyText } from '@bourse/text/formats/short.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { useMemo } from 'react'
import { useNow } from '../../live/clock.ts'
import { dayStart } from '../../live/months.rules.ts'
import { callList } from '../../live/operations.ts'
import { useRead } from '../../live/queries.ts'
import { sumOf } from '../../money/sums.rules.ts'
import { TimeChart } from '../../ui/time-chart.tsx'

const shownDays = 7
/** Accounts that are summed. */
const accountsMax = 2_000

/** One day and what was bought on it; undefined until it is read. */
export type TurnoverDay = { readonly at: number; readonly dollars: string | undefined }

/** Days that have ended, by their beginnings: nothing is bought on them any more. */
const ended = new Map<number, string>()

/** The last days, today the last. Days that have ended are read once. */
export function useDays(): readonly TurnoverDay[] {
  const today = dayStart(useNow(60))
  const starts = Array.from({ length: shownDays }, (_, index) => today - (shownDays - 1 - index) * daySeconds)
  const present = useRead(['platform_usage', 'turnover', today], () => readDay(today), { every: 60_000 })
  const past = useRead(['platform_usage', 'turnover before', today], () =>
    Promise.all(starts.slice(0, -1).map(readEnded)),
  )
  return starts.map((at, index) => ({ at, dollars: at === today ? present.data : past.data?.[index] }))
}

async function readEnded(from: number): Promise<string> {
  const dollars = ended.get(from) ?? (await readDay(from))
  ended.set(from, dollars)
  return dollars
}

async function readDay(from: number): Promise<string> {
  const window = { from: String(from), to: String(from + daySeconds) }
  const rows = await callList('list_platform_usage', window, { limit: 200 }).all({ max: accountsMax })
  return sumOf(rows.map(({ bought_dollars }) => bought_dollars))
}

/** The card. */
export function Turnover() {
  const days = useDays()
  const key = JSON.stringify(days)
  const { times, series } = useMemo(() => {
    const read = JSON.parse(key) as readonly TurnoverDay[]
    const values = read.map(({ dollars }) => (dollars === undefined ? null : Number(dollars)))
    return { times: read.map(({ at }) => at), series: [{ name: 'Bought', kind: 'bars' as const, values }] }
  }, [key])
  return (
    <section className="card">
      <TimeChart
        name="Turnover, by day of UTC"
        times={times}
        series={series}
        format={(dollars) => moneyText(dollars.toFixed(2))}
        height={150}
      />
    </section>
  )
}
