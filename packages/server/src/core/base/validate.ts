/**
 * Checks input against the contract's schemas and says what is wrong in the contract's codes.
 * Values never stand in messages: they may be secret.
 */
import type { ErrorCode, ErrorDetail } from '@bourse/api/kit/errors.ts'
import { codeOfKeyword, errorCodes } from '@bourse/api/kit/errors.ts'
import type { TSchema } from '@bourse/api/kit/schema.ts'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'

/** Checks a value; gives what is wrong with it, at most 20 entries, nothing when it fits. */
export type Check = (value: unknown) => ErrorDetail[] | undefined

const detailsMax = 20
// Left as it is generated the code is compiled in half the time and runs as fast: V8 does the rest.
const ajv = new Ajv2020({
  ...{ allErrors: true, strict: false, validateFormats: false, verbose: true },
  code: { optimize: false },
})

/** Makes a check of a schema. It is compiled when it is first needed: all of them took half of a server's start. */
export function checkOf(schema: TSchema): Check {
  let validate: ValidateFunction | undefined
  return (value) => {
    validate ??= ajv.compile(schema) as ValidateFunction
    if (validate(value)) return undefined
    const details = (validate.errors ?? []).filter((error) => error.keyword !== 'propertyNames').map(detailOf)
    return withoutRepeats(details).slice(0, detailsMax)
  }
}

/** What is wrong in several ways and has one code for all of them is said once, in the first of its sentences. */
function withoutRepeats(details: readonly ErrorDetail[]): ErrorDetail[] {
  const said = new Map(details.toReversed().map((detail) => [`${detail.code} ${detail.field}`, detail]))
  return details.filter((detail) => said.get(`${detail.code} ${detail.field}`) === detail)
}

// A note on a schema replaces the code of a value that has the right type and size but does not fit; a note for always
// replaces every code.
const replaceableKeywords = new Set(['pattern', 'enum', 'const', 'minLength', 'minimum', 'maximum'])

function detailOf(error: ErrorObject): ErrorDetail {
  const notes = error.parentSchema as { 'x-code'?: string; 'x-code-always'?: boolean } | undefined
  const noted = notes?.['x-code']
  const replaced = noted !== undefined && (notes?.['x-code-always'] || replaceableKeywords.has(error.keyword))
  const code = (replaced ? noted : (codeOfKeyword[error.keyword] ?? 'invalid_format')) as ErrorCode
  return { field: fieldOf(error), code, message: messageOf(error, code) }
}

function fieldOf(error: ErrorObject): string | null {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer)
  if (error.keyword === 'required') path.push(error.params.missingProperty as string)
  if (error.keyword === 'additionalProperties') path.push(error.params.additionalProperty as string)
  if (error.propertyName !== undefined) path.push(error.propertyName)
  const field = path.join('.').slice(0, 255)
  return field === '' ? null : field
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}

type Schema = {
  enum?: unknown[]
  minimum?: number
  maximum?: number
  properties?: object
  'x-form'?: string
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

function messageOf(error: ErrorObject, code: ErrorCode): string {
  const schema = error.parentSchema as Schema
  // One answer for all that can be wrong with a cursor, its length too.
  if (code === 'invalid_cursor') return 'This cursor does not belong to this list with these filters.'
  switch (error.keyword) {
    case 'required':
      return 'This field is required.'
    case 'additionalProperties':
      return unknownField(Object.keys(schema.properties ?? {}))
    case 'type':
      return `This must be ${[error.schema].flat().map(typeWord).join(' or ')}.`
    case 'pattern':
      return schema['x-form'] === undefined ? errorCodes[code].user : `This must be ${schema['x-form']}.`
    case 'enum':
      return oneOf((schema.enum ?? []).map(String))
    case 'const':
      return `This must be ${String(error.schema)}.`
    case 'multipleOf':
      return error.schema === 60 ? wholeMinutes : `This must be a multiple of ${error.schema}.`
    case 'minimum':
    case 'maximum':
      return `This must lie between ${schema.minimum} and ${schema.maximum}.`
    case 'maxLength':
      return `This may have at most ${count(error.schema, 'character')}.`
    case 'minLength':
      return `This must have at least ${count(error.schema, 'character')}.`
    case 'maxItems':
    case 'maxProperties':
      return `This may have at most ${count(error.schema, 'entry')}.`
    case 'minItems':
    case 'minProperties':
      return `This needs at least ${count(error.schema, 'entry')}.`
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
