/** What is there, what is held, and for which orders. */
import type { Balance, Hold } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useWorkspaceNames } from '../live/choices.ts'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { useAction, useList, useRead } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Freshness } from '../ui/freshness.tsx'
import { Facts, Loading } from '../ui/page.tsx'
import { asCurl, asSdk } from '../ui/requests.rules.ts'
import { type Column, Table } from '../ui/table.tsx'
import { say } from '../ui/toasts.tsx'
import { Age, Copyable, Moment, Money } from '../ui/values.tsx'

/** The tab. */
export function BalanceTab() {
  const { data: balance, error } = useRead(['balance', 'own'], () => client.balance.get(), { every: 20_000 })
  return (
    <div className="stack">
      <ErrorText error={error} />
      {balance ? (
        <Facts
          facts={[
            [
              'Available',
              <b key="available">
                <Money dollars={balance.available_dollars} />
              </b>,
            ],
            ['Total', <Money key="total" dollars={balance.total_dollars} />],
            ['Held for open buys', <Money key="held" dollars={balance.held_dollars} />],
            ['Credit limit', <Money key="limit" dollars={balance.credit_limit_dollars} />],
            ['Low at', <LowAt key={balance.low_at_dollars} balance={balance} />],
            ['Last movement', <Moment key="at" at={balance.updated_at} />],
          ]}
        />
      ) : error ? null : (
        <Loading />
      )}
      <p className="quiet small">
        Available is the total less what is held, plus the credit limit. An event account.balance_low says once that it
        has fallen to the amount of Low at.
      </p>
      <h2>Holds</h2>
      <Holds />
      <CodeLines
        ways={{
          CLI: 'bourse billing balance',
          curl: asCurl({ method: 'GET', path: '/preview/v2/billing/balance' }, location.origin),
          SDK: asSdk('balance.get'),
        }}
      />
    </div>
  )
}

/** The available amount at which an event says that the balance is low. */
function LowAt({ balance: { low_at_dollars, is_low } }: { balance: Balance }) {
  const [text, setText] = useState(low_at_dollars ?? '')
  const given = text.trim()
  const save = useAction(() => client.balanceThreshold.put({ low_at_dollars: given === '' ? null : given }), {
    nouns: ['balance'],
    onDone: () => say('Saved the threshold.'),
  })
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault()
        save.run(undefined)
      }}
    >
      <input
        aria-label="Low at, in dollars"
        inputMode="decimal"
        placeholder="No threshold"
        maxLength={24}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" isBusy={save.isRunning}>
        Save
      </Button>
      {is_low ? <b>Low now</b> : null}
      <ErrorText error={save.error} />
    </form>
  )
}

function Holds() {
  const [{ sort }, setAddress] = useAddress({ sort: '' })
  const list = useList('list_holds', {}, { every: 20_000 })
  const names = useWorkspaceNames()
  const now = useNow()
  if (list.isPending || list.error) return list.error ? <ErrorText error={list.error} /> : <Loading />
  if (list.rows.length === 0) return <p className="quiet">Nothing is held: no buy is open.</p>
  const columns: readonly Column<Hold>[] = [
    {
      id: 'order',
      title: 'Order',
      value: ({ order }) => order,
      cell: ({ order }) => (
        <Link to="/orders/$id" params={{ id: order }}>
          {order}
        </Link>
      ),
    },
    {
      id: 'amount_dollars',
      title: 'Held',
      isNumber: true,
      value: (row) => row.amount_dollars,
      cell: (row) => <Money dollars={row.amount_dollars} />,
    },
    { id: 'workspace', title: 'Workspace', value: (row) => names(row.workspace), cell: (row) => names(row.workspace) },
    {
      id: 'created_at',
      title: 'Since',
      value: (row) => row.created_at,
      cell: (row) => <Age at={row.created_at} now={now} />,
    },
    { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
  ]
  return (
    <Table
      name="Holds"
      columns={columns}
      rows={list.rows}
      keyOf={({ id }) => id}
      sort={sort}
      onSort={(next) => setAddress({ sort: next })}
      more={list.more}
      note={<Freshness updatedAt={list.updatedAt} count={list.rows.length} hasMore={list.more.hasMore} />}
    />
  )
}
