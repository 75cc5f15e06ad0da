/** One lane of the calendar as a picture that is dragged on, hovered and walked by keys. */

import type { OrderbookBoardRow } from '@bourse/sdk'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { momentText, windowText } from '../../ui/values.rules.ts'
import { aboutText, costOf, type HeldWindow, hoursOf } from '../board/board.rules.ts'
import styles from './calendar.module.css'
import type { Maintenance } from './calendar-sources.ts'
import { edgesOf, type Lane, type Segment, segmentsOf, segmentText, tradeOf } from './lanes.rules.ts'
import { areaPath, numberX, shownPart, snapped, type Tick, timeAt, type View, xOf, type Zoom } from './view.rules.ts'

/** The height of the picture; below the nodes is a strip for procurements. Then comes the gap to the next lane. */
export const plotHeight = 64
export const laneGap = 9
const nodesHeight = 50
/** The room above the greatest number of nodes. */
const nodesTop = 4
/** Stretches that get the focus, at most; narrower ones than three pixels get none. */
const focusMax = 200

/** Within a picture no element has these roles by itself. */
const group = { role: 'group' }
const button = { role: 'button', tabIndex: 0 }

/** What a lane tells the page. */
export type LaneActions = {
  /** A moment is pointed at. */
  readonly onPoint: (lane: Lane, at: number) => void
  /** A stretch has the focus. */
  readonly onFocus: (lane: Lane, at: number) => void
  /** A stretch was chosen by a click: it stays shown. */
  readonly onPin: (lane: Lane, at: number) => void
  /** A window was dragged, or a stretch entered. */
  readonly onDrag: (lane: Lane, window: { begin: number; end: number }) => void
}

type LaneProps = LaneActions & {
  lane: Lane
  view: View
  zoom: Zoom
  now: number
  ticks: readonly Tick[]
  /** The greatest number of all lanes, which has the full height. */
  most: number
  /** The row of the SKU on the board, and where its hours begin: for the cost of what is dragged. */
  row: OrderbookBoardRow | undefined
  current: number
  maintenance: readonly Maintenance[]
  /** A window that stays marked while nothing is dragged. */
  held: HeldWindow | undefined
}

/** Minutes that local time is ahead of UTC, in seconds. */
export function offsetAt(at: number): number {
  return -new Date(at * 1000).getTimezoneOffset() * 60
}

/** The picture. */
export function CalendarLane(props: LaneProps) {
  const { lane, view, zoom, now, ticks, held, onPoint, onPin, onDrag } = props
  const [drag, setDrag] = useState<{ begin: number; end: number; from: number }>()
  const place = useRef<SVGSVGElement>(null)
  const at = ({ clientX }: PointerEvent) => clientX - (place.current?.getBoundingClientRect().left ?? 0)
  const moment = (x: number) => snapped(view, x, zoom, [...edgesOf(lane), now], offsetAt(timeAt(view, x)))
  const window = drag ? { start: Math.min(drag.begin, drag.end), end: Math.max(drag.begin, drag.end) } : held
  const selection = window && shownPart(view, window.start, window.end)
  const nowX = xOf(view, now)
  const flag = drag && drag.begin !== drag.end ? dragText(props, drag) : undefined
  const release = (event: PointerEvent) => {
    if (!drag) return
    setDrag(undefined)
    if (Math.abs(at(event) - drag.from) < 5 || drag.begin === drag.end) onPin(lane, timeAt(view, drag.from))
    else onDrag(lane, { begin: drag.begin, end: drag.end })
  }
  return (
    <svg
      ref={place}
      className={styles.plot}
      width={view.width}
      height={plotHeight}
      {...group}
      aria-label={`${lane.pool.name}, ${lane.sku.alias}`}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const begin = moment(at(event))
        setDrag({ begin, end: begin, from: at(event) })
      }}
      onPointerMove={(event) => {
        const x = Math.min(view.width, Math.max(0, at(event)))
        if (drag) setDrag({ ...drag, end: moment(x) })
        else onPoint(lane, timeAt(view, x))
      }}
      onPointerUp={release}
      onPointerCancel={() => setDrag(undefined)}
      onKeyDown={({ key }) => {
        if (key === 'Escape') setDrag(undefined)
      }}
    >
      {ticks.map((tick) => (
        <line
          key={tick.at}
          className={styles.grid}
          x1={xOf(view, tick.at)}
          x2={xOf(view, tick.at)}
          y1={0}
          y2={plotHeight + laneGap}
        />
      ))}
      <LaneDrawing {...props} />
      <Segments {...props} />
      {selection ? (
        <rect
          className={styles.selection}
          x={selection.x}
          width={selection.width}
          y={0}
          height={plotHeight}
          data-testid="marked"
        />
      ) : null}
      {nowX >= 0 && nowX <= view.width ? (
        <line className={styles.now} x1={nowX} x2={nowX} y1={0} y2={plotHeight + laneGap} data-testid="now" />
      ) : null}
      {flag && selection ? <DragFlag text={flag} x={selection.x + selection.width / 2} width={view.width} /> : null}
    </svg>
  )
}

/** What the drag would order: its window, nodes and cost, or why it would order nothing. */
function dragText({ lane, now, row, current }: LaneProps, window: { begin: number; end: number }): string {
  const trade = tradeOf(lane, window, now)
  if ('refused' in trade) return trade.refused
  const { side, start, end, nodes } = trade
  const count = nodes === 1 ? '1 node' : `${nodes} nodes`
  const cost =
    side === 'buy' && row ? costOf(row, hoursOf({ start, end, current }), { start, end, current, nodes }) : undefined
  const dollars = cost ? ` · ≈ ${aboutText(cost.dollars)}` : ''
  return `${side === 'buy' ? 'Buy' : 'Sell'} ${windowText(start, end)} · ${count}${dollars}`
}

/** Half of the room that a flag needs. */
const flagHalf = 150

function DragFlag({ text, x, width }: { text: string; x: number; width: number }) {
  const place = Math.min(Math.max(x, flagHalf), Math.max(flagHalf, width - flagHalf))
  return (
    <text className={styles.flag} x={place} y={plotHeight / 2 + 4} textAnchor="middle">
      {text}
    </text>
  )
}

function LaneDrawing({ lane, view, now, maintenance, most }: LaneProps) {
  const path = (steps: Lane['owned']) => areaPath(steps, view, nodesHeight, most)
  const announced = maintenance.filter(({ sku }) => sku === lane.sku.id)
  return (
    <g className={styles.drawing}>
      <g transform={`translate(0 ${nodesTop})`}>
        <path className={styles.owned} d={path(lane.owned)} />
        <path className={styles.used} d={path(lane.used)} />
      </g>
      {announced.map((one) => (
        <Block
          key={`${one.start_at} ${one.title}`}
          view={view}
          bar={{ start: one.start_at, end: one.end_at }}
          shape={{ className: styles.maintenance, y: 0, height: plotHeight }}
        />
      ))}
      <g transform={`translate(0 ${nodesTop})`}>
        <path className={styles.promised} d={path(lane.promised)} />
        <path className={styles.wanted} d={path(lane.wanted)} />
      </g>
      {lane.managed.map((bar) => (
        <Block key={bar.id} view={view} bar={bar} shape={{ className: styles.managed, y: plotHeight - 6, height: 4 }} />
      ))}
      {segmentsOf(lane, view.from, view.to).map(({ start, end, owned }) => {
        const part = shownPart(view, start, end)
        if (!part || part.width < 24 || owned === 0) return null
        return (
          <text key={start} x={numberX(part.x, xOf(view, now))} y={nodesTop + numberY(owned / most)}>
            {owned}
          </text>
        )
      })}
    </g>
  )
}

/** Where the number of a bar stands: inside of it, or on it where it is low. */
function numberY(part: number): number {
  const top = nodesHeight * (1 - part)
  return top > nodesHeight - 16 ? Math.min(top, nodesHeight - 3) - 3 : top + 13
}

type BlockProps = {
  view: View
  bar: { start: number; end: number }
  shape: { className: string | undefined; y: number; height: number }
}

function Block({ view, bar, shape }: BlockProps) {
  const part = shownPart(view, bar.start, bar.end)
  return part ? <rect {...shape} {...part} /> : null
}

function Segments({ lane, view, onFocus, onDrag }: LaneProps) {
  const wide = segmentsOf(lane, view.from, view.to)
    .map((segment) => ({ segment, part: shownPart(view, segment.start, segment.end) }))
    .filter(({ part }) => part && part.width >= 3)
    .slice(0, focusMax)
  return wide.map(({ segment, part }) => {
    const { start, end } = segment
    const acts = {
      onFocus: () => onFocus(lane, start),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        onDrag(lane, { begin: start, end })
      },
    }
    return (
      <rect
        key={start}
        className={styles.segment}
        aria-label={ariaOf(segment)}
        {...button}
        {...acts}
        {...part}
        y={1}
        height={plotHeight - 2}
      />
    )
  })
}

function ariaOf(segment: Segment): string {
  return `${momentText(segment.start)} until ${momentText(segment.end)}: ${segmentText(segment)}`
}
