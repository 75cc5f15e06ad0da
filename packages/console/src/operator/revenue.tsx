/** What the marketplace earned by month and SKU, and the ledger of all accounts as files. */
import { daySeconds } from '@bourse/text/time/units.ts'
import { Fragment } from 'react'
import { revenue } from '../generated/rows/operator.ts'
import { useSkuNames } from '../live/choices.ts'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { dayStart, monthAfter, monthOf } from '../live/months.rules.ts'
import { useRead } from '../live/queries.ts'
import { ErrorText } from '../ui/error-text.tsx'
import { Loading } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'

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

function columnsWith(names: ReturnType<typeof useSkuNames>) {
  return columnsOf(revenue, [
    'month',
    { of: 'sku', value: ({ sku }) => names(sku) },
    'fees_dollars',
    'volume_dollars',
    'node_minutes',
    'fill_count',
  ])
}
