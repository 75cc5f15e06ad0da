/** Creates a budget, or changes one. Its workspace and its period stay for good. */
import type { Budget, CreateBudgetBody, WorkspaceRef } from '@bourse/sdk'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { asCurl, asSdk } from '../ui/requests.rules.ts'
import { say } from '../ui/toasts.tsx'
import { readThresholds } from './sums.rules.ts'
import { WorkspaceOptions } from './workspaces.tsx'

type BudgetForm = {
  readonly name: string
  readonly workspace: string
  readonly period: Budget['period']
  readonly amount: string
  readonly thresholds: string
  readonly basis: Budget['threshold_basis']
  readonly hard_stop: boolean
}

const empty: BudgetForm = {
  name: '',
  workspace: '',
  period: 'month',
  amount: '',
  thresholds: '50, 80, 100',
  basis: 'actual',
  hard_stop: false,
}

/** The dialog. Without a budget it creates one. */
export function BudgetDialog({ budget, onClose }: { budget: Budget | undefined; onClose: () => void }) {
  const [form, setForm] = useState<BudgetForm>(budget ? formOf(budget) : empty)
  const set = (fields: Partial<BudgetForm>) => setForm({ ...form, ...fields })
  const body = bodyOf(form)
  const save = useAction(
    async () => {
      if (!budget) return client.budgets.create(body)
      const { workspace: _, period: __, ...changes } = body
      return client.budgets.update(budget.id, { ...changes, name: form.name === '' ? null : form.name })
    },
    {
      nouns: ['budget'],
      onDone: () => {
        say(budget ? 'Saved the budget.' : 'Created the budget.')
        onClose()
      },
    },
  )
  return (
    <Dialog title={budget ? 'Edit the budget' : 'Create a budget'} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          save.run(undefined)
        }}
      >
        <Fields form={form} set={set} error={save.error} isNew={budget === undefined} />
        {budget ? null : (
          <CodeLines
            ways={{
              curl: asCurl({ method: 'POST', path: '/preview/v2/billing/budgets', body }, location.origin),
              SDK: asSdk('budgets.create', body),
            }}
          />
        )}
        <ErrorText error={save.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={save.isRunning}>
            {budget ? 'Save' : 'Create'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type FieldsProps = {
  form: BudgetForm
  set: (fields: Partial<BudgetForm>) => void
  error: Error | null
  isNew: boolean
}

function Fields({ form, set, error, isNew }: FieldsProps) {
  return (
    <>
      <Field label="Name" name="name" error={error} hint="For people; may be empty.">
        <input value={form.name} maxLength={255} onChange={({ target }) => set({ name: target.value })} />
      </Field>
      <Field label="Amount in dollars" name="amount_dollars" error={error}>
        <input
          value={form.amount}
          inputMode="decimal"
          placeholder="500.00"
          required
          onChange={({ target }) => set({ amount: target.value })}
        />
      </Field>
      {isNew ? <Scope form={form} set={set} error={error} /> : null}
      <Field
        label="Thresholds in percent"
        name="thresholds_percent"
        error={error}
        hint="Each one emits an event, once."
      >
        <input value={form.thresholds} onChange={({ target }) => set({ thresholds: target.value })} />
      </Field>
      <Field label="Thresholds compare" name="threshold_basis" error={error}>
        <select value={form.basis} onChange={({ target }) => set({ basis: target.value as BudgetForm['basis'] })}>
          <option value="actual">what is spent</option>
          <option value="forecast">the forecast of the period</option>
        </select>
      </Field>
      <label>
        <input type="checkbox" checked={form.hard_stop} onChange={({ target }) => set({ hard_stop: target.checked })} />
        &nbsp;Refuse buys that would exceed it. Instances are never ended by a budget.
      </label>
    </>
  )
}

function Scope({ form, set, error }: Omit<FieldsProps, 'isNew'>) {
  return (
    <>
      <Field label="Period" name="period" error={error}>
        <select value={form.period} onChange={({ target }) => set({ period: target.value as BudgetForm['period'] })}>
          <option value="day">each day of UTC</option>
          <option value="month">each month of UTC</option>
          <option value="total">everything ever spent</option>
        </select>
      </Field>
      <Field label="Workspace" name="workspace" error={error}>
        <select value={form.workspace} onChange={({ target }) => set({ workspace: target.value })}>
          <option value="">The whole account</option>
          <WorkspaceOptions />
        </select>
      </Field>
    </>
  )
}

function formOf(budget: Budget): BudgetForm {
  const { name, workspace, period, amount_dollars, thresholds_percent, threshold_basis, hard_stop } = budget
  return {
    name: name ?? '',
    workspace: workspace ?? '',
    period,
    amount: amount_dollars,
    thresholds: thresholds_percent.join(', '),
    basis: threshold_basis,
    hard_stop,
  }
}

/** Thresholds that are no numbers are sent as zero, which the server refuses at their field. */
function bodyOf({ name, workspace, period, amount, thresholds, basis, hard_stop }: BudgetForm): CreateBudgetBody {
  return {
    ...(name === '' ? {} : { name }),
    ...(workspace === '' ? {} : { workspace: workspace as WorkspaceRef }),
    period,
    amount_dollars: amount.trim().replace(/^\$/, ''),
    thresholds_percent: readThresholds(thresholds) ?? [0],
    threshold_basis: basis,
    hard_stop,
  }
}
