import assert from 'node:assert/strict'
import { test } from 'vitest'
import { exportKinds, exportProblem, exportQuery } from './exports.rules.ts'

const days = { from: '1970-01-02', to: '1970-01-03' }

test('the last day is included', () => {
  assert.equal(
    exportQuery({ ...days, kind: 'ledger', encoding: 'parquet' }),
    'from=86400&to=259200&format=ledger_parquet',
  )
  assert.equal(
    exportQuery({ ...days, kind: 'focus_1_2', encoding: 'csv' }),
    'from=86400&to=259200&format=focus&focus_version=1.2&encoding=csv',
  )
  assert.match(exportQuery({ ...days, kind: 'billing_periods', encoding: 'csv' }), /dataset=billing_periods/)
  assert.ok(Object.keys(exportKinds).length > 4)
})

test('days that cannot be exported are said before the download', () => {
  assert.equal(exportProblem(days, 200_000), undefined)
  assert.match(exportProblem({ from: days.to, to: days.from }, 200_000) ?? '', /before the first/)
  assert.match(exportProblem({ from: '1970-01-01', to: '1972-01-01' }, 1e9) ?? '', /at most 400 days/)
  assert.match(exportProblem({ from: '', to: '' }, 0) ?? '', /Choose/)
})
