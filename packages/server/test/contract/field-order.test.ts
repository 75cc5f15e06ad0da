/**
 * The fields of every response have the order of the contract, so that readers find the important ones first and two
 * responses compare line by line. A jsonb column does not keep the order of its fields.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { cases } from './cases.ts'
import { goodCall, type NamedEndpoint, operations, send } from './operations.ts'
import { makeWorld } from './world.ts'

type OrderedSchema = {
  readonly properties?: Readonly<Record<string, OrderedSchema>>
  readonly additionalProperties?: OrderedSchema | boolean
  readonly items?: OrderedSchema
  readonly anyOf?: readonly OrderedSchema[]
  readonly const?: unknown
}

const server = await startTestServer()
let world = await makeWorld(server)

/** The cached bytes of a page of SKUs follow its cursor, which depends on the caller. */
const unordered: ReadonlySet<string> = new Set(['list_skus'])

/** Creations come first, so that lists have rows. Operations that end the world come last. */
function turnOf({ name }: NamedEndpoint): number {
  if (cases[name].ends_world) return 2
  return name.startsWith('create_') ? 0 : 1
}

const answering = operations
  .filter(({ response, success, media_type }) => response && success !== 204 && media_type === 'application/json')
  .sort((a, b) => turnOf(a) - turnOf(b))

describe('the fields of every response have the order of its schema', () => {
  for (const operation of answering) {
    test(operation.name, async () => {
      const { call, token } = await goodCall(world, operation)
      const response = await send(server, operation, call, token)
      assert.equal(response.status, cases[operation.name].status ?? operation.success, response.text)
      if (response.status !== operation.success || response.text === '') return
      const found = disorders(operation.response as OrderedSchema, JSON.parse(response.text), operation.name)
      if (unordered.has(operation.name)) assert.notDeepEqual(found, [], 'it is in order: take it out of `unordered`')
      else assert.deepEqual(found, [])
      if (cases[operation.name].ends_world) world = await makeWorld(server)
    })
  }
})

test('fields in another order are found, at any depth', () => {
  const inner = { properties: { id: {}, name: {} } }
  const schema = { properties: { object: {}, data: { items: { anyOf: [{ const: null }, inner] } }, extra: {} } }
  assert.deepEqual(disorders(schema, { object: 1, data: [{ id: 1, name: 2 }, null] }, 'x'), [])
  assert.deepEqual(disorders(schema, { object: 1, data: [{ name: 2, id: 1 }] }, 'x'), ['x.data[0]: name, id'])
  assert.deepEqual(disorders(schema, { extra: 3, object: 1 }, 'x'), ['x: extra, object'])
})

/** The places where the fields of a value have another order than the properties of the schema, with that order. */
function disorders(schema: OrderedSchema, value: unknown, at: string): string[] {
  if (value === null || typeof value !== 'object') return []
  if (Array.isArray(value)) return value.flatMap((item, i) => disorders(schema.items ?? {}, item, `${at}[${i}]`))
  const { properties = {}, additionalProperties } = variantOf(schema, value)
  const found = Object.keys(value)
  const known = found.filter((key) => key in properties)
  const ordered = Object.keys(properties).filter((key) => key in value)
  const rest = typeof additionalProperties === 'object' ? additionalProperties : {}
  const here = known.join() === ordered.join() ? [] : [`${at}: ${known.join(', ')}`]
  return [
    ...here,
    ...Object.entries(value).flatMap(([key, inner]) => disorders(properties[key] ?? rest, inner, `${at}.${key}`)),
  ]
}

/** The variant of a union for a value: its constants are equal, and it has all fields. */
function variantOf(schema: OrderedSchema, value: object): OrderedSchema {
  const variants = schema.anyOf?.map((variant) => variantOf(variant, value)) ?? [schema]
  const fits = variants.find(({ properties = {} }) =>
    Object.entries(value).every(([key, inner]) => {
      const property = properties[key]
      return property !== undefined && (property.const === undefined || property.const === inner)
    }),
  )
  return fits ?? variants.find(({ properties }) => properties !== undefined) ?? schema
}
