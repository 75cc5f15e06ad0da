/** What the marketplace earned by month and SKU, and the ledger of all accounts as files. */
import { daySeconds } from '@bourse/text/time/units.ts'
import { Fragment } from 'react'
import { revenue } from '../generated/rows/operator.ts'
import { useSkuNames } from '../live/choices.ts'
import { useNow } from '../live/clock.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { ListTab } from '../live/lists/list-page.tsx'
import { dayStart, monthAfter, monthOf } from '../live/months.rules.ts'

/** The table of the last twelve months. */
export function Revenue() {
  const now = useNow()
  const to = monthOf(now)
  const from = monthAfter(to, -11)
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
      <ListTab
        name="Revenue"
        operation="list_revenue"
        fixed={{ from, to }}
        columns={columnsWith(names)}
        keyOf={({ month, sku }) => month + sku}
      />
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
