/** What the marketplace earned by month and SKU, and the ledger of all accounts as files. */
import type { Revenue as RevenueRow } from '@bourse/sdk'
import { countText } from '@bourse/text/formats/short.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { Fragment } from 'react'
import { useSkuNames } from '../live/choices.ts'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { dayStart, monthAfter, monthOf } from '../live/months.rules.ts'
import { useRead } from '../live/queries.ts'
import { ErrorText } from '../ui/error-text.tsx'
import { Loading } from '../ui/page.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Money } from '../ui/values.tsx'

/** The table of the last twelve months. */
export function Revenue() {
  const now = useNow()
  const to = monthOf(now)
  const from = monthAfter(to, -11)
  const rows = useRead(['transaction', 'revenue', from, to], () => client.revenue.list({ from, to }).all())
  const names = useSkuNames()
  const today = dayStart(now)
  const range = `from=${today - 30 * daySeconds}&to=${today}`
  return (
    <div className="stack">
      <p>
        Ledger of the last 30 days:{' '}
        {['csv', 'jsonl', 'parquet'].map((encoding) => (
          <Fragment key={encoding}>
            <a href={`/preview/v2/admin/ledger?${range}&encoding=${encoding}`} download>
              {encoding}
            </a>{' '}
          </Fragment>
        ))}
      </p>
      <ErrorText error={rows.error} />
      {rows.isPending && !rows.error ? <Loading /> : null}
      {rows.data ? (
        <Table name="Revenue" columns={columnsWith(names)} rows={rows.data} keyOf={({ month, sku }) => month + sku} />
      ) : null}
    </div>
  )
}

function columnsWith(names: ReturnType<typeof useSkuNames>): readonly Column<RevenueRow>[] {
  return [
    { id: 'month', title: 'Month', value: ({ month }) => month, cell: ({ month }) => month },
    { id: 'sku', title: 'SKU', value: ({ sku }) => names(sku), cell: ({ sku }) => names(sku) },
    {
      id: 'fees',
      title: 'Fees',
      value: ({ fees_dollars }) => fees_dollars,
      cell: ({ fees_dollars }) => <Money dollars={fees_dollars} />,
      isNumber: true,
    },
    {
      id: 'volume',
      title: 'Volume',
      value: ({ volume_dollars }) => volume_dollars,
      cell: ({ volume_dollars }) => <Money dollars={volume_dollars} />,
      isNumber: true,
    },
    {
      id: 'node_hours',
      title: 'Node-hours',
      value: ({ node_minutes }) => node_minutes,
      cell: ({ node_minutes }) => countText(Math.round(node_minutes / 60)),
      isNumber: true,
    },
    {
      id: 'fills',
      title: 'Fills',
      value: ({ fill_count }) => fill_count,
      cell: ({ fill_count }) => countText(fill_count),
      isNumber: true,
    },
  ]
}
