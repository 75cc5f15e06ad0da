/** The order book of a SKU in a window: the ladder of prices, and the depth as a drawing. */

import type { SkuId } from '@bourse/sdk'
import { moneyText } from '@bourse/text/formats/short.ts'
import { shellWord } from '@bourse/text/shell.ts'
import { Link } from '@tanstack/react-router'
import { client } from '../../live/client.ts'
import { ownColumns } from '../../live/lists/columns.ts'
import { useRead } from '../../live/queries.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { Freshness } from '../../ui/freshness.tsx'
import { Empty, Loading } from '../../ui/page.tsx'
import { asCli } from '../../ui/requests.rules.ts'
import { Table } from '../../ui/table.tsx'
import styles from './book.module.css'
import { type DepthStep, depthLabels, depthShape, type Ladder, ladderOf } from './depth.rules.ts'
import { Figure } from './figure.tsx'

/** What a book is read for. */
export type BookWindow = { readonly sku: SkuId; readonly start: number; readonly end: number }

const drawing = { width: 600, height: 190 }
const levels = 20

/** Ladder and depth side by side. The book changes without events, so it is read again every few seconds. */
export function BookSection({ name, ...window }: BookWindow & { name: string }) {
  const { sku, start, end } = window
  const { data, error, dataUpdatedAt } = useRead(
    ['orderbook', 'depth', sku, start, end],
    (signal) => {
      const query = { requirements: `id:${sku}`, start_at: start, end_at: end, depth: levels }
      return client.orderbookDepth.get(query, { signal })
    },
    { every: 3_000, keepsLast: true },
  )
  if (!data) return error ? <ErrorText error={error} /> : <Loading />
  const ladder = ladderOf(data)
  if (ladder.asks.length + ladder.bids.length === 0) {
    return (
      <Empty title="Nobody offers or wants this window" command={showCommand(name, window)}>
        An order that stands would be the first one here: place it on the ticket, or look at another window.
      </Empty>
    )
  }
  return (
    <div className={styles.two}>
      <section className="card" aria-label="Ladder">
        <h2>Ladder</h2>
        <LadderTable ladder={ladder} window={window} />
        <p className={styles.legend}>
          <Freshness updatedAt={dataUpdatedAt} />
        </p>
      </section>
      <section className="card">
        <Depth ladder={ladder} />
      </section>
    </div>
  )
}

function showCommand(name: string, { start, end }: BookWindow): string {
  const [from, until] = [start, end].map((at) => `${new Date(at * 1_000).toISOString().slice(0, 16)}Z`)
  return asCli(`book show ${shellWord(name)}`, { from, until })
}

function LadderTable({ ladder: { asks, bids, spread }, window }: { ladder: Ladder; window: BookWindow }) {
  return (
    <table className={styles.ladder} aria-label="Prices">
      <thead>
        <tr>
          <th scope="col">Price</th>
          <th scope="col">Nodes</th>
          <th scope="col">With better ones</th>
        </tr>
      </thead>
      <tbody>
        {asks.toReversed().map((step) => (
          <Level key={step.price} step={step} window={window} />
        ))}
        <tr className={styles.spread}>
          <td colSpan={3}>{spread === null ? 'One side only' : `Spread ${moneyText(spread.toFixed(6))}`}</td>
        </tr>
        {bids.map((step) => (
          <Level key={step.price} step={step} window={window} />
        ))}
      </tbody>
    </table>
  )
}

function Level({
  step: { side, price, nodes, total },
  window: { sku, start, end },
}: {
  step: DepthStep
  window: BookWindow
}) {
  const takes = side === 'ask' ? 'buy' : 'sell'
  const search = { side: takes, sku, start: String(start), end: String(end), limit: price.replace(/\.?0+$/, '') }
  return (
    <tr>
      <td>
        <Link
          to="/ticket"
          search={search}
          className={side === 'ask' ? styles.askPrice : styles.bidPrice}
          title={`${takes === 'buy' ? 'Buy' : 'Sell'} at $${price}`}
        >
          {side} {moneyText(price)}
        </Link>
      </td>
      <td>{nodes}</td>
      <td>{total}</td>
    </tr>
  )
}

const columns = ownColumns<DepthStep>([
  { id: 'side', title: 'Side', value: ({ side }) => side },
  { id: 'price', title: 'Price', as: 'money', value: ({ price }) => price },
  { id: 'nodes', title: 'Nodes', as: 'count', value: ({ nodes }) => nodes },
  { id: 'total', title: 'With better ones', as: 'count', value: ({ total }) => total },
])

function totalOf(steps: readonly DepthStep[]): number {
  return steps.at(-1)?.total ?? 0
}

function Depth({ ladder }: { ladder: Ladder }) {
  const shape = depthShape(ladder, drawing.width, drawing.height)
  const rows = [...ladder.asks.toReversed(), ...ladder.bids]
  const table = <Table name="Depth" columns={columns} rows={rows} keyOf={({ side, price }) => `${side} ${price}`} />
  return (
    <Figure name="Depth" table={table} legend="Nodes that are offered or wanted at a price or better, over the window.">
      {shape ? (
        <svg
          className={styles.depth}
          viewBox={`0 0 ${drawing.width} ${drawing.height + 20}`}
          role="img"
          aria-label={`Depth: ${totalOf(ladder.bids)} nodes wanted, ${totalOf(ladder.asks)} offered`}
        >
          <path className={styles.bid} d={shape.bids} />
          <path className={styles.ask} d={shape.asks} />
          <line x1={0} x2={drawing.width} y1={drawing.height} y2={drawing.height} />
          <text className={styles.axis} x={2} y={12}>
            {shape.most} nodes
          </text>
          {depthLabels(ladder, shape, drawing.width).map(({ price, x, anchor }) => (
            <text key={price} className={styles.axis} x={x} y={drawing.height + 15} textAnchor={anchor}>
              {moneyText(price)}
            </text>
          ))}
        </svg>
      ) : null}
    </Figure>
  )
}
