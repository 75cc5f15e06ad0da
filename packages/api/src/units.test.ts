import assert from 'node:assert/strict'
import { test } from 'vitest'
import { agentEndpoints, endpoints } from './contract.ts'
import type { Endpoint } from './kit/endpoint.ts'

type UnitSchema = {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly title?: string
  readonly properties?: Readonly<Record<string, UnitSchema>>
  readonly items?: UnitSchema
  readonly additionalProperties?: boolean | UnitSchema
  readonly anyOf?: readonly UnitSchema[]
  readonly 'x-unit'?: string
}

/** The units that names of members end with. People read them there, clients in the schema: both must agree. */
const byEnding = [
  [/_dollars(_|$)/, 'dollars'],
  [/(^|_)bytes$/, 'bytes'],
  [/(^|_)(milliseconds|ms)$/, 'milliseconds'],
  [/(^|_)seconds$/, 'seconds'],
  [/(^|_)node_minutes$/, 'node_minutes'],
  [/(^|_)minutes$/, 'minutes'],
  [/_percent$/, 'percent'],
  [/_bps$/, 'bps'],
  [/^rate$/, 'times'],
  [/^period_(start|end)$/, 'period'],
] as const

type Member = { readonly place: string; readonly name: string; readonly schema: UnitSchema }

/** All members below a schema, and the entries of lists under the name of the list. */
function* membersOf(schema: UnitSchema, place: string): Iterable<Member> {
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const value = [member.type].flat().includes('array') ? (member.items ?? {}) : member
    // A property of a SKU is an object with its value.
    const displayed = value.properties?.display_value ? value.properties.value : undefined
    yield { place: `${place}.${name}`, name, schema: displayed ?? value }
    if (!displayed) yield* membersOf(member, `${place}.${name}`)
  }
  if (schema.items) yield* membersOf(schema.items, `${place}[]`)
  if (typeof schema.additionalProperties === 'object') yield* membersOf(schema.additionalProperties, `${place}{}`)
  for (const variant of schema.anyOf ?? []) yield* membersOf(variant, place)
}

const members = ([...endpoints, ...agentEndpoints] as readonly Endpoint[]).flatMap(({ name, body, query, response }) =>
  [body, query, response].flatMap((schema) => (schema ? [...membersOf(schema as UnitSchema, name)] : [])),
)

test('a member whose name ends with a unit declares this unit in its schema', () => {
  for (const { place, name, schema } of members) {
    const [, unit] = byEnding.find(([ending]) => ending.test(name)) ?? []
    assert.equal(schema['x-unit']?.replace(/^dollars_per_node_hour$/, 'dollars'), unit, place)
  }
  assert.ok(members.filter(({ schema }) => schema['x-unit'] !== undefined).length > 200)
})

test('a member is a time by its format, and its name says so', () => {
  const ending =
    /(_at|_after|_before|^now|^real_now|^since|^until|^from|^to|^at|^as_of|^server_time|^period_(start|end))$/
  for (const { place, name, schema } of members) {
    if (schema.format === 'int64' && !(`x-bigint` in schema)) assert.match(name, ending, place)
  }
})
