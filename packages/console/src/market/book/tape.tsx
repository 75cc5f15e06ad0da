/** The trades of a SKU as they happen. */

import type { OrderbookFill, SkuId } from '@bourse/sdk'
import { daySeconds } from '@bourse/text/time/units.ts'
import { client } from '../../live/client.ts'
import { ownColumns } from '../../live/lists/columns.ts'
import { useRead } from '../../live/queries.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { Freshness } from '../../ui/freshness.tsx'
import { Loading } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Money } from '../../ui/values.tsx'
import { nodeMinutes } from '../orders/order.rules.ts'

const shown = 100

/** The newest trades for any window. Trades of others emit no event, so they are asked for every two seconds. */
export function Tape({ sku, now }: { sku: SkuId; now: number }) {
  const today = Math.floor(now / daySeconds) * daySeconds
  const { data, error, dataUpdatedAt } = useRead<readonly OrderbookFill[]>(
    ['orderbook', 'fills', sku, today],
    async (signal) => {
      const window = { start_at: today - 30 * daySeconds, end_at: today + 366 * daySeconds }
      const query = { requirements: `id:${sku}`, ...window, limit: shown }
      return (await client.orderbookFills.list(query, { signal })).data
    },
    { every: 2_000, keepsLast: true },
  )
  return (
    <section className="card" aria-label="Trades">
      <h2>Trades</h2>
      <ErrorText error={error} />
      {!data ? (
        error ? null : (
          <Loading />
        )
      ) : data.length === 0 ? (
        <p className="quiet">Nothing was traded in the last 7 days.</p>
      ) : (
        <Table
          name="Trades"
          columns={columns}
          rows={numbered(data)}
          keyOf={({ key }) => key}
          note={<Freshness updatedAt={dataUpdatedAt} count={data.length} />}
        />
      )}
    </section>
  )
}

type TapeTrade = OrderbookFill & { readonly key: string; readonly change: number }

/** Trades with how their price differs from the one before. They have no ids: equal ones are counted. */
function numbered(fills: readonly OrderbookFill[]): readonly TapeTrade[] {
  const seen = new Map<string, number>()
  return fills.map((fill, index) => {
    const { filled_at, price_dollars_per_node_hour: price } = fill
    const name = `${filled_at} ${price}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    const before = fills[index + 1]?.price_dollars_per_node_hour ?? price
    return { ...fill, key: `${name} ${count}`, change: Math.sign(Number(price) - Number(before)) }
  })
}

const columns = ownColumns<TapeTrade>([
  { id: 'filled_at', title: 'Traded', as: 'age', value: ({ filled_at }) => filled_at },
  {
    id: 'price',
    title: 'Price',
    isNumber: true,
    value: (row) => row.price_dollars_per_node_hour,
    cell: ({ price_dollars_per_node_hour: price, change }) => (
      <>
        {change === 0 ? null : (
          <span className={change > 0 ? 'good' : 'bad'} title={change > 0 ? 'Higher than before' : 'Lower than before'}>
            {change > 0 ? '▲ ' : '▼ '}
          </span>
        )}
        <Money dollars={price} />
      </>
    ),
  },
  { id: 'volume', title: 'Node-hours', as: 'count', value: hoursOf },
  { id: 'window', title: 'From', as: 'moment', value: (row) => row.allocation_schedule_delta[0]?.start_at },
])

function hoursOf({ allocation_schedule_delta: delta }: TapeTrade): number {
  return Math.round((nodeMinutes(delta) / 60) * 10) / 10
}
