/** Creates a budget, changes one, or deletes it. Its workspace and its period stay for good. */
import type { Budget } from '@bourse/sdk'
import { createBudget, updateBudget } from '../generated/forms/money.ts'
import { ConfirmOperation } from '../live/forms/confirm.tsx'
import { OperationDialog } from '../live/forms/form-dialog.tsx'

const amount = { name: 'amount_dollars', label: 'Amount in dollars', placeholder: '500.00' } as const
const name = { name: 'name', hint: 'For people; may be empty.' } as const
const period = {
  name: 'period',
  hint: '',
  words: { day: 'each day of UTC', month: 'each month of UTC', total: 'everything ever spent' },
} as const
const rules = [
  { name: 'thresholds_percent', hint: 'Each one emits an event, once.' },
  {
    name: 'threshold_basis',
    hint: '',
    words: { actual: 'what is spent', forecast: 'the forecast of the period' },
  },
  {
    name: 'hard_stop',
    label: 'Refuse buys that would exceed it.',
    hint: 'Instances are never ended by a budget.',
  },
] as const

/** The form. Without a budget it creates one. */
export function BudgetDialog({ budget, onClose }: { budget: Budget | undefined; onClose: () => void }) {
  const shared = { nouns: ['budget'], onClose } as const
  if (!budget) {
    return (
      <OperationDialog
        form={createBudget}
        title="Create a budget"
        action="Create"
        initial={{ period: 'month', thresholds_percent: '50, 80, 100', threshold_basis: 'actual' }}
        fields={[name, amount, period, { name: 'workspace', empty: 'The whole account' }, ...rules]}
        said={() => 'Created the budget.'}
        {...shared}
      />
    )
  }
  return (
    <OperationDialog
      form={updateBudget}
      title="Edit the budget"
      action="Save"
      params={{ id: budget.id }}
      before={budget}
      fields={[name, amount, ...rules]}
      said={() => 'Saved the budget.'}
      {...shared}
    />
  )
}

type DeleteProps = { budget: Budget; title: string; onClose: () => void }

/** Asks before a budget is deleted. */
export function DeleteBudget({ budget, title, onClose }: DeleteProps) {
  return (
    <ConfirmOperation
      operation="delete_budget"
      params={{ id: budget.id }}
      title={`Delete ${title}?`}
      action="Delete"
      nouns={['budget']}
      said="Deleted the budget."
      onClose={onClose}
    >
      <p>Nothing warns or stops any more at this amount. What was spent stays in the ledger.</p>
    </ConfirmOperation>
  )
}
