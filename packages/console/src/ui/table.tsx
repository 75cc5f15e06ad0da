/** Tables of many rows: virtual, sorted by their headings, with columns to choose, and CSV of what is shown. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { Button } from './button.tsx'
import styles from './table.module.css'
import { type CellValue, csvOf, freshKeys, nextSort, sorted } from './table.rules.ts'
import { ColumnChooser, useHiddenColumns } from './table-columns.tsx'
import { say } from './toasts.tsx'

/** A column: what it shows, and by what it is sorted and exported. */
export type Column<T> = {
  readonly id: string
  readonly title: string
  readonly cell: (row: T) => ReactNode
  readonly value: (row: T) => CellValue
  readonly isNumber?: boolean
  /** What a row is known by: it opens the row. */
  readonly isName?: boolean
  /** Shown only when it is chosen. */
  readonly isExtra?: boolean
  /** In a property table: shown only where there is a value. */
  readonly isOptional?: boolean
}

/** The rows of a list that follow those that were read. A table takes all of it: none saves only a part as a file. */
export type MoreRows<T> = {
  readonly hasMore: boolean
  /** Reads the next rows, if there are any: asked for when the end comes into view. */
  readonly load: () => void
  /** Defined where reading the next rows failed: tries it once more. */
  readonly again: (() => void) | undefined
  /** Reads all rows anew, so many at most, for a file. */
  readonly readAll: (max: number) => Promise<readonly T[]>
}

export type TableProps<T> = {
  /** The name of the table, for readers of the screen, for the CSV file, and to remember the chosen columns. */
  readonly name: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /** Opens a row: by Enter, or by a click where no link is. */
  readonly onOpen?: (row: T) => void
  /** A link to the page of a row, around its name. Default: a button, where rows can be opened. */
  readonly linkOf?: (row: T, name: ReactNode) => ReactNode
  readonly sort?: string
  readonly onSort?: (sort: string) => void
  /** The rows that follow, of a list that is read in parts. */
  readonly more?: MoreRows<T> | undefined
  /** Left of the tools of the table: how fresh it is, counts. */
  readonly note?: ReactNode
  readonly selection?: Selection | undefined
}

/** Rows that are chosen, by their keys. */
export type Selection = { readonly keys: ReadonlySet<string>; readonly onChange: (keys: ReadonlySet<string>) => void }

const rowHeight = 32
/** Rows of a file. */
const savedMax = 10_000

/** A table. Rows can be walked with j and k, or the arrows, and opened with Enter. */
export function Table<T>(props: TableProps<T>) {
  const { name, columns, rows, keyOf, sort = '', onSort, more, note, selection } = props
  const hasMore = more?.hasMore ?? false
  const scroller = useRef<HTMLDivElement>(null)
  const [hidden, setHidden] = useHiddenColumns(name, columns)
  const shown = columns.filter(({ id }) => !hidden.has(id))
  const ordered = useMemo(() => sorted(rows, columns, sort), [rows, columns, sort])
  const virtual = useVirtualizer({
    count: ordered.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 20,
    initialRect: { width: 1000, height: 800 },
  })
  const fresh = useFreshKeys(ordered, keyOf)
  const isPrinted = useMedia(paper)
  const isNarrow = useMedia(phone)
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  const drawn = isPrinted ? ordered.map((_, index) => index) : items.map(({ index }) => index)
  useEffect(() => {
    if (more?.hasMore && last >= ordered.length - 20) more.load()
  }, [last, ordered.length, more])
  const before = isPrinted ? 0 : (items[0]?.start ?? 0)
  const after = isPrinted ? 0 : virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const width = shown.length + (selection ? 1 : 0)
  return (
    <div>
      <div className={`${styles.tools} no-print`}>
        <span className="quiet">{note}</span>
        <ColumnChooser columns={columns} hidden={hidden} onChange={setHidden} />
        <SaveButton {...props} ordered={ordered} shown={shown} />
      </div>
      <div className={styles.scroller} ref={scroller}>
        <table className={styles.table} aria-label={name} aria-rowcount={hasMore ? -1 : ordered.length + 1}>
          <thead>
            <tr>
              {selection ? <SelectAll all={ordered.map(keyOf)} {...selection} /> : null}
              {shown.map((column) => (
                <Heading key={column.id} column={column} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody onKeyDown={walkRows}>
            <Space height={before} width={width} />
            {drawn.map((index) => {
              const row = ordered[index] as T
              return (
                <Row
                  key={keyOf(row)}
                  // As cards, rows have the heights that their values give them.
                  measure={isNarrow ? virtual.measureElement : undefined}
                  {...props}
                  row={row}
                  index={index}
                  shown={shown}
                  isFresh={fresh.has(keyOf(row))}
                />
              )
            })}
            <Space height={after} width={width} />
          </tbody>
        </table>
      </div>
      {more?.again ? <ReadAgain again={more.again} /> : null}
    </div>
  )
}

function ReadAgain({ again }: { again: () => void }) {
  return (
    <p className="row">
      The next rows could not be read. <Button onClick={again}>Try again</Button>
    </p>
  )
}

type SaveProps<T> = TableProps<T> & { readonly ordered: readonly T[]; readonly shown: readonly Column<T>[] }

/** Saves the rows as CSV: also those that are not shown yet, as far as a browser can hold them. */
function SaveButton<T>({ name, columns, sort = '', more, ordered, shown }: SaveProps<T>) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    if (!more?.hasMore) return saveCsv(name, csvOf(ordered, shown))
    setBusy(true)
    try {
      const all = await more.readAll(savedMax)
      saveCsv(name, csvOf(sorted(all, columns, sort), shown))
      if (all.length === savedMax) say(`The first ${savedMax} rows were saved. The command line has all of them.`)
    } catch (error) {
      say(`The rows could not be read: ${(error as Error).message}`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <button type="button" className={styles.sort} onClick={() => void save()} disabled={isBusy} aria-busy={isBusy}>
      CSV
    </button>
  )
}

type TableRowProps<T> = TableProps<T> & {
  readonly row: T
  readonly index: number
  readonly shown: readonly Column<T>[]
  readonly isFresh: boolean
  readonly measure: ((row: HTMLTableRowElement | null) => void) | undefined
}

function Row<T>(props: TableRowProps<T>) {
  const { row, index, shown, isFresh, measure, keyOf, onOpen, linkOf, selection } = props
  const key = keyOf(row)
  const isChosen = selection?.keys.has(key) ?? false
  const open = (target: EventTarget) => {
    if (!(target as HTMLElement).closest('a, button, input, label')) onOpen?.(row)
  }
  return (
    <tr
      ref={measure}
      data-index={index}
      tabIndex={0}
      className={isFresh ? styles.fresh : undefined}
      aria-rowindex={index + 2}
      aria-selected={selection ? isChosen : undefined}
      onClick={({ target }) => open(target)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target === event.currentTarget && onOpen) {
          // The same key would send the form of a dialog that opens.
          event.preventDefault()
          onOpen(row)
        }
        if (event.key === 'x' && selection) selection.onChange(toggled(selection.keys, key))
      }}
      style={onOpen ? { cursor: 'pointer' } : undefined}
    >
      {selection ? (
        <td>
          <input
            type="checkbox"
            aria-label={`Select row ${index + 1}`}
            checked={isChosen}
            onChange={() => selection.onChange(toggled(selection.keys, key))}
          />
        </td>
      ) : null}
      {shown.map(({ id, title, cell, isNumber, isName }, place) => (
        // The first value is the title of a card, and needs no name.
        <td key={id} className={isNumber ? styles.number : undefined} data-title={place === 0 ? undefined : title}>
          {isName && onOpen ? <Opener row={row} name={cell(row)} onOpen={onOpen} linkOf={linkOf} /> : cell(row)}
        </td>
      ))}
    </tr>
  )
}

type OpenerProps<T> = Required<Pick<TableProps<T>, 'onOpen'>> & {
  readonly row: T
  readonly name: ReactNode
  readonly linkOf: TableProps<T>['linkOf']
}

/** The name of a row, which opens it. */
function Opener<T>({ row, name, onOpen, linkOf }: OpenerProps<T>) {
  if (linkOf) return linkOf(row, name)
  return (
    <Button kind="plain" onClick={() => onOpen(row)}>
      {name}
    </Button>
  )
}

type HeadingProps<T> = { column: Column<T>; sort: string; onSort: ((sort: string) => void) | undefined }

function Heading<T>({ column: { id, title, isNumber }, sort, onSort }: HeadingProps<T>) {
  const direction = sort === id ? 'ascending' : sort === `-${id}` ? 'descending' : undefined
  const mark = { ascending: ' ↑', descending: ' ↓' }
  return (
    <th scope="col" aria-sort={direction ?? 'none'} className={isNumber ? styles.number : undefined}>
      {onSort ? (
        <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, id))}>
          {title}
          {direction ? mark[direction] : ''}
        </button>
      ) : (
        title
      )}
    </th>
  )
}

function SelectAll({ all, keys, onChange }: Selection & { all: readonly string[] }) {
  const isAll = all.length > 0 && all.every((key) => keys.has(key))
  return (
    <th scope="col">
      <input
        type="checkbox"
        aria-label="Select all rows"
        checked={isAll}
        onChange={() => onChange(new Set(isAll ? [] : all))}
      />
    </th>
  )
}

function Space({ height, width }: { height: number; width: number }) {
  if (height <= 0) return null
  return (
    <tr>
      <td className={styles.space} colSpan={width} style={{ height }} />
    </tr>
  )
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys)
  if (!next.delete(key)) next.add(key)
  return next
}

/** The keys of rows that came with the last change of the list. */
function useFreshKeys<T>(rows: readonly T[], keyOf: (row: T) => string): ReadonlySet<string> {
  const [last, remember] = useState(() => ({ rows, known: new Set(rows.map(keyOf)), fresh: noKeys }))
  if (last.rows === rows) return last.fresh
  const keys = rows.map(keyOf)
  const fresh = freshKeys(last.known, keys)
  remember({ rows, known: new Set(keys), fresh: fresh.size > 0 ? fresh : last.fresh })
  return fresh
}

const noKeys: ReadonlySet<string> = new Set()

/** Moves the focus between rows. */
function walkRows(event: KeyboardEvent<HTMLElement>): void {
  const row = event.target as HTMLElement
  if (row.tagName !== 'TR') return
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const next = step === 1 ? row.nextElementSibling : row.previousElementSibling
  if (next instanceof HTMLElement && next.tabIndex === 0) {
    next.focus()
    event.preventDefault()
  }
}

function saveCsv(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`
  link.click()
  URL.revokeObjectURL(url)
}

/** Paper has all rows that were read; a phone has cards. */
const paper = matchMedia('print')
const phone = matchMedia('screen and (max-width: 600px)')

/** Whether the page is drawn so. */
function useMedia(media: MediaQueryList): boolean {
  return useSyncExternalStore(
    (watcher) => {
      media.addEventListener('change', watcher)
      return () => media.removeEventListener('change', watcher)
    },
    () => media.matches,
  )
}
