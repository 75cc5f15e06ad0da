/** The board as a table: each hour of each SKU. */
import type { OrderbookBoard } from '@bourse/sdk'
import { ownColumns } from '../../live/lists/columns.ts'
import { Table } from '../../ui/table.tsx'
import { type BoardHour, hoursOfBoard } from './board.rules.ts'

/** The table, which also gives it as CSV. */
export function BoardTable({ board }: { board: OrderbookBoard }) {
  return <Table name="Board" columns={columns} rows={hoursOfBoard(board)} keyOf={({ sku, at }) => `${sku} ${at}`} />
}

const columns = ownColumns<BoardHour>([
  { id: 'sku', title: 'SKU', value: ({ sku }) => sku },
  { id: 'at', title: 'From', as: 'moment', value: ({ at }) => at },
  { id: 'traded', title: 'Traded for', as: 'money', value: ({ traded }) => traded },
  { id: 'asked', title: 'Best ask', as: 'money', value: ({ asked }) => asked },
  { id: 'nodes', title: 'Free nodes', as: 'count', value: ({ nodes }) => nodes },
])
