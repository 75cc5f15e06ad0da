import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { minutesOf, priceText, spanText } from '../live/forms/typed.rules.ts'
import { stepsOf, valueAt } from '../live/steps.rules.ts'
import {
  changesOf,
  chartOf,
  deploymentRequest,
  emptyDeployment,
  emptyProcurement,
  flagsOf,
  procurementRequest,
  runningSteps,
} from './automation.rules.ts'

const minutes = fc.integer({ min: 0, max: 200 })
const schedule = fc
  .array(fc.tuple(minutes, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 9 })), { maxLength: 12 })
  .map((parts) => {
    let at = 0
    return parts.map(([gap, length, node_count]) => {
      const start_at = at + (gap % 5)
      at = start_at + length
      return { start_at, end_at: at, node_count }
    })
  })

test('a chart has its ends, ascending times, and at each time the value of each line until it is known', () => {
  fc.assert(
    fc.property(schedule, schedule, fc.option(minutes, { nil: undefined }), (one, two, until) => {
      const lines = [{ steps: stepsOf(one), ...(until === undefined ? {} : { until }) }, { steps: stepsOf(two) }]
      const { times, values } = chartOf({ from: 10, to: 90 }, lines)
      assert.ok(times[0] === 10 && times.at(-1) === 90)
      assert.deepEqual(
        times,
        [...new Set(times)].toSorted((a, b) => a - b),
      )
      for (const [index, at] of times.entries()) {
        const isKnown = until === undefined || at <= until
        assert.equal(values[0]?.[index], isKnown ? valueAt(stepsOf(one), at) : null)
        assert.equal(values[1]?.[index], valueAt(stepsOf(two), at))
      }
    }),
  )
})

test('what ran is told by events: it ends at what runs now and is never below zero', () => {
  const instance = (id: string, state: string, created_at: number) => ({ id, state, created_at }) as never
  const event = (action: string, id: string, occurred_at: number) =>
    ({ action: `instance.${action}`, occurred_at, targets: [{ type: 'instance', id }] }) as never
  const fleet = [instance('a', 'running', 0), instance('b', 'terminated', 0), instance('c', 'terminated', 120)]
  const events = [
    event('running', 'a', 150),
    event('terminated', 'c', 160),
    event('failed', 'b', 170),
    event('terminated', 'b', 180),
    event('running', 'of another', 190),
  ]
  // b ran before the range; c ended without having started; b's end after its failure counts once.
  assert.deepEqual(runningSteps(fleet, events, 100), [
    [100, 1],
    [150, 2],
    [170, 1],
  ])
})

test('a span is read as it is shown', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 129_600 }), (count) => minutesOf(spanText(count)) === count))
  assert.deepEqual(['90', '1d 12h', '24 h', '', 'soon', '1.5h'].map(minutesOf), [
    90,
    2_160,
    1_440,
    undefined,
    undefined,
    90,
  ])
  assert.deepEqual(['2.500000', '10.000000', '0.000001', null].map(priceText), ['2.50', '10.00', '0.000001', ''])
})

test('forms become bodies, and what is wrong names its field', () => {
  const wrongOf = (asked: object) => ('wrong' in asked ? asked.wrong : '')
  const fleet = { ...emptyDeployment, pool: 'p', sku: 's', template: 't' }
  assert.equal(wrongOf(deploymentRequest({ ...fleet, template: '' })), 'template')
  assert.equal(wrongOf(deploymentRequest({ ...fleet, count: 'two' })), 'count')
  assert.equal(wrongOf(deploymentRequest({ ...fleet, kind: 'spot', price: 'cheap' })), 'price')
  assert.deepEqual(deploymentRequest({ ...fleet, kind: 'spot', count: '4', price: '$1,200.5' }), {
    body: {
      ...{ kind: 'spot', pool: 'p', sku: 's', instance_template: 't', target_instance_count: 4 },
      max_buy_price_dollars_per_node_hour: '1200.5',
    },
  })
  const keep = { ...emptyProcurement, pool: 'p', sku: 's', buy: '2', sell: '3.5' }
  assert.equal(wrongOf(procurementRequest({ ...keep, window: 'soon' })), 'window')
  assert.equal(wrongOf(procurementRequest({ ...keep, buy: '' })), 'buy')
  assert.deepEqual(procurementRequest({ ...keep, buy: '', follows: true }, false), {
    body: {
      ...{ pool: 'p', sku: 's', target: 'node_count' },
      ...{ min_sell_price_dollars_per_node_hour: '3.5', managed_window_minutes: 1_440 },
    },
  })
})

test('only what differs is changed, and a command says the same', () => {
  const body = { name: 'keep', target: 2, max_buy_price_dollars_per_node_hour: '2.50', managed_window_minutes: 90 }
  const before = { ...body, target: 1, max_buy_price_dollars_per_node_hour: '2.500000' }
  assert.deepEqual(changesOf(body, before), { target: 2 })
  assert.deepEqual(flagsOf({ ...body, enabled: false }), {
    ...{ name: 'keep', target: '2', 'max-buy-price': '2.50', 'managed-window': '1h30m', 'no-enabled': true },
  })
})
