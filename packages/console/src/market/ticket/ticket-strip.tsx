/** The next two days as a strip: prices of the SKU, and what the pool owns. A window is marked by dragging. */

import type { Pool } from '@bourse/sdk'
import { moneyText } from '@bourse/text/formats/short.ts'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { client } from '../../live/client.ts'
import { useRead } from '../../live/queries.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import type { HeatRow } from '../book/heat-map.rules.ts'
import { HeatMap } from '../book/heat-map.tsx'
import { ownedIn } from '../sku.rules.ts'
import { type Ticket, windowOf } from './ticket.rules.ts'

const hours = 48

const priceOf = (value: number) => moneyText(value.toFixed(6))

type StripProps = { ticket: Ticket; pool: Pool | undefined; now: number; change: (change: Partial<Ticket>) => void }

/** The strip begins with the current hour, or with that of a window that is further away. */
export function TicketStrip({ ticket, pool, now, change }: StripProps) {
  const present = Math.floor(now / hourSeconds) * hourSeconds
  const { start, end } = windowOf(ticket, now)
  const isFar = start !== undefined && start >= present + (hours - 6) * hourSeconds
  const from = isFar ? Math.floor(start / hourSeconds) * hourSeconds - 6 * hourSeconds : present
  const sku = ticket.sku as `sku_${string}`
  const { data, error } = useRead(
    ['orderbook', 'heatmap', sku, from],
    (signal) => client.orderbookHeatmap.get({ sku: [sku], from, to: from + hours * hourSeconds }, { signal }),
    { enabled: sku.startsWith('sku_'), keepsLast: true, every: 10_000 },
  )
  const cells = data?.rows[0]?.cells ?? []
  const prices: HeatRow = {
    key: 'price',
    title: 'Best ask',
    cells: cells.map(({ start_at, end_at, best_ask_dollars_per_node_hour: ask, offered_node_count }) => ({
      start_at,
      end_at,
      value: ask === null ? null : Number(ask),
      text: ask === null ? 'nothing offered' : `${moneyText(ask)}, ${offered_node_count} nodes`,
    })),
  }
  const owned: HeatRow = {
    key: 'owned',
    title: 'You own',
    cells: cells.map(({ start_at, end_at }) => {
      const nodes = ownedIn(pool, sku, { start: start_at, end: end_at })
      return { start_at, end_at, value: nodes === 0 ? null : nodes, text: `${nodes} nodes` }
    }),
  }
  return (
    <section className="card" aria-label="Window">
      <h2>Drag a window</h2>
      <ErrorText error={error} />
      {[prices, owned].map((row) => (
        <HeatMap
          key={row.key}
          name={row.title}
          rows={[row]}
          {...(row === prices ? { format: priceOf } : {})}
          {...(start !== undefined && end !== undefined ? { marked: { start, end } } : {})}
          onSelect={(_, fromAt, toAt) => change({ start: String(fromAt), end: String(toAt) })}
        />
      ))}
      <p className="quiet small">
        Stronger colours are dearer, or more nodes. With the keyboard: arrows, Shift and arrows to mark, Enter to take.
      </p>
    </section>
  )
}
