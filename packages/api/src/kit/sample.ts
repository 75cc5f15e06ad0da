/**
 * Generates values that match a schema of the contract, for tests that call every operation. The values are only
 * well-formed: ids refer to no resource, and rules between fields are ignored. Not for use outside tests.
 */
import { type SampleRandom, sampleText } from './sample-text.ts'
import type { Static, TSchema } from './schema.ts'

type SampledSchema = {
  type?: string | string[]
  anyOf?: SampledSchema[]
  const?: unknown
  enum?: unknown[]
  examples?: unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  multipleOf?: number
  format?: string
  items?: SampledSchema
  minItems?: number
  maxItems?: number
  properties?: Record<string, SampledSchema>
  required?: string[]
  minProperties?: number
  additionalProperties?: boolean | SampledSchema
  propertyNames?: SampledSchema
  'x-bigint'?: boolean
}

const entriesMore = 3
const lettersMax = 20
const latestMoment = 4_000_000_000
const triesMax = 1000

/** Generates a value that matches a schema. The same random numbers give the same value. */
export function sampleOf<S extends TSchema>(schema: S, random: SampleRandom): Static<S> {
  return draw(schema as SampledSchema, random) as Static<S>
}

function draw(schema: SampledSchema, random: SampleRandom): unknown {
  if ('const' in schema) return schema.const
  const choice = schema.enum ?? schema.anyOf ?? schema.examples
  const chosen = choice?.[random.integer(choice.length)]
  if (choice) return schema.anyOf ? draw(chosen as SampledSchema, random) : chosen
  const types = [schema.type ?? 'object'].flat()
  switch (types[random.integer(types.length)]) {
    case 'null':
      return null
    case 'boolean':
      return random.integer(2) === 1
    case 'integer':
      return integerOf(schema, random)
    case 'string':
      return stringOf(schema, random)
    case 'array':
      return arrayOf(schema, random)
    default:
      return objectOf(schema, random)
  }
}

function integerOf(schema: SampledSchema, random: SampleRandom): number | bigint {
  const step = schema.multipleOf ?? 1
  const least = schema.minimum ?? 0
  const most = schema.format === 'int64' ? latestMoment : (schema.maximum ?? latestMoment)
  // A random number has at most 32 bits, so wider ranges are sampled at their edges and near their start.
  const steps = Math.min(Math.floor((most - Math.max(least, 0)) / step) + 1, 2 ** 32)
  const edges = [least, most - (most % step)]
  const value = random.integer(8) === 0 ? edges[random.integer(2)] : Math.max(least, 0) + random.integer(steps) * step
  return schema['x-bigint'] ? BigInt(value as number) : (value as number)
}

function stringOf(schema: SampledSchema, random: SampleRandom): string {
  const { minLength = 0, maxLength = lettersMax } = schema
  if (schema.pattern === undefined) {
    const letters = minLength + random.integer(Math.min(maxLength - minLength, lettersMax) + 1)
    return sampleText(`^[a-z]{${letters}}$`, random)
  }
  const fits = new RegExp(schema.pattern, 'u')
  for (let tries = 0; tries < triesMax; tries += 1) {
    const text = sampleText(schema.pattern, random)
    if (fits.test(text) && text.length >= minLength && text.length <= (schema.maxLength ?? text.length)) return text
  }
  throw new Error(`No sample found for ${schema.pattern}: extend sample-text.ts, or give examples.`)
}

function arrayOf(schema: SampledSchema, random: SampleRandom): unknown[] {
  const { minItems = 0, maxItems = minItems + entriesMore } = schema
  const length = minItems + random.integer(Math.min(maxItems - minItems, entriesMore) + 1)
  return Array.from({ length }, () => draw(schema.items ?? {}, random))
}

function objectOf(schema: SampledSchema, random: SampleRandom): Record<string, unknown> {
  const { properties = {}, required = [], minProperties = 0, additionalProperties, propertyNames } = schema
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  const sure = optional[random.integer(Math.max(optional.length, 1))]
  const kept = Object.entries(properties).filter(
    ([name]) => required.includes(name) || random.integer(2) === 1 || (minProperties > 0 && name === sure),
  )
  const entries = kept.map(([name, own]): [string, unknown] => [name, draw(own, random)])
  if (typeof additionalProperties === 'object') {
    for (let left = random.integer(entriesMore + 1); left > 0; left -= 1) {
      entries.push([stringOf(propertyNames ?? { minLength: 1 }, random), draw(additionalProperties, random)])
    }
  }
  return Object.fromEntries(entries)
}
