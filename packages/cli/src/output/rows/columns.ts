/** The columns of rows by their names. Unknown ones are refused, because they would look like missing values. */
import { usageProblem } from '../usage.ts'
import { nearest } from './nearest.ts'
import type { Column } from './table.ts'
import { anyType, typeAt, type ValueType } from './value-types.ts'

/** The members of rows, and the default columns. */
export type RowShape = {
  readonly members: readonly string[]
  readonly columns: readonly string[]
  /** The type of a row. Absent for data that is not of the API. */
  readonly type?: ValueType
  /** The columns that a narrow terminal leaves out, the first one first. */
  readonly droppable?: readonly string[]
  /** What is said where there is no row. */
  readonly empty?: string
}

/** The type of a row. */
export function rowTypeOf({ type, members }: RowShape): ValueType {
  return type ?? { kind: 'object', members: new Map(members.map((name) => [name, anyType])), isWindow: false }
}

/** A column by its name, which may also be written with hyphens: `created-at`. */
export function columnOf(name: string, type: ValueType): Column {
  for (const spelling of [name, name.replaceAll('-', '_')]) {
    const found = spelling === '' ? undefined : typeAt(type, spelling)
    if (found) return { name: spelling, type: found }
  }
  const paths = pathsOf(type)
  const [near] = nearest(name.replaceAll('-', '_'), paths)
  const top = paths.filter((path) => !path.includes('.')).join(', ')
  throw usageProblem(
    `There is no column "${name}".`,
    `${near === undefined ? '' : `Did you mean ${near}? `}Columns: ${top}. Write nested ones as sku.alias.`,
  )
}

/** The names of columns, also of those in objects and lists of objects. */
export function pathsOf(type: ValueType): string[] {
  if (type.kind !== 'object') return []
  return [...type.members].flatMap(([name, member]) => {
    if (name === 'object') return []
    const inner = member.kind === 'list' ? member.of : member
    return [name, ...pathsOf(inner).map((path) => `${name}.${path}`)]
  })
}
