/**
 * Validates input against the contract's schemas and reports errors with the contract's codes.
 * Messages contain no values, because values may be secret.
 */
import type { ErrorCode, ErrorDetail } from '@bourse/api/kit/errors.ts'
import { codeOfKeyword, errorCodes } from '@bourse/api/kit/errors.ts'
import type { TSchema } from '@bourse/api/kit/schema.ts'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { errorOfReport, errorsOf, type JsonSchema, type ReportedError, type SchemaError } from './schema-errors.ts'

/** Validates a value; returns at most 20 errors, or undefined where it is valid. */
export type InputCheck = (value: unknown) => ErrorDetail[] | undefined

const detailsMax = 20
/** How many values the search for further errors visits. An error behind them is shown alone. */
const visitsMax = 1000
// Validation stops at the first error: a hostile body has thousands, and ajv has no other limit. Without optimisation
// the schemas compile in half the time, and V8 runs the result as fast.
const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } })

/** Creates a check of a schema. It compiles at its first use: compiling all of them took half of a server's start. */
export function checkOf(schema: TSchema): InputCheck {
  let validate: ValidateFunction | undefined
  return (value) => {
    validate ??= ajv.compile(schema) as ValidateFunction
    if (validate(value)) return undefined
    const [first] = validate.errors ?? []
    if (first === undefined) throw new Error('A value was refused, and nothing is wrong with it.')
    const details = detailsOf(errorsOf(schema, value, visitsMax))
    return details.length > 0 ? details : [detailOf(errorOfReport(schema, first as ReportedError))]
  }
}

/** Keeps only the first of several errors with the same field and code. */
function detailsOf(errors: Iterator<SchemaError>): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>()
  for (let left = detailsMax; left > 0; left--) {
    const { value: error, done } = errors.next()
    if (done) break
    const detail = detailOf(error)
    const key = `${detail.code} ${detail.field}`
    if (!details.has(key)) details.set(key, detail)
  }
  return [...details.values()]
}

// The annotation `x-code` of a schema replaces the code of these keywords, where a value has the right type and size.
// With `x-code-always` it replaces every code.
const replaceableKeywords = new Set(['pattern', 'enum', 'const', 'minLength', 'minimum', 'maximum'])

function detailOf({ keyword, schema, path }: SchemaError): ErrorDetail {
  const annotated = schema['x-code']
  const isReplaced = annotated !== undefined && (schema['x-code-always'] || replaceableKeywords.has(keyword))
  const code = (isReplaced ? annotated : (codeOfKeyword[keyword] ?? 'invalid_format')) as ErrorCode
  const field = path.join('.').slice(0, 255)
  return { field: field === '' ? null : field, code, message: messageOf(keyword, schema, code) }
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text in quotes',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

const wholeMinutes = 'This must be a whole minute: a multiple of 60 seconds.'

function messageOf(keyword: string, schema: JsonSchema, code: ErrorCode): string {
  // Every defect of a cursor gets the same message, including a wrong length.
  if (code === 'invalid_cursor') return 'This cursor does not belong to this list with these filters.'
  switch (keyword) {
    case 'required':
      return 'This field is required.'
    case 'additionalProperties':
      return unknownField(Object.keys(schema.properties ?? {}))
    case 'type':
      return `This must be ${[schema.type].flat().map(typeWord).join(' or ')}.`
    case 'pattern':
      return schema['x-form'] === undefined ? errorCodes[code].user : `This must be ${schema['x-form']}.`
    case 'enum':
      return oneOf((schema.enum ?? []).map(String))
    case 'const':
      return `This must be ${String(schema.const)}.`
    case 'multipleOf':
      return schema.multipleOf === 60 ? wholeMinutes : `This must be a multiple of ${schema.multipleOf}.`
    case 'minimum':
    case 'maximum':
      return `This must lie between ${schema.minimum} and ${schema.maximum}.`
    case 'maxLength':
      return `This may have at most ${count(schema.maxLength, 'character')}.`
    case 'minLength':
      return `This must have at least ${count(schema.minLength, 'character')}.`
    case 'maxItems':
      return `This may have at most ${count(schema.maxItems, 'entry')}.`
    case 'maxProperties':
      return `This may have at most ${count(schema.maxProperties, 'entry')}.`
    case 'minItems':
      return `This needs at least ${count(schema.minItems, 'entry')}.`
    case 'minProperties':
      return `This needs at least ${count(schema.minProperties, 'entry')}.`
    default:
      return errorCodes[code].user
  }
}

function typeWord(type: unknown): string {
  return typeWords[String(type)] ?? String(type)
}

function unknownField(known: readonly string[]): string {
  return known.length === 0
    ? 'There is no such field here.'
    : `There is no such field here; there are ${known.join(', ')}.`
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? `This must be ${values[0]}.` : `This must be one of ${values.join(', ')}.`
}

function count(number: unknown, thing: 'character' | 'entry'): string {
  const plural = thing === 'entry' ? 'entries' : 'characters'
  return `${number} ${number === 1 ? thing : plural}`
}
