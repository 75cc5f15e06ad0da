/** Budgets: how far each period is, thresholds, and a stop for what would exceed the amount. */
import type { Budget } from '@bourse/sdk'
import { useState } from 'react'
import { WorkspaceFilter } from '../access/filters.tsx'
import { useWorkspaceNames } from '../live/choices.ts'
import { useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Empty, Facts, Loading } from '../ui/page.tsx'
import { Moment, Money } from '../ui/values.tsx'
import { BudgetDialog, DeleteBudget } from './budget-dialogs.tsx'
import styles from './money.module.css'
import { budgetShares } from './sums.rules.ts'

/** The tab. */
export function BudgetsTab() {
  const [address, setAddress] = useAddress({ create: '', edit: '', workspace: '' })
  const [deleted, setDeleted] = useState<Budget>()
  const { workspace } = address
  const list = useList('list_budgets', { workspace }, { every: 30_000 })
  const edited = list.rows.find(({ id }) => id === address.edit)
  return (
    <div className="stack">
      <div className="row">
        <Button kind="primary" onClick={() => setAddress({ create: '1' })}>
          Create a budget
        </Button>
        <WorkspaceFilter value={workspace} onChange={(next) => setAddress({ workspace: next })} />
      </div>
      <ErrorText error={list.error} />
      {list.isPending && !list.error ? <Loading /> : null}
      {!list.isPending && list.rows.length === 0 ? (
        <Empty title="No budget" command="bourse billing budgets create --period month --amount 500.00 --hard-stop">
          {workspace === '' ? '' : 'None is of this workspace. '}A budget warns at thresholds of what a workspace or the
          account spends, and may stop buys that would exceed it. Without one, only the balance and the credit limit
          stop a buy.
        </Empty>
      ) : null}
      <div className="grid">
        {list.rows.map((budget) => (
          <BudgetCard
            key={budget.id}
            budget={budget}
            onEdit={() => setAddress({ edit: budget.id })}
            onDelete={() => setDeleted(budget)}
          />
        ))}
      </div>
      {list.more.hasMore ? <Button onClick={list.more.again ?? list.more.load}>Show more</Button> : null}
      {edited || address.create !== '' ? (
        <BudgetDialog key={edited?.id ?? 'new'} budget={edited} onClose={() => setAddress({ create: '', edit: '' })} />
      ) : null}
      {deleted ? (
        <DeleteBudget budget={deleted} title={titleOf(deleted)} onClose={() => setDeleted(undefined)} />
      ) : null}
    </div>
  )
}

type CardProps = { budget: Budget; onEdit: () => void; onDelete: () => void }

function BudgetCard({ budget, onEdit, onDelete }: CardProps) {
  const { amount_dollars, spent_dollars, held_dollars, forecast_dollars, hard_stop, period, period_end } = budget
  const names = useWorkspaceNames()
  const { spent, reserved } = budgetShares(budget)
  const name = titleOf(budget)
  const tone = reserved >= 100 ? 'bad' : budget.reached_percent.length > 0 ? 'warn' : 'good'
  return (
    <section className="card stack" aria-label={`Budget ${name}`}>
      <div className="row">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <Badge word={`${spent} % spent`} tone={tone} />
        {hard_stop ? <Badge word="stops buys" /> : null}
      </div>
      <meter className="visually-hidden" aria-label={`Spent of ${name}`} min={0} max={100} value={Math.min(100, spent)}>
        {spent} percent spent, {reserved} percent with holds
      </meter>
      <div className={styles.meter} aria-hidden="true">
        <span className={styles.held} style={{ width: `${Math.min(100, reserved)}%` }} />
        <span className={styles[tone]} style={{ width: `${Math.min(100, spent)}%` }} />
        {budget.thresholds_percent
          .filter((percent) => percent < 100)
          .map((percent) => (
            <i key={percent} style={{ left: `${percent}%` }} />
          ))}
      </div>
      <Facts
        facts={[
          ['Amount', <Money key="amount" dollars={amount_dollars} />],
          ['Spent', <Money key="spent" dollars={spent_dollars} />],
          ['Held', <Money key="held" dollars={held_dollars} />],
          ['Forecast', <Money key="forecast" dollars={forecast_dollars} />],
          ['Period', period === 'total' ? 'everything ever spent' : `each ${period}, in UTC`],
          ['Ends', <Moment key="ends" at={period_end} />],
          ['Of', budget.workspace === null ? 'the whole account' : names(budget.workspace)],
          ['Thresholds', <Thresholds key="thresholds" budget={budget} />],
        ]}
      />
      <div className="row">
        <Button onClick={onEdit}>Edit</Button>
        <Button kind="danger" onClick={onDelete}>
          Delete
        </Button>
      </div>
    </section>
  )
}

function Thresholds({ budget: { thresholds_percent, reached_percent, threshold_basis } }: { budget: Budget }) {
  const reached = new Set(reached_percent)
  const texts = thresholds_percent.map((percent) => `${percent} %${reached.has(percent) ? ' (reached)' : ''}`)
  return `${texts.join(', ')} of ${threshold_basis === 'actual' ? 'what is spent' : 'the forecast'}`
}

function titleOf({ name, period }: Budget): string {
  return name ?? (period === 'total' ? 'In all' : `Each ${period}`)
}
