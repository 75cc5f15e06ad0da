/** What is there, what is held, and for which orders. */
import type { Balance } from '@bourse/sdk'
import { useState } from 'react'
import { holds } from '../generated/rows/money.ts'
import { useWorkspaceNames } from '../live/choices.ts'
import { client } from '../live/client.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { ListView } from '../live/lists/list-view.tsx'
import { useAction, useList, useRead } from '../live/queries.ts'
import { orderColumn } from '../money/ledger-tab.tsx'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Facts, Loading } from '../ui/page.tsx'
import { asCurl, asSdk } from '../ui/requests.rules.ts'
import { say } from '../ui/toasts.tsx'
import { Moment, Money } from '../ui/values.tsx'
import { BalanceChart } from './balance-chart.tsx'
import styles from './money.module.css'

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
      {balance ? <BalanceChart total={balance.total_dollars} /> : null}
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
      className={`row ${styles.threshold}`}
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
  const list = useList('list_holds', {}, { every: 20_000 })
  const names = useWorkspaceNames()
  const columns = columnsOf(
    holds,
    [
      orderColumn,
      { of: 'amount_dollars', title: 'Held' },
      { of: 'workspace', value: (row) => names(row.workspace) },
      { of: 'created_at', title: 'Since' },
    ],
    ['id'],
  )
  const empty = <p className="quiet">Nothing is held: no buy is open.</p>
  return <ListView name="Holds" list={list} columns={columns} empty={empty} />
}
