/** What runs, what it costs, and what needs attention. */

import { durationText, moneyText } from '@bourse/text/formats/short.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { Link, Navigate } from '@tanstack/react-router'
import { client } from '../live/client.ts'
import { useAccount, useNow } from '../live/clock.ts'
import { useList, useRead } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { ErrorText } from '../ui/error-text.tsx'
import { Loading, Page } from '../ui/page.tsx'
import { Moment, Money } from '../ui/values.tsx'
import { Attention } from './attention.tsx'
import { Checklist } from './checklist.tsx'
import styles from './overview.module.css'
import { allocationSteps, beginnings, daysLeft, spentSince } from './overview.rules.ts'
import { StepDrawing } from './step-drawing.tsx'

const shownDays = 7

/** The page. The operator's home is the desk. */
export function OverviewPage() {
  const { data: account } = useAccount()
  const [{ view }] = useAddress({ view: '' })
  if (account?.is_platform && view !== 'account') return <Navigate to="/operator" replace />
  return (
    <Page
      title="Overview"
      help={
        <>
          Capacity is bought for windows of time; instances run in what you own at the moment. Here is what runs now,
          what it costs, and what needs your attention.
        </>
      }
      guide="/docs/guides/first-hour"
    >
      <Checklist />
      <Attention />
      <Capacity />
      <Spending />
    </Page>
  )
}

function Capacity() {
  const now = useNow()
  // The curve changes by the minute at most; a new array each second would draw it anew each second.
  const minute = now - (now % 60)
  const pools = useList('list_pools', {}, { every: 30_000 })
  const running = useList('list_instances', { state: 'running' })
  const steps = allocationSteps(pools.rows, minute, minute + shownDays * daySeconds)
  const next = steps[1]
  const owned = steps[0]?.nodes ?? 0
  return (
    <section className="card" aria-labelledby="capacity">
      <h2 id="capacity">Capacity</h2>
      <ErrorText error={pools.error ?? running.error} />
      {pools.isPending ? (
        <Loading />
      ) : (
        <>
          <p className={styles.figures}>
            <span>
              <b>{owned}</b> {owned === 1 ? 'node' : 'nodes'} now
            </span>
            <span>
              <b>
                {running.rows.length}
                {running.more.hasMore ? '+' : ''}
              </b>{' '}
              <Link to="/instances" search={{ state: 'running' }}>
                instances running
              </Link>
            </span>
            {next ? (
              <span>
                {next.nodes === 1 ? '1 node' : `${next.nodes} nodes`} from <Moment at={next.at} />, in{' '}
                {durationText(next.at - now)}
              </span>
            ) : (
              <span className="quiet">no change within {shownDays} days</span>
            )}
          </p>
          <StepDrawing steps={steps} from={minute} until={minute + shownDays * daySeconds} />
        </>
      )}
      <p>
        <Link to="/calendar">Calendar</Link> · <Link to="/ticket">Buy node-hours</Link>
      </p>
    </section>
  )
}

function Spending() {
  const now = useNow()
  const today = beginnings(now)
  const from = Math.min(today.month, today.day - 6 * daySeconds)
  const to = today.day + daySeconds
  const balance = useRead(['balance'], () => client.balance.get())
  const usage = useRead(['usage', 'overview', from, to], () =>
    client.usage.list({ from, to, granularity: 'day', limit: 200 }).all({ max: 1_000 }),
  )
  const budgets = useList('list_budgets', {})
  const rows = usage.data ?? []
  const left = balance.data ? daysLeft(rows, balance.data.available_dollars, now) : undefined
  return (
    <section className="card" aria-labelledby="spending">
      <h2 id="spending">Money</h2>
      <ErrorText error={balance.error ?? usage.error} />
      <p className={styles.figures}>
        <span>
          <b>
            <Money dollars={balance.data?.available_dollars} />
          </b>{' '}
          available
        </span>
        <span>
          <b>{moneyText(spentSince(rows, today.day).toFixed(6))}</b> today
        </span>
        <span>
          <b>{moneyText(spentSince(rows, today.month).toFixed(6))}</b> this month
        </span>
        {left === undefined ? null : (
          <span className={left < 3 ? 'warn' : ''}>lasts {left.toFixed(1)} days at this pace</span>
        )}
      </p>
      {budgets.rows.map((budget) => (
        <p key={budget.id}>
          <label>
            {budget.name ?? `Budget of a ${budget.period}`}:{' '}
            <meter max={Number(budget.amount_dollars)} value={Number(budget.spent_dollars)} />
          </label>{' '}
          <Money dollars={budget.spent_dollars} /> of <Money dollars={budget.amount_dollars} />
        </p>
      ))}
      <p>
        <Link to="/money">Ledger, usage and budgets</Link>
      </p>
    </section>
  )
}
