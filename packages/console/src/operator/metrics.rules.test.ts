import assert from 'node:assert/strict'
import { test } from 'vitest'
import { auditsOf, figuresOf, requestRates, samplesOf, sumOf, withFigures } from './metrics.rules.ts'

const text = `# HELP bourse_resting_orders Orders
# TYPE bourse_resting_orders gauge
bourse_resting_orders{side="buy"} 3
bourse_resting_orders{side="sell"} 4
bourse_resting_orders_total 99
bourse_audit_last_run_timestamp_seconds 1.7e9
bourse_odd{text="a\\"b,c=\\"d\\""} 1
`

test('samples are those of the very metric', () => {
  assert.equal(sumOf(text, 'bourse_resting_orders'), 7)
  assert.equal(sumOf(text, 'bourse_audit_last_run_timestamp_seconds'), 1.7e9)
  assert.equal(sumOf(text, 'bourse_missing'), undefined)
  assert.deepEqual(samplesOf(text, 'bourse_resting_orders')[1], { labels: { side: 'sell' }, value: 4 })
})

test('labels may contain quotes and commas', () => {
  assert.deepEqual(samplesOf(text, 'bourse_odd'), [{ labels: { text: 'a"b,c="d"' }, value: 1 }])
})

test('figures are kept for an hour, each moment once, and requests become a rate', () => {
  const read = (at: number, requests: number) => figuresOf(`bourse_http_request_seconds_count ${requests}`, at)
  const all = [0, 15, 15, 30, 45].map((at) => read(at, [10, 40, 70, 5][at / 15] as number))
  const history = all.reduce(withFigures, [] as ReturnType<typeof withFigures>)
  assert.deepEqual(requestRates(history), [null, 2, 2, null])
  assert.deepEqual(requestRates([figuresOf('', 0), read(1, 2)]), [null, null])
  const long = Array.from({ length: 300 }, (_, at) => read(at, at)).reduce(withFigures, history)
  assert.deepEqual([long.length, long.at(-1)?.at], [240, 299])
})

test('audits that have not run say nothing, also where their figures are zero', () => {
  assert.deepEqual(auditsOf('bourse_audit_last_run_timestamp_seconds 0'), { run_at: undefined, violations: [] })
  const run = 'bourse_audit_last_run_timestamp_seconds 1.7e9\nbourse_audit_violations{audit="ledger.sum"} 2'
  assert.deepEqual(auditsOf(run), { run_at: 1.7e9, violations: [{ audit: 'ledger.sum', rows: 2 }] })
})
