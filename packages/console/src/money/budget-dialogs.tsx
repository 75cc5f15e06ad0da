/** Creates a budget, changes one, or deletes it. Its workspace and its period stay for good. */
import type { Budget } from '@bourse/sdk'
import { createBudget, updateBudget } from '../generated/forms/money.ts'
import { EditDialog } from '../live/forms/edit-dialog.tsx'
import { OperationDialog } from '../live/forms/form-dialog.tsx'

const amount = { name: 'amount_dollars', label: 'Amount in dollars', placeholder: '500.00' } as const
const period = {
  name: 'period',
  words: { day: 'each day of UTC', month: 'each month of UTC', total: 'everything ever spent' },
} as const
const rules = [
  'thresholds_percent',
  {
    name: 'threshold_basis',
    words: { actual: 'what is spent', forecast: 'the forecast of the period' },
  },
  'hard_stop',
] as const

/** A new budget. */
export function CreateBudget({ onClose }: { onClose: () => void }) {
  return (
    <OperationDialog
      form={createBudget}
      title="Create a budget"
      action="Create"
      initial={{ period: 'month', thresholds_percent: '50, 80, 100', threshold_basis: 'actual' }}
      fields={['name', amount, period, { name: 'workspace', empty: 'The whole account' }, ...rules]}
      nouns={['budget']}
      said={() => 'Created the budget.'}
      onClose={onClose}
    />
  )
}

/** Changes a budget, or deletes it. */
export function EditBudget({ budget, title, onClose }: { budget: Budget; title: string; onClose: () => void }) {
  return (
    <EditDialog
      form={updateBudget}
      row={budget}
      title={title}
      remove="delete_budget"
      deletion="Nothing warns or stops any more at this amount. What was spent stays in the ledger."
      fields={['name', amount, ...rules]}
      nouns={['budget']}
      onClose={onClose}
    />
  )
}
