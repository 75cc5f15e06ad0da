import assert from 'node:assert/strict'
import { test } from 'vitest'
import { samplesOf, sumOf } from './metrics.rules.ts'

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
