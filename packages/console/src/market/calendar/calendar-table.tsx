/** The calendar as a table: each stretch of each lane. */
import { type Column, Table } from '../../ui/table.tsx'
import { Moment } from '../../ui/values.tsx'
import { Act } from './calendar-detail.tsx'
import { type Lane, type Segment, segmentsOf } from './lanes.rules.ts'

type Row = { readonly lane: Lane; readonly segment: Segment }
type TableProps = {
  lanes: readonly Lane[]
  view: { from: number; to: number }
  now: number
  sort: string
  onSort: (sort: string) => void
}

/** The same as the lanes, with the same links to the ticket. */
export function CalendarTable({ lanes, view, now, sort, onSort }: TableProps) {
  const rows = lanes.flatMap((lane) => segmentsOf(lane, view.from, view.to).map((segment) => ({ lane, segment })))
  return (
    <Table
      name="Calendar"
      columns={columnsAt(now)}
      rows={rows}
      keyOf={({ lane, segment }) => `${lane.key} ${segment.start}`}
      sort={sort}
      onSort={onSort}
    />
  )
}

function columnsAt(now: number): readonly Column<Row>[] {
  const count = (id: string, title: string, value: (segment: Segment) => number): Column<Row> => {
    return { id, title, isNumber: true, value: ({ segment }) => value(segment), cell: ({ segment }) => value(segment) }
  }
  return [
    { id: 'pool', title: 'Pool', value: ({ lane }) => lane.pool.name, cell: ({ lane }) => lane.pool.name },
    { id: 'sku', title: 'SKU', value: ({ lane }) => lane.sku.alias, cell: ({ lane }) => lane.sku.alias },
    {
      id: 'start',
      title: 'From',
      value: ({ segment }) => segment.start,
      cell: ({ segment }) => <Moment at={segment.start} />,
    },
    {
      id: 'end',
      title: 'Until',
      value: ({ segment }) => segment.end,
      cell: ({ segment }) => <Moment at={segment.end} />,
    },
    count('owned', 'Owned', ({ owned }) => owned),
    count('used', 'Used', ({ used }) => used),
    count('promised', 'Promised', ({ promised }) => promised),
    count('free', 'Free', ({ free }) => free),
    count('wanted', 'Open buys', ({ wanted }) => wanted),
    {
      id: 'act',
      title: 'Ticket',
      value: () => '',
      cell: ({ lane, segment }) => <Act lane={lane} segment={segment} now={now} />,
    },
  ]
}
