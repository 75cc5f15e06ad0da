import assert from 'node:assert/strict'
import { test } from 'vitest'
import { errorTotal, type FunctionReading, type HostReading, healthProblems } from './health.rules.ts'
import { planReset, resetProblem } from './reset.rules.ts'

const good: FunctionReading = {
  pci: '0000:1b:00.0',
  is_there: true,
  answers: true,
  fatal_errors: 2,
  nonfatal_errors: 0,
}
const reading = (change: Partial<HostReading> = {}, one: Partial<FunctionReading> = {}): HostReading => ({
  at: 60_000,
  functions: [{ ...good, ...one }],
  memory_errors: new Map(),
  throttled: null,
  ...change,
})
const first = new Map([[good.pci, good]])

test('a device that is gone, is silent, or has new bus errors is named', () => {
  const named = (one: Partial<FunctionReading>) => healthProblems(reading({}, one), { first }).join()
  assert.equal(named({}), '')
  assert.match(named({ is_there: false, answers: false }), /is gone/)
  assert.match(named({ answers: false }), /does not answer/)
  assert.equal(named({ answers: false, late_after: 5 }), `${good.pci} does not answer within 5 s: it hangs`)
  assert.match(named({ fatal_errors: 3 }), /has 1 fatal bus errors/)
  assert.match(named({ nonfatal_errors: 4 }), /has 4 uncorrectable bus errors/)
  // The device has been reset by its guest, so its counter begins again.
  assert.match(named({ fatal_errors: 1 }), /has 1 fatal bus errors/)
  assert.equal(named({ fatal_errors: null, nonfatal_errors: null }), '')
  assert.equal(errorTotal('Undefined 0\nDLP 4\nTOTAL_ERR_FATAL 4\n'), 4)
  assert.equal(errorTotal('nonsense'), null)
})

test('memory errors and heat of the host are named', () => {
  const memory_errors = new Map([
    ['mc0', 0],
    ['mc1', 2],
  ])
  assert.deepEqual(healthProblems(reading({ memory_errors }), { first }), [
    '2 uncorrectable memory errors on mc1 since the host started',
  ])
  const before = reading({ at: 0, throttled: 1_000 })
  const hot = (throttled: number) => healthProblems(reading({ throttled }), { first, before })
  assert.deepEqual(hot(7_000), [])
  assert.deepEqual(hot(16_000), ['the processors are too hot: throttled 25 % of the time'])
  assert.deepEqual(hot(0), [])
})

test('a device is cleared by the methods that clear it, and by no other', () => {
  const problem = (methods: string | undefined, has_reset = true) => resetProblem('X', { methods, has_reset })
  assert.equal(problem('flr bus'), undefined)
  assert.equal(problem('pm bus'), undefined)
  assert.match(problem('pm') ?? '', /only by pm, which clears nothing/)
  assert.match(problem('') ?? '', /by no method/)
  assert.equal(problem(undefined), undefined)
  assert.match(problem(undefined, false) ?? '', /neither FLR nor a bus of its own/)
  const texts = (methods: string | undefined) => planReset('X', { methods }).map(({ path, text }) => `${path}=${text}`)
  const folder = '/sys/bus/pci/devices/X'
  assert.deepEqual(texts('flr bus'), [`${folder}/reset=1`])
  assert.deepEqual(texts('pm bus'), [`${folder}/reset_method=bus`, `${folder}/reset=1`])
  assert.deepEqual(texts(undefined), [`${folder}/reset=1`])
})
