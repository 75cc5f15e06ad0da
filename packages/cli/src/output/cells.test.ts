import assert from 'node:assert/strict'
import { endpoints } from '@bourse/api/contract.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { array, dollars, id, integer, minute, oneOf, resource, text, timestamp } from '@bourse/api/kit/schema.ts'
import { test } from 'vitest'
import { cellOf, linesOf, plainStyle } from './cells.ts'
import { typeAt, typeOf, type ValueType } from './rows/value-types.ts'

const noon = Date.UTC(2026, 0, 31, 12) / 1000

function rowType(name: string): ValueType {
  const endpoint = (endpoints as readonly Endpoint[]).find((one) => one.name === name)
  assert.ok(endpoint, name)
  const whole = typeOf(endpoint.response)
  const data = typeAt(whole, 'data')
  return data?.kind === 'list' ? data.of : whole
}

function typeIn(name: string, path: string): ValueType {
  const type = typeAt(rowType(name), path)
  assert.ok(type, `${name} ${path}`)
  return type
}

test('a value is formatted by its schema, whatever its member is called', () => {
  const misnamed = typeOf(
    resource('Misnamed', 'A row.', {
      pool_allocation_now: integer({ min: 0 }),
      ends_at: integer({ min: 0 }),
      count: timestamp(),
      seconds: dollars(),
      created_at: text({ max: 10 }),
    }),
  )
  const shown = (name: string, value: unknown) => cellOf(value, typeAt(misnamed, name) as ValueType, plainStyle)
  assert.equal(shown('pool_allocation_now', 6), '6')
  assert.equal(shown('ends_at', 6), '6')
  assert.equal(shown('count', noon), '2026-01-31 12:00:00Z')
  assert.equal(shown('seconds', '2.500000'), '$2.50')
  assert.equal(shown('created_at', '1793491200'), '1793491200')
})

test('numbers have the unit of the contract', () => {
  const cases: [operation: string, path: string, value: unknown, shown: string][] = [
    ['explain_instance', 'waiting.pool_allocation_now', 6, '6'],
    ['list_hosts', 'facts.memory_bytes', 85_899_345_920, '80 GiB'],
    ['get_clock', 'offset_seconds', 5_400, '1 h 30 min'],
    ['get_procurement', 'managed_window_minutes', 90, '1 h 30 min'],
    ['list_webhook_deliveries', 'attempts.duration_ms', [350], '350 ms'],
    ['list_budgets', 'thresholds_percent', [80, 100], '80 % 100 %'],
    ['create_sku', 'fee_bps', 125, '1.25 %'],
    ['list_usage', 'used_node_minutes', 90, '90'],
    ['list_usage', 'period_start', noon, '2026-01-31 12:00:00Z'],
  ]
  for (const [operation, path, value, shown] of cases) {
    assert.equal(cellOf(value, typeIn(operation, path), plainStyle), shown, `${operation} ${path}`)
  }
})

test('exact cells have the values of the API', () => {
  const exact = { ...plainStyle, exact: true, names: new Map([['sku_1', 'h100']]) }
  assert.equal(cellOf('2.500000', typeIn('list_transactions', 'amount_dollars'), exact), '2.500000')
  assert.equal(cellOf(85_899_345_920, typeIn('list_hosts', 'facts.memory_bytes'), exact), '85899345920')
  assert.equal(cellOf(noon, typeIn('list_transactions', 'created_at'), exact), '2026-01-31T12:00:00Z')
})

test('on a terminal a moment is an age, and the minutes of a schedule and the edges of a period are times', () => {
  const style = { ...plainStyle, times: 'age', now: noon + 7200 } as const
  assert.equal(cellOf(noon, typeIn('list_transactions', 'created_at'), style), '2 h ago')
  assert.equal(cellOf(noon, typeIn('list_orderbook_windows', 'start_at'), style), '2026-01-31 12:00Z')
  assert.equal(cellOf(noon, typeIn('list_usage', 'period_start'), style), '2026-01-31 12:00:00Z')
  assert.equal(
    cellOf(noon, typeIn('list_transactions', 'created_at'), { ...style, now: undefined }),
    '2026-01-31 12:00:00Z',
  )
})

test('a property of a SKU shows its value in a unit, and otherwise its display text', () => {
  const memory = { value: 30_000_000_000_000, display_value: '29296875000 KiB' }
  assert.equal(cellOf(memory, typeIn('list_skus', 'local_storage_bytes'), plainStyle), '30 TB')
  const accelerator = { value: 'h100', display_value: 'NVIDIA H100' }
  assert.equal(cellOf(accelerator, typeIn('list_skus', 'accelerator'), plainStyle), 'NVIDIA H100')
})

test('equal entries are counted, schedules have a line for each step, and ids show names where they are known', () => {
  const accelerators = Array.from({ length: 32 }, () => 'H100')
  assert.equal(cellOf(accelerators, typeIn('list_hosts', 'facts.accelerators'), plainStyle), 'H100 × 32')
  const schedule = [
    { start_at: noon, end_at: noon + 3600, node_count: 2 },
    { start_at: noon + 3600, end_at: null, node_count: 1 },
  ]
  const type = typeIn('get_pool', 'allocation_schedule.by_sku')
  const style = { ...plainStyle, names: new Map([['sku_1', 'h100-west']]) }
  assert.deepEqual(linesOf({ sku_1: schedule }, type, style), [
    'h100-west  2 × 2026-01-31 12:00 – 13:00Z',
    'h100-west  1 × 2026-01-31 13:00Z – open',
  ])
  assert.equal(cellOf('sku_1', typeIn('list_revenue', 'sku'), style), 'h100-west')
  assert.equal(cellOf('sku_1', typeIn('list_skus', 'id'), style), 'sku_1')
})

test('members of lists, unions and nested objects have types', () => {
  assert.deepEqual(typeIn('list_events', 'targets.id'), { kind: 'list', of: { kind: 'text' } })
  assert.equal(typeIn('list_events', 'actor.id').kind, 'id')
  const [first] = [typeIn('get_orderbook_depth', 'asks.price_dollars_per_node_hour')]
  assert.deepEqual(first, { kind: 'list', of: { kind: 'money' } })
  const nested = typeOf(
    resource('Nested', 'A row.', { steps: array(resource('Step', 'A step.', { at: minute() }), { max: 3 }) }),
  )
  assert.deepEqual(typeAt(nested, 'steps.at'), { kind: 'list', of: { kind: 'time', of: 'minute' } })
  assert.equal(typeAt(nested, 'steps.none'), undefined)
  const words = typeOf(resource('Words', 'A row.', { state: oneOf(['a', 'b']), pool: id('pool') }))
  assert.deepEqual(typeAt(words, 'state'), { kind: 'word', words: ['a', 'b'], isOpen: false })
})
