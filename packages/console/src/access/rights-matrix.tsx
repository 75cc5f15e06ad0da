/** Rights as a matrix: a row for each kind of resource, a column for each verb. To be read, or to be chosen. */
import { permissionResources, permissionVerbs } from '@bourse/api/kit/permissions.ts'
import { type KeyboardEvent, useRef, useState } from 'react'
import styles from './access.module.css'
import { cellAfter, kindText, type MatrixCell, type RightRow, shareOf, toggled } from './rights.rules.ts'

/** Kinds of resources that a role can name. */
export const roleKinds = permissionResources.filter((kind) => kind !== 'platform')

type MatrixProps = { name: string; rows: readonly RightRow[] }

/** What is allowed, to be read. */
export function RightsMatrix({ name, rows }: MatrixProps) {
  if (rows.length === 0) return <p className="quiet">Nothing.</p>
  return (
    <table className={styles.matrix} aria-label={name}>
      <thead>
        <tr>
          <th scope="col">On</th>
          {permissionVerbs.map((verb) => (
            <th key={verb} scope="col">
              {verb}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ kind, verbs }) => (
          <tr key={kind}>
            <th scope="row">{kind}</th>
            {permissionVerbs.map((verb) => (
              <td key={verb}>
                <i data-allowed={verbs.has(verb)} aria-hidden="true" />
                <span className="visually-hidden">{verbs.has(verb) ? 'yes' : 'no'}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Rows and columns of a choice: the first of each stands for all of them. */
const lines = [
  { title: 'every kind', kinds: roleKinds },
  ...roleKinds.map((kind) => ({ title: kindText(kind), kinds: [kind] })),
]
const columns = [
  { title: 'all', label: 'everything on', verbs: permissionVerbs },
  ...permissionVerbs.map((verb) => ({ title: verb, label: verb, verbs: [verb] })),
]
/** A table in which arrows move is told as a grid. */
const grid = { role: 'grid' }
const size = { rows: lines.length, columns: columns.length }

type ChoiceProps = { chosen: ReadonlySet<string>; onChange: (chosen: ReadonlySet<string>) => void }

/** A checkbox for each right, for each row and for each column. It is one stop of the keyboard: arrows move in it. */
export function RightsChoice({ chosen, onChange }: ChoiceProps) {
  const [stop, setStop] = useState<MatrixCell>({ row: 0, column: 0 })
  const table = useRef<HTMLTableElement>(null)
  const move = (event: KeyboardEvent) => {
    const next = cellAfter(event.key, stop, size)
    if (!next) return
    event.preventDefault()
    table.current?.tBodies[0]?.rows[next.row]?.querySelectorAll('input')[next.column]?.focus()
  }
  return (
    <table ref={table} {...grid} className={styles.matrix} aria-label="Rights" onKeyDown={move}>
      <thead>
        <tr>
          <th scope="col">On</th>
          {columns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ title, kinds }, row) => (
          <tr key={title}>
            <th scope="row">{title}</th>
            {columns.map(({ label, verbs }, column) => (
              <RightCell
                key={label}
                label={`${label} ${title}`}
                permissions={kinds.flatMap((kind) => verbs.map((verb) => `${kind}:${verb}`))}
                chosen={chosen}
                isStop={row === stop.row && column === stop.column}
                onFocus={() => setStop({ row, column })}
                onChange={onChange}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type RightCellProps = ChoiceProps & {
  label: string
  permissions: readonly string[]
  /** Whether the keyboard comes here first. */
  isStop: boolean
  onFocus: () => void
}

function RightCell({ label, permissions, chosen, isStop, onFocus, onChange }: RightCellProps) {
  const share = shareOf(chosen, permissions)
  return (
    <td>
      <input
        ref={(box) => {
          if (box) box.indeterminate = share === 'some'
        }}
        type="checkbox"
        aria-label={label}
        checked={share === 'all'}
        tabIndex={isStop ? 0 : -1}
        onFocus={onFocus}
        onChange={() => onChange(toggled(chosen, permissions))}
      />
    </td>
  )
}
