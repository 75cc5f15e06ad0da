import assert from 'node:assert/strict'
import Value from 'typebox/value'
import { test } from 'vitest'
import { endpoints } from '../contract.ts'
import type { Endpoint } from './endpoint.ts'
import { sampleOf } from './sample.ts'
import type { SampleRandom } from './sample-text.ts'
import { sampleText } from './sample-text.ts'
import { nameTemplate, type TSchema } from './schema.ts'

function seeded(seed: number): SampleRandom {
  let state = seed >>> 0
  return {
    integer(maxExclusive) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * maxExclusive)
    },
  }
}

function errorsOf(schema: TSchema, value: unknown): string[] {
  return [...Value.Errors(schema, value)].map((error) => `${error.instancePath} ${error.message}`)
}

test('samples of every input and response match their schemas', () => {
  const random = seeded(1)
  for (const operation of endpoints as readonly Endpoint[]) {
    for (const schema of [operation.params, operation.body, operation.response]) {
      for (let round = 0; schema && round < 20; round += 1) {
        const value = sampleOf(schema, random)
        assert.deepEqual(errorsOf(schema, value), [], `${operation.name}: ${JSON.stringify(value)}`)
      }
    }
    // Whole numbers of 64 bits reach the handler as bigints, which JSON Schema does not support.
    for (let round = 0; round < 20; round += 1) sampleOf(operation.query, random)
  }
})

test('the same random numbers give the same sample', () => {
  for (const operation of endpoints as readonly Endpoint[]) {
    if (operation.body) assert.deepEqual(sampleOf(operation.body, seeded(7)), sampleOf(operation.body, seeded(7)))
  }
})

test('text is generated for counts, classes, groups, escapes and negations', () => {
  const patterns = [
    '^a{3}b{2,4}c*$',
    '^(?:x|yy)-[^a-y]\\d+$',
    '^[a-c_-]{2,}\\.z?$',
    nameTemplate() as { pattern?: string },
  ]
  for (const given of patterns) {
    const pattern = typeof given === 'string' ? given : (given.pattern as string)
    const random = seeded(3)
    const texts = Array.from({ length: 200 }, () => sampleText(pattern, random))
    const fitting = texts.filter((text) => new RegExp(pattern, 'u').test(text))
    assert.ok(fitting.length > 20, `${pattern} ${texts[0]}`)
  }
})
