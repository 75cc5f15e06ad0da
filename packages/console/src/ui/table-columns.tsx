/** Which columns of a table are shown, as its reader chose. */
import { useState } from 'react'
import { Popover } from './popover.tsx'
import styles from './table.module.css'

type ColumnChoice = { readonly id: string; readonly title: string; readonly isExtra?: boolean }

/** The ids of the hidden columns, remembered in this browser by the name of the table. */
export function useHiddenColumns(
  name: string,
  columns: readonly ColumnChoice[],
): [ReadonlySet<string>, (hidden: ReadonlySet<string>) => void] {
  const key = `bourse.columns.${name}`
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => readHidden(key) ?? extrasOf(columns))
  const change = (next: ReadonlySet<string>) => {
    setHidden(next)
    localStorage.setItem(key, JSON.stringify([...next]))
  }
  return [hidden, change]
}

type ChooserProps = {
  columns: readonly ColumnChoice[]
  hidden: ReadonlySet<string>
  onChange: (hidden: ReadonlySet<string>) => void
}

/** A button with a list of the columns. At least one stays. */
export function ColumnChooser({ columns, hidden, onChange }: ChooserProps) {
  const toggle = (id: string) => {
    const next = new Set(hidden)
    if (!next.delete(id)) next.add(id)
    if (next.size < columns.length) onChange(next)
  }
  return (
    <Popover label="Columns">
      <div className={styles.columns}>
        {columns.map(({ id, title }) => (
          <label key={id}>
            <input type="checkbox" checked={!hidden.has(id)} onChange={() => toggle(id)} /> {title}
          </label>
        ))}
      </div>
    </Popover>
  )
}

function extrasOf(columns: readonly ColumnChoice[]): ReadonlySet<string> {
  return new Set(columns.filter(({ isExtra }) => isExtra).map(({ id }) => id))
}

function readHidden(key: string): ReadonlySet<string> | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null')
    return Array.isArray(kept) ? new Set(kept.map(String)) : undefined
  } catch {
    return undefined
  }
}
