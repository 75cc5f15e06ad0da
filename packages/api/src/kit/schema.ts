import { annotations, type Notes } from './annotations.ts'
import { type Id, type IdKind, idPattern, kinds, type PathKind, type Ref, refPattern } from './ids.ts'
import { optional, schemaOf } from './json-schema.ts'
import {
  array,
  here,
  list,
  nullable,
  object,
  openObject,
  openResource,
  record,
  repeated,
  resource,
  union,
} from './objects.ts'
import type { Static, TArray, TObject, TOptional, TProperties, TSchema, TUnsafe } from './static.ts'
import { constant, oneOf, openEnum, openOneOf, readOnlyConstant } from './words.ts'

export type { Static, TArray, TObject, TOptional, TProperties, TSchema, TUnsafe }
export {
  array,
  constant,
  here,
  nullable,
  object,
  oneOf,
  openEnum,
  openObject,
  openOneOf,
  openResource,
  optional,
  readOnlyConstant,
  record,
  repeated,
  resource,
  schemaOf,
  union,
}

/** Text with a length in characters, and optionally an anchored pattern. */
export function text(
  limits: { min?: number; max: number; pattern?: string; examples?: readonly string[] } & Notes,
): TUnsafe<string> {
  const { min = 0, max, pattern, examples } = limits
  return schemaOf<string>({
    type: 'string',
    ...(min > 0 ? { minLength: min } : {}),
    maxLength: max,
    ...(pattern === undefined ? {} : { pattern }),
    ...(examples === undefined ? {} : { examples: [...examples] }),
    ...annotations(limits),
  })
}

/** A whole number between two inclusive bounds. */
export function integer(limits: { min?: number; max?: number; default?: number } & Notes): TUnsafe<number> {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = limits
  return schemaOf<number>({
    type: 'integer',
    minimum: min,
    maximum: max,
    ...(limits.default === undefined ? {} : { default: limits.default }),
    ...annotations(limits),
  })
}

/** A word, or a whole number between two inclusive bounds. Uses one type list, as in {@link nullable}. */
export function wordOrInteger<const W extends string>(
  word: W,
  limits: { min: number; max: number } & Notes,
): TUnsafe<W | number> {
  return schemaOf<W | number>({
    type: ['string', 'integer'],
    pattern: `^${word}$`,
    minimum: limits.min,
    maximum: limits.max,
    ...annotations({ form: `\`${word}\` or a whole number`, ...limits }),
  })
}

/** One of a closed list of whole numbers. */
export function integerOneOf<const T extends readonly number[]>(values: T, notes: Notes = {}): TUnsafe<T[number]> {
  return schemaOf<T[number]>({ type: 'integer', enum: [...values], ...annotations(notes) })
}

/** A 64-bit whole number of a query parameter. The handler gets a bigint, including values beyond 2^53. */
export function int64Parameter(notes: Notes = {}): TUnsafe<bigint> {
  return schemaOf<bigint>({ type: 'integer', format: 'int64', 'x-bigint': true, ...annotations(notes) })
}

/** A time in whole Unix seconds. */
export function timestamp(notes: Notes = {}): TUnsafe<number> {
  return schemaOf<number>({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    ...annotations({ description: 'Unix seconds.', ...notes }),
  })
}

/** A time in whole minutes, as Unix seconds. */
export function minute(notes: Notes = {}): TUnsafe<number> {
  const whole = timestamp({ description: 'Unix seconds, a multiple of 60.', ...notes })
  return schemaOf<number>({ ...whole, multipleOf: 60 })
}

/** What the two members of a value with its display text are. */
export const valueText = 'The value itself, which requirements compare.'
export const displayText = 'The value as people read it.'

/**
 * A plain value, or an object with the value and its display text. Uses one type list, as in {@link nullable}; the
 * plain value must be neither an enumeration nor an object.
 */
export function plainOrDisplayed<S extends TSchema>(
  plain: S,
  description: string,
): TUnsafe<Static<S> | { value: Static<S>; display_value?: string }> {
  const { type } = plain as { type: string }
  return schemaOf<Static<S> | { value: Static<S>; display_value?: string }>({
    ...(plain as object),
    type: [type, 'object'],
    description,
    properties: {
      value: { ...(plain as object), description: valueText },
      display_value: text({ min: 1, max: 255, description: displayText }),
    },
    required: ['value'],
    additionalProperties: false,
  })
}

/** True or false. */
export function boolean(notes: Notes & { default?: boolean } = {}): TUnsafe<boolean> {
  const fallback = notes.default === undefined ? {} : { default: notes.default }
  return schemaOf<boolean>({ type: 'boolean', ...fallback, ...annotations(notes) })
}

/** The id of a resource of one kind. */
export function id<K extends IdKind>(kind: K, notes: Notes = {}): TUnsafe<Id<K>> {
  const words = { description: `${kindWords(kind)} id.`, form: `an id that begins with \`${kinds[kind].prefix}_\`` }
  return schemaOf<Id<K>>({
    type: 'string',
    pattern: idPattern(kind),
    ...annotations({ ...words, ...notes }),
  })
}

/** The id of a resource of any kind, also of one that the API does not show. A resource path is refused. */
export function idOfAnyKind(notes: Notes = {}): TUnsafe<string> {
  const form = 'an id, such as one that begins with `inst_`: a resource path changes, so events do not name it'
  return text({ min: 1, max: 255, pattern: '^(?!svc:).*$', form, ...notes })
}

const pathLengthMax = 1024

/** The id or the path of a resource of one kind. */
export function idOrPath<K extends PathKind>(kind: K, notes: Notes = {}): TUnsafe<Ref<K>> {
  const { description, ...others } = notes
  const form = `an id that begins with \`${kinds[kind].prefix}_\`, or a path as ${pathForm(kind)}`
  return schemaOf<Ref<K>>({
    type: 'string',
    maxLength: pathLengthMax,
    pattern: refPattern(kind),
    ...annotations({ form, ...others, description: withForm(description ?? `${kindWords(kind)}.`, refForm) }),
  })
}

/** How a request names a resource that has a path. */
export const refForm = 'id or resource path'

/** Adds the form of ids to the first sentence, if it has none: `Pool of the order: id or resource path. …`. */
export function withForm(description: string, form: string): string {
  const [first = ''] = description.split('. ')
  if (/\bids?\b/.test(first)) return description
  return description.replace(/\.(?= |$)/, `: ${form}.`)
}

function pathForm(kind: PathKind): string {
  const names = kinds[kind].path_segments === 3 ? 'ACCOUNT:WORKSPACE:NAME' : 'ACCOUNT:NAME'
  return `\`svc:${kind}:${names}\``
}

/** The name of a kind at the start of a sentence: `InfiniBand partition`. */
export function kindWords(kind: IdKind): string {
  const words = kind.replaceAll('_', ' ').replace('infiniband', 'InfiniBand').replace('sku', 'SKU')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What a filter by id lets through. */
export const onlyThis = { description: 'Only this resource.' }
/** What a filter by another resource lets through. */
export function ofThis(kind: IdKind): Notes {
  const words = kindWords(kind)
  return { description: `Only rows of this ${/^[A-Z]{2}|^Inf/.test(words) ? words : words.toLowerCase()}.` }
}

/** The workspace in the request that makes a resource. */
export function ownWorkspace() {
  return idOrPath('workspace', {
    description: 'Workspace that it belongs to. Default: the workspace of the API token.',
  })
}

/** The path of a resource in a response. */
export function path<K extends PathKind>(kind: K): TUnsafe<string> {
  const examples = [kinds[kind].path_segments === 2 ? `svc:${kind}:acme:main` : `svc:${kind}:acme:default:main`]
  return text({ max: pathLengthMax, description: `Resource path, \`svc:${kind}:…\`.`, examples })
}

/** The id of an account: a slug. */
export function accountId(notes: Notes = {}): TUnsafe<string> {
  return text({
    max: 40,
    pattern: '^[a-z0-9][a-z0-9-]{2,39}$',
    description: 'Account id, such as `acme`.',
    form: '3 to 40 lower-case letters, digits and hyphens, no hyphen first',
    ...notes,
  })
}

/** The description of valid names. */
export const nameForm = '1 to 255 letters, digits, dots, underscores and hyphens, a letter or digit first'

/** A resource's name. */
export function name(notes: Notes = {}): TUnsafe<string> {
  const description = 'Name, unique among resources of its kind in the workspace.'
  return text({
    min: 1,
    max: 255,
    pattern: '^[a-zA-Z0-9][a-zA-Z0-9._-]{0,254}$',
    form: nameForm,
    description,
    ...notes,
  })
}

/** The name in the request that makes a resource. */
export function givenName(): TUnsafe<string> {
  return name({ description: 'Name. Default: a generated one.' })
}

/** The name in the request that changes a resource. */
export function newName(): TUnsafe<string> {
  return name({ description: 'New name.' })
}

/** When a resource was made, and when it last changed. */
export const createdAt = timestamp({ description: 'When it was created, in Unix seconds.' })
export const updatedAt = timestamp({ description: 'When it last changed, in Unix seconds.' })

/** A filter by name: a name, or a part of names between asterisks. */
export function namePattern(notes: Notes = {}): TUnsafe<string> {
  return text({
    min: 1,
    max: 255,
    pattern: '^[a-zA-Z0-9._-]*(?:\\*[a-zA-Z0-9._-]*){0,2}$',
    form: 'a name, or a part of one with one or two `*` for any characters, such as `web-*`',
    ...notes,
  })
}

/** The description of valid tag keys. */
export const tagKeyForm = 'a key of 1 to 128 characters without commas, equals signs and spaces, no underscore first'

/** At most 50 tags. Keys that begin with `_` are reserved for the system. */
export function tags(): TUnsafe<Record<string, string>> {
  return schemaOf<Record<string, string>>({
    type: 'object',
    maxProperties: 50,
    propertyNames: { pattern: '^[^_,= ][^,= ]{0,127}$', 'x-form': tagKeyForm },
    additionalProperties: {
      type: 'string',
      maxLength: 256,
      pattern: '^[^,=]*$',
      'x-form': 'text without commas and equals signs',
    },
    description:
      'Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a ' +
      'comma or an equals sign.',
  })
}

/** Secret start-up data of a machine: strict base64 of at most 65,536 bytes (87,384 characters). */
export function cloudInitUserData(): TUnsafe<string> {
  return schemaOf<string>({
    type: 'string',
    maxLength: 87_384,
    pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    'x-code': 'invalid_base64',
    'x-form': 'base64 in the standard alphabet, padded, without white space',
    'x-not-null': true,
    'x-secret': true,
    contentEncoding: 'base64',
    description: 'User data for cloud-init, at most 65,536 bytes. Sent in base64.',
  })
}

/** A template of names: at least one variable, and an alphanumeric first character. */
export function nameTemplate(notes: Notes = {}): TUnsafe<string> {
  const variable = '\\{\\{(?:adjective|noun|nanoid\\((?:[1-9]|1[0-9]|2[01])\\))\\}\\}'
  const pattern = `^(?=[a-zA-Z0-9{])(?=.*\\{)(?:[a-zA-Z0-9._-]|${variable})+$`
  return text({
    max: 512,
    pattern,
    description:
      'Pattern of names, such as `web-{{adjective}}-{{nanoid(4)}}`. Variables: `{{adjective}}`, `{{noun}}`, ' +
      '`{{nanoid(N)}}` with N from 1 to 21.',
    form: 'a name with at least one of `{{adjective}}`, `{{noun}}` and `{{nanoid(N)}}` in it, N from 1 to 21',
    ...notes,
  })
}

/** A price in dollars per node-hour, as a decimal string with at most six decimals. It is never rounded. */
export function priceInput(notes: Notes = {}): TUnsafe<string> {
  return text({
    max: 16,
    pattern: '^\\d{1,9}(\\.\\d{1,6})?$',
    form: 'a decimal string with 1 to 9 digits and at most six decimals, such as "2.50"',
    unit: 'dollars_per_node_hour',
    ...notes,
  })
}

/** A price or an amount of money in a response: a decimal string with six decimals. */
export function dollars(notes: Notes = {}): TUnsafe<string> {
  const decimal = { type: 'string', pattern: '^-?\\d{1,19}\\.\\d{6}$' }
  return schemaOf<string>({ ...decimal, ...annotations({ unit: 'dollars', ...notes }) })
}

/** The most rows of a page. */
export const pageLengthMax = 200
const cursorLengthMax = 2048

/** What the rows of a page are, and whether there are more. */
export const rowsText = 'The rows of the page, in the order of the list.'
export const moreRows =
  'Whether more rows can follow. Read on while true: with filters a page may have few rows, or none.'

/** The response of a paginated list. `has_more` describes that member where it promises more than in other lists. */
export function pageOf<S extends TSchema>(items: S, prefix: string, { has_more = moreRows } = {}) {
  return resource(listTitle(items, 'Page'), 'One page of a list.', {
    object: constant('list'),
    data: list(items, { maxItems: pageLengthMax, description: rowsText }),
    has_more: boolean({ description: has_more }),
    cursor: optional(pageCursor(prefix)),
  })
}

/** The cursor of a page, from which the next request continues. */
export function pageCursor(prefix: string): TUnsafe<string> {
  return text({
    max: cursorLengthMax,
    pattern: `^${prefix}_[A-Za-z0-9_-]+$`,
    description: 'Where the next page begins: send it as `starting_after`. Absent when the page is empty.',
  })
}

/** The filters of a list by the time of creation. */
export const creationFilters = {
  created_after: optional(
    timestamp({ description: 'Only entries that were created at this time or later, in Unix seconds.' }),
  ),
  created_before: optional(
    timestamp({ description: 'Only entries that were created at this time or earlier, in Unix seconds.' }),
  ),
}

/** The response of a list that is always complete, with a maximum number of entries. */
export function shortListOf<S extends TSchema>(items: S, max: number) {
  return resource(listTitle(items, 'List'), 'A list that is always complete.', {
    object: constant('list'),
    data: list(items, { maxItems: max, description: 'All rows, in the order of the list.' }),
    has_more: boolean({ description: 'Always false: the list is complete.' }),
  })
}

function listTitle(items: TSchema, ending: 'List' | 'Page'): string {
  return `${(items as { title?: string }).title}${ending}`
}

/** The parameter for the length of a page. */
export const pageLimit = integer({ min: 1, max: pageLengthMax, default: 50, description: 'Rows on a page.' })

/** The three parameters of every paginated list. */
export function pageParameters(prefix: string) {
  return {
    limit: optional(pageLimit),
    starting_after: optional(
      cursorParameter(prefix, 'Continue after the page with this cursor. Default: the first page.'),
    ),
    ending_before: optional(cursorParameter(prefix, 'Show the rows before the page with this cursor.')),
  }
}

/** A cursor parameter. Every defect of it is `invalid_cursor`. */
export function cursorParameter(prefix: string, description: string): TUnsafe<string> {
  return text({
    max: cursorLengthMax,
    pattern: `^${prefix}_[A-Za-z0-9_-]+$`,
    code: 'invalid_cursor',
    code_always: true,
    description,
  })
}
