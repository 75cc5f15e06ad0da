/** The limits of a JSON text before it is parsed, from the schema that its value has to match. */
import type { TSchema } from '@bourse/api/kit/schema.ts'
import type { JsonSchema } from './schema-errors.ts'
import type { JsonLimits } from './strict-json.ts'

/** Every text may have this many values, and characters of a string, more than allowed, so that errors are named. */
const spare = 1024
/** The longest form of a character in JSON: a surrogate pair of two escapes. */
const charactersOfOne = 12
/** For strings that are limited by their pattern or their list of words. */
const unnamedLengthMax = 255

/** The limits for texts of a schema: those of its largest value, and some more. */
export function jsonLimitsOf(schema: TSchema): JsonLimits {
  const whole = schema as JsonSchema
  return {
    values_max: mostValues(whole) + spare,
    string_length_max: charactersOfOne * longestString(whole) + spare,
  }
}

/** The number of values in the largest value of a schema, which counts itself. */
function mostValues(schema: JsonSchema): number {
  const { anyOf = [], items, maxItems = 0, properties = {}, maxProperties = 0, additionalProperties } = schema
  let members = Object.values(properties).reduce((sum, member) => sum + mostValues(member), 0)
  if (typeof additionalProperties === 'object') members += maxProperties * mostValues(additionalProperties)
  const entries = items ? maxItems * mostValues(items) : 0
  return 1 + Math.max(members, entries, ...anyOf.map(mostValues))
}

/** The length of the longest string in any value of a schema. */
function longestString(schema: JsonSchema): number {
  const { anyOf = [], items, properties = {}, propertyNames, additionalProperties, maxLength } = schema
  const parts = [...anyOf, ...Object.values(properties), items, propertyNames, additionalProperties]
  const lengths = parts.map((part) => (typeof part === 'object' ? longestString(part) : 0))
  return Math.max(maxLength ?? unnamedLengthMax, ...lengths)
}
