/** The order of `--sort`: `name,-created_at`. Values are compared by their types, absent ones come last. */
import { microsOf } from '@bourse/text/money.ts'
import { usageProblem } from '../usage.ts'
import { columnOf } from './columns.ts'
import { displayedType, type ValueType, valueAt } from './value-types.ts'

type Compare = (a: unknown, b: unknown) => number
type Value = number | bigint | string | undefined

/** Words and names as people order them: `node-2` before `node-10`. */
const collator = new Intl.Collator('en', { numeric: true })

/** Reads an order. Refuses unknown columns, and those whose values have no order. */
export function readSort(text: string, type: ValueType): Compare {
  const keys = text.split(',').map((key) => readKey(key.trim(), type))
  return (a, b) => {
    for (const compare of keys) {
      const order = compare(a, b)
      if (order !== 0) return order
    }
    return 0
  }
}

function readKey(key: string, type: ValueType): Compare {
  const isFalling = key.startsWith('-')
  const { name, type: own } = columnOf(key.replace(/^[-+]/, ''), type)
  if (own.kind === 'list' || own.kind === 'map' || (own.kind === 'object' && own.isWindow)) {
    throw usageProblem(`${name} has no order: it can have several values.`, 'Sort by another column.')
  }
  const of = displayedType(own) ?? own
  return (a, b) => {
    const [one, other] = [comparableOf(valueAt(a, name, type), of), comparableOf(valueAt(b, name, type), of)]
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
    const order = compareValues(one, other)
    return isFalling ? -order : order
  }
}

function compareValues(a: number | bigint | string, b: number | bigint | string): number {
  if (typeof a === 'string' || typeof b === 'string') return collator.compare(String(a), String(b))
  return a < b ? -1 : a > b ? 1 : 0
}

function comparableOf(value: unknown, of: ValueType): Value {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'object') {
    const { value: inner, alias, name, display_value, id, code, type } = value as Record<string, unknown>
    const found = inner ?? alias ?? name ?? display_value ?? id ?? code ?? type
    return typeof found === 'object' ? undefined : comparableOf(found, of)
  }
  if (of.kind === 'money') return microsOf(String(value))
  return typeof value === 'number' ? value : String(value)
}
