/** Formats values of the API for people, by their types in the contract. */

import type { HostHardware } from '@bourse/api/fleet/hardware.ts'
import { hardwareLine } from '@bourse/api/fleet/hardware-line.ts'
import { bytesOf, dollarsOf, percentOfPoints } from '@bourse/text/formats/amounts.ts'
import { lengthOf, millisecondsOf } from '@bourse/text/formats/durations.ts'
import { absoluteOf, ageOf, minuteOf, rangeOf, type TimeOptions } from '@bourse/text/formats/moments.ts'
import { printable } from '@bourse/text/plain-text.ts'
import { anyType, displayedType, type ObjectType, type Quantity, type ValueType } from './rows/value-types.ts'

type CellValues = Readonly<Record<string, unknown>>

/** How values are shown. */
export type CellStyle = TimeOptions & {
  /** Names for people by ids of resources. */
  readonly names: ReadonlyMap<string, string>
}

/** Times in UTC, and ids as they are. */
export const plainStyle: CellStyle = { times: 'utc', exact: false, names: new Map() }

/** What stands for no value. */
export const nothing = '-'

/** The most lines of a list of short values. A list that is longer has a line for each. */
const listWidth = 40

/** Formats a value in one line. */
export function cellOf(value: unknown, type: ValueType, style: CellStyle): string {
  return linesOf(value, type, style).join(' ')
}

/** Formats a value in one line or more: schedules and lists of resources have a line for each entry. */
export function linesOf(value: unknown, type: ValueType, style: CellStyle): string[] {
  if (value === null || value === undefined || value === '') return [nothing]
  if (Array.isArray(value)) return listLines(value, type.kind === 'list' ? type.of : anyType, style)
  if (typeof value === 'object') return objectLines(value as CellValues, type, style)
  return [scalarOf(value, type, style)]
}

function scalarOf(value: unknown, type: ValueType, style: CellStyle): string {
  switch (type.kind) {
    case 'time':
      return typeof value === 'number' ? timeOf(value, type.of, style) : printable(String(value))
    case 'money':
      return style.exact ? printable(String(value)) : dollarsOf(String(value))
    case 'number':
      return typeof value === 'number' ? quantityOf(value, type.of, style.exact) : printable(String(value))
    case 'id':
      return printable((type.isOwn ? undefined : style.names.get(String(value))) ?? String(value))
    default:
      return printable(String(value))
  }
}

function timeOf(seconds: number, of: 'moment' | 'minute' | 'period', style: CellStyle): string {
  if (of === 'minute') return minuteOf(seconds, style)
  const age =
    style.times === 'age' && of === 'moment' && style.now !== undefined ? ageOf(seconds, style.now) : undefined
  return age ?? absoluteOf(seconds, style)
}

function quantityOf(value: number, of: Quantity, isExact: boolean): string {
  if (isExact) return String(value)
  switch (of) {
    case 'bytes':
      return bytesOf(value)
    case 'milliseconds':
      return millisecondsOf(value)
    case 'seconds':
      return lengthOf(value)
    case 'minutes':
      return lengthOf(value * 60)
    case 'percent':
      return `${value} %`
    case 'bps':
      return percentOfPoints(value)
    default:
      return String(value)
  }
}

/** Equal entries in a row are counted. Short ones share a line. */
function listLines(values: readonly unknown[], of: ValueType, style: CellStyle): string[] {
  if (values.length === 0) return [nothing]
  const counted: { text: string; count: number }[] = []
  for (const text of values.flatMap((one) => linesOf(one, of, style))) {
    const last = counted.at(-1)
    if (last?.text === text) last.count += 1
    else counted.push({ text, count: 1 })
  }
  const lines = counted.map(({ text, count }) => (count === 1 ? text : `${text} × ${count}`))
  const whole = lines.join(' ')
  const isShort = of.kind !== 'object' && whole.length <= listWidth
  return isShort ? [whole] : lines
}

function objectLines(value: CellValues, type: ValueType, style: CellStyle): string[] {
  if (type.kind === 'map') return mapLines(value, type, style)
  const word = wordOf(value, type, style)
  if (word !== undefined) return [word]
  const members = type.kind === 'object' ? type.members : new Map<string, ValueType>()
  const pairs = Object.entries(value).filter(([name]) => name !== 'object')
  if (pairs.length === 0) return [nothing]
  return [pairs.map(([name, member]) => `${name}=${cellOf(member, members.get(name) ?? anyType, style)}`).join(' ')]
}

/** Pairs in one line, or a line for each line of each value. */
function mapLines(value: CellValues, { of, keys }: ValueType & { kind: 'map' }, style: CellStyle): string[] {
  const pairs = Object.entries(value)
  if (pairs.length === 0) return [nothing]
  const nameOf = (key: string) => printable((keys && style.names.get(key)) ?? key)
  if (of.kind !== 'list') return [pairs.map(([key, one]) => `${nameOf(key)}=${cellOf(one, of, style)}`).join(' ')]
  return pairs.flatMap(([key, one]) => linesOf(one, of, style).map((line) => `${nameOf(key)}  ${line}`))
}

/** The word for an object: its name, what its display text says, its window. Undefined: it has none. */
export function wordOf(value: CellValues, type: ValueType, style: CellStyle): string | undefined {
  if (type.kind === 'object' && type.isWindow) return windowOf(value, style)
  if (isHardware(type)) return printable(hardwareLine(value as HostHardware))
  if (isFigure(type)) return figureOf(value, style)
  const displayed = displayedType(type)
  if (displayed?.kind === 'number' && displayed.of !== undefined) return cellOf(value.value, displayed, style)
  const { display_value, alias, name, id, type: sort, code, message } = value
  const said = code && message ? `${code}: ${message}` : undefined
  const named = style.names.get(unnamedReference(value) ?? '')
  const word = display_value ?? alias ?? name ?? said ?? named ?? (sort && id ? `${sort}:${id}` : (id ?? sort))
  return typeof word === 'string' ? printable(word) : undefined
}

/** The id of an object that has only its id and its kind; undefined for others. */
export function unnamedReference(value: object): string | undefined {
  const { display_value, alias, name, id, type } = value as CellValues
  const own = display_value ?? alias ?? name ?? undefined
  return typeof id === 'string' && type !== undefined && own === undefined ? id : undefined
}

/** Formats nodes over a time: `2 × 2026-01-31 12:00 – 14:00Z`. */
function windowOf(value: CellValues, style: CellStyle): string {
  const { start_at, end_at, node_count } = value as { start_at: number; end_at: number | null; node_count: number }
  return `${node_count} × ${rangeOf(start_at, end_at, style)}`
}

/** Whether an object is known by its word, as resources in other resources are, so that its members need not follow. */
export function isKnownByWord(value: CellValues, type: ObjectType): boolean {
  const isNamed = ['object', 'id'].every((name) => type.members.has(name)) && ('name' in value || 'alias' in value)
  const isReference = 'type' in value && ('id' in value || 'name' in value)
  const isSaid = 'display_value' in value || ('code' in value && 'message' in value)
  return type.isWindow || isHardware(type) || isFigure(type) || isNamed || isReference || isSaid
}

/** Formats a figure of a benchmark, of one host or of all hosts of a SKU. */
function figureOf(value: CellValues, style: CellStyle): string {
  const { name, unit, lowest, median, host_count, measured_at } = value
  if (lowest === undefined) return printable(`${name} ${value.value} ${unit}`)
  const hosts = host_count === 1 ? '1 host' : `${host_count} hosts, the lowest ${lowest}`
  const since = absoluteOf(Number(measured_at), style)
  return printable(`${name} ${median} ${unit} (${hosts}, since ${since})`)
}

/** A figure of a benchmark is known by its unit. */
function isFigure(type: ValueType): boolean {
  return type.kind === 'object' && type.members.has('name') && type.members.has('unit')
}

/** The hardware of a host has a line of its own. `-o json` has all of it. */
function isHardware(type: ValueType): boolean {
  return type.kind === 'object' && ['numa_nodes', 'accelerators', 'storage'].every((name) => type.members.has(name))
}
