/** Parts of an order that several pages show: its explanation, its fills, and its price against the market's. */

import type { Fill, Order, OrderId } from '@bourse/sdk'
import { nodeHoursOf } from '@bourse/text/formats/amounts.ts'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { orderFills } from '../../generated/rows/market.ts'
import { client } from '../../live/client.ts'
import { columnsOf } from '../../live/lists/columns.ts'
import { useRead } from '../../live/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Loading } from '../../ui/page.tsx'
import { type MoreRows, Table } from '../../ui/table.tsx'
import { Money } from '../../ui/values.tsx'
import {
  advantagePercent,
  againstMarketText,
  averagePrice,
  filledHours,
  filledWindow,
  hoursMax,
  isOpen,
  nodeMinutes,
} from './order.rules.ts'

/** Milliseconds after which an open order is read again: a fill of a part emits no event. */
export const readAgain = 3_000

/** One order, while it is open also without events; none for an empty id. */
export function useOrder(id: string) {
  const enabled = id !== ''
  const read = (signal: AbortSignal) => client.orders.get(id as OrderId, { signal })
  const known = useRead(['order', 'item', id], read, { enabled })
  const open = known.data !== undefined && isOpen(known.data)
  return useRead(['order', 'item', id], read, { enabled, ...(open ? { every: readAgain } : {}) })
}

/** The state of an order. */
export function OrderBadge({ order }: { order: Order }) {
  return <Badge word={order.state} {...(isOpen(order) ? { tone: 'busy' as const } : {})} />
}

/** Why an order rests, or what ended it. */
export function Explanation({ id, isResting }: { id: string; isResting: boolean }) {
  const { data, error } = useRead(
    ['order', 'explain', id],
    (signal) => client.orders.explain(id as OrderId, { signal }),
    isResting ? { every: readAgain } : {},
  )
  if (!data) return error ? <ErrorText error={error} /> : <Loading />
  const { summary, reasons, nearest, fillable_node_minutes, open_node_minutes, ahead } = data
  return (
    <div>
      <p>
        <b>{summary}</b>
      </p>
      {reasons.length > 1 ? (
        <ul>
          {reasons.slice(1).map(({ code, message }) => (
            <li key={code}>{message}</li>
          ))}
        </ul>
      ) : null}
      {nearest ? (
        <p>
          The nearest price of the other side is <Money dollars={nearest.price_dollars_per_node_hour} />,{' '}
          <Money dollars={nearest.gap_dollars_per_node_hour} /> away from the limit.
        </p>
      ) : null}
      {open_node_minutes > 0 ? (
        <p className="quiet">
          Open: {nodeHoursOf(open_node_minutes)}. Could be filled at the limit now: {nodeHoursOf(fillable_node_minutes)}
          . Orders ahead: {ahead.order_count}.
        </p>
      ) : null}
    </div>
  )
}

const fillColumns = columnsOf(
  orderFills,
  [
    { of: 'filled_at', title: 'Filled' },
    { of: 'price_dollars_per_node_hour', title: 'Price' },
    {
      id: 'volume',
      title: 'Node-hours',
      isNumber: true,
      value: (row) => nodeMinutes(row.allocation_schedule_delta) / 60,
      cell: (row) => nodeHoursOf(nodeMinutes(row.allocation_schedule_delta)),
    },
    'total_dollars',
    'fee_dollars',
    { id: 'window', title: 'Window', value: (row) => filledWindow(row.allocation_schedule_delta) },
  ],
  [{ of: 'id', as: 'code' }],
)

type FillsProps = { fills: readonly Fill[]; more?: MoreRows<Fill> }

/** The fills of an order. */
export function Fills({ fills, more }: FillsProps) {
  if (fills.length === 0) return <p className="quiet">Nothing is filled yet.</p>
  return <Table name="Fills" columns={fillColumns} rows={fills} keyOf={({ id }) => id} more={more} />
}

/** The average price of an order against all trades of its SKU in the hours in which it was filled. */
export function AgainstMarket({ order }: { order: Order }) {
  const { first, until, since } = filledHours(order.fills.map(({ filled_at }) => filled_at))
  // Orders of one SKU share an answer: a list asks once for each SKU and block of days, not once for each row.
  const { data } = useRead(
    ['market_average', order.sku.id, since],
    async (signal) => {
      const query = { sku: order.sku.id, interval: 'hour', since, until: since + hoursMax * hourSeconds } as const
      return (await client.priceHistory.list({ ...query, limit: hoursMax }, { signal })).data
    },
    { enabled: order.fills.length > 0, every: 60_000 },
  )
  const buckets = (data ?? []).filter(({ start_at }) => start_at >= first && start_at < until)
  const own = order.filled_average_price_dollars_per_node_hour
  const market = averagePrice(buckets)
  if (own === null) return <span className="quiet">–</span>
  const percent = market === undefined ? undefined : advantagePercent(order, Number(own), market)
  return (
    <>
      <Money dollars={own} />{' '}
      {percent === undefined ? null : (
        <span
          className={percent < 0 ? 'bad small' : percent > 0 ? 'good small' : 'quiet small'}
          title={`The market's average in these hours: $${market?.toFixed(6)}`}
        >
          {againstMarketText(percent)}
        </span>
      )}
    </>
  )
}
