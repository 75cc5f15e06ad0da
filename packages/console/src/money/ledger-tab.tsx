/** Every movement of money, newest first. */
import { daySeconds } from '@bourse/text/time/units.ts'
import { WorkspaceFilter } from '../access/filters.tsx'
import { transactions } from '../generated/rows/money.ts'
import { useWorkspaceNames } from '../live/choices.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { choiceFilter, dayFilter, textFilter } from '../live/lists/filters.tsx'
import { ListTab } from '../live/lists/list-page.tsx'
import { readDate } from '../live/months.rules.ts'
import { Thing } from '../live/names/named.tsx'
import { knownName } from '../live/names/names.ts'
import { Money } from '../ui/values.tsx'

const types = ['buy_fill', 'sell_fill', 'credit_grant', 'manual_payment', 'refund', 'adjustment']

const filters = {
  type: choiceFilter('Type', types),
  workspace: WorkspaceFilter,
  from: dayFilter('From'),
  to: dayFilter('To'),
  order: textFilter('Order', { placeholder: 'ordr_…' }),
}

/** The tab. */
export function LedgerTab() {
  const names = useWorkspaceNames()
  return (
    <ListTab
      name="Ledger"
      operation="list_transactions"
      columns={columnsWith(names)}
      filters={filters}
      query={({ type, workspace, from = '', to = '', order = '' }) => ({
        type,
        workspace,
        order: /^ordr_\w+/.test(order) ? order : '',
        created_after: readDate(from),
        created_before: lastSecondOf(to),
      })}
      empty={{
        title: 'No movement',
        command: 'bourse billing transactions',
        text: 'What fills, payments and credits move is listed here for good.',
      }}
    />
  )
}

function lastSecondOf(date: string): number | undefined {
  const day = readDate(date)
  return day && day + daySeconds - 1
}

/** The order of a row, by its name. */
export const orderColumn = {
  of: 'order',
  value: ({ order }: { readonly order: string | null }) => order && (knownName(order) ?? order),
  cell: ({ order }: { readonly order: string | null }) => (order === null ? '–' : <Thing type="order" id={order} />),
} as const

function columnsWith(names: (id: string | null) => string) {
  return columnsOf(
    transactions,
    [
      { of: 'created_at', title: 'Time', as: 'moment' },
      'type',
      { of: 'amount_dollars', cell: ({ amount_dollars }) => <Money dollars={amount_dollars} sign /> },
      'fee_dollars',
      'balance_after_dollars',
      orderColumn,
      { of: 'workspace', value: (row) => names(row.workspace) },
      { of: 'description', title: 'Note' },
    ],
    ['fill', 'id'],
  )
}
