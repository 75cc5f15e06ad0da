/** The board: a row for each SKU, with its price, its line through now, its free nodes and its hours ahead. */
import type { OrderbookBoard, OrderbookBoardRow, Pool } from '@bourse/sdk'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { lazy, memo, Suspense, useMemo } from 'react'
import { useList } from '../../live/queries.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { Loading } from '../../ui/page.tsx'
import { skuLine, skuName } from '../sku.rules.ts'
import styles from './board.module.css'
import {
  type BoardRange,
  boardLine,
  changeText,
  type HeldWindow,
  heldWindow,
  ownWindows,
  type PriceUnit,
  partsOf,
  priceText,
  shownPast,
  unitText,
} from './board.rules.ts'
import { BoardStrip, StripAxis, StripLegend } from './board-strip.tsx'

const BoardTable = lazy(() => import('./board-table.tsx').then(({ BoardTable: table }) => ({ default: table })))

/** A grid keeps these roles only where they are written. */
const roles = {
  table: { role: 'table', 'aria-label': 'Board' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  heading: { role: 'columnheader' },
  title: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const

type BoardProps = {
  board: OrderbookBoard
  /** The SKU whose book is open. */
  open: string | undefined
  unit: PriceUnit
  nodes: number
  /** The running minute: what is drawn changes no more often. */
  minute: number
  isTable: boolean
  /** What the ticket beside the board is about: its window is marked. */
  marked: { readonly sku?: string; readonly start?: string; readonly end?: string } | undefined
  onOpen: (sku: string) => void
  /** Called with a window that was marked on the strip of a SKU. */
  onMark: (sku: string, start: number, end: number) => void
}

/** The board, or the table of its hours. */
export function Board({ board, open, unit, nodes, minute, isTable, marked, onOpen, onMark }: BoardProps) {
  const pools = useList('list_pools', {}, { every: 30_000 })
  const range = useMemo(
    () => ({ current: board.current_hour_at, hours: board.hours }),
    [board.current_hour_at, board.hours],
  )
  const pastHours = shownPast(board.rows)
  const held = useMemo(() => heldWindow(marked), [marked])
  const act = useMemo(() => ({ open: onOpen, mark: onMark }), [onOpen, onMark])
  return (
    <figure className={styles.figure} aria-label="Board">
      {isTable ? (
        <Suspense fallback={<Loading />}>
          <BoardTable board={board} />
        </Suspense>
      ) : (
        <>
          <div className={styles.board} {...roles.table}>
            <div {...roles.group}>
              <div className={styles.head} {...roles.row}>
                <span {...roles.heading}>SKU</span>
                <span {...roles.heading}>Ask</span>
                <span {...roles.heading}>24 h</span>
                <span {...roles.heading}>Spread</span>
                <span {...roles.heading}>Traded, then asked</span>
                <span {...roles.heading}>Free now</span>
                <span {...roles.heading}>
                  <span className="visually-hidden">Next 7 days</span>
                  <StripAxis range={range} />
                </span>
              </div>
            </div>
            <div {...roles.group}>
              {board.rows.map((row) => (
                <BoardRow
                  key={row.sku.id}
                  row={row}
                  range={range}
                  pastHours={pastHours}
                  isOpen={row.sku.id === open}
                  unit={unit}
                  nodes={nodes}
                  minute={minute}
                  pools={pools.rows}
                  held={marked?.sku === row.sku.id ? held : undefined}
                  act={act}
                />
              ))}
            </div>
          </div>
          <StripLegend>
            <span>
              Drag over hours to order them; with the keyboard: arrows, Page Up and Down for days, Shift to mark, Enter.
            </span>
            {board.has_more ? <span>Only the first 32 SKUs are shown: find others above.</span> : null}
          </StripLegend>
        </>
      )}
    </figure>
  )
}

type RowProps = {
  row: OrderbookBoardRow
  range: BoardRange
  /** The hours before the current one that lines show. */
  pastHours: number
  isOpen: boolean
  unit: PriceUnit
  nodes: number
  minute: number
  pools: readonly Pool[]
  held: HeldWindow | undefined
  act: { open: (sku: string) => void; mark: (sku: string, start: number, end: number) => void }
}

/** A row is drawn again only where it has changed, so that one trade does not draw all of them. */
const BoardRow = memo(function BoardRow(props: RowProps) {
  const { row, range, pastHours, isOpen, unit, nodes, minute, pools, held, act } = props
  const { sku, halted, change_bps: change, free_node_count: free } = row
  const parts = partsOf(sku, unit)
  const own = useMemo(() => ownWindows(pools, sku.id, range), [pools, sku.id, range])
  const { best_ask_dollars_per_node_hour: ask, spread_dollars_per_node_hour: spread } = row
  return (
    <div className={styles.row} {...roles.row} data-open={isOpen} data-halted={halted}>
      <span {...roles.title} className={styles.name}>
        <button type="button" onClick={() => act.open(sku.id)} aria-expanded={isOpen}>
          <bdi>{skuName(sku)}</bdi>
        </button>
        <small>
          {halted ? <b className="warn">halted · </b> : null}
          <bdi>{skuLine(sku)}</bdi>
        </small>
      </span>
      <span {...roles.cell} className={styles.price}>
        <b>{ask === null ? '–' : priceText(ask, parts)}</b>
        <small>{ask === null ? 'no offer' : unitText(sku, unit)}</small>
      </span>
      <span {...roles.cell} className={change === null || change === 0 ? 'quiet' : change > 0 ? 'good' : 'bad'}>
        {change === null ? '–' : changeText(change)}
      </span>
      <span {...roles.cell} className={styles.spread}>
        {spread === null ? '–' : priceText(spread, parts)}
      </span>
      <span {...roles.cell} className={styles.line}>
        <PriceLine row={row} range={range} pastHours={pastHours} minute={minute} />
      </span>
      <span {...roles.cell} className={styles.free}>
        <b>{free}</b>{' '}
        <small>
          {free === 1 ? 'node' : 'nodes'}
          <i> free</i>
        </small>
      </span>
      <span {...roles.cell} className={styles.ahead}>
        <BoardStrip
          row={row}
          range={range}
          now={minute}
          nodes={nodes}
          unit={unit}
          own={own}
          held={held}
          onMark={(start, end) => act.mark(sku.id, start, end)}
        />
      </span>
    </div>
  )
})

const lineHeight = 44

type LineProps = Pick<RowProps, 'row' | 'range' | 'pastHours' | 'minute'>

function PriceLine({ row, range, pastHours, minute }: LineProps) {
  const passed = Math.min(1, Math.max(0, (minute - range.current) / hourSeconds))
  const { past, ahead, points } = boardLine(row, { passed, pastHours }, lineHeight)
  const now = pastHours + passed
  const width = pastHours + range.hours
  const last = row.last_price_dollars_per_node_hour
  const days = pastHours === 24 ? 'day' : `${pastHours / 24} days`
  const text = `Traded in the last ${days}${last === null ? ': nothing' : `, last for $${last}`}`
  return (
    <svg viewBox={`0 0 ${width} ${lineHeight}`} preserveAspectRatio="none" role="img" aria-label={text}>
      <rect className={styles.future} x={now} width={width - now} height={lineHeight} />
      <path className={styles.past} d={past} />
      <path className={styles.points} d={points} />
      <path className={styles.asked} d={ahead} />
      <path className={styles.now} d={`M${now} 0V${lineHeight}`} />
    </svg>
  )
}

/** The board while it is read, or why there is none. */
export function BoardPending({ error }: { error: Error | null }) {
  return error ? <ErrorText error={error} /> : <Loading />
}
