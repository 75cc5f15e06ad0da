/** The calendar as a table: each stretch of each lane. */

import { ownColumns } from '../../live/lists/columns.ts'
import { Table } from '../../ui/table.tsx'
import type { OpenTicket } from '../book/trade-link.tsx'
import { Act } from './calendar-detail.tsx'
import { type Lane, type Segment, segmentsOf } from './lanes.rules.ts'

type CalendarRow = { readonly lane: Lane; readonly segment: Segment }
type CalendarTableProps = {
  lanes: readonly Lane[]
  view: { from: number; to: number }
  now: number
  sort: string
  onSort: (sort: string) => void
  onTrade: OpenTicket
}

/** The same as the lanes, with the same links to the ticket. */
export function CalendarTable({ lanes, view, now, sort, onSort, onTrade }: CalendarTableProps) {
  const rows = lanes.flatMap((lane) => segmentsOf(lane, view.from, view.to).map((segment) => ({ lane, segment })))
  return (
    <Table
      name="Calendar"
      columns={columnsAt(now, onTrade)}
      rows={rows}
      keyOf={({ lane, segment }) => `${lane.key} ${segment.start}`}
      sort={sort}
      onSort={onSort}
    />
  )
}

function columnsAt(now: number, onTrade: OpenTicket) {
  return ownColumns<CalendarRow>([
    { id: 'pool', title: 'Pool', value: ({ lane }) => lane.pool.name },
    { id: 'sku', title: 'SKU', value: ({ lane }) => lane.sku.alias },
    { id: 'start', title: 'From', as: 'moment', value: ({ segment }) => segment.start },
    { id: 'end', title: 'Until', as: 'moment', value: ({ segment }) => segment.end },
    { id: 'owned', title: 'Owned', as: 'count', value: ({ segment }) => segment.owned },
    { id: 'used', title: 'Used', as: 'count', value: ({ segment }) => segment.used },
    { id: 'promised', title: 'Promised', as: 'count', value: ({ segment }) => segment.promised },
    { id: 'free', title: 'Free', as: 'count', value: ({ segment }) => segment.free },
    { id: 'wanted', title: 'Open buys', as: 'count', value: ({ segment }) => segment.wanted },
    {
      id: 'act',
      title: 'Ticket',
      cell: ({ lane, segment }) => <Act lane={lane} segment={segment} now={now} onTrade={onTrade} />,
    },
  ])
}
