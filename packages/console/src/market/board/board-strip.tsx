/** The hours ahead of a SKU as a strip: where it is cheap, what is owned, and a window that is dragged or walked to. */
import type { OrderbookBoardRow } from '@bourse/sdk'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { weekdayName, weekdayText } from '../../ui/values.rules.ts'
import { skuName } from '../sku.rules.ts'
import {
  type BoardRange,
  costOf,
  dayLabels,
  flagText,
  type HeldWindow,
  heatAreas,
  heatSpan,
  heatSteps,
  hoursAfter,
  labelledWindows,
  type MarkedHours,
  markedWindow,
  midnightsOf,
  type OwnWindow,
  type PriceUnit,
  shownPartOf,
  spanOf,
} from './board.rules.ts'
import styles from './board-strip.module.css'

/** One value among hours, which keys change: what the strip is to those who do not see it. */
function sliderOf(name: string, { hour, hours, text }: { hour: number; hours: number; text: string }) {
  return {
    role: 'slider',
    tabIndex: 0,
    'aria-label': name,
    'aria-valuemin': 0,
    'aria-valuemax': hours - 1,
    'aria-valuenow': hour,
    'aria-valuetext': text,
  }
}
/** The height of a strip in its own units, and of the colours in it. */
const box = { height: 44, top: 6, colours: 22, own: 33, bar: 7 }

type BoardStripProps = {
  row: OrderbookBoardRow
  range: BoardRange
  now: number
  nodes: number
  unit: PriceUnit
  /** What is ordered: offers say what a buy costs, and nothing of what a sell brings. */
  side?: 'buy' | 'sell'
  own: readonly OwnWindow[]
  /** A window that stays marked while nothing else is. */
  held: HeldWindow | undefined
  /** Called with a window that was dragged, or entered. */
  onMark: (start: number, end: number) => void
}

/** The strip. */
export function BoardStrip(props: BoardStripProps) {
  const { row, range, now, own, held } = props
  const { place, hours, isShown, flag, handlers } = useMarking(props)
  return (
    <div
      ref={place}
      className={styles.strip}
      {...sliderOf(`Hours ahead of ${skuName(row.sku)}`, { hour: hours.to, hours: range.hours, text: flag })}
      {...handlers}
    >
      <StripDrawing
        row={row}
        range={range}
        own={own}
        now={now}
        marked={isShown ? spanOf(range, hours) : held && shownPartOf(held, range)}
      />
      {labelledWindows(own, range).map(({ at, nodes, isOn }) => (
        <span key={at} className={styles.ownLabel} data-on={isOn} style={{ left: percentOf(range, at) }}>
          {nodes === 1 ? '1 node' : `${nodes} nodes`}
        </span>
      ))}
      {isShown ? <Flag text={flag} hour={hours.to} hours={range.hours} /> : null}
    </div>
  )
}

/** The hours that are marked by a pointer or by keys, and what is said of them. */
function useMarking({ row, range, now, nodes, unit, side = 'buy', onMark }: BoardStripProps) {
  const place = useRef<HTMLDivElement>(null)
  const [marked, setMarked] = useState<MarkedHours>()
  const [isShown, setShown] = useState(false)
  const isDragging = useRef(false)
  const hours = marked ?? { from: 0, to: 0 }
  const window = markedWindow(range, hours, now)
  const cost = costOf(row, hours, { ...window, current: range.current, nodes })
  const show = (next: MarkedHours | undefined) => {
    setMarked(next)
    setShown(next !== undefined)
  }
  const end = () => {
    isDragging.current = false
    show(undefined)
  }
  const hourAt = ({ clientX }: PointerEvent) => {
    const { left = 0, width = 1 } = place.current?.getBoundingClientRect() ?? {}
    return Math.max(0, Math.min(range.hours - 1, Math.floor(((clientX - left) / width) * range.hours)))
  }
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || !event.isPrimary) return
      event.currentTarget.setPointerCapture(event.pointerId)
      isDragging.current = true
      const hour = hourAt(event)
      show({ from: hour, to: hour })
    },
    onPointerMove: (event: PointerEvent) => {
      const hour = hourAt(event)
      show({ from: isDragging.current ? hours.from : hour, to: hour })
    },
    onPointerUp: () => {
      if (!isDragging.current) return
      end()
      onMark(window.start, window.end)
    },
    // What keys have marked stays, wherever the pointer is.
    onPointerLeave: () => {
      if (!isDragging.current && document.activeElement !== place.current) end()
    },
    onPointerCancel: end,
    onFocus: () => setShown(true),
    onBlur: end,
    onKeyDown: (event: KeyboardEvent) => {
      const next = hoursAfter(event.key, hours, { hours: range.hours, isExtending: event.shiftKey })
      if (event.key === 'Enter' || event.key === ' ') onMark(window.start, window.end)
      else if (event.key === 'Escape') show({ from: hours.to, to: hours.to })
      else if (next) show(next)
      else return
      event.preventDefault()
    },
  }
  return { place, hours, isShown, flag: flagText(row, { ...window, nodes, cost, unit, side }), handlers }
}

function percentOf({ current, hours }: BoardRange, at: number): string {
  return `${((at - current) / (hours * hourSeconds)) * 100}%`
}

/** The text beside the pointer; it stays inside of the strip. */
function Flag({ text, hour, hours }: { text: string; hour: number; hours: number }) {
  const part = ((hour + 0.5) / hours) * 100
  const place = { left: `${part}%`, transform: `translateX(-${part}%)` }
  return (
    <span className={styles.flag} style={place} aria-hidden="true">
      {text}
    </span>
  )
}

type DrawingProps = Pick<BoardStripProps, 'row' | 'range' | 'own' | 'now'> & { marked: HeldWindow | undefined }

function StripDrawing({ row, range, own, now, marked }: DrawingProps) {
  const x = (at: number) => (at - range.current) / hourSeconds
  return (
    <svg viewBox={`0 0 ${range.hours} ${box.height}`} preserveAspectRatio="none" aria-hidden="true">
      <g transform={`translate(0 ${box.top}) scale(1 ${box.colours})`} className={styles.colours}>
        {heatAreas(row).map(({ heat, path }) => (
          <path key={heat} data-heat={heat} d={path} />
        ))}
      </g>
      {midnightsOf(range).map(({ at, hour }) => (
        <path key={at} className={styles.day} d={`M${hour} 4V${box.height - 4}`} />
      ))}
      {own.map(({ start, end }) => (
        <rect key={start} className={styles.own} x={x(start)} width={x(end) - x(start)} y={box.own} height={box.bar} />
      ))}
      {marked ? (
        <rect
          className={styles.marked}
          x={x(marked.start)}
          width={x(marked.end) - x(marked.start)}
          y={3}
          height={28}
          data-testid="marked"
        />
      ) : null}
      <path className={styles.now} d={`M${x(now)} 0V${box.height}`} data-testid="now" />
    </svg>
  )
}

/** The days over all strips. */
export function StripAxis({ range }: { range: BoardRange }) {
  return (
    <span className={styles.axis}>
      {dayLabels(range).map(({ at, hour }) => (
        <span key={at} style={{ left: `${(hour / range.hours) * 100}%` }} title={weekdayText(at)}>
          {weekdayName(at)}
          <i> {new Date(at * 1000).getDate()}</i>
        </span>
      ))}
    </span>
  )
}

const heats = Array.from({ length: 2 * heatSteps + 1 }, (_, index) => index - heatSteps)

/** What the colours of strips mean, in numbers, and how hours are marked. */
export function StripLegend({ own = 'own nodes', children }: { own?: string; children: ReactNode }) {
  const percent = Math.round(heatSpan * 100)
  return (
    <p className={styles.legend} data-legend>
      <span>
        {percent} % cheaper{' '}
        <span className={styles.scale}>
          {heats.map((heat) => (
            <i key={heat} data-heat={heat} />
          ))}
        </span>{' '}
        {percent} % dearer than the mean offer of the SKU in these 7 days
      </span>
      <span>
        <span className={styles.scale}>
          <i data-heat="none" />
        </span>{' '}
        nothing offered
      </span>
      <span>
        <i className={styles.ownMark} /> {own}
      </span>
      {children}
    </p>
  )
}
