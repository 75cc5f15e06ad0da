/** Credits and credit limits that wait for a second operator: who asked, who may approve, and what became of them. */

import type { PendingCredit } from '@bourse/sdk'
import { ApiError } from '@bourse/sdk'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { useAccount, useNow } from '../live/clock.ts'
import { ListView } from '../live/lists/list-view.tsx'
import type { Noun } from '../live/nouns.rules.ts'
import { useAction, useList, useRead } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Empty, Facts } from '../ui/page.tsx'
import { asCurl } from '../ui/requests.rules.ts'
import { allOr, Select } from '../ui/select.tsx'
import type { Column } from '../ui/table.tsx'
import { say } from '../ui/toasts.tsx'
import { Age, Copyable, Moment, Money } from '../ui/values.tsx'
import { AccountFilter, AccountLink, accountColumn } from './across.tsx'
import { approvalOf, isLimit, whoText, wordsOf } from './credits.rules.ts'

const states = ['pending', 'approved', 'refused', 'expired']
const nouns: readonly Noun[] = ['pending_credit', 'account', 'transaction', 'balance']

/** The list. Which credit is open is part of the address, to be sent to the other operator. */
export function Credits() {
  const [address, setAddress] = useAddress({ account: '', state: 'pending', credit: '' })
  const now = useNow()
  const { account, credit } = address
  const state = address.state === 'all' ? '' : address.state
  const list = useList('list_pending_credits', { account, state }, { every: 30_000 })
  return (
    <div className="stack">
      <p>
        With <code>BOURSE_DUAL_CONTROL_DOLLARS</code> set, a credit or credit limit above that amount is requested by
        one operator and counts when another one approves it. <a href="/docs/concepts/money">More</a>
      </p>
      <search className="row no-print">
        <Select
          label="State"
          value={state}
          onChange={(next) => setAddress({ state: next || 'all' })}
          options={allOr(states)}
        />
        <AccountFilter value={account} onChange={(next) => setAddress({ account: next })} />
      </search>
      <ListView
        name="Credits"
        list={list}
        columns={columnsAt(now)}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setAddress({ credit: id })}
        empty={
          <Empty
            title={state === 'pending' ? 'No credit waits' : 'No credit'}
            command='bourse pending-credits create acme --type credit_grant --amount 250000.00 --description "…"'
          >
            A credit is requested on the page of its account, with “Top up” or “Set the credit limit”. A large one waits
            here until another operator approves it.
          </Empty>
        }
      />
      {credit === '' ? null : (
        <CreditDialog id={credit as PendingCredit['id']} onClose={() => setAddress({ credit: '' })} />
      )}
    </div>
  )
}

function columnsAt(now: number): readonly Column<PendingCredit>[] {
  return [
    accountColumn(),
    {
      id: 'amount',
      title: 'Amount',
      value: ({ amount_dollars }) => amount_dollars,
      cell: ({ amount_dollars }) => <Money dollars={amount_dollars} />,
      isNumber: true,
    },
    { id: 'type', title: 'Type', value: ({ type }) => type, cell: ({ type }) => type.replaceAll('_', ' ') },
    { id: 'state', title: 'State', value: ({ state }) => state, cell: ({ state }) => <Badge word={state} /> },
    {
      id: 'by',
      title: 'Asked by',
      value: (row) => whoText(row.requested_by),
      cell: (row) => whoText(row.requested_by),
    },
    {
      id: 'requested_at',
      title: 'When',
      value: ({ requested_at }) => requested_at,
      cell: ({ requested_at }) => <Age at={requested_at} now={now} />,
    },
    {
      id: 'expires_at',
      title: 'Expires',
      value: ({ expires_at }) => expires_at,
      cell: ({ expires_at, state }) => (state === 'pending' ? <Age at={expires_at} now={now} /> : '–'),
    },
    {
      id: 'decided_by',
      title: 'Decided by',
      value: (row) => whoText(row.decided_by),
      cell: (row) => whoText(row.decided_by),
    },
    { id: 'description', title: 'About', value: (row) => row.description, cell: (row) => <bdi>{row.description}</bdi> },
  ]
}

/** One credit, and what this person can do about it. */
function CreditDialog({ id, onClose }: { id: PendingCredit['id']; onClose: () => void }) {
  const { data: credit, error } = useRead(['pending_credit', 'item', id], () => client.pendingCredits.get(id))
  return (
    <Dialog title="Credit" isOpen onClose={onClose} isWide>
      <ErrorText error={error} />
      {credit ? <Shown credit={credit} onClose={onClose} /> : null}
    </Dialog>
  )
}

function Shown({ credit, onClose }: { credit: PendingCredit; onClose: () => void }) {
  const now = useNow()
  return (
    <div className="stack">
      <Facts
        facts={[
          ['Account', <AccountLink key="account" id={credit.account} />],
          [isLimit(credit) ? 'New limit' : 'Amount', <Money key="amount" dollars={credit.amount_dollars} />],
          ...(credit.limit_before_dollars === null
            ? []
            : [['Limit before', <Money key="before" dollars={credit.limit_before_dollars} />] as const]),
          ['Type', credit.type.replaceAll('_', ' ')],
          ['State', <Badge key="state" word={credit.state} />],
          ['Asked by', <bdi key="by">{whoText(credit.requested_by)}</bdi>],
          ['Asked', <Moment key="asked" at={credit.requested_at} />],
          credit.state === 'pending'
            ? ['Expires', <Age key="expires" at={credit.expires_at} now={now} />]
            : ['Decided', <Moment key="decided" at={credit.decided_at} />],
          ...(credit.decided_by ? [['By', whoText(credit.decided_by)] as const] : []),
          ...(credit.transaction ? [['Posting', <Copyable key="tx" text={credit.transaction} />] as const] : []),
          ['Id', <Copyable key="id" text={credit.id} />],
        ]}
      />
      <p>
        <bdi>{credit.description}</bdi>
      </p>
      {credit.state === 'pending' ? <Decision credit={credit} onClose={onClose} /> : null}
    </div>
  )
}

function Decision({ credit, onClose }: { credit: PendingCredit; onClose: () => void }) {
  const [refused, setRefused] = useState(false)
  const me = useAccount().data
  const options = (text: string) => ({
    nouns,
    onDone: () => {
      say(text)
      onClose()
    },
  })
  const words = wordsOf(credit)
  const approve = useAction(() => client.pendingCredits.approve(credit.id), options(words.approved))
  const refuse = useAction(() => client.pendingCredits.refuse(credit.id), options(words.refused))
  const error = approve.error ?? refuse.error
  const isSame = error instanceof ApiError && error.codes.includes('same_operator')
  const { isOwn, text } = approvalOf(credit, { user: me?.user?.id, token: me?.token.id })
  const verb = isOwn ? 'Take it back' : 'Refuse'
  const way = isOwn ? 'refuse' : 'approve'
  return (
    <>
      <p>{text}</p>
      <ErrorText error={error} />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button
          kind="danger"
          isBusy={refuse.isRunning}
          onClick={() => (refused || isOwn ? refuse.run(undefined) : setRefused(true))}
        >
          {refused ? 'Really refuse' : verb}
        </Button>
        {isOwn || isSame ? null : (
          <Button kind="primary" isBusy={approve.isRunning} onClick={() => approve.run(undefined)}>
            {words.approve}
          </Button>
        )}
      </DialogActions>
      <CodeLines
        ways={{
          CLI: `bourse pending-credits ${way} ${credit.id}`,
          curl: asCurl(
            { method: 'POST', path: `/preview/v2/admin/pending_credits/${credit.id}/${way}` },
            location.origin,
          ),
          SDK: `await client.pendingCredits.${way}('${credit.id}')`,
        }}
      />
    </>
  )
}
