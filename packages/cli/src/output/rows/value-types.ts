/**
 * The types of the values in a response, from the schema of its operation. Values are formatted, compared and read by
 * their type, never by the name of their member.
 */
import { type IdKind, idPattern, kinds } from '@bourse/api/kit/ids.ts'

/** What a number counts. */
export type Quantity = 'bytes' | 'milliseconds' | 'seconds' | 'minutes' | 'percent' | 'bps' | 'node_minutes' | undefined

/** The type of a value. `any` is for values without a schema, `isOwn` for the id of the object that has the member. */
export type ValueType =
  | { readonly kind: 'time'; readonly of: 'moment' | 'minute' | 'period' }
  | { readonly kind: 'money' }
  | { readonly kind: 'number'; readonly of: Quantity }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'id'; readonly of: IdKind; readonly isOwn: boolean }
  | { readonly kind: 'word'; readonly words: readonly string[]; readonly isOpen: boolean }
  | { readonly kind: 'text' }
  | { readonly kind: 'list'; readonly of: ValueType }
  | { readonly kind: 'map'; readonly of: ValueType; readonly keys: IdKind | undefined }
  | ObjectType
  | { readonly kind: 'any' }

/** The type of an object. `isWindow`: a number of nodes from a minute until another. */
export type ObjectType = {
  readonly kind: 'object'
  readonly members: ReadonlyMap<string, ValueType>
  readonly isWindow: boolean
}

type Schema = {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly multipleOf?: number
  readonly pattern?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
  readonly 'x-unit'?: string
  readonly 'x-keys'?: string
  readonly 'x-known-values'?: readonly string[]
}

export const anyType: ValueType = { kind: 'any' }

const kindsByPattern = new Map((Object.keys(kinds) as IdKind[]).map((kind) => [idPattern(kind), kind]))

/** The type of the values of a schema. */
export function typeOf(schema: object | undefined): ValueType {
  const { type, anyOf, ...rest } = (schema ?? {}) as Schema
  if (anyOf) return variantsType(anyOf)
  const types = [type ?? []].flat().filter((one) => one !== 'null')
  if (types.length > 1) return { kind: 'text' }
  switch (types[0]) {
    case 'object':
      return objectType(rest)
    case 'array':
      return { kind: 'list', of: typeOf(rest.items) }
    case 'integer':
    case 'number':
      return numberType(rest)
    case 'boolean':
      return { kind: 'boolean' }
    case 'string':
      return textType(rest)
    default:
      return anyType
  }
}

/** The members of all variants: a value has those of one of them. */
function variantsType(variants: readonly Schema[]): ValueType {
  const types = variants.map(typeOf).filter((one) => one.kind === 'object')
  const [only] = types
  if (types.length <= 1) return only ?? anyType
  const members = new Map<string, ValueType>()
  for (const type of types) {
    for (const [name, own] of type.members) {
      const known = members.get(name)
      members.set(name, known === undefined ? own : joined(known, own))
    }
  }
  return { kind: 'object', members, isWindow: false }
}

/** The type of a member that two variants have. Its words are those of both. */
function joined(one: ValueType, other: ValueType): ValueType {
  if (one.kind !== 'word' || other.kind !== 'word') return one
  return { kind: 'word', words: [...new Set([...one.words, ...other.words])], isOpen: one.isOpen || other.isOpen }
}

function objectType({ properties, additionalProperties, 'x-keys': keys }: Schema): ValueType {
  if (properties === undefined) {
    const of = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : anyType
    return { kind: 'map', of, keys: keys as IdKind | undefined }
  }
  const members = new Map(Object.entries(properties).map(([name, member]) => [name, typeOf(member)]))
  const own = members.get('id')
  if (own?.kind === 'id') members.set('id', { ...own, isOwn: true })
  return { kind: 'object', members, isWindow: isWindow(members) }
}

/** Whether an object is a step of a schedule. */
function isWindow(members: ReadonlyMap<string, ValueType>): boolean {
  const [start, end, count] = ['start_at', 'end_at', 'node_count'].map((name) => members.get(name))
  return members.size === 3 && isMinute(start) && isMinute(end) && count?.kind === 'number'
}

function isMinute(type: ValueType | undefined): boolean {
  return type?.kind === 'time' && type.of === 'minute'
}

function numberType({ format, multipleOf, 'x-unit': unit }: Schema): ValueType {
  if (format !== 'int64') return { kind: 'number', of: unit as Quantity }
  if (unit === 'period') return { kind: 'time', of: 'period' }
  return { kind: 'time', of: multipleOf === 60 ? 'minute' : 'moment' }
}

function textType(schema: Schema): ValueType {
  const { 'x-unit': unit, 'x-known-values': known, pattern = '' } = schema
  if (unit?.startsWith('dollars')) return { kind: 'money' }
  if (schema.const !== undefined) return { kind: 'word', words: [String(schema.const)], isOpen: false }
  if (known) return { kind: 'word', words: known, isOpen: true }
  if (schema.enum) {
    return { kind: 'word', words: schema.enum.filter((one) => one !== null).map(String), isOpen: false }
  }
  const kind = kindsByPattern.get(pattern)
  return kind === undefined ? { kind: 'text' } : { kind: 'id', of: kind, isOwn: false }
}

type TypedValues = Readonly<Record<string, unknown>>

/**
 * The value at a dotted path: `sku.alias`. A path goes through a list to each of its entries, and the rest of a path in
 * a map is one key: `targets.id`, `tags.team`.
 */
export function valueAt(row: unknown, path: string, type: ValueType = anyType): unknown {
  if (path === '') return row
  if (row === null || row === undefined) return undefined
  if (Array.isArray(row)) {
    const of = type.kind === 'list' ? type.of : anyType
    return row.flatMap((entry) => valueAt(entry, path, of))
  }
  if (type.kind === 'map' && Object.hasOwn(row as TypedValues, path)) return (row as TypedValues)[path]
  const [name = '', ...rest] = path.split('.')
  const member = type.kind === 'object' ? type.members.get(name) : type.kind === 'map' ? type.of : anyType
  // Members that every object and every text has, such as their functions, are no values.
  if (typeof row !== 'object' || !Object.hasOwn(row, name)) return undefined
  return valueAt((row as TypedValues)[name], rest.join('.'), member)
}

/** The type at a dotted path; undefined where the type has no such member. */
export function typeAt(type: ValueType, path: string): ValueType | undefined {
  if (path === '') return type
  if (type.kind === 'any') return type
  if (type.kind === 'list') {
    const inner = typeAt(type.of, path)
    return inner === undefined || inner.kind === 'list' ? inner : { kind: 'list', of: inner }
  }
  const [name = '', ...rest] = path.split('.')
  if (type.kind === 'map') return isDeep(type.of) ? typeAt(type.of, rest.join('.')) : type.of
  const member = type.kind === 'object' ? type.members.get(name) : undefined
  return member && typeAt(member, rest.join('.'))
}

function isDeep({ kind }: ValueType): boolean {
  return kind === 'object' || kind === 'map' || kind === 'list'
}

/** The value that a SKU's property has besides its display text; undefined for other objects. */
export function displayedType(type: ValueType): ValueType | undefined {
  if (type.kind !== 'object' || type.members.size !== 2 || !type.members.has('display_value')) return undefined
  return type.members.get('value')
}
