/** The order book of a SKU in a window: the ladder of prices with its sizes, and the depth as a drawing. */

import type { Sku } from '@bourse/sdk'
import { moneyText } from '@bourse/text/formats/short.ts'
import { shellWord } from '@bourse/text/shell.ts'
import { client } from '../../live/client.ts'
import { ownColumns } from '../../live/lists/columns.ts'
import { useList, useRead } from '../../live/queries.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { Freshness } from '../../ui/freshness.tsx'
import { Empty, Loading } from '../../ui/page.tsx'
import { asCli } from '../../ui/requests.rules.ts'
import { Table } from '../../ui/table.tsx'
import { windowText } from '../../ui/values.rules.ts'
import { type PriceUnit, partsOf, priceText, unitText } from '../board/board.rules.ts'
import type { BookWindow } from '../board/board-address.rules.ts'
import { openStates, windowOf } from '../orders/order.rules.ts'
import { skuName } from '../sku.rules.ts'
import { typedLimit } from '../ticket/limit.rules.ts'
import styles from './book.module.css'
import {
  type DepthStep,
  depthShape,
  type Ladder,
  type LadderRow,
  ladderOf,
  ladderRows,
  type OwnOffer,
} from './depth.rules.ts'
import { Figure } from './figure.tsx'
import { type OpenTicket, TradeLink } from './trade-link.tsx'

const drawing = { width: 420, height: 190, left: 34, bottom: 20 }
const levels = 20
/** Prices of a side that the ladder shows; the table of the depth has all. */
const rungs = 7

type BookProps = { sku: Sku; window: BookWindow; unit: PriceUnit; isHalted: boolean; onTrade: OpenTicket }

/** Ladder and depth. The book changes without events, so it is read again every few seconds. */
export function BookSection({ sku, window, unit, isHalted, onTrade }: BookProps) {
  const { start, end } = window
  const { data, error, dataUpdatedAt } = useRead(
    ['orderbook', 'depth', sku.id, start, end],
    (signal) => {
      const query = { requirements: `id:${sku.id}`, start_at: start, end_at: end, depth: levels }
      return client.orderbookDepth.get(query, { signal })
    },
    { every: 3_000, keepsLast: true },
  )
  const own = useOwnOffers(window)
  if (!data) return error ? <ErrorText error={error} /> : <Loading />
  const ladder = ladderOf(data)
  if (ladder.asks.length + ladder.bids.length === 0) {
    return (
      <Empty title="Nobody offers or wants this window" command={showCommand(skuName(sku), window)}>
        An order that stands would be the first one here: place it on the ticket, or look at another window.
      </Empty>
    )
  }
  return (
    <>
      <section aria-label="Ladder" data-halted={isHalted}>
        <h2>
          Ladder <small className="quiet">{windowText(start, end)}</small>
        </h2>
        <LadderTable sku={sku} ladder={ladder} window={window} unit={unit} own={own} onTrade={onTrade} />
        <p className={styles.legend}>
          {isHalted ? 'Halted: nothing here can be traded now. ' : null}
          <Freshness updatedAt={dataUpdatedAt} />
        </p>
      </section>
      <section data-halted={isHalted}>
        <Depth sku={sku} ladder={ladder} unit={unit} />
      </section>
    </>
  )
}

function showCommand(name: string, { start, end }: BookWindow): string {
  const [from, until] = [start, end].map((at) => `${new Date(at * 1_000).toISOString().slice(0, 16)}Z`)
  return asCli(`book show ${shellWord(name)}`, { from, until })
}

/** The own open orders that offer or want nodes in the window. */
function useOwnOffers({ sku, start, end }: BookWindow): readonly OwnOffer[] {
  const { rows } = useList('list_orders', { sku: [sku], state: [...openStates], include_managed: 'true' })
  return rows.flatMap((order) => {
    const window = windowOf(order)
    if (window.start >= end || window.end <= start) return []
    const side = order.side === 'buy' ? ('bid' as const) : ('ask' as const)
    return [{ side, price: order.limit_price_dollars_per_node_hour, nodes: window.nodes }]
  })
}

type LadderProps = {
  sku: Sku
  ladder: Ladder
  window: BookWindow
  unit: PriceUnit
  own: readonly OwnOffer[]
  onTrade: OpenTicket
}

function LadderTable({ sku, ladder, window, unit, own, onTrade }: LadderProps) {
  const textOf = (price: string) => priceText(price, partsOf(sku, unit))
  const { asks, bids } = ladderRows(ladder, { textOf, own })
  const { spread } = ladder
  return (
    <table className={styles.ladder} aria-label="Prices">
      <thead>
        <tr>
          <th scope="col">${unitText(sku, unit)}</th>
          <td aria-hidden="true" />
          <th scope="col">Nodes</th>
          <th scope="col">Sum</th>
        </tr>
      </thead>
      <tbody>
        <Further count={asks.length - rungs} />
        {asks
          .slice(0, rungs)
          .toReversed()
          .map((row) => (
            <Level key={row.text} row={row} window={window} onTrade={onTrade} />
          ))}
        <tr className={styles.spread}>
          <td colSpan={4}>{spread === null ? 'One side only' : `Spread ${textOf(spread.toFixed(6))}`}</td>
        </tr>
        {bids.slice(0, rungs).map((row) => (
          <Level key={row.text} row={row} window={window} onTrade={onTrade} />
        ))}
        <Further count={bids.length - rungs} />
      </tbody>
    </table>
  )
}

/** Says how many prices of a side are not shown. */
function Further({ count }: { count: number }) {
  if (count <= 0) return null
  return (
    <tr className={styles.further}>
      <td colSpan={4}>{count === 1 ? 'and 1 price more' : `and ${count} prices more`}</td>
    </tr>
  )
}

type LevelProps = { row: LadderRow; window: BookWindow; onTrade: OpenTicket }

function Level({ row, window: { sku, start, end }, onTrade }: LevelProps) {
  const { side, price, text, nodes, total, own, part } = row
  const takes = side === 'ask' ? 'buy' : 'sell'
  const draft = { side: takes, sku, start: String(start), end: String(end), limit: typedLimit(price) }
  return (
    <tr data-own={own > 0 || undefined}>
      <td>
        <TradeLink
          draft={draft}
          onTrade={onTrade}
          className={side === 'ask' ? styles.askPrice : styles.bidPrice}
          title={`${takes === 'buy' ? 'Buy' : 'Sell'} at $${price} a node-hour`}
        >
          {side} {text}
        </TradeLink>
      </td>
      <td aria-hidden="true">
        <svg className={styles.size} viewBox="0 0 100 1" preserveAspectRatio="none" data-side={side} aria-hidden="true">
          <rect x={100 - part * 100} width={part * 100} height={1} />
        </svg>
      </td>
      <td>
        {own > 0 ? <span className={styles.own}>{`yours: ${own} of `}</span> : null}
        {nodes}
      </td>
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

/** A label near the right edge ends at its place, so that it is not cut. */
function anchorOf(place: number): 'middle' | 'end' {
  return place > drawing.width - drawing.left - 24 ? 'end' : 'middle'
}

function Depth({ sku, ladder, unit }: { sku: Sku; ladder: Ladder; unit: PriceUnit }) {
  const shape = depthShape(ladder, drawing.width - drawing.left, drawing.height)
  const rows = [...ladder.asks.toReversed(), ...ladder.bids]
  const table = <Table name="Depth" columns={columns} rows={rows} keyOf={({ side, price }) => `${side} ${price}`} />
  return (
    <Figure name="Depth" table={table} legend={`Nodes at a price or better, over the window; ${unitText(sku, unit)}`}>
      {shape ? (
        <svg
          className={styles.depth}
          viewBox={`0 0 ${drawing.width} ${drawing.height + drawing.bottom}`}
          role="img"
          aria-label={`Depth: ${totalOf(ladder.bids)} nodes wanted, ${totalOf(ladder.asks)} offered`}
        >
          <g transform={`translate(${drawing.left} 0)`}>
            {shape.rows.map(({ place, value }) => (
              <g key={value}>
                <line x1={0} x2={drawing.width - drawing.left} y1={place} y2={place} />
                <text className={styles.axis} x={-6} y={place + 4} textAnchor="end">
                  {value}
                </text>
              </g>
            ))}
            <path className={styles.bid} d={shape.bids} />
            <path className={styles.ask} d={shape.asks} />
            <line x1={0} x2={drawing.width - drawing.left} y1={drawing.height} y2={drawing.height} />
            {shape.columns.map(({ place, value }) => (
              <text key={value} className={styles.axis} x={place} y={drawing.height + 15} textAnchor={anchorOf(place)}>
                {moneyText((value / partsOf(sku, unit)).toFixed(6))}
              </text>
            ))}
          </g>
        </svg>
      ) : null}
    </Figure>
  )
}
