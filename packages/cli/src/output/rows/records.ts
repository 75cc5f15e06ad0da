/** Formats one object with a line for each member. Lists of objects are tables below their name. */

import { absoluteOf, ageOf } from '@bourse/text/formats/moments.ts'
import { type CellStyle, isKnownByWord, linesOf } from '../cells.ts'
import { padded, widthOf } from '../widths.ts'
import { type Column, tableOf } from './table.ts'
import { anyType, type ObjectType, type ValueType, valueAt } from './value-types.ts'

type RecordValues = Readonly<Record<string, unknown>>
type RecordEntry = { readonly label: string; readonly lines: readonly string[]; readonly isTable?: boolean }
type RecordOptions = { readonly style: CellStyle; readonly dim: (text: string) => string }

const between = '  '

/** Formats the columns of an object. Objects in it have a line for each of their members: `status.code`. */
export function recordOf(
  { value, type, columns }: { value: RecordValues; type: ValueType; columns: readonly Column[] },
  { style, dim }: RecordOptions,
): string {
  const entries = columns.flatMap((column) => entriesOf(column, valueAt(value, column.name, type), style))
  const widest = Math.max(0, ...entries.filter(({ isTable }) => !isTable).map(({ label }) => widthOf(label)))
  return entries
    .flatMap(({ label, lines, isTable }) => {
      if (isTable) return [dim(label), ...lines.map((line) => between + line)]
      return lines.map((line, index) => `${dim(padded(index === 0 ? label : '', widest, 'left'))}${between}${line}`)
    })
    .join('\n')
}

function entriesOf({ name, type }: Column, value: unknown, style: CellStyle): RecordEntry[] {
  if (Array.isArray(value)) {
    const of = type.kind === 'list' ? type.of : anyType
    const [first] = value
    if (of.kind === 'object' && isOpened(first, of)) return [tableEntry(name, value, of, style)]
  }
  if (type.kind === 'object' && isOpened(value, type)) {
    return membersIn([value], type).flatMap((member) =>
      entriesOf({ ...member, name: `${name}.${member.name}` }, value[member.name], style),
    )
  }
  if (type.kind === 'time' && type.of === 'moment' && typeof value === 'number') {
    return [{ label: name, lines: [momentWithAge(value, style)] }]
  }
  return [{ label: name, lines: linesOf(value, type, style) }]
}

/** Whether an object is shown with its members. */
function isOpened(value: unknown, type: ObjectType): value is RecordValues {
  return typeof value === 'object' && value !== null && !isKnownByWord(value as RecordValues, type)
}

/** Where there is room, a moment is shown with its age. */
function momentWithAge(seconds: number, style: CellStyle): string {
  const moment = absoluteOf(seconds, style)
  const age = style.times === 'age' && style.now !== undefined ? ageOf(seconds, style.now) : undefined
  return age === undefined ? moment : `${moment} (${age})`
}

function tableEntry(label: string, rows: readonly unknown[], type: ObjectType, style: CellStyle): RecordEntry {
  const columns = membersIn(rows as RecordValues[], type)
  const table = tableOf({ rows, type, columns }, { header: true, width: undefined, style, dim: String })
  return { label, lines: (table?.text ?? '').split('\n'), isTable: true }
}

/** The members that a value has, in the order of the contract. */
function membersIn(values: readonly RecordValues[], { members }: ObjectType): Column[] {
  const known = [...members].filter(([name]) => name !== 'object' && values.some((value) => name in value))
  const others = new Set(values.flatMap((value) => Object.keys(value)).filter((name) => !members.has(name)))
  return [...known.map(([name, type]) => ({ name, type })), ...[...others].map((name) => ({ name, type: anyType }))]
}
