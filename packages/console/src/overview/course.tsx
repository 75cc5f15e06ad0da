/** What is owned in the next two days against what runs, and what was spent on each of the last days. */
import { moneyText } from '@bourse/text/formats/short.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useNow } from '../live/clock.ts'
import { useList } from '../live/queries.ts'
import { ErrorText } from '../ui/error-text.tsx'
import { TimeChart } from '../ui/time-chart.tsx'
import { Money } from '../ui/values.tsx'
import styles from './home.module.css'
import { courseCharts, isAllZero, spendCharts, spentSince } from './home.rules.ts'
import { spendingDays, useSpending } from './use-spending.ts'

const shownDays = 2
const dollars = (value: number) => moneyText(value.toFixed(6))

/** Both, side by side where there is room; nothing where nothing is owned, runs or was spent. */
export function Course() {
  return (
    <div className={styles.course}>
      <Capacity />
      <Spend />
    </div>
  )
}

function Capacity() {
  const minute = useNow(60)
  const pools = useList('list_pools', {}, { every: 30_000 })
  const running = useList('list_instances', { state: 'running' })
  const { length } = running.rows
  // A pool is a new object only where it has changed.
  const charts = useMemo(
    () => courseCharts(pools.rows, length, { from: minute, until: minute + shownDays * daySeconds }),
    [pools.rows, length, minute],
  )
  const error = pools.error ?? running.error
  if (!error && isAllZero(charts.series)) return null
  return (
    <section className="card" aria-label="Capacity">
      <ErrorText error={error} />
      <TimeChart name="Next 48 hours" times={charts.times} series={charts.series} height={150} />
      <p className="small">
        <Link to="/calendar">Calendar of each pool</Link>
      </p>
    </section>
  )
}

function Spend() {
  const { rows, today, month, error } = useSpending()
  const budgets = useList('list_budgets', {})
  const charts = useMemo(() => spendCharts(rows ?? [], { today, days: spendingDays }), [rows, today])
  if (!error && budgets.rows.length === 0 && isAllZero(charts.series)) return null
  return (
    <section className="card" aria-label="Money">
      <ErrorText error={error} />
      <TimeChart name="Spent by day" times={charts.times} series={charts.series} format={dollars} height={150} />
      {rows === undefined ? null : (
        <p className="small">
          {dollars(spentSince(rows, today))} today, {dollars(spentSince(rows, month))} this month, in days of UTC.{' '}
          <Link to="/money">Ledger, usage and budgets</Link>
        </p>
      )}
      {budgets.rows.map((budget) => (
        <p key={budget.id} className="small">
          <label>
            {budget.name ?? `Budget of a ${budget.period}`}:{' '}
            <meter max={Number(budget.amount_dollars)} value={Number(budget.spent_dollars)} />
          </label>{' '}
          <Money dollars={budget.spent_dollars} /> of <Money dollars={budget.amount_dollars} />
        </p>
      ))}
    </section>
  )
}
