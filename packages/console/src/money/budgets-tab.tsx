/** Budgets: how far each period is, thresholds, and a stop for what would exceed the amount. */

import type { Budget } from '@bourse/sdk'
import { WorkspaceFilter } from '../access/filters.tsx'
import { budgets } from '../generated/rows/money.ts'
import { useWorkspaceNames } from '../live/choices.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { Details } from '../live/lists/details.tsx'
import { ListTab } from '../live/lists/list-page.tsx'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CreateBudget, EditBudget } from './budget-dialogs.tsx'
import styles from './money.module.css'
import { budgetShares } from './sums.rules.ts'

/** The tab. */
export function BudgetsTab() {
  const [, setAddress] = useAddress({ open: '' })
  return (
    <ListTab
      operation="list_budgets"
      every={30_000}
      filters={{ workspace: WorkspaceFilter }}
      card={(budget) => <BudgetCard budget={budget} onEdit={() => setAddress({ open: budget.id })} />}
      create={{ label: 'Create a budget', dialog: (close) => <CreateBudget onClose={close} /> }}
      opened={(budget, close) => <EditBudget budget={budget} title={titleOf(budget)} onClose={close} />}
      empty={{
        title: 'No budget',
        command: 'bourse billing budgets create --period month --amount 500.00 --hard-stop',
        text: `A budget warns at thresholds of what a workspace or the account spends, and may stop buys that would
          exceed it. Without one, only the balance and the credit limit stop a buy.`,
      }}
    />
  )
}

function BudgetCard({ budget, onEdit }: { budget: Budget; onEdit: () => void }) {
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
        {budget.hard_stop ? <Badge word="stops buys" /> : null}
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
      <Details columns={factsWith(names)} row={budget} />
      <div className="row">
        <Button onClick={onEdit}>Edit</Button>
      </div>
    </section>
  )
}

function factsWith(names: (id: string) => string) {
  return columnsOf(budgets, [
    'amount_dollars',
    'spent_dollars',
    'held_dollars',
    'forecast_dollars',
    { of: 'period', value: ({ period }) => (period === 'total' ? 'everything ever spent' : `each ${period}, in UTC`) },
    { of: 'period_end', title: 'Ends' },
    {
      of: 'workspace',
      title: 'Of',
      value: ({ workspace }) => workspace && names(workspace),
      none: 'the whole account',
    },
    { id: 'thresholds', title: 'Thresholds', value: thresholdsText },
  ])
}

function thresholdsText({ thresholds_percent, reached_percent, threshold_basis }: Budget): string {
  const reached = new Set(reached_percent)
  const texts = thresholds_percent.map((percent) => `${percent} %${reached.has(percent) ? ' (reached)' : ''}`)
  return `${texts.join(', ')} of ${threshold_basis === 'actual' ? 'what is spent' : 'the forecast'}`
}

function titleOf({ name, period }: Budget): string {
  return name ?? (period === 'total' ? 'In all' : `Each ${period}`)
}
