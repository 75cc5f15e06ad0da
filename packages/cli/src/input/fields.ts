/** The flags of an operation, derived from the schemas of its query and body. */
import type { Unit } from '@bourse/api/kit/annotations.ts'
import { type IdKind, idPattern, kinds, type PathKind, refPattern } from '@bourse/api/kit/ids.ts'
import type { TSchema } from '@bourse/api/kit/schema.ts'
import {
  decimalShapeOf,
  readBasisPoints,
  readDollars,
  readPercent,
  readSize,
  readTimes,
} from '@bourse/text/grammar/amounts.ts'
import { readSpan, type SpanUnit, spanForms } from '@bourse/text/grammar/spans.ts'
import { usageProblem } from '../output/usage.ts'
import { type Compound, compoundOf } from './compounds.ts'
import { readFile, readJson, readPair, readPublicKey, readTextOrFile } from './field-values.ts'
import type { PlainSchema } from './plain-schema.ts'
import { resolveReference } from './references.ts'

/** The flag of one member of a query or body. */
export type Field = {
  /** The name in the API. */
  readonly name: string
  /** The name on the command line, without dashes. It names no unit, because the value may have any. */
  readonly flag: string
  /** The whole name on the command line, which is accepted too; equal where the name has no unit. */
  readonly long_flag: string
  readonly shape:
    | 'text'
    | 'integer'
    | 'boolean'
    | 'moment'
    | 'amount'
    | 'list'
    | 'tags'
    | 'file'
    | 'public_key'
    | 'text_file'
    | 'json'
    | 'requirements'
    | 'word_or_integer'
  /** What an amount counts. */
  readonly unit: Unit | undefined
  /** The kind of resource that it names. */
  readonly kind: IdKind | undefined
  /** The flags that a person gives instead of JSON. */
  readonly compound: Compound | undefined
  readonly required: boolean
  readonly nullable: boolean
  readonly description: string
  /** What it means that it is off, where a flag says that. */
  readonly negative: string | undefined
  readonly choices: readonly string[]
  /** What the server takes where it is not given, if that is a number. */
  readonly default: number | undefined
  /** The step of a time or a number. */
  readonly step: number
  readonly pattern: string
  /** Whether several values may be given in one text, separated by commas. */
  readonly splits: boolean
  /** Whether a value may be followed by its display text in quotes. */
  readonly has_display: boolean
  /** Whether its items are whole numbers. */
  readonly has_numbers: boolean
}

/** The members of an object schema. */
export function fieldsOf(schema: TSchema | undefined): Field[] {
  const { properties = {}, required = [] } = (schema ?? {}) as PlainSchema
  return Object.entries(properties).map(([name, member]) => fieldOf(name, member, required.includes(name)))
}

/** The kind of resource that values of a schema refer to, from its pattern. */
export function kindOf(schema: TSchema | PlainSchema): IdKind | undefined {
  return kindsByPattern.get((schema as PlainSchema).pattern ?? '')
}

const kindsByPattern = new Map<string, IdKind>(
  (Object.keys(kinds) as IdKind[]).flatMap((kind) => {
    const patterns = kinds[kind].path_segments === 0 ? [] : [refPattern(kind as PathKind)]
    return [idPattern(kind), ...patterns].map((pattern) => [pattern, kind] as const)
  }),
)

function fieldOf(name: string, schema: PlainSchema, required: boolean): Field {
  const shape = shapeOf(schema)
  const one = shape === 'list' ? (schema.items ?? {}) : schema
  const unit = one['x-unit']
  // The help omits the API's mark of preview fields.
  const long_flag = name.replace(/^_preview_/, '').replaceAll('_', '-')
  const choices = (one.enum ?? []).filter((value) => value !== null).map(String)
  const kind = kindsByPattern.get(one.pattern ?? '')
  const isClosed = one.pattern !== undefined && !new RegExp(one.pattern).test('a,b')
  return {
    name,
    flag: withoutUnit(long_flag, unit),
    long_flag,
    shape,
    unit,
    kind,
    compound: compoundOf(schema, async (session, reference, typed) => {
      const referred = kindOf(reference)
      return referred ? resolveReference(session.lookup, referred, typed) : typed
    }),
    required,
    nullable: [schema.type].flat().includes('null'),
    description: describe(schema),
    negative: schema['x-negative'],
    choices,
    default: typeof schema.default === 'number' ? schema.default : undefined,
    step: schema.multipleOf ?? 1,
    pattern: one.pattern ?? '',
    splits: shape === 'list' && (choices.length > 0 || isClosed || one.type === 'integer'),
    has_display: [schema.type].flat().includes('object') && schema.properties?.display_value !== undefined,
    has_numbers: shape === 'list' && one.type === 'integer',
  }
}

/** What it is, without the marks of code. A list that says nothing of its own is about one of its entries. */
function describe({ description, items }: PlainSchema): string {
  return (description ?? items?.description ?? '').replaceAll('`', '')
}

/** `max-buy-price-dollars-per-node-hour` is `max-buy-price`. A name that is nothing but its unit stays. */
function withoutUnit(flag: string, unit: Unit | undefined): string {
  const ending = unit === undefined ? '' : `-${unit.replaceAll('_', '-')}`
  return ending !== '' && flag.endsWith(ending) ? flag.slice(0, -ending.length) : flag
}

function shapeOf(schema: PlainSchema): Field['shape'] {
  const types = [schema.type].flat()
  if (types.includes('string') && types.includes('integer')) return 'word_or_integer'
  const [type] = types
  if (schema.contentEncoding === 'base64') return 'file'
  if (schema.contentMediaType === 'text/x-ssh-public-key') return 'public_key'
  if (schema.contentMediaType !== undefined) return 'text_file'
  if (type === 'array') return ['string', 'integer'].includes(String(schema.items?.type)) ? 'list' : 'json'
  if (type === 'object') return objectShapeOf(schema)
  if (type === 'boolean') return 'boolean'
  if (type === 'integer' && schema.format === 'int64') return 'moment'
  if (schema['x-unit']) return 'amount'
  return type === 'integer' ? 'integer' : 'text'
}

function objectShapeOf({ additionalProperties, propertyNames }: PlainSchema): Field['shape'] {
  const values = (typeof additionalProperties === 'object' ? additionalProperties : {}) as PlainSchema
  if (values.type === 'array' && values.items?.type === 'string') return 'requirements'
  return propertyNames !== undefined && values.type === 'string' ? 'tags' : 'json'
}

const unitWords: Readonly<Record<Unit, string>> = {
  dollars: 'dollars',
  dollars_per_node_hour: 'dollars',
  milliseconds: 'span',
  seconds: 'span',
  minutes: 'span',
  node_minutes: 'number',
  bytes: 'size',
  percent: 'percent',
  bps: 'percent|bps',
  times: 'factor',
  period: 'time',
}

/** The most characters of a placeholder: the help wraps its texts at 80 columns only beside short flags. */
export const placeholderMax = 16

/** The placeholder of a field's value in the help. */
export function placeholderOf({ shape, kind, choices, unit }: Field): string {
  if (kind) return kind.length > placeholderMax ? 'name' : kind.replaceAll('_', '-')
  if (choices.length > 0 && choices.join('|').length <= placeholderMax) return choices.join('|')
  if (unit) return unitWords[unit]
  const words = {
    list: 'value',
    tags: 'key=value',
    text: 'text',
    integer: 'number',
    json: 'json|@file',
    file: 'file',
    text_file: 'text|@file',
  }
  const others = { word_or_integer: 'number|word', moment: 'time', amount: 'number', boolean: 'bool' }
  return { ...words, ...others, public_key: 'file', requirements: 'field:value,value;…' }[shape]
}

/** Parses the value of a field that is no time. */
export function readField(field: Field, typed: unknown): unknown {
  const { shape, nullable, flag } = field
  if (typed === 'null' && nullable) return null
  const isNull = Array.isArray(typed) && typed.length === 1 && typed[0] === 'null'
  if (isNull && nullable) return null
  if (isNull && shape === 'tags') return {}
  if (isNull && isClearable(field)) return []
  if (shape === 'list') return readList(field, typed as readonly string[])
  if (shape === 'tags') return Object.fromEntries((typed as string[]).map(readPair))
  if (shape === 'boolean') return readBoolean(typed, flag)
  const text = String(typed)
  const [, value = '', display_value] = (field.has_display && /^(.*\S) "([^"]+)"$/.exec(text)) || []
  if (display_value !== undefined) return { value: readOne(field, value), display_value }
  return readOne(field, text)
}

/** Whether `null` can only mean that a list becomes empty: no value of it, and no name of a resource, is this word. */
function isClearable({ shape, kind, choices, pattern, has_numbers }: Field): boolean {
  if (shape !== 'list' || kind !== undefined) return false
  return (
    has_numbers || (choices.length > 0 && !choices.includes('null')) || (pattern !== '' && !matches(pattern, 'null'))
  )
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern).test(text)
}

function readOne({ shape, unit, flag, pattern }: Field, text: string): unknown {
  switch (shape) {
    case 'file':
      return readFile(text).toString('base64')
    case 'public_key':
      return readPublicKey(text)
    case 'text_file':
      return readTextOrFile(text)
    case 'json':
      return readJson(text, `--${flag}`)
    case 'requirements':
      return /^[{@]/.test(text) ? readJson(text, `--${flag}`) : readRequirements(text, `--${flag}`)
    case 'integer':
      return readInteger(text, flag)
    case 'word_or_integer':
      return /^-?\d+$/.test(text) ? Number(text) : text
    case 'amount':
      return named(flag, () => readAmount(text, unit, pattern))
    default:
      return text
  }
}

function readAmount(text: string, unit: Unit | undefined, pattern: string): unknown {
  switch (unit) {
    case 'dollars':
    case 'dollars_per_node_hour':
      return readDollars(text, decimalShapeOf(pattern), { isPrice: unit === 'dollars_per_node_hour' })
    case 'bytes':
      return readSize(text)
    case 'percent':
      return readPercent(text)
    case 'bps':
      return readBasisPoints(text)
    case 'times':
      return readTimes(text)
    default: {
      const count = readSpan(text, unit as SpanUnit)
      if (count !== undefined) return count
      throw usageProblem(`"${text}" is not a duration in whole ${unit}.`, spanForms)
    }
  }
}

/** Puts the name of the flag before the message of a usage problem. */
function named<T>(flag: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const { message, remedy } = error as Error & { remedy?: string }
    throw usageProblem(`--${flag}: ${message}`, remedy)
  }
}

function readList({ splits, has_numbers, unit, pattern, flag }: Field, typed: readonly string[]): unknown[] {
  if (has_numbers && typed.length === 1 && typed[0]?.startsWith('['))
    return readJson(typed[0], `--${flag}`) as unknown[]
  const texts = splits ? typed.flatMap((text) => text.split(',').map((one) => one.trim())) : typed
  if (!has_numbers) return [...texts]
  return texts.map((text) => (unit ? named(flag, () => readAmount(text, unit, pattern)) : readInteger(text, flag)))
}

/** Parses `accelerator:h100,h200;region:us-west`, which queries take too. */
function readRequirements(text: string, flag: string): Record<string, string[]> {
  return Object.fromEntries(
    text.split(';').map((clause): [string, string[]] => {
      const [, name, values] = /^\s*([a-z_]+)(?::eq)?[:=]([^:=;\s]+)\s*$/.exec(clause) ?? []
      if (name !== undefined && values !== undefined) return [name, values.split(',')]
      throw usageProblem(`${flag}: "${clause}" is not a requirement.`, "Write 'accelerator:h100,h200;region:us-west'.")
    }),
  )
}

function readInteger(text: string, flag: string): number {
  if (/^-?\d+$/.test(text)) return Number(text)
  throw usageProblem(`"${text}" cannot be read.`, `--${flag} takes a whole number.`)
}

function readBoolean(typed: unknown, flag: string): boolean {
  if (typeof typed === 'boolean') return typed
  if (typed === 'true' || typed === 'false') return typed === 'true'
  throw usageProblem(`--${flag} takes true or false.`)
}
