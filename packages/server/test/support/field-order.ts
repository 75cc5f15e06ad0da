/** Compares the order of the fields of an answer with the order of its schema in the contract. */
import assert from 'node:assert/strict'

type Shape = {
  readonly const?: unknown
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: Shape | boolean
}

/** Asserts that each object of an answer has its fields in the order of its schema. */
export function assertContractOrder(endpoint: { readonly name: string; readonly response?: unknown }, body: unknown) {
  assert.deepEqual(misplacedFields(body, endpoint.response), [], endpoint.name)
}

/** The objects of a value whose fields are not in the order of their schema, each with its path and its fields. */
export function misplacedFields(value: unknown, schema: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const shape = shapeOf(value, schema as Shape)
  if (shape === undefined) return []
  if (Array.isArray(value))
    return value.flatMap((item, index) => misplacedFields(item, shape.items, `${path}.${index}`))
  const names = Object.keys(value)
  if (shape.properties === undefined) {
    const inner = Object.values(shape.patternProperties ?? {})[0] ?? shape.additionalProperties
    return Object.entries(value).flatMap(([name, member]) => misplacedFields(member, inner, `${path}.${name}`))
  }
  const expected = Object.keys(shape.properties).filter((name) => name in value)
  const isInOrder = names.join() === expected.join()
  const own = isInOrder ? [] : [`${path || '.'}: ${names.join(', ')}; the contract has ${expected.join(', ')}`]
  const inner = Object.entries(value).flatMap(([name, member]) =>
    misplacedFields(member, shape.properties?.[name], `${path}.${name}`),
  )
  return [...own, ...inner]
}

/** The schema of a value: of several alternatives the one whose constants and required fields it has. */
function shapeOf(value: object, schema: Shape | undefined): Shape | undefined {
  if (schema?.anyOf === undefined) return schema
  return schema.anyOf.find(({ properties = {}, required = [] }) => {
    const fits = Object.entries(properties).every(([name, { const: constant }]) => {
      return constant === undefined || (value as Record<string, unknown>)[name] === constant
    })
    return fits && required.every((name) => name in value)
  })
}
