/** The flags of an operation, derived from the schemas of its query and body. */
import { idPattern, type Kind, kinds, type PathKind, refPattern } from '@bourse/api/kit/ids.ts'
import type { TSchema } from '@bourse/api/kit/schema.ts'
import { usageProblem } from '../output/usage.ts'
import { type FromNow, readFile, readJson, readMoment, readPair, readSpan } from './field-values.ts'

/** The flag of one member of a query or body. */
export type Field = {
  /** The name in the API. */
  readonly name: string
  /** The name on the command line, without dashes. */
  readonly flag: string
  readonly shape:
    | 'text'
    | 'integer'
    | 'boolean'
    | 'moment'
    | 'span'
    | 'list'
    | 'tags'
    | 'file'
    | 'json'
    | 'word_or_integer'
  /** The kind of resource that it names. */
  readonly kind: Kind | undefined
  readonly required: boolean
  readonly nullable: boolean
  readonly description: string
  readonly choices: readonly string[]
  /** The step of a time or a number. */
  readonly step: number
}

type Plain = {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly multipleOf?: number
  readonly pattern?: string
  readonly format?: string
  readonly contentEncoding?: string
  readonly items?: Plain
  readonly properties?: Readonly<Record<string, Plain>>
  readonly additionalProperties?: unknown
  readonly required?: readonly string[]
}

/** The members of an object schema. */
export function fieldsOf(schema: TSchema | undefined): Field[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Plain
  return Object.entries(properties).map(([name, member]) => fieldOf(name, member, required.includes(name)))
}

/** The kind of resource that values of a schema refer to, from its pattern. */
export function kindOf(schema: TSchema): Kind | undefined {
  return kindsByPattern.get((schema as Plain).pattern ?? '')
}

const kindsByPattern = new Map<string, Kind>(
  (Object.keys(kinds) as Kind[]).flatMap((kind) => {
    const patterns = kinds[kind].path_segments === 0 ? [] : [refPattern(kind as PathKind)]
    return [idPattern(kind), ...patterns].map((pattern) => [pattern, kind] as const)
  }),
)

function fieldOf(name: string, schema: Plain, required: boolean): Field {
  const shape = shapeOf(name, schema)
  const one = shape === 'list' ? (schema.items ?? {}) : schema
  return {
    name,
    // The help omits the API's mark of preview fields.
    flag: name.replace(/^_preview_/, '').replaceAll('_', '-'),
    shape,
    kind: kindsByPattern.get(one.pattern ?? ''),
    required,
    nullable: [schema.type].flat().includes('null'),
    description: (schema.description ?? one.description ?? '').replaceAll('`', ''),
    choices: (one.enum ?? []).filter((value) => value !== null).map(String),
    step: schema.multipleOf ?? 1,
  }
}

function shapeOf(name: string, schema: Plain): Field['shape'] {
  const types = [schema.type].flat()
  if (types.includes('string') && types.includes('integer')) return 'word_or_integer'
  const [type] = types
  if (schema.contentEncoding === 'base64') return 'file'
  if (type === 'array') return schema.items?.type === 'string' ? 'list' : 'json'
  if (type === 'object') return name === 'tags' ? 'tags' : 'json'
  if (type === 'boolean') return 'boolean'
  if (type !== 'integer') return 'text'
  if (schema.format === 'int64') return 'moment'
  return /(^|_)seconds$/.test(name) ? 'span' : 'integer'
}

/** The placeholder of a field's value in the help. */
export function placeholderOf({ shape, kind, choices }: Field): string {
  if (kind) return kind.replaceAll('_', '-')
  if (choices.length > 0 && choices.join('|').length <= 40) return choices.join('|')
  const words = { list: 'value', tags: 'key=value', text: 'text', integer: 'number', json: 'json|@file', file: 'file' }
  return { ...words, word_or_integer: 'number|word', moment: 'time', span: 'span', boolean: 'bool' }[shape]
}

/** Parses the value of a field. A time may still be relative to now. */
export function readField(field: Field, typed: unknown): unknown {
  const { shape, nullable, flag } = field
  if (typed === 'null' && nullable) return null
  if (shape === 'list') return typed
  if (shape === 'tags') return Object.fromEntries((typed as string[]).map(readPair))
  if (shape === 'boolean') return readBoolean(typed, flag)
  const text = String(typed)
  switch (shape) {
    case 'file':
      return readFile(text).toString('base64')
    case 'json':
      return readJson(text, `--${flag}`)
    case 'integer':
      return orRefuse(/^-?\d+$/.test(text) ? Number(text) : undefined, text, `--${flag} takes a whole number.`)
    case 'word_or_integer':
      return /^-?\d+$/.test(text) ? Number(text) : text
    case 'span':
      return orRefuse(readSpan(text), text, `--${flag} takes seconds or a duration such as 90s, 10m, 1h30m, 2d.`)
    case 'moment':
      return orRefuse<number | FromNow>(
        readMoment(text),
        text,
        `--${flag} takes now, +2h, -30m, 2026-01-31T12:00Z or Unix seconds.`,
      )
    case 'text':
      return text
  }
}

function readBoolean(typed: unknown, flag: string): boolean {
  if (typeof typed === 'boolean') return typed
  if (typed === 'true' || typed === 'false') return typed === 'true'
  throw usageProblem(`--${flag} takes true or false.`)
}

function orRefuse<T>(value: T | undefined, text: string, remedy: string): T {
  if (value === undefined) throw usageProblem(`"${text}" cannot be read.`, remedy)
  return value
}
