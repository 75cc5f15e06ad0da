import assert from 'node:assert/strict'
import { test } from 'vitest'
import { agentEndpoints, endpoints } from './contract.ts'
import type { Endpoint } from './kit/endpoint.ts'

type BoundedSchema = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly items?: BoundedSchema
  readonly properties?: Readonly<Record<string, BoundedSchema>>
  readonly propertyNames?: BoundedSchema
  readonly additionalProperties?: boolean | BoundedSchema
  readonly anyOf?: readonly BoundedSchema[]
}

const operations: readonly Endpoint[] = [...endpoints, ...agentEndpoints]
/** Whole documents in a format of their own, which no other schema describes. */
const documents = new Set(['get_openapi.response'])

/** Whether a pattern is anchored at both ends and has no unbounded repetition. */
function endsByItself(pattern: string): boolean {
  const bare = pattern.replaceAll(/\\./g, '_').replaceAll(/\[[^\]]*\]/g, '_')
  return bare.startsWith('^') && bare.endsWith('$') && !/[*+]|\{\d+,\}/.test(bare)
}

function isBoundedText({ maxLength, enum: words, const: word, pattern }: BoundedSchema): boolean {
  return maxLength !== undefined || words !== undefined || word !== undefined || endsByItself(pattern ?? '')
}

/** The paths of all texts, lists and records without a maximum below a schema. */
function* unbounded(schema: BoundedSchema, path: string): Iterable<string> {
  const types = [schema.type ?? []].flat()
  if (types.length === 0 && !schema.anyOf && schema.pattern === undefined) yield `${path}: any value`
  if (types.includes('string') && !isBoundedText(schema)) yield `${path}: a text`
  if (types.includes('array') && schema.maxItems === undefined) yield `${path}: a list`
  const { properties = {}, additionalProperties } = schema
  const takesAnyMember = typeof additionalProperties === 'object' || (!schema.properties && types.includes('object'))
  if (takesAnyMember && schema.maxProperties === undefined) yield `${path}: a record`
  for (const [name, member] of Object.entries(properties)) yield* unbounded(member, `${path}.${name}`)
  if (schema.items) yield* unbounded(schema.items, `${path}[]`)
  if (typeof additionalProperties === 'object') yield* unbounded(additionalProperties, `${path}{}`)
  if (schema.propertyNames && !isBoundedText(schema.propertyNames)) yield `${path}: a name`
  for (const [index, variant] of (schema.anyOf ?? []).entries()) yield* unbounded(variant, `${path}|${index}`)
}

test('every text, list and record of every schema has a maximum', () => {
  const found = operations.flatMap(({ name, params, query, body, response }) =>
    Object.entries({ params, query, body, response }).flatMap(([part, schema]) => {
      const path = `${name}.${part}`
      return schema === undefined || documents.has(path) ? [] : [...unbounded(schema as BoundedSchema, path)]
    }),
  )
  assert.deepEqual(found, [])
})

test('a pattern counts as a maximum only without unbounded repetition', () => {
  for (const pattern of ['^a{1,21}$', '^(?:a|b)\\+$', '^[a*+]$', '^node_count$'])
    assert.ok(endsByItself(pattern), pattern)
  for (const pattern of ['^a+$', '^a*$', '^a{1,}$', 'a', '^a', '']) assert.ok(!endsByItself(pattern), pattern)
})

test('a body fits into the limit of its operation, which is at most 2 MiB', () => {
  for (const { name, body_bytes_max } of operations) assert.ok(body_bytes_max <= 2 * 1024 * 1024, name)
})
