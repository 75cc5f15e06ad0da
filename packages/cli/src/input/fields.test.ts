import assert from 'node:assert/strict'
import { endpoints } from '@bourse/api/contract.ts'
import type { Unit } from '@bourse/api/kit/annotations.ts'
import { array, id, integer, object, oneOf, optional, priceInput, wordOrInteger } from '@bourse/api/kit/schema.ts'
import { test } from 'vitest'
import { type Field, fieldsOf, placeholderOf, readField } from './fields.ts'
import { windowPairOf } from './window-pairs.ts'

test('a field of a word or a whole number parses digits as a number', () => {
  const [field] = fieldsOf(object({ target: wordOrInteger('node_count', { min: 0, max: 5 }) }))
  assert.ok(field)
  assert.equal(placeholderOf(field), 'number|word')
  assert.deepEqual(
    ['5', '-1', 'node_count', '5x'].map((typed) => readField(field, typed)),
    [5, -1, 'node_count', '5x'],
  )
})

/** The operations of the command line, with the fields of each. */
const inputs = endpoints
  .filter(({ area }) => area !== 'process')
  .map((endpoint) => ({ endpoint, fields: fieldsOf(endpoint.body ?? endpoint.query) }))

test('every required field of every operation can be given without JSON', () => {
  const wanting = inputs.flatMap(({ endpoint, fields }) =>
    fields
      .filter(({ required, shape, compound }) => required && shape === 'json' && compound === undefined)
      .map(({ name }) => `${endpoint.name} ${name}`),
  )
  assert.deepEqual(wanting, [])
  const compounds = inputs.flatMap(({ fields }) => fields.filter(({ compound }) => compound !== undefined))
  assert.ok(compounds.length >= 6, `${compounds.length} compounds`)
})

test('null removes what a field holds, also a list or tags, unless it can be a value', () => {
  const fieldOf = (operation: string, name: string) => {
    const { fields = [] } = inputs.find(({ endpoint }) => endpoint.name === operation) ?? {}
    return fields.find((field) => field.name === name) as Field
  }
  assert.deepEqual(readField(fieldOf('update_sku', 'benchmark_figures'), ['null']), [])
  assert.deepEqual(readField(fieldOf('update_sku', 'benchmark_figures'), ['fp16 TFLOP/s']), ['fp16 TFLOP/s'])
  const tagged = inputs.flatMap(({ fields }) => fields.filter(({ shape }) => shape === 'tags'))
  assert.ok(tagged.length > 0)
  for (const field of tagged) assert.deepEqual(readField(field, ['null']), field.nullable ? null : {})
  for (const { fields } of inputs) {
    for (const field of fields) {
      if (field.nullable) assert.equal(readField(field, field.shape === 'list' ? ['null'] : 'null'), null, field.name)
      // A resource may have this name.
      if (field.kind && field.shape === 'list') assert.deepEqual(readField(field, ['null']), ['null'])
    }
  }
})

test('no field of any operation needs JSON', () => {
  const wanting = inputs.flatMap(({ endpoint, fields }) =>
    fields.flatMap((field) => (field.shape === 'json' && !field.compound ? [`${endpoint.name} ${field.name}`] : [])),
  )
  assert.deepEqual(wanting, [])
})

test('a field whose name ends with a unit has this unit in the contract, and the flag of a field names none', () => {
  const units: Unit[] = [
    'dollars_per_node_hour',
    'dollars',
    'milliseconds',
    'seconds',
    'minutes',
    'bytes',
    'percent',
    'bps',
  ]
  for (const { endpoint, fields } of inputs) {
    for (const { name, flag, unit } of fields) {
      const ending = units.find((one) => new RegExp(`(^|_)${one}$`).test(name))
      if (ending) assert.equal(unit, ending, `${endpoint.name} ${name}`)
      if (ending && name !== ending) assert.ok(!flag.endsWith(ending.replaceAll('_', '-')), `${endpoint.name} ${flag}`)
    }
    const flags = fields.flatMap(({ flag, compound }) => [flag, ...(compound?.flags.map((one) => one.name) ?? [])])
    assert.equal(new Set(flags).size, flags.length, endpoint.name)
  }
})

test('amounts are read by the units of the contract', () => {
  const read = (operation: string, field: string, typed: string) => {
    const { fields } = inputs.find(({ endpoint }) => endpoint.name === operation) as (typeof inputs)[number]
    return readField(fields.find(({ name }) => name === field) as Field, typed)
  }
  const cases: [operation: string, field: string, typed: string, value: unknown][] = [
    ['create_deployment', 'max_buy_price_dollars_per_node_hour', '$20/h', '20'],
    ['create_budget', 'amount_dollars', '$1,500', '1500'],
    ['create_account_transaction', 'amount_dollars', '-$2.5', '-2.5'],
    ['put_credit_limit', 'credit_limit_dollars', '500', '500'],
    ['create_sku', 'memory_bytes', '2TiB', 2 ** 41],
    ['create_sku', 'memory_bytes', '2TiB "2 TiB of memory"', { value: 2 ** 41, display_value: '2 TiB of memory' }],
    ['create_sku', 'local_storage_bytes', '500GB', 5e11],
    ['create_sku', 'fee_bps', '2.5%', 250],
    ['create_procurement', 'managed_window_minutes', '1 day', 1440],
    ['create_host_enrolment', 'expires_in_seconds', '2h', 7200],
    ['create_order_estimate', 'duration_seconds', '1h30m', 5400],
    [
      'create_order_estimate',
      'requirements',
      'accelerator:h100,h200;region:us-west',
      { accelerator: ['h100', 'h200'], region: ['us-west'] },
    ],
    ['create_fault', 'milliseconds', '1.5s', 1500],
    ['create_fault', 'probability_percent', '50%', 50],
    ['set_clock_rate', 'rate', '60x', 60],
  ]
  for (const [operation, field, typed, value] of cases) assert.deepEqual(read(operation, field, typed), value, typed)
  assert.throws(
    () => read('create_procurement', 'managed_window_minutes', '90s'),
    /--managed-window: "90s" is not a duration/,
  )
  assert.throws(
    () => read('create_order_estimate', 'requirements', 'h100'),
    /--requirements: "h100" is not a requirement/,
  )
})

test('lists may be separated by commas where no value has one', () => {
  const schema = object({
    roles: array(id('role'), { max: 3 }),
    kinds: optional(array(oneOf(['a', 'b']), { max: 3 })),
    steps: optional(array(integer({ min: 1, max: 100, unit: 'percent' }), { max: 3 })),
    texts: optional(array({ type: 'string' } as never, { max: 3 })),
    price: optional(priceInput()),
  })
  const [roles, kinds, steps, texts] = fieldsOf(schema) as [Field, Field, Field, Field]
  assert.deepEqual(readField(roles, ['role_a, role_b', 'role_c']), ['role_a', 'role_b', 'role_c'])
  assert.deepEqual(readField(kinds, ['a,b']), ['a', 'b'])
  assert.deepEqual(readField(steps, ['50,80%', '100']), [50, 80, 100])
  assert.deepEqual(readField(steps, ['[50, 80]']), [50, 80])
  assert.deepEqual(readField(texts, ['a,b']), ['a,b'])
})

test('two members of one window have a flag for both', () => {
  const pairs = inputs.flatMap(({ endpoint, fields }) => {
    const pair = windowPairOf(fields)
    return pair ? [`${endpoint.name} ${pair.start.flag} ${pair.end.flag}`] : []
  })
  for (const known of [
    'create_maintenance_window start-at end-at',
    'create_order_estimate start-at duration',
    'get_orderbook_depth start-at end-at',
    'list_orderbook_windows range-start-at range-end-at',
  ]) {
    assert.ok(pairs.includes(known), `${known} of ${pairs.join('; ')}`)
  }
})
