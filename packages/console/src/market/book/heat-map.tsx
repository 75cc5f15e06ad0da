/** A map of cells over time, in which a window is marked by dragging, or with the arrows, Shift and Enter. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { momentText, tickText } from '../../ui/values.rules.ts'
import styles from './book.module.css'
import {
  type CellAt,
  cellAfter,
  type HeatRow,
  labelledColumns,
  type Selected,
  selectedWindow,
  shadeOf,
  shades,
  type ValueRange,
  valueRange,
} from './heat-map.rules.ts'

/** SVG has no tables: what its shapes are is told by their roles. */
const roles = {
  grid: { role: 'grid' },
  row: { role: 'row' },
  rowTitle: { role: 'rowheader' },
  cell: { role: 'gridcell', 'aria-selected': false },
  selected: { role: 'gridcell', 'aria-selected': true },
  none: { 'aria-hidden': true },
} as const
const sizes = { label: 124, width: 22, height: 26, axis: 20 }

type HeatMapProps = {
  name: string
  rows: readonly HeatRow[]
  /** Whether each row has shades of its own, for values that only compare within a row. */
  isByRow?: boolean
  /** A value as a text, for what the colours mean. Default: nothing says it. */
  format?: (value: number) => string
  /** A window that is marked already. */
  marked?: { readonly start: number; readonly end: number }
  /** Called with the row and the window that were marked. */
  onSelect: (key: string, start: number, end: number) => void
}

/** The map. Colours go from the least to the greatest value; each cell also says its value. */
export function HeatMap({ name, rows, isByRow = false, format, marked, onSelect }: HeatMapProps) {
  const [focused, setFocused] = useState<CellAt>({ row: 0, column: 0 })
  const [selected, setSelected] = useState<Selected>()
  const isDragging = useRef(false)
  const columns = Math.max(1, ...rows.map(({ cells }) => cells.length))
  const choose = (selection: Selected | undefined) => {
    isDragging.current = false
    const window = selection && selectedWindow(rows, selection)
    setSelected(undefined)
    if (window) onSelect(window.key, window.start, window.end)
  }
  useDragEnd(() => {
    isDragging.current = false
    setSelected(undefined)
  })
  const walk = (event: KeyboardEvent<SVGElement>) => {
    const next = cellAfter(event.key, focused, rows)
    if (event.key === 'Enter' || event.key === ' ') choose(selected ?? { ...focused, to: focused.column })
    else if (next && event.shiftKey && next.row === focused.row) {
      setSelected({ row: focused.row, column: selected?.column ?? focused.column, to: next.column })
    } else if (next) setSelected(undefined)
    else return
    event.preventDefault()
    if (next) {
      setFocused(next)
      const place = `[data-cell="${next.row} ${next.column}"]`
      event.currentTarget.querySelector<SVGElement>(place)?.focus()
    }
  }
  const drag = {
    begin: (at: CellAt) => {
      isDragging.current = true
      setFocused(at)
      setSelected({ ...at, to: at.column })
    },
    over: (at: CellAt) => {
      if (isDragging.current && selected && at.row === selected.row) setSelected({ ...selected, to: at.column })
    },
    end: () => {
      if (isDragging.current) choose(selected)
    },
  }
  return (
    <div className={styles.scroll}>
      <svg
        className={styles.map}
        {...roles.grid}
        aria-label={name}
        width={sizes.label + columns * sizes.width}
        height={sizes.axis + rows.length * sizes.height}
        onKeyDown={walk}
      >
        <TimeAxis row={rows[0]} />
        {rows.map((row, index) => (
          <Row
            key={row.key}
            row={row}
            index={index}
            focused={focused}
            selected={selected}
            marked={marked}
            drag={drag}
            range={valueRange(isByRow ? [row] : rows)}
          />
        ))}
      </svg>
      {format && !isByRow ? <Scale range={valueRange(rows)} format={format} /> : null}
    </div>
  )
}

const allShades = Array.from({ length: shades }, (_, index) => index + 1)

/** What the first and the last colour stand for, in any theme. */
function Scale({ range, format }: { range: ValueRange | undefined; format: (value: number) => string }) {
  if (!range) return null
  return (
    <p className={styles.shades}>
      {format(range.low)}{' '}
      <svg className={styles.map} width={shades * 12} height={10} aria-hidden="true">
        {allShades.map((shade) => (
          <rect key={shade} data-shade={shade} x={shade * 12 - 12} width={12} height={10} />
        ))}
      </svg>{' '}
      {format(range.high)}
    </p>
  )
}

/** Calls `end` when the pointer is released anywhere, or taken away by the browser. */
function useDragEnd(end: () => void): void {
  const latest = useRef(end)
  latest.current = end
  useEffect(() => {
    const stop = () => latest.current()
    for (const type of dragEnds) addEventListener(type, stop)
    return () => {
      for (const type of dragEnds) removeEventListener(type, stop)
    }
  }, [])
}

const dragEnds = ['pointerup', 'pointercancel'] as const

function TimeAxis({ row }: { row: HeatRow | undefined }) {
  if (!row) return null
  return (
    <g {...roles.none}>
      {labelledColumns(row.cells).map(({ column, at }) => (
        <text key={column} className={styles.axis} x={sizes.label + column * sizes.width} y={13}>
          {column === 0 ? momentText(at) : tickText(at)}
        </text>
      ))}
    </g>
  )
}

type HeatRowProps = {
  row: HeatRow
  range: ValueRange | undefined
  index: number
  focused: CellAt
  selected: Selected | undefined
  marked: HeatMapProps['marked'] | undefined
  drag: { begin: (at: CellAt) => void; over: (at: CellAt) => void; end: () => void }
}

function Row({ row, range, index, focused, selected, marked, drag }: HeatRowProps) {
  const top = sizes.axis + index * sizes.height
  const isIn = (column: number) =>
    selected?.row === index &&
    column >= Math.min(selected.column, selected.to) &&
    column <= Math.max(selected.column, selected.to)
  return (
    <g {...roles.row}>
      <text {...roles.rowTitle} className={styles.rowTitle} x={0} y={top + 17}>
        {row.title.length > 16 ? `${row.title.slice(0, 15)}…` : row.title}
        <title>{row.title}</title>
      </text>
      {row.cells.map((cell, column) => {
        const at = { row: index, column }
        const isMarked = marked !== undefined && cell.start_at < marked.end && cell.end_at > marked.start
        return (
          <rect
            key={cell.start_at}
            {...(isIn(column) ? roles.selected : roles.cell)}
            data-cell={`${index} ${column}`}
            data-shade={shadeOf(cell.value, range)}
            data-marked={isIn(column) || (selected === undefined && isMarked) || undefined}
            aria-label={`${row.title}, ${momentText(cell.start_at)}: ${cell.text}`}
            tabIndex={focused.row === index && focused.column === column ? 0 : -1}
            x={sizes.label + column * sizes.width}
            y={top}
            width={sizes.width - 2}
            height={sizes.height - 3}
            rx={2}
            onPointerDown={({ button, isPrimary }) => {
              if (button === 0 && isPrimary) drag.begin(at)
            }}
            onPointerEnter={() => drag.over(at)}
            onPointerUp={drag.end}
          >
            <title>{`${momentText(cell.start_at)}: ${cell.text}`}</title>
          </rect>
        )
      })}
    </g>
  )
}
