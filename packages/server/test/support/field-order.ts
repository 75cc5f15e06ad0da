/** Whether the fields of an answer come in the order of the contract. */
import assert from 'node:assert/strict'

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** Asserts that each object of an answer has its fields in the order of its schema. */
export function assertContractOrder(endpoint: { readonly name: string; readonly response?: unknown }, body: unknown) {
  compare(endpoint.response as Schema, body, endpoint.name)
}

function compare(schema: Schema | undefined, value: unknown, place: string): void {
  if (schema === undefined || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) compare(schema.items, item, `${place}[]`)
    return
  }
  const { properties } = schema
  if (properties === undefined) return
  const shown = Object.keys(value)
  const expected = Object.keys(properties).filter((name) => name in value)
  assert.deepEqual(
    shown.filter((name) => name in properties),
    expected,
    place,
  )
  for (const name of expected) {
    compare(properties[name], (value as Record<string, unknown>)[name], `${place}.${name}`)
  }
}
