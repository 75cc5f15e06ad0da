/** Credits and credit limits that wait for a second operator: who asked, who may approve, and what became of them. */

import { ApiError, type PendingCredit } from '@bourse/sdk'
import { useState } from 'react'
import { pendingCredits } from '../generated/rows/operator.ts'
import { client } from '../live/client.ts'
import { useAccount } from '../live/clock.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { Details } from '../live/lists/details.tsx'
import { choiceFilter } from '../live/lists/filters.tsx'
import { LiveAge } from '../live/lists/formats.tsx'
import { ListTab } from '../live/lists/list-page.tsx'
import type { Noun } from '../live/nouns.rules.ts'
import { useAction, useRead } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { asCurl } from '../ui/requests.rules.ts'
import { allOr } from '../ui/select.tsx'
import { say } from '../ui/toasts.tsx'
import { AccountFilter, accountColumn } from './across.tsx'
import { approvalOf, whoText, wordsOf } from './credits.rules.ts'

const states = ['pending', 'approved', 'refused', 'expired']
const nouns: readonly Noun[] = ['pending_credit', 'account', 'transaction', 'balance']

const filters = {
  state: choiceFilter('State', { pending: 'pending', ...allOr(states.slice(1)) }),
  account: AccountFilter,
}

/** The list. Which credit is open is part of the address, to be sent to the other operator. */
export function Credits() {
  const [{ credit }, setAddress] = useAddress({ credit: '' })
  return (
    <div className="stack">
      <p>
        With <code>BOURSE_DUAL_CONTROL_DOLLARS</code> set, a credit or credit limit above that amount is requested by
        one operator and counts when another one approves it.{' '}
        <a href="/docs/concepts/platform-money#large-credits">More</a>
      </p>
      <ListTab
        name="Credits"
        operation="list_pending_credits"
        every={30_000}
        columns={columns}
        filters={filters}
        defaults={{ state: 'pending' }}
        query={({ state, account }) => ({ account, state: state === 'all' ? '' : state })}
        onOpen={({ id }) => setAddress({ credit: id })}
        empty={{
          title: 'No credit waits',
          command: 'bourse pending-credits create acme --type credit_grant --amount 250000.00 --description "…"',
          text: `A credit is requested on the page of its account, with “Top up” or “Set the credit limit”. A large
one waits
            here until another operator approves it.`,
        }}
      />
      {credit === '' ? null : (
        <CreditDialog id={credit as PendingCredit['id']} onClose={() => setAddress({ credit: '' })} />
      )}
    </div>
  )
}

const columns = columnsOf(pendingCredits, [
  accountColumn,
  'amount_dollars',
  'type',
  'state',
  { of: 'requested_by', value: (row) => whoText(row.requested_by) },
  { of: 'requested_at', title: 'When' },
  { of: 'expires_at', cell: ({ expires_at, state }) => (state === 'pending' ? <LiveAge at={expires_at} /> : '–') },
  { of: 'decided_by', value: (row) => whoText(row.decided_by) },
  { of: 'description', title: 'About' },
])

const isPending = ({ state }: PendingCredit) => state === 'pending'

const facts = columnsOf(pendingCredits, [
  accountColumn,
  { of: 'amount_dollars' },
  { of: 'limit_before_dollars', isOptional: true },
  'type',
  'state',
  { of: 'requested_by', value: (row) => whoText(row.requested_by) },
  { of: 'requested_at', title: 'Asked', as: 'moment' },
  {
    id: 'expires',
    title: 'Expires',
    as: 'age',
    value: (row) => (isPending(row) ? row.expires_at : null),
    isOptional: true,
  },
  { of: 'decided_at', as: 'moment', isOptional: true },
  { id: 'by', title: 'By', value: (row) => row.decided_by && whoText(row.decided_by), isOptional: true },
  { of: 'transaction', title: 'Posting', as: 'id', isOptional: true },
  'id',
])

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
  return (
    <div className="stack">
      <Details columns={facts} row={credit} />
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
