import assert from 'node:assert/strict'
import { agentEndpoints, endpoints } from '@bourse/api/contract.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { array, integer, object, optional, record, tags, text } from '@bourse/api/kit/schema.ts'
import { test } from 'vitest'
import { jsonLimitsOf } from './json-limits.ts'

const operations: readonly Endpoint[] = [...endpoints, ...agentEndpoints]

test('the limits of a text are those of the largest value of its schema, and 1,024 more', () => {
  const entry = object({ name: text({ max: 9 }), size: optional(integer({})) })
  assert.deepEqual(jsonLimitsOf(object({ rows: array(entry, { max: 10 }), note: text({ max: 300 }) })), {
    values_max: 1 + (1 + 10 * 3) + 1 + 1024,
    string_length_max: 300 * 12 + 1024,
  })
  const { values_max } = jsonLimitsOf(object({ sizes: record(integer({}), { max: 7 }), tags: tags() }))
  assert.equal(values_max, 1 + (1 + 7) + (1 + 50) + 1024)
})

test('no operation accepts more than 10,000 values', () => {
  for (const { name, body } of operations) if (body) assert.ok(jsonLimitsOf(body).values_max <= 10_000, name)
})
