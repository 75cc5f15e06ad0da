/** The conditions of `--filter`, read by the types of the columns: `state=running`, `created_at>-2h`, `name~train`. */
import type { IdKind } from '@bourse/api/kit/ids.ts'
import { microsOf } from '@bourse/text/money.ts'
import { usageProblem } from '../usage.ts'
import { columnOf } from './columns.ts'
import { nearest } from './nearest.ts'
import { displayedType, type Quantity, type ValueType, valueAt } from './value-types.ts'

/** Reads what people type for times, durations, sizes and names of resources; undefined where it is none. */
export type ValueReaders = {
  moment(text: string): Promise<number | undefined>
  span(text: string): number | undefined
  size(text: string): number | undefined
  /** The id of a resource that may be typed as a name. */
  id(kind: IdKind, text: string): Promise<string>
}

/** Whether a row meets a condition. */
export type Condition = (row: unknown) => boolean

type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=' | '~'
type Comparable = number | bigint | string | boolean

const operators = '= != < <= > >= ~'
const form = `Write --filter 'state=running', with one of ${operators}; ~ means "contains".`

/** Reads a condition. Refuses unknown columns, and values that the column cannot have. */
export async function readFilter(text: string, type: ValueType, readers: ValueReaders): Promise<Condition> {
  const [, path = '', operator, typed = ''] = /^\s*([^=!<>~]+?)\s*(!=|<=|>=|=|<|>|~)\s*(.*?)\s*$/s.exec(text) ?? []
  if (operator === undefined) throw usageProblem(`"${text}" is no filter.`, form)
  const column = columnOf(path, type)
  const of = scalarType(column.type)
  refuseOperator(operator as Operator, of, column.name)
  const valuesOf = (row: unknown) => candidatesOf(valueAt(row, column.name, type), of)
  if (typed === 'null') return nullCondition(operator as Operator, column.name, valuesOf)
  if (operator === '~') {
    const part = typed.toLowerCase()
    return (row) => valuesOf(row).some((value) => String(value).toLowerCase().includes(part))
  }
  const wanted = await readValue(typed, of, column.name, readers)
  if (operator === '!=') return (row) => !valuesOf(row).some((value) => value === wanted)
  const holds = comparisons[operator as keyof typeof comparisons]
  return (row) => valuesOf(row).some((value) => holds(value, wanted))
}

const comparisons: Readonly<Record<'=' | '<' | '<=' | '>' | '>=', (a: Comparable, b: Comparable) => boolean>> = {
  '=': (a, b) => a === b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}

function nullCondition(operator: Operator, name: string, valuesOf: (row: unknown) => Comparable[]): Condition {
  if (operator === '=') return (row) => valuesOf(row).length === 0
  if (operator === '!=') return (row) => valuesOf(row).length > 0
  throw usageProblem(`"${name}${operator}null" is no filter.`, 'Compare with null by = or !=.')
}

/** The type of what is compared: of the entries of a list, and of the value of a property. */
function scalarType(type: ValueType): ValueType {
  if (type.kind === 'list') return scalarType(type.of)
  const displayed = displayedType(type)
  return displayed !== undefined && displayed.kind !== 'text' && displayed.kind !== 'word' ? displayed : type
}

function isOrdered({ kind }: ValueType): boolean {
  return kind === 'time' || kind === 'money' || kind === 'number' || kind === 'any'
}

function refuseOperator(operator: Operator, of: ValueType, name: string): void {
  if (of.kind === 'map') throw usageProblem(`${name} has several values.`, `Write its key: ${name}.KEY=VALUE.`)
  if (operator.startsWith('<') || operator.startsWith('>')) {
    if (!isOrdered(of)) throw usageProblem(`${name} has no order: ${operator} compares numbers, times and money.`, form)
  }
  if (operator === '~' && (isOrdered(of) || of.kind === 'boolean') && of.kind !== 'any') {
    throw usageProblem(`${name} is no text: ~ searches in text.`, form)
  }
}

/** What a value can be compared as. An object has its id, its names and its words. */
function candidatesOf(value: unknown, of: ValueType): Comparable[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap((one) => candidatesOf(one, of))
  if (typeof value === 'object') {
    const { id, alias, name, display_value, value: inner, code, type: sort } = value as Record<string, unknown>
    if (isOrdered(of) && of.kind !== 'any') return candidatesOf(inner, of)
    const pair = sort && id ? `${sort}:${id}` : undefined
    return [id, alias, name, display_value, inner, code, sort, pair].flatMap((one) => (isScalar(one) ? [one] : []))
  }
  return [of.kind === 'money' ? microsOf(String(value)) : (value as Comparable)]
}

function isScalar(value: unknown): value is Comparable {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

async function readValue(text: string, of: ValueType, name: string, readers: ValueReaders): Promise<Comparable> {
  switch (of.kind) {
    case 'time':
      return wanted(await readers.moment(text), { text, name, form: 'a time: -2h, now, 2026-01-31T12:00Z' })
    case 'money':
      return wanted(readMoney(text), { text, name, form: 'an amount: 2.50, $2.50' })
    case 'number':
      return wanted(readQuantity(text, of.of, readers), { text, name, form: formOf(of.of) })
    case 'boolean':
      return wanted(readBoolean(text), { text, name, form: 'true or false' })
    case 'word':
      return readWord(text, of, name)
    case 'id':
      return of.isOwn ? text : readers.id(of.of, text)
    case 'any':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : (readBoolean(text) ?? text)
    default:
      return text
  }
}

function wanted<T>(value: T | undefined, { text, name, form: words }: { text: string; name: string; form: string }): T {
  if (value !== undefined) return value
  throw usageProblem(`"${text}" cannot be compared with ${name}.`, `It takes ${words}.`)
}

function readBoolean(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined
}

function readMoney(text: string): bigint | undefined {
  const bare = text.replace('$', '').replaceAll(',', '')
  return /^-?\d{1,19}(\.\d{1,6})?$/.test(bare) ? microsOf(bare) : undefined
}

/** A word of a closed list. New words may be added to an open one, so that it takes any. */
function readWord(text: string, { words, isOpen }: ValueType & { kind: 'word' }, name: string): string {
  const [near] = nearest(text, words)
  if (words.includes(text) || (isOpen && near === undefined)) return text
  throw usageProblem(
    `"${text}" is no value of ${name}.`,
    `${near === undefined ? '' : `Did you mean ${near}? `}Values: ${words.join(', ')}.`,
  )
}

/** A number without a unit is in the unit of the column. */
function readQuantity(text: string, of: Quantity, { span, size }: ValueReaders): number | undefined {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  const scaled = (value: number | undefined, factor: number) => (value === undefined ? undefined : value * factor)
  switch (of) {
    case 'bytes':
      return size(text)
    case 'milliseconds':
      return scaled(span(text), 1000)
    case 'seconds':
      return span(text)
    case 'minutes':
      return scaled(span(text), 1 / 60)
    case 'percent':
      return percentOf(text)
    case 'bps':
      return scaled(percentOf(text), 100)
    default:
      return undefined
  }
}

function percentOf(text: string): number | undefined {
  const [, number] = /^(-?\d+(?:\.\d+)?)\s*%$/.exec(text) ?? []
  return number === undefined ? undefined : Number(number)
}

function formOf(of: Quantity): string {
  switch (of) {
    case 'bytes':
      return 'a size: 64GiB, 1024'
    case 'milliseconds':
    case 'seconds':
    case 'minutes':
      return 'a duration: 90s, 10m, 1h'
    case 'percent':
    case 'bps':
      return 'a percentage: 1.25%'
    default:
      return 'a number'
  }
}
