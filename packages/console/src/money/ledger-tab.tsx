/** Every movement of money, newest first. */
import type { Transaction } from '@bourse/sdk'
import { daySeconds } from '@bourse/text/time/units.ts'
import { Link } from '@tanstack/react-router'
import { WorkspaceFilter } from '../access/filters.tsx'
import { useWorkspaceNames } from '../live/choices.ts'
import { Dates } from '../live/dates.tsx'
import { ListView } from '../live/lists/list-view.tsx'
import { readDate } from '../live/months.rules.ts'
import { useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Empty } from '../ui/page.tsx'
import { allOr, Select } from '../ui/select.tsx'
import type { Column } from '../ui/table.tsx'
import { Copyable, Moment, Money } from '../ui/values.tsx'

const types = ['buy_fill', 'sell_fill', 'credit_grant', 'manual_payment', 'refund', 'adjustment']

/** The tab. */
export function LedgerTab() {
  const [address, setAddress] = useAddress({ type: '', workspace: '', from: '', to: '', order: '', sort: '' })
  const { type, workspace, order } = address
  const to = readDate(address.to)
  const filters = {
    type,
    workspace,
    order: /^ordr_\w+/.test(order) ? order : '',
    created_after: readDate(address.from),
    created_before: to === undefined ? undefined : to + daySeconds - 1,
  }
  const list = useList('list_transactions', filters)
  const names = useWorkspaceNames()
  return (
    <div className="stack">
      <div className="row no-print">
        <Select label="Type" value={type} onChange={(next) => setAddress({ type: next })} options={allOr(types)} />
        <WorkspaceFilter value={workspace} onChange={(next) => setAddress({ workspace: next })} />
        <Dates from={address.from} to={address.to} onChange={setAddress} />
        <input
          aria-label="Order"
          placeholder="ordr_…"
          size={16}
          value={order}
          onChange={({ target }) => setAddress({ order: target.value.trim() })}
        />
      </div>
      <ListView
        name="Ledger"
        list={list}
        columns={columnsWith(names)}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No movement" command="bourse billing transactions">
            What fills, payments and credits move is listed here for good. Change the filters to see more.
          </Empty>
        }
      />
    </div>
  )
}

function columnsWith(names: (id: string | null) => string): readonly Column<Transaction>[] {
  return [
    { id: 'created_at', title: 'Time', value: (row) => row.created_at, cell: (row) => <Moment at={row.created_at} /> },
    { id: 'type', title: 'Type', value: ({ type }) => type, cell: ({ type }) => type.replaceAll('_', ' ') },
    {
      id: 'amount_dollars',
      title: 'Amount',
      isNumber: true,
      value: (row) => row.amount_dollars,
      cell: (row) => <Money dollars={row.amount_dollars} sign />,
    },
    {
      id: 'fee_dollars',
      title: 'Fee',
      isNumber: true,
      value: (row) => row.fee_dollars,
      cell: (row) => <Money dollars={row.fee_dollars} />,
    },
    {
      id: 'balance_after_dollars',
      title: 'Balance after',
      isNumber: true,
      value: (row) => row.balance_after_dollars,
      cell: (row) => <Money dollars={row.balance_after_dollars} />,
    },
    {
      id: 'order',
      title: 'Order',
      value: ({ order }) => order,
      cell: ({ order }) =>
        order === null ? (
          '–'
        ) : (
          <Link to="/orders/$id" params={{ id: order }}>
            {order}
          </Link>
        ),
    },
    { id: 'workspace', title: 'Workspace', value: (row) => names(row.workspace), cell: (row) => names(row.workspace) },
    { id: 'description', title: 'Note', value: (row) => row.description, cell: (row) => row.description ?? '–' },
    { id: 'fill', title: 'Fill', value: ({ fill }) => fill, cell: ({ fill }) => fill ?? '–', isExtra: true },
    { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
  ]
}
