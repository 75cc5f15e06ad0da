/** The trades of a SKU as they happen: the newest in short, and all of them as a table. */

import type { OrderbookFill, Sku } from '@bourse/sdk'
import { daySeconds } from '@bourse/text/time/units.ts'
import { client } from '../../live/client.ts'
import { ownColumns } from '../../live/lists/columns.ts'
import { useRead } from '../../live/queries.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { Freshness } from '../../ui/freshness.tsx'
import { Loading } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { momentText, timeText, windowText } from '../../ui/values.rules.ts'
import { type PriceUnit, partsOf, priceText, unitText } from '../board/board.rules.ts'
import styles from './book.module.css'
import { Figure } from './figure.tsx'

const listed = 100
/** Trades that are shown in short. */
const shown = 9

/** The newest trades for any window. Trades of others emit no event, so they are asked for every two seconds. */
export function Tape({ sku: { id: sku, ...properties }, unit, now }: { sku: Sku; unit: PriceUnit; now: number }) {
  const today = Math.floor(now / daySeconds) * daySeconds
  const { data, error, dataUpdatedAt } = useRead<readonly OrderbookFill[]>(
    ['orderbook', 'fills', sku, today],
    async (signal) => {
      const window = { start_at: today - 30 * daySeconds, end_at: today + 366 * daySeconds }
      const query = { requirements: `id:${sku}`, ...window, limit: listed }
      return (await client.orderbookFills.list(query, { signal })).data
    },
    { every: 2_000, keepsLast: true },
  )
  if (!data) return error ? <ErrorText error={error} /> : <Loading />
  const trades = numbered(data)
  const table = (
    <Table
      name="Trades"
      columns={columnsIn(properties, unit)}
      rows={trades}
      keyOf={({ key }) => key}
      note={<Freshness updatedAt={dataUpdatedAt} count={data.length} />}
    />
  )
  return (
    <section aria-label="Trades">
      <ErrorText error={error} />
      <Figure name="Trades" table={table} legend={<Freshness updatedAt={dataUpdatedAt} />}>
        {trades.length === 0 ? (
          <p className="quiet">Nothing was traded in the last 7 days.</p>
        ) : (
          <Newest trades={trades.slice(0, shown)} sku={properties} unit={unit} />
        )}
      </Figure>
    </section>
  )
}

type NewestProps = { trades: readonly TapeTrade[]; sku: Pick<Sku, 'num_accelerators'>; unit: PriceUnit }

function Newest({ trades, sku, unit }: NewestProps) {
  const parts = partsOf(sku, unit)
  return (
    <table className={styles.trades} aria-label="Trades">
      <thead>
        <tr>
          <th scope="col">Traded</th>
          <th scope="col">Taker</th>
          <th scope="col">{`$${unitText(sku, unit)}`}</th>
          <th scope="col">Nodes</th>
          <th scope="col">Window</th>
        </tr>
      </thead>
      <tbody>
        {trades.map(({ key, filled_at, taker_side: side, price_dollars_per_node_hour: price, ...trade }) => (
          <tr key={key}>
            <td title={momentText(filled_at)}>{timeText(filled_at)}</td>
            <td className={side === 'buy' ? 'good' : 'bad'}>{side}</td>
            <td title={`$${price} a node-hour`}>{priceText(price, parts)}</td>
            <td>{windowNodes(trade.allocation_schedule_delta)}</td>
            <td>
              <TradedWindow delta={trade.allocation_schedule_delta} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
