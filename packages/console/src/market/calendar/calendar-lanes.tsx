/** All lanes below one axis of time. Only those that are seen are drawn. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { timeText, weekdayText } from '../../ui/values.rules.ts'
import { heldWindow } from '../board/board.rules.ts'
import { useBoard } from '../board/use-board.ts'
import type { MarkedOrder } from '../ticket/ticket.rules.ts'
import styles from './calendar.module.css'
import { CalendarLane, type LaneActions, offsetAt, plotHeight } from './calendar-lane.tsx'
import type { Maintenance } from './calendar-sources.ts'
import { type Lane, mostNodes } from './lanes.rules.ts'
import { labelledTicks, ticksOf, type View, xOf, type Zoom } from './view.rules.ts'

type LanesProps = LaneActions & {
  lanes: readonly Lane[]
  from: number
  to: number
  zoom: Zoom
  now: number
  maintenance: readonly Maintenance[]
  /** What the ticket beside the calendar is about: its window is marked. */
  marked: MarkedOrder | undefined
}

/** The width of the labels, and the width of a screen from which on they stand beside the lanes. */
const labelWidth = 190
const narrow = 720

/** The picture: an axis, the lanes, and what the colours mean. */
export function CalendarLanes({ lanes, from, to, zoom, now, maintenance, marked, ...actions }: LanesProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const { width, isNarrow } = useWidth(scroller)
  const view: View = { from, to, width }
  const { ticks } = ticksOf(view, offsetAt)
  // All lanes have one scale, so that their numbers can be compared.
  const most = mostNodes(lanes)
  const board = useBoard(undefined)
  const held = heldWindow(marked)
  const rowHeight = plotHeight + 9 + (isNarrow ? 26 : 0)
  const virtual = useVirtualizer({
    count: lanes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 4,
    initialRect: { width: 1000, height: 600 },
  })
  useEffect(() => {
    if (rowHeight > 0) virtual.measure()
  }, [rowHeight, virtual])
  return (
    <>
      <div className={styles.frame} ref={scroller}>
        <div className={styles.axis}>
          <span />
          <div className={styles.ticks}>
            {labelledTicks(ticks, view).map((tick) => (
              <span
                key={tick.at}
                className={styles.tick}
                data-day={tick.isDay}
                style={{ left: Math.round(xOf(view, tick.at)) }}
              >
                {tick.isDay ? weekdayText(tick.at) : timeText(tick.at)}
              </span>
            ))}
          </div>
        </div>
        <div className={styles.lanes} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const lane = lanes[index] as Lane
            return (
              <div key={lane.key} className={styles.lane} style={{ top: start, height: rowHeight }}>
                <div className={styles.label}>
                  <b title={lane.pool.name}>{lane.pool.name}</b>
                  <div title={lane.sku.alias}>{lane.sku.alias}</div>
                  <div className="quiet small">{lane.pool.kind.replaceAll('_', ' ')}</div>
                </div>
                <CalendarLane
                  lane={lane}
                  view={view}
                  zoom={zoom}
                  now={now}
                  ticks={ticks}
                  maintenance={maintenance}
                  most={most}
                  held={marked?.pool === lane.pool.id && marked.sku === lane.sku.id ? held : undefined}
                  row={board.data?.rows.find(({ sku }) => sku.id === lane.sku.id)}
                  current={board.data?.current_hour_at ?? 0}
                  {...actions}
                />
              </div>
            )
          })}
        </div>
      </div>
      <Legend />
    </>
  )
}

/** The width of the pictures, which follows the width of the page. */
function useWidth(scroller: React.RefObject<HTMLDivElement | null>) {
  const [size, setSize] = useState({ width: 800, isNarrow: false })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => {
      const isNarrow = matchMedia(`(max-width: ${narrow}px)`).matches
      setSize({ width: Math.max(160, element.clientWidth - (isNarrow ? 0 : labelWidth)), isNarrow })
    }
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [scroller])
  return size
}

const colours = [
  ['owned', 'owned'],
  ['used', 'used, if what runs goes on'],
  ['promised', 'promised to open sells'],
  ['wanted', 'wanted by open buys'],
  ['managed', 'looked after by a procurement'],
  ['maintenance', 'maintenance'],
] as const

function Legend() {
  return (
    <ul className={styles.legend}>
      {colours.map(([name, text]) => (
        <li key={name}>
          <svg width="16" height="12" aria-hidden="true">
            <rect className={styles[name]} x="1" y="1" width="14" height="10" />
          </svg>
          {text}
        </li>
      ))}
      <li>
        <svg width="16" height="12" aria-hidden="true">
          <line className={styles.now} x1="8" x2="8" y1="0" y2="12" />
        </svg>
        now
      </li>
    </ul>
  )
}
