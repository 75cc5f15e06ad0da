/** Formats values of the API as cells of a table. */
import { printable } from './plain-text.ts'

type Values = Readonly<Record<string, unknown>>

/** The value at a dotted path: `sku.alias`. */
export function valueAt(row: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Values | null | undefined)?.[name], row)
}

/** Formats a value for people. `-` stands for no value. */
export function cellOf(value: unknown, name: string): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'number' && /(_at|^as_of|^now|^real_now|^since|^until|^period_start|^period_end)$/.test(name))
    return momentOf(value)
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map((one) => cellOf(one, name)).join(' ')
  if (typeof value === 'object') return objectCell(value as Values)
  return printable(String(value))
}

/** Formats Unix seconds as UTC, to the second. */
export function momentOf(seconds: number): string {
  const moment = new Date(seconds * 1000)
  return Number.isNaN(moment.getTime()) ? String(seconds) : moment.toISOString().replace('T', ' ').replace('.000', '')
}

/** Formats an object: a summary as its name, any other object as its members. */
function objectCell(value: Values): string {
  const { display_value, alias, name, id, type, code, message, start_at, node_count } = value
  if (typeof start_at === 'number' && typeof node_count === 'number')
    return windowCell(start_at, value.end_at, node_count)
  const said = code && message ? `${code}: ${message}` : undefined
  const word = display_value ?? alias ?? name ?? said ?? (type && id ? `${type}:${id}` : (id ?? type))
  if (typeof word === 'string') return printable(word)
  const pairs = Object.entries(value).filter(([key]) => key !== 'object')
  return pairs.map(([key, member]) => `${key}=${cellOf(member, key)}`).join(' ') || '-'
}

/** Formats nodes over a time, to the minute: `2 × 2026-01-31 12:00 – 14:00`. */
function windowCell(start_at: number, end_at: unknown, node_count: number): string {
  const from = momentOf(start_at).slice(0, 16)
  const to = typeof end_at === 'number' ? momentOf(end_at).slice(0, 16) : 'open'
  const shown = to.slice(0, 10) === from.slice(0, 10) ? to.slice(11) : to
  return `${node_count} × ${from} – ${shown}`
}
