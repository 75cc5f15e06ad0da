/**
 * The errors of a value that a compiled check has refused, one after the other. The check itself stops at the first
 * error. This second pass continues only while its reader takes errors, and visits a limited number of values, so a
 * hostile value costs no more than the errors that are shown. It supports the keywords that the contract uses, and
 * reports errors as ajv does, except that a string that is too long has no further errors.
 */
import type { TSchema } from '@bourse/api/kit/schema.ts'

/** One error: the keyword of the schema that a value violates, and the path of the value. */
export type SchemaError = {
  readonly keyword: string
  readonly schema: JsonSchema
  /** The names and indexes that lead to the value, those of missing and unknown members included. */
  readonly path: readonly string[]
}

/** A JSON Schema, as far as the contract uses it. */
export type JsonSchema = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: JsonSchema
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly propertyNames?: JsonSchema
  readonly additionalProperties?: boolean | JsonSchema
  readonly 'x-code'?: string
  readonly 'x-code-always'?: boolean
  readonly 'x-form'?: string
}

type Errors = Generator<SchemaError, void>
/** The names and indexes that lead to a value, and how many more values may be visited. */
type ValuePath = { readonly path: readonly string[]; readonly budget: { left: number } }

/** The errors of a value, computed lazily, as far as they are among the first `visitsMax` values. */
export function errorsOf(schema: TSchema, value: unknown, visitsMax: number): Generator<SchemaError, void> {
  return errorsAt(schema as JsonSchema, value, { path: [], budget: { left: visitsMax } })
}

function within({ path, budget }: ValuePath, name: string): ValuePath {
  return { path: [...path, name], budget }
}

function* errorsAt(schema: JsonSchema, value: unknown, place: ValuePath): Errors {
  if (--place.budget.left < 0) return
  const { path } = place
  if (schema.type !== undefined && ![schema.type].flat().some((type) => isOfType(type, value))) {
    yield { keyword: 'type', schema, path }
  }
  if (schema.enum && !schema.enum.includes(value)) yield { keyword: 'enum', schema, path }
  if (schema.const !== undefined && schema.const !== value) yield { keyword: 'const', schema, path }
  if (schema.anyOf) yield* errorsOfVariants(schema, schema.anyOf, value, place)
  if (typeof value === 'number') yield* errorsOfNumber(schema, value, place)
  else if (typeof value === 'string') yield* errorsOfText(schema, value, place)
  else if (Array.isArray(value)) yield* errorsOfList(schema, value, place)
  else if (typeof value === 'object' && value !== null) {
    yield* errorsOfObject(schema, value as Record<string, unknown>, place)
  }
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    default:
      return typeof value === type
  }
}

function* errorsOfVariants(
  schema: JsonSchema,
  variants: readonly JsonSchema[],
  value: unknown,
  place: ValuePath,
): Errors {
  if (variants.some((variant) => errorsAt(variant, value, place).next().done)) return
  for (const variant of variants) yield* errorsAt(variant, value, place)
  yield { keyword: 'anyOf', schema, path: place.path }
}

function* errorsOfNumber(schema: JsonSchema, value: number, { path }: ValuePath): Errors {
  const { maximum, minimum, multipleOf } = schema
  if (maximum !== undefined && value > maximum) yield { keyword: 'maximum', schema, path }
  if (minimum !== undefined && value < minimum) yield { keyword: 'minimum', schema, path }
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) yield { keyword: 'multipleOf', schema, path }
}

function* errorsOfText(schema: JsonSchema, value: string, { path }: ValuePath): Errors {
  const { maxLength, minLength, pattern } = schema
  if (maxLength !== undefined && hasMoreCharacters(value, maxLength)) {
    yield { keyword: 'maxLength', schema, path }
    return
  }
  if (minLength !== undefined && !hasMoreCharacters(value, minLength - 1)) yield { keyword: 'minLength', schema, path }
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) yield { keyword: 'pattern', schema, path }
}

/** Whether a text has more than this many characters. A surrogate pair counts as one. */
function hasMoreCharacters(value: string, characters: number): boolean {
  if (value.length <= characters) return false
  let count = 0
  for (const _ of value) if (++count > characters) return true
  return false
}

function* errorsOfList(schema: JsonSchema, values: readonly unknown[], place: ValuePath): Errors {
  const { path } = place
  const { maxItems, minItems, items } = schema
  if (maxItems !== undefined && values.length > maxItems) yield { keyword: 'maxItems', schema, path }
  if (minItems !== undefined && values.length < minItems) yield { keyword: 'minItems', schema, path }
  if (items === undefined) return
  // The entries beyond the maximum have their error. A hostile list has many of them, and none with another error.
  const count = Math.min(values.length, maxItems ?? values.length)
  for (let index = 0; index < count; index++) yield* errorsAt(items, values[index], within(place, String(index)))
}

function* errorsOfObject(schema: JsonSchema, value: Readonly<Record<string, unknown>>, place: ValuePath): Errors {
  const { path } = place
  const { maxProperties, minProperties, required = [], properties = {} } = schema
  if (maxProperties !== undefined || minProperties !== undefined) {
    const count = Object.keys(value).length
    if (count > (maxProperties ?? count)) {
      yield { keyword: 'maxProperties', schema, path }
      return
    }
    if (count < (minProperties ?? 0)) yield { keyword: 'minProperties', schema, path }
  }
  for (const name of required) {
    if (value[name] === undefined) yield { keyword: 'required', schema, path: [...path, name] }
  }
  yield* errorsOfUnnamed(schema, value, place)
  for (const [name, member] of Object.entries(properties)) {
    if (value[name] !== undefined) yield* errorsAt(member, value[name], within(place, name))
  }
}

/** The errors of names, and of the members that the schema does not name. */
function* errorsOfUnnamed(schema: JsonSchema, value: Readonly<Record<string, unknown>>, place: ValuePath): Errors {
  const { properties = {}, propertyNames, additionalProperties = true } = schema
  if (propertyNames) for (const name in value) yield* errorsAt(propertyNames, name, within(place, name))
  if (additionalProperties === true) return
  for (const name in value) {
    if (Object.hasOwn(properties, name)) continue
    if (additionalProperties === false) yield { keyword: 'additionalProperties', schema, path: [...place.path, name] }
    else yield* errorsAt(additionalProperties, value[name], within(place, name))
  }
}

/** An error as ajv reports it. */
export type ReportedError = {
  readonly keyword: string
  /** The path of the value, as a JSON pointer. */
  readonly instancePath: string
  /** The path of the keyword in the schema, as a JSON pointer in a URI fragment. */
  readonly schemaPath: string
  readonly params: Readonly<Record<string, unknown>>
  /** The name of the member, in an error of a name. */
  readonly propertyName?: string
}

/** Converts an error that ajv reports. */
export function errorOfReport(root: TSchema, report: ReportedError): SchemaError {
  const { keyword, instancePath, schemaPath, params, propertyName } = report
  const steps = namesOf(decodeURIComponent(schemaPath.slice(1))).slice(0, -1)
  const schema = steps.reduce((at, step) => (at as Record<string, unknown>)[step], root as unknown) as JsonSchema
  const name = params.missingProperty ?? params.additionalProperty ?? propertyName
  const path = namesOf(instancePath)
  return { keyword, schema, path: typeof name === 'string' ? [...path, name] : path }
}

function namesOf(pointer: string): string[] {
  const names = pointer.split('/').slice(1)
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}
