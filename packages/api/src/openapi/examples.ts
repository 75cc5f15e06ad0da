/** Adds examples to the OpenAPI document: to each operation what was recorded, and to each field a value of it. */
import { fallbackOf } from './fallbacks.ts'
import type { Json } from './schemas.ts'

/** What was sent and received in one call of an operation. */
export type RecordedCall = {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly response?: unknown
  /** A response that is not JSON. */
  readonly text?: string
}

/** Recorded calls by the name of their operation. */
export type RecordedCalls = Readonly<Record<string, RecordedCall>>

type ExampleSchema = Json & {
  $ref?: string
  const?: unknown
  type?: string | string[]
  enum?: unknown[]
  examples?: unknown[]
  properties?: Record<string, ExampleSchema>
  required?: string[]
  items?: ExampleSchema
  oneOf?: ExampleSchema[]
  anyOf?: ExampleSchema[]
  additionalProperties?: boolean | ExampleSchema
}
type Media = Record<string, { schema?: ExampleSchema; example?: unknown }>
type Parameter = { $ref?: string; name: string; in: string; schema: ExampleSchema; example?: unknown }
type ExampleOperation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Media }
  responses: Record<string, { $ref?: string; content?: Media }>
}
type ExampleDocument = {
  paths: Record<string, Record<string, ExampleOperation>>
  components: {
    schemas: Record<string, ExampleSchema>
    responses: Record<string, { content?: Media }>
    parameters: Record<string, Parameter>
  }
}

/** Adds examples to a document in place. Where nothing was recorded, they are composed from the fields. */
export function addExamples(document: object, recorded: RecordedCalls): void {
  const { paths, components } = document as ExampleDocument
  const find = (schema: ExampleSchema) =>
    schema.$ref ? (components.schemas[nameIn(schema.$ref)] as ExampleSchema) : schema
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  for (const operation of operations) {
    const { body, response } = recorded[operation.operationId] ?? {}
    for (const schema of schemasOf(operation.requestBody?.content)) learn(schema, body, find)
    for (const schema of successesOf(operation)) learn(schema, response, find)
  }
  for (const [name, schema] of Object.entries(components.schemas)) complete(name, schema, find)
  for (const operation of operations) {
    for (const schema of [...schemasOf(operation.requestBody?.content), ...successesOf(operation)])
      complete('', schema, find)
    showCall(operation, recorded[operation.operationId] ?? {}, find)
  }
  for (const parameter of Object.values(components.parameters))
    parameter.example ??= fallbackOf(parameter.name, parameter.schema)
}

type Find = (schema: ExampleSchema) => ExampleSchema

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

function schemasOf(content: Media = {}): ExampleSchema[] {
  return Object.values(content).flatMap(({ schema }) => (schema ? [schema] : []))
}

function successesOf({ responses }: ExampleOperation): ExampleSchema[] {
  return Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? schemasOf(content) : [],
  )
}

/** Gives the fields of a schema that have no example yet the values of an instance. */
function learn(source: ExampleSchema, value: unknown, find: Find): void {
  const schema = find(source)
  if (value === undefined || value === null) return
  for (const variant of schema.oneOf ?? schema.anyOf ?? []) if (mayBe(find(variant), value)) learn(variant, value, find)
  if (Array.isArray(value)) {
    for (const entry of value) if (schema.items) learn(schema.items, entry, find)
    return
  }
  if (typeof value !== 'object') {
    if (isPlain(schema) && !source.$ref) schema.examples ??= [value]
    return
  }
  for (const [name, member] of Object.entries(value)) {
    const own = schema.properties?.[name]
    if (own) learn(own, member, find)
    else if (typeof schema.additionalProperties === 'object') learn(schema.additionalProperties, member, find)
  }
}

/** Whether a value may be of a variant: of its type, with its constants. */
function mayBe(variant: ExampleSchema, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return [variant.type].flat().includes(typeof value)
  const members = Object.entries(variant.properties ?? {})
  return members.length > 0 && members.every(([name, own]) => !('const' in own) || own.const === (value as Json)[name])
}

function isPlain(schema: ExampleSchema): boolean {
  return !('const' in schema) && !schema.properties && !schema.items && !schema.oneOf && !schema.anyOf
}

/** Gives every field below a schema an example. */
function complete(name: string, schema: ExampleSchema, find: Find): void {
  for (const variant of schema.anyOf ?? schema.oneOf ?? []) complete(name, variant, find)
  if (schema.items) complete(name, schema.items, find)
  for (const [member, own] of Object.entries(schema.properties ?? {})) complete(member, own, find)
  if (typeof schema.additionalProperties === 'object') complete(name, schema.additionalProperties, find)
  const types = [schema.type].flat()
  const isText =
    isPlain(schema) && types.some((type) => ['string', 'integer', 'number', 'boolean'].includes(type ?? ''))
  if (isText && name !== '') schema.examples ??= [fallbackOf(name, schema)]
}

function showCall(
  operation: ExampleOperation,
  { params = {}, query = {}, body, response, text }: RecordedCall,
  find: Find,
): void {
  for (const parameter of operation.parameters ?? []) {
    if (parameter.$ref) continue
    const value = parameter.in === 'path' ? params[parameter.name] : query[parameter.name]
    const one = value ?? fallbackOf(parameter.name, parameter.schema.items ?? parameter.schema)
    parameter.example = parameter.schema.items ? [one].flat() : one
  }
  for (const media of Object.values(operation.requestBody?.content ?? {})) {
    if (media.schema) media.example = body ?? compose(media.schema, find)
  }
  for (const [status, { content = {} }] of Object.entries(operation.responses)) {
    if (!status.startsWith('2')) continue
    for (const [type, media] of Object.entries(content)) {
      if (!media.schema) continue
      if (type === 'application/json') media.example = response ?? compose(media.schema, find)
      else media.example ??= text ?? fallbackOf(type, media.schema)
    }
  }
}

/** A value of a schema, from the examples of its fields. */
function compose(source: ExampleSchema, find: Find): unknown {
  const schema = find(source)
  if ('const' in schema) return schema.const
  if (schema.examples) return schema.examples[0]
  const [variant] = schema.oneOf ?? schema.anyOf ?? []
  if (variant) return compose(variant, find)
  if (schema.items) return [compose(schema.items, find)]
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, own]) => [name, compose(own, find)]))
  }
  return {}
}
