/** The ledger of an account, with top-ups and its credit limit. */
import { type AdministeredAccount, ApiError } from '@bourse/sdk'
import { createAccountTransaction, createPendingCredit, putCreditLimit } from '../../generated/forms/operator.ts'
import { accountTransactions } from '../../generated/rows/operator.ts'
import { Fields } from '../../live/forms/fields.tsx'
import { FormFrame, OperationDialog } from '../../live/forms/form-dialog.tsx'
import { priceText } from '../../live/forms/typed.rules.ts'
import { useForm } from '../../live/forms/use-form.ts'
import { columnsOf } from '../../live/lists/columns.ts'
import { ListView } from '../../live/lists/list-view.tsx'
import type { Noun } from '../../live/nouns.rules.ts'
import { useList } from '../../live/queries.ts'
import { useAddress } from '../../ui/address.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/page.tsx'
import { say } from '../../ui/toasts.tsx'
import { Money } from '../../ui/values.tsx'

const nouns: readonly Noun[] = ['account', 'transaction', 'balance', 'pending_credit']

/** The ledger. */
export function Postings({ account, balance }: { account: string; balance: AdministeredAccount['balance'] }) {
  const [{ form: opened }, setAddress] = useAddress({ form: '' })
  const setOpened = (form: string) => setAddress({ form })
  const list = useList('list_account_transactions', { account }, { every: 30_000 })
  const close = () => setOpened('')
  const limit = balance.credit_limit_dollars
  return (
    <div className="stack">
      <div className="row">
        <Button onClick={() => setOpened('post')}>Top up</Button>
        <Button onClick={() => setOpened('credit')}>Set the credit limit</Button>
      </div>
      <ListView
        name="Ledger"
        list={list}
        columns={columns}
        sortName="ledger_sort"
        empty={<Empty title="No posting">Nothing was paid, bought or sold yet. “Top up” posts the first credit.</Empty>}
      />
      {opened === 'post' ? <TopUp account={account} onClose={close} /> : null}
      {/* A draft belongs to the limit that it began with: where somebody has set another one, the form begins anew. */}
      {opened === 'credit' ? <CreditLimit key={limit} account={account} current={limit} onClose={close} /> : null}
    </div>
  )
}

const columns = columnsOf(accountTransactions, [
  { of: 'created_at', title: 'When', as: 'moment' },
  'type',
  { of: 'amount_dollars', cell: ({ amount_dollars }) => <Money dollars={amount_dollars} sign /> },
  { of: 'balance_after_dollars', title: 'Balance' },
  { of: 'description', title: 'About' },
])

type PostingDialogProps = { account: string; onClose: () => void }

/** Posts an amount. What is typed stays over a new sign-in. */
function TopUp({ account, onClose }: PostingDialogProps) {
  const form = useForm(createAccountTransaction, {
    params: { account },
    draft: `posting.${account}`,
    nouns,
    onDone: () => {
      say('The amount is in the ledger.')
      onClose()
    },
  })
  const done = () => {
    form.clear()
    onClose()
  }
  if (needsSecondOperator(form.error)) {
    return (
      <RequestDialog title="Top up" account={account} initial={form.typed} onDone={done} onClose={onClose}>
        One operator alone may not post so much. Request it: it is posted as soon as another operator approves it,
        within seven days.
      </RequestDialog>
    )
  }
  return (
    <Dialog title="Top up" isOpen onClose={onClose}>
      <FormFrame form={form} action="Top up" onClose={onClose}>
        <Fields of={form} names={['amount_dollars', 'type', 'description']} />
      </FormFrame>
    </Dialog>
  )
}

/** Sets the credit limit. */
function CreditLimit({ account, current, onClose }: PostingDialogProps & { current: string }) {
  const form = useForm(putCreditLimit, {
    params: { account },
    // A limit that somebody has changed since is not the one that the draft began with.
    draft: `credit-limit.${account}.${current}`,
    initial: { credit_limit_dollars: priceText(current) },
    nouns,
    onDone: onClose,
  })
  const done = () => {
    form.clear()
    onClose()
  }
  if (needsSecondOperator(form.error)) {
    const initial = { type: 'credit_limit', amount_dollars: form.typed.credit_limit_dollars }
    return (
      <RequestDialog title="Credit limit" account={account} initial={initial} onDone={done} onClose={onClose}>
        One operator alone may not set so high a limit. Request it: it is set as soon as another operator approves it,
        within seven days.
      </RequestDialog>
    )
  }
  return (
    <Dialog title="Credit limit" isOpen onClose={onClose}>
      <FormFrame form={form} action="Set" onClose={onClose}>
        <Fields of={form} names={['credit_limit_dollars']} />
      </FormFrame>
    </Dialog>
  )
}

function needsSecondOperator(error: unknown): boolean {
  return error instanceof ApiError && error.codes.includes('second_operator_required')
}

type RequestProps = PostingDialogProps & {
  title: string
  initial: Readonly<Record<string, string>>
  onDone: () => void
  /** Why one operator cannot do it alone. */
  children: string | readonly string[]
}

/** Requests of another operator what one may not do alone. */
function RequestDialog({ title, account, initial, onDone, onClose, children }: RequestProps) {
  return (
    <OperationDialog
      form={createPendingCredit}
      params={{ account }}
      title={title}
      action="Request it"
      initial={initial}
      about={<p role="alert">{children}</p>}
      fields={['amount_dollars', 'description']}
      nouns={nouns}
      said={() => 'Requested. Another operator finds it under Operator, Credits.'}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
