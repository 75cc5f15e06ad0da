/** The ledger of an account, with top-ups and its credit limit. */
import { type AdministeredAccount, ApiError } from '@bourse/sdk'
import { type FormEvent, useState } from 'react'
import { accountTransactions } from '../../generated/rows/operator.ts'
import { client } from '../../live/client.ts'
import { useDraft } from '../../live/drafts/use-draft.ts'
import { columnsOf } from '../../live/lists/columns.ts'
import { ListView } from '../../live/lists/list-view.tsx'
import type { Noun } from '../../live/nouns.rules.ts'
import { useAction, useList } from '../../live/queries.ts'
import { useAddress } from '../../ui/address.ts'
import { Button } from '../../ui/button.tsx'
import { CodeLines } from '../../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Field } from '../../ui/field.tsx'
import { Empty } from '../../ui/page.tsx'
import { asCli } from '../../ui/requests.rules.ts'
import { say } from '../../ui/toasts.tsx'
import { Money } from '../../ui/values.tsx'
import { postingTypes } from '../words.ts'

const nouns: readonly Noun[] = ['account', 'transaction', 'balance', 'pending_credit']

/** The ledger. */
export function Postings({ account, balance }: { account: string; balance: AdministeredAccount['balance'] }) {
  const [{ form: opened }, setAddress] = useAddress({ form: '' })
  const setOpened = (form: string) => setAddress({ form })
  const list = useList('list_account_transactions', { account }, { every: 30_000 })
  const close = () => setOpened('')
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
      {opened === 'post' ? <PostForm account={account} onClose={close} /> : null}
      {opened === 'credit' ? (
        // A draft belongs to the limit that it began with: where somebody has set another one, the form begins anew.
        <CreditForm
          key={balance.credit_limit_dollars}
          account={account}
          current={balance.credit_limit_dollars}
          onClose={close}
        />
      ) : null}
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

const requested = 'Requested. Another operator finds it under Operator, Credits.'

const emptyPosting = { type: 'credit_grant', amount_dollars: '', description: '' }

type PostingFormProps = { account: string; onClose: () => void }

/** The write of the form: the posting, or where one operator may not post so much, the request for another one. */
function usePosting({ account, onClose }: PostingFormProps) {
  const [fields, setFields, forget] = useDraft(`posting.${account}`, emptyPosting)
  const body = { ...fields, type: fields.type as (typeof postingTypes)[number] }
  const options = (text: string) => ({
    nouns,
    onDone: () => {
      say(text)
      forget()
      onClose()
    },
  })
  const post = useAction(
    () => client.accountTransactions.create(account, body),
    options('The posting is in the ledger.'),
  )
  const ask = useAction(() => client.pendingCredits.create(account, body), options(requested))
  return { fields, setFields, post, ask, needsSecond: needsSecondOperator(post.error) }
}

function needsSecondOperator(error: unknown): boolean {
  return error instanceof ApiError && error.codes.includes('second_operator_required')
}

/** Posts an amount. What is typed stays over a new sign-in. */
function PostForm({ account, onClose }: PostingFormProps) {
  const { fields, setFields, post, ask, needsSecond } = usePosting({ account, onClose })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    post.run(undefined)
  }
  const set = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: ({ target }: { target: { value: string } }) => setFields({ ...fields, [name]: target.value }),
  })
  return (
    <Dialog title="Post to the ledger" isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Type" name="type" error={post.error}>
          <select {...set('type')}>
            {postingTypes.map((type) => (
              <option key={type} value={type}>
                {type.replaceAll('_', ' ')}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Dollars" name="amount_dollars" error={post.error} hint="Negative amounts take money away">
          <input required inputMode="decimal" placeholder="100.00" {...set('amount_dollars')} />
        </Field>
        <Field label="Description" name="description" error={post.error}>
          <input required maxLength={255} {...set('description')} />
        </Field>
        <ErrorText error={ask.error ?? (needsSecond ? null : post.error)} />
        {needsSecond ? (
          <p role="alert">
            One operator alone may not post so much. Request it: it is posted as soon as another operator approves it,
            within seven days.
          </p>
        ) : null}
        <CodeLines
          ways={{
            CLI: asCli(`${needsSecond ? 'pending-credits' : 'account-transactions'} create ${account}`, {
              type: fields.type,
              amount: fields.amount_dollars,
              description: fields.description,
            }),
          }}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          {needsSecond ? (
            <Button kind="primary" isBusy={ask.isRunning} onClick={() => ask.run(undefined)}>
              Request it
            </Button>
          ) : (
            <Button kind="primary" type="submit" isBusy={post.isRunning}>
              Post
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** The write of the form: the limit, or where one operator may not set it, the request for another one. */
function useCreditLimit({ account, current, onClose }: PostingFormProps & { current: string }) {
  // A limit that somebody has changed since is not the one that the draft began with.
  const [text, setText, forget] = useDraft(`credit-limit.${account}.${current}`, current)
  const [description, setDescription] = useState('')
  const onDone = () => {
    forget()
    onClose()
  }
  const put = useAction(() => client.limits.putCredit(account, { credit_limit_dollars: text }), { nouns, onDone })
  const request = { type: 'credit_limit', amount_dollars: text, description } as const
  const ask = useAction(() => client.pendingCredits.create(account, request), {
    nouns,
    onDone: () => {
      say(requested)
      onDone()
    },
  })
  const setLimit = (next: string) => {
    // Whether another limit needs a second operator is for the server to say.
    put.forget()
    setText(next)
  }
  return { text, setLimit, description, setDescription, put, ask, needsSecond: needsSecondOperator(put.error) }
}

function CreditForm({ account, current, onClose }: PostingFormProps & { current: string }) {
  const form = useCreditLimit({ account, current, onClose })
  const { text, setLimit, description, setDescription, put, ask, needsSecond } = form
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (needsSecond) ask.run(undefined)
    else put.run(undefined)
  }
  return (
    <Dialog title="Credit limit" isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field
          label="Dollars"
          name="credit_limit_dollars"
          error={put.error}
          hint="How far the balance may go below zero"
        >
          <input required inputMode="decimal" value={text} onChange={({ target }) => setLimit(target.value)} />
        </Field>
        {needsSecond ? (
          <>
            <p role="alert">
              One operator alone may not set so high a limit. Request it: it is set as soon as another operator approves
              it, within seven days.
            </p>
            <Field label="Description" name="description" error={ask.error}>
              <input
                required
                maxLength={255}
                value={description}
                onChange={({ target }) => setDescription(target.value)}
              />
            </Field>
          </>
        ) : null}
        <ErrorText error={ask.error ?? (needsSecond ? null : put.error)} />
        <CodeLines
          ways={{
            CLI: needsSecond
              ? asCli(`pending-credits create ${account}`, { type: 'credit_limit', amount: text, description })
              : asCli(`accounts set-credit-limit ${account} ${text}`, {}),
          }}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={put.isRunning || ask.isRunning}>
            {needsSecond ? 'Request it' : 'Set'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
