import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { agentEndpoints, endpoints } from '@bourse/api/contract.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { sampleOf } from '@bourse/api/kit/sample.ts'
import { array, integer, object, type TSchema } from '@bourse/api/kit/schema.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { test } from 'vitest'
import { createSeededRandom } from './random.ts'
import { errorOfReport, errorsOf, type SchemaError } from './schema-errors.ts'
import { parseStrictJson } from './strict-json.ts'
import { checkOf } from './validate.ts'

const random = createSeededRandom('schema errors')
const operations: readonly Endpoint[] = [...endpoints, ...agentEndpoints]
const hostile = [null, true, 0, -1, 1.5, 2 ** 60, '', '-', 'ü\u{1f600}', 'x'.repeat(300), [], [[]], {}, { a: 1 }]

/** The same value with one random change. */
function spoil(value: unknown): unknown {
  if (random.integer(4) === 0 || typeof value !== 'object' || value === null) {
    return hostile[random.integer(hostile.length)]
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return [hostile[random.integer(hostile.length)]]
    const at = random.integer(value.length)
    return value.map((entry, index) => (index === at ? spoil(entry) : entry))
  }
  const names = Object.keys(value)
  const name = names[random.integer(names.length + 1)]
  const { [name ?? '']: member, ...others } = value as Record<string, unknown>
  const kind = random.integer(3)
  if (kind === 0 || name === undefined) return { ...value, 'x,y': 1 }
  return kind === 1 ? others : { ...others, [name]: spoil(member) }
}

/** All errors that ajv finds, in the form of the second pass. A string that is too long needs no further error. */
function expectedErrors(ajv: Ajv2020, schema: TSchema, value: unknown): string[] {
  const validate = ajv.compile(schema)
  if (validate(value)) return []
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'propertyNames')
  const found = errors.map((error) => shown(errorOfReport(schema, error)))
  return found.filter((text) => !text.startsWith('pattern ') || !found.includes(text.replace('pattern', 'maxLength')))
}

function shown({ keyword, schema, path }: SchemaError): string {
  assert.ok((schema as Record<string, unknown>)[keyword] !== undefined, `${keyword} is not of this schema`)
  return `${keyword} ${path.join('.')}`
}

test('the second pass finds what ajv finds, in every schema of the contract', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, code: { optimize: false } })
  let wrong = 0
  for (const { name, params, query, body, response } of operations) {
    for (const schema of [params, query, body, response]) {
      if (!schema) continue
      for (let left = 12; left > 0; left--) {
        let value: unknown = sampleOf(schema, random)
        for (let more = random.integer(3); more >= 0; more--) value = spoil(value)
        const expected = expectedErrors(ajv, schema, value)
        const found: string[] = [...errorsOf(schema, value, 1000)].map(shown)
        assert.deepEqual(found.toSorted(), expected.toSorted(), `${name}: ${inspect(value)}`)
        if (expected.length > 0) wrong += 1
      }
    }
  }
  assert.ok(wrong > 2000, String(wrong))
})

const row = object({ size: integer({ min: 0, max: 9 }) })
const rows = object({ rows: array(row, { max: 100_000 }) })

test('validation of a hostile body stops after twenty errors', () => {
  let looks = 0
  const bad = () => ({
    get size() {
      looks += 1
      return 10
    },
  })
  const value = { rows: Array.from({ length: 60_000 }, bad) }
  assert.equal(checkOf(rows)(value)?.length, 20)
  assert.ok(looks <= 20 * 4, `${looks} looks`)
})

test('twenty of 60,000 unknown members are named', () => {
  const text = `{"rows":[],${Array.from({ length: 60_000 }, (_, n) => `"m${n}":1`).join()}}`
  const parsed = parseStrictJson(Buffer.from(text), { values_max: 70_000, string_length_max: 10 })
  assert.ok(parsed.ok)
  let built = 0
  for (const error of errorsOf(rows, parsed.value, 1000)) {
    built += 1
    assert.equal(error.keyword, 'additionalProperties')
    if (built === 20) break
  }
  assert.equal(checkOf(rows)(parsed.value)?.length, 20)
})

test('an error behind many valid values is named, and the valid values are not searched twice', () => {
  let looks = 0
  const good = () => ({
    get size() {
      looks += 1
      return 9
    },
  })
  const value = { rows: [...Array.from({ length: 60_000 }, good), { size: 10 }] }
  assert.deepEqual(
    checkOf(rows)(value)?.map(({ field, code }) => [field, code]),
    [['rows.60000.size', 'out_of_range']],
  )
  // The compiled check reads each value a few times, the search for further errors only the first thousand.
  assert.ok(looks <= 60_000 * 4 + 4_000, `${looks} looks`)
})

test('the entries beyond the maximum of a list are not searched for errors', () => {
  const short = object({ rows: array(row, { max: 3 }) })
  const value = { rows: [{ size: 1 }, { size: 10 }, { size: 1 }, { size: 10 }] }
  const found = [...errorsOf(short, value, 1000)].map(shown)
  assert.deepEqual(found, ['maxItems rows', 'maximum rows.1.size'])
})
