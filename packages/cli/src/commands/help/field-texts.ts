/**
 * The help of flags and arguments: what the contract says of each field, with the forms in which a person types it in
 * place of those of JSON.
 */
import { type IdKind, kinds } from '@bourse/api/kit/ids.ts'
import { kindWords, refForm, withForm } from '@bourse/api/kit/schema.ts'
import { printSpan } from '@bourse/text/grammar/spans.ts'
import { type Field, placeholderMax } from '../../input/fields.ts'

/** The text of `--no-…`; undefined where there is no such flag. */
export function negativeText({ shape, negative }: Field): string | undefined {
  return shape === 'boolean' ? negative : undefined
}

/**
 * The text of a flag: what it is, the form of its value, and whether it must be given. `filled_in` is what the command
 * takes where it is not given.
 */
export function flagText(
  field: Field,
  options: { is_optional?: boolean; filled_in?: string | undefined } = {},
): string {
  const { required, shape } = field
  const { is_optional = false, filled_in } = options
  const text = joined([fieldText(field), filled_in ?? defaultOf(field)])
  const isRepeated = (shape === 'list' || shape === 'tags') && !text.includes('repeated')
  return joined([
    text,
    formOf(field, text),
    choicesOf(field),
    required && !is_optional && filled_in === undefined ? 'Required.' : '',
    isRepeated ? 'May be repeated.' : '',
  ])
}

/** The text of a positional argument. */
export function argumentText(field: Field): string {
  const text = fieldText(field)
  return joined([text, formOf(field, text), choicesOf(field)])
}

/** The text of a path parameter. */
export const parameterText = fieldText

function joined(parts: readonly string[]): string {
  return parts.filter(Boolean).join(' ')
}

/** The longest text of a field. Further sentences stand in the reference only: the first one has to say enough. */
const textLengthMax = 180

function fieldText({ description, kind }: Pick<Field, 'description' | 'kind'>): string {
  const [first = '', ...rest] = named(typed(description), kind).split(/(?<=\.) /)
  let text = first
  for (const sentence of rest) {
    if (text.length + sentence.length >= textLengthMax) break
    text += ` ${sentence}`
  }
  return text
}

/** The default of a workspace at the server. The command line sends one where it is set. */
const ofToken = 'Default: the workspace of the API token.'

/** Without the forms of JSON. `formOf` and placeholders say how to type such a value. */
function typed(description: string): string {
  return description
    .replaceAll(/, (?:in Unix seconds|in bytes|a multiple of 60)(?=[.,;:])| Sent in base64\./g, '')
    .replace(ofToken, 'Default: BOURSE_WORKSPACE, else the workspace of the profile, else the workspace of the token.')
}

/** With what names a resource on the command line. */
function named(text: string, kind: IdKind | undefined): string {
  if (kind === undefined) return text
  const ids = `${kindWords(kind)} id.`
  if (text.startsWith(ids)) return text.replace(ids, `${kindWords(kind)}: ${formsOf(kind)}.`)
  if (text.includes(refForm)) return text.replace(refForm, formsOf(kind))
  return withForm(text, formsOf(kind))
}

/** What the server takes, where no sentence says it. */
function defaultOf({ description, unit, default: value }: Field): string {
  if (value === undefined || /\bdefault\b/i.test(description)) return ''
  const isSpan = unit === 'milliseconds' || unit === 'seconds' || unit === 'minutes'
  return `Default ${isSpan ? printSpan(value, unit) : value}.`
}

const past = /^(since|until|created_|logged_|from$|deprecated_)/

/** The form of values that are typed differently from JSON. */
function formOf({ shape, name, unit }: Field, text: string): string {
  if (shape === 'file') return 'A file; - reads standard input.'
  if (shape === 'public_key') return 'A file, or the line of the key itself; - reads standard input.'
  if (shape === 'requirements') return 'Write accelerator:h100,h200;operator_hosts_only:true, or JSON.'
  if (shape === 'moment') return `Time: now, ${past.test(name) ? '-1h' : '+2h'}, 2026-01-31T12:00Z.`
  const isSpan = shape === 'amount' && ['milliseconds', 'seconds', 'minutes'].includes(unit ?? '')
  return isSpan && !/\d[smhd]\b/.test(text) ? 'Duration: 90s, 10m, 1h30m, 2d.' : ''
}

function choicesOf({ choices }: Field): string {
  return choices.length > 0 && choices.join('|').length > placeholderMax ? `One of ${choices.join(', ')}.` : ''
}

/** What names a resource of a kind on the command line. */
function formsOf(kind: IdKind): string {
  if (kind === 'sku') return 'alias or id'
  if (kind === 'token') return 'name or id'
  return kinds[kind].path_segments > 0 ? 'name, id or path' : 'id'
}
