import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { stepsOf, valueAt } from '../live/steps.rules.ts'
import { chartOf, runningSteps, statusTone } from './automation.rules.ts'

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

test('a status that waits has another colour than one that is well', () => {
  const tone = (state: string, code: string) => statusTone({ state, code } as Parameters<typeof statusTone>[0])
  const tones = [tone('info', 'ok'), tone('info', 'waiting_for_allocation'), tone('warning', 'x'), tone('error', 'x')]
  assert.deepEqual(tones, ['good', 'busy', 'warn', 'bad'])
})
