/** Converts the contract's schemas to those of the OpenAPI document. Named objects of responses become components. */
import type { TSchema } from '../kit/schema.ts'

/** A schema or any other object of the document. */
export type Json = Record<string, unknown>

/** The position of a schema: in a response, in a parameter, in a POST body, or in any other body. */
export type Position = 'answer' | 'parameter' | 'post' | 'body'

/** The components of a document under construction. */
export type Components = Map<string, Json>

type Source = Json & {
  title?: string
  type?: string | string[]
  properties?: Record<string, Source>
  required?: string[]
  items?: Source
  anyOf?: Source[]
  enum?: unknown[]
  'x-tag'?: string
  'x-not-null'?: boolean
  'x-known-values'?: string[]
  'x-shown-as-enum'?: boolean
  'x-read-only'?: boolean
  'x-here'?: string
}

/** Returns the schema for the document. Adds the named objects in it to the components. */
export function schemaFor(schema: TSchema, position: Position, components: Components): Json {
  return convert(schema as Source, position, components)
}

function convert(schema: Source, position: Position, components: Components): Json {
  const isNamed = position === 'answer' && schema.title !== undefined
  if (!isNamed) return plain(schema, position, components)
  const { 'x-here': description, ...whole } = schema
  if (description !== undefined) return { ...convert(whole, position, components), description }
  if (Array.isArray(schema.type)) {
    const alone = { ...schema, type: schema.type.find((type) => type !== 'null') } as Source
    return { anyOf: [convert(alone, position, components), { type: 'null' }] }
  }
  return named(schema, schema.title as string, components)
}

function named(schema: Source, title: string, components: Components): Json {
  const component = plain(schema, 'answer', components)
  const known = components.get(title)
  if (known && JSON.stringify(known) !== JSON.stringify(component)) throw new Error(`Two schemas are called ${title}.`)
  components.set(title, component)
  return { $ref: `#/components/schemas/${title}` }
}

function plain(schema: Source, position: Position, components: Components): Json {
  const shown: Json = {}
  for (const [key, value] of Object.entries(schema)) {
    if (isOurs(key) || key === 'title') continue
    // Clients accept unknown members, so that responses can get new ones.
    if (key === 'additionalProperties' && value === false && position === 'answer') continue
    if (isIntegerBound(key, value)) continue
    shown[key] = converted(key, value, schema, position, components)
  }
  if (schema['x-here'] !== undefined) shown.description = schema['x-here']
  if (schema['x-read-only']) shown.readOnly = true
  if (schema['x-shown-as-enum']) return enumeration(schema, shown)
  return schema.anyOf && schema['x-tag'] ? alternatives(schema, shown) : shown
}

function converted(key: string, value: unknown, schema: Source, position: Position, components: Components): unknown {
  switch (key) {
    case 'properties':
      return members(schema, position, components)
    case 'items':
    case 'propertyNames':
      return convert(value as Source, position, components)
    case 'additionalProperties':
      return typeof value === 'object' ? convert(value as Source, position, components) : value
    case 'anyOf':
      return (value as Source[]).map((variant) => convert(variant, position, components))
    default:
      return value
  }
}

function members({ properties = {}, required = [] }: Source, position: Position, components: Components): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => {
      const shown = convert(member, position, components)
      const isAbsentWhenNull = position === 'post' && !required.includes(name) && !member['x-not-null']
      return [name, isAbsentWhenNull ? withNull(shown) : shown]
    }),
  )
}

/** In POST bodies `null` means an absent member. */
function withNull(schema: Json): Json {
  const types = [schema.type].flat()
  if (types.includes('null')) return schema
  const choice = schema.enum as unknown[] | undefined
  return { ...schema, type: [...types, 'null'], ...(choice ? { enum: [...choice, null] } : {}) }
}

function enumeration({ 'x-known-values': values }: Source, { type, maxLength: _, ...rest }: Json): Json {
  return { type, enum: values, ...rest }
}

function alternatives(schema: Source, { anyOf, ...rest }: Json): Json {
  const tag = schema['x-tag'] as string
  const refs = anyOf as { $ref: string }[]
  const values = (schema.anyOf as Source[]).map((variant) => variant.properties?.[tag]?.const as string)
  const mapping = Object.fromEntries(values.map((value, index) => [value, refs[index]?.$ref]))
  return { ...rest, oneOf: refs, discriminator: { propertyName: tag, mapping } }
}

function isOurs(key: string): boolean {
  return key.startsWith('x-') || key.startsWith('~')
}

/** The bounds of safe integers are of no use to a reader. */
function isIntegerBound(key: string, value: unknown): boolean {
  return (key === 'minimum' || key === 'maximum') && Math.abs(value as number) === Number.MAX_SAFE_INTEGER
}
