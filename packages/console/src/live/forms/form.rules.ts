/** Forms of operations: what is typed in a field as the value that is sent, and the body that all fields make. Pure. */
import type { Unit } from '@bourse/api/kit/annotations.ts'
import type { OperationName } from '@bourse/sdk'
import { microsOf } from '@bourse/text/money.ts'
import { tagsOf, tagsText } from '../tags.rules.ts'
import { bytesOf, bytesText, minutesOf, priceOf, priceText, spanText } from './typed.rules.ts'

/** What a form knows about a member of a body, from the contract. */
export type FormField = {
  readonly label: string
  readonly shape:
    | 'text'
    | 'words'
    | 'integer'
    | 'word_or_integer'
    | 'amount'
    | 'moment'
    | 'boolean'
    | 'list'
    | 'tags'
    | 'file'
    | 'json'
    | 'requirements'
  readonly hint?: string
  readonly required?: boolean
  readonly nullable?: boolean
  /** What an amount counts. */
  readonly unit?: Unit
  /** The kind of resource that it names. */
  readonly kind?: string
  readonly words?: readonly string[]
  readonly min?: number
  readonly max?: number
  readonly max_length?: number
  /** What the server takes where it is left out. */
  readonly fallback?: unknown
  readonly example?: string
  /** It stays out of drafts. */
  readonly secret?: boolean
  /** The name on the command line, where it is not that of the member. */
  readonly flag?: string
  /** The command line takes it as an argument instead. */
  readonly positional?: boolean
  readonly has_numbers?: boolean
  /** Entries of a list have blanks in them: only commas divide them. */
  readonly has_blanks?: boolean
  /** Whether the command line has `--no-…` for it. */
  readonly has_negative?: boolean
}

/** The form of an operation, as it is generated. */
export type Form = {
  readonly operation: OperationName
  readonly command: string
  /** Whether the command line asks before it sends this. */
  readonly asks?: boolean
  readonly fields: Readonly<Record<string, FormField>>
}

/** The name of a field of a form. */
export type FieldName<F extends Form> = keyof F['fields'] & string

/** What is typed: every value is a text. A box is `true`, `false` or, where nobody has touched it, empty. */
export type TypedTexts = Readonly<Record<string, string>>

/** A value to send, or what is wrong with the text. */
export type ReadValue = { readonly value: unknown } | { readonly wrong: string }

/** What a form makes of what was typed. */
export type Filled = {
  readonly body: Readonly<Record<string, unknown>>
  /** What is wrong, by field. */
  readonly wrong: TypedTexts
}

/** The texts of a form to begin with: the defaults of its words. */
export function emptyOf({ fields }: Form): TypedTexts {
  const words = Object.entries(fields).filter(([, { shape, required }]) => shape === 'words' && required)
  return Object.fromEntries(words.map(([name, { words: [first = ''] = [] }]) => [name, first]))
}

/** The texts of a resource, to be edited. */
export function typedOf({ fields }: Form, resource: object): TypedTexts {
  const members: Readonly<Record<string, unknown>> = { ...resource }
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, textOf(field, members[name])]))
}

function textOf(field: FormField, value: unknown): string {
  const { shape, unit } = field
  if (value === undefined || value === null) return ''
  if (shape === 'tags') return tagsText(value as Record<string, string>)
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'object') {
    // A resource by its id, a value with its display text by the value.
    const { id, value: plain } = value as { id?: string; value?: unknown }
    return textOf(field, plain ?? id)
  }
  if (unit === 'minutes') return spanText(Number(value))
  if (unit === 'bytes') return bytesText(Number(value))
  return unit?.startsWith('dollars') ? priceText(String(value)) : String(value)
}

/**
 * The body of what was typed. What is empty is left out of a new resource, as is what the server takes anyway. With
 * `before`, the texts of a resource, it is a change: only what differs is sent, and what was emptied is cleared.
 */
export function fill({ fields }: Form, typed: TypedTexts, before?: TypedTexts): Filled {
  const body: Record<string, unknown> = {}
  const wrong: Record<string, string> = {}
  for (const [name, field] of Object.entries(fields)) {
    // What nobody types is added by the page.
    if (field.shape === 'json') continue
    const text = typed[name] ?? ''
    if (before && isSame(field, text, before[name] ?? '')) continue
    if (text.trim() === '') {
      if (before) {
        const cleared = clearedOf(field)
        if (cleared === undefined) wrong[name] = missingOf(field)
        else body[name] = cleared
      } else if (field.required) {
        if (field.nullable) body[name] = null
        else wrong[name] = missingOf(field)
      }
      continue
    }
    const read = readTyped(field, text)
    if ('wrong' in read) wrong[name] = read.wrong
    else if (before || field.required || read.value !== field.fallback) body[name] = read.value
  }
  return { body, wrong }
}

/** Whether two texts mean the same: amounts of dollars have several spellings. */
function isSame(field: FormField, text: string, other: string): boolean {
  if (text === other) return true
  if (!field.unit?.startsWith('dollars')) return false
  const [amount, otherAmount] = [amountOf(field, text), amountOf(field, other)]
  return typeof amount === 'string' && typeof otherAmount === 'string' && microsOf(amount) === microsOf(otherAmount)
}

/** What an emptied field changes a resource to; undefined where it may not be empty. */
function clearedOf({ nullable, shape, words, kind }: FormField): unknown {
  if (nullable) return null
  if (shape === 'boolean') return false
  if (shape === 'list') return []
  return shape === 'text' && !words && !kind ? '' : undefined
}

function missingOf(field: FormField): string {
  const { kind, label, shape } = field
  if (kind || shape === 'words') return `Choose ${articled(kind?.replaceAll('_', ' ') ?? label.toLowerCase())}.`
  return askedFor(field) ?? 'This is needed.'
}

function articled(noun: string): string {
  if (noun === 'sku') return 'a SKU'
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}

/** What a field wants, where that is more than any text. */
function askedFor({ shape, unit }: FormField): string | undefined {
  if (unit === 'dollars_per_node_hour') return 'A price in dollars, such as 2.50.'
  if (unit === 'dollars') return 'An amount in dollars, such as 500.00.'
  if (unit === 'minutes') return 'A span such as 90m, 24h or 7d.'
  if (unit === 'bytes') return 'A size such as 512 GiB.'
  if (shape === 'list') return 'Whole numbers, divided by commas.'
  return shape === 'integer' || shape === 'amount' ? 'A whole number.' : undefined
}

/** The value of a text that is not empty. Whether a text is a good one is for the server to say. */
export function readTyped(field: FormField, text: string): ReadValue {
  const value = valueIn(field, text)
  return value === undefined ? { wrong: askedFor(field) ?? 'This cannot be read.' } : wrongOr(value, field)
}

function wrongOr(value: unknown, { shape }: FormField): ReadValue {
  return shape === 'tags' && typeof value === 'string' ? { wrong: value } : { value }
}

function valueIn(field: FormField, text: string): unknown {
  const { shape, has_numbers, has_blanks } = field
  switch (shape) {
    case 'boolean':
      return text === 'true'
    case 'tags':
      return tagsOf(text)
    case 'list': {
      const entries = text
        .split(has_blanks ? /[,\n]/ : /[\s,;%]+/)
        .map((entry) => entry.trim())
        .filter(Boolean)
      if (!has_numbers) return entries
      return entries.every((entry) => /^\d{1,9}$/.test(entry)) ? entries.map(Number) : undefined
    }
    case 'amount':
      return amountOf(field, text)
    case 'integer':
    case 'moment':
      return wholeOf(text)
    case 'word_or_integer':
      return wholeOf(text) ?? text
    default:
      return text
  }
}

function amountOf({ unit }: FormField, text: string): unknown {
  if (unit === 'minutes') return minutesOf(text)
  if (unit === 'bytes') return bytesOf(text)
  if (!unit?.startsWith('dollars')) return wholeOf(text)
  const price = priceOf(text)
  return /^-?\d{1,18}(\.\d{1,6})?$/.test(price) ? price : undefined
}

function wholeOf(text: string): number | undefined {
  const plain = text.trim().replaceAll(',', '')
  return /^-?\d{1,15}$/.test(plain) ? Number(plain) : undefined
}
