/** The trades of a SKU as they happen. */

import type { OrderbookFill, Sku } from '@bourse/sdk'
import { daySeconds } from '@bourse/text/time/units.ts'
import { client } from '../../live/client.ts'
import { ownColumns } from '../../live/lists/columns.ts'
import { useRead } from '../../live/queries.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { Freshness } from '../../ui/freshness.tsx'
import { Loading } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { momentText, windowText } from '../../ui/values.rules.ts'
import { type PriceUnit, partsOf, priceText, unitText } from '../board/board.rules.ts'

const shown = 100

/** The newest trades for any window. Trades of others emit no event, so they are asked for every two seconds. */
export function Tape({ sku: { id: sku, ...properties }, unit, now }: { sku: Sku; unit: PriceUnit; now: number }) {
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
          columns={columnsIn(properties, unit)}
          rows={numbered(data)}
          keyOf={({ key }) => key}
          note={<Freshness updatedAt={dataUpdatedAt} count={data.length} />}
        />
      )}
    </section>
  )
}

type TapeTrade = OrderbookFill & { readonly key: string }

/** Trades have no ids: equal ones are counted. */
function numbered(fills: readonly OrderbookFill[]): readonly TapeTrade[] {
  const seen = new Map<string, number>()
  return fills.map((fill) => {
    const name = `${fill.filled_at} ${fill.price_dollars_per_node_hour}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return { ...fill, key: `${name} ${count}` }
  })
}

function columnsIn(sku: Pick<Sku, 'num_accelerators'>, unit: PriceUnit) {
  const parts = partsOf(sku, unit)
  return ownColumns<TapeTrade>([
    { id: 'filled_at', title: 'Traded', as: 'age', value: ({ filled_at }) => filled_at },
    {
      id: 'side',
      title: 'Side',
      value: ({ taker_side }) => taker_side,
      cell: ({ taker_side: side }) => <span className={side === 'buy' ? 'good' : 'bad'}>{side}</span>,
    },
    {
      id: 'price',
      title: `Price ${unitText(sku, unit)}`,
      isNumber: true,
      value: (row) => row.price_dollars_per_node_hour,
      cell: ({ price_dollars_per_node_hour: price }) => (
        <span title={`$${price} a node-hour`}>{priceText(price, parts)}</span>
      ),
    },
    { id: 'nodes', title: 'Nodes', as: 'count', value: ({ allocation_schedule_delta: delta }) => windowNodes(delta) },
    {
      id: 'window',
      title: 'Window',
      value: (row) => row.allocation_schedule_delta[0]?.start_at,
      cell: ({ allocation_schedule_delta: delta }) => <TradedWindow delta={delta} />,
    },
  ])
}

function windowNodes(delta: OrderbookFill['allocation_schedule_delta']): number {
  return Math.max(0, ...delta.map(({ node_count }) => node_count))
}

function TradedWindow({ delta }: { delta: OrderbookFill['allocation_schedule_delta'] }) {
  const [start, end] = [delta[0]?.start_at, delta.at(-1)?.end_at]
  if (start === undefined || end === undefined || end === null) return <span className="quiet">–</span>
  return <span title={`${momentText(start)} – ${momentText(end)}`}>{windowText(start, end)}</span>
}
