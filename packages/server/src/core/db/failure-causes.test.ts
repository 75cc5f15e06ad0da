import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openLog } from '../base/log.ts'
import { createFailureCounts, describeFailure, failureCause } from './failure-causes.ts'

const withCode = (code: string) => Object.assign(new Error('refused'), { code })

test('each error of the database has a cause, and the message for the caller follows it', () => {
  const causes = [
    '55P03',
    '57014',
    '25P03',
    '53100',
    '53300',
    '25006',
    '57P03',
    '57P01',
    '08006',
    'ECONNREFUSED',
    '53400',
  ]
  assert.deepEqual(
    causes.map((code) => failureCause(withCode(code))),
    [
      ...['lock_timeout', 'statement_timeout', 'idle_in_transaction', 'disk_full', 'too_many_connections', 'read_only'],
      ...['starting_up', 'unreachable', 'unreachable', 'unreachable', 'other'],
    ],
  )
  assert.equal(failureCause(new Error('timeout exceeded when trying to connect')), 'no_free_connection')
  assert.equal(failureCause(new Error('Connection terminated unexpectedly')), 'unreachable')
  assert.equal(describeFailure(withCode('53100')), 'The database has no space left.')
  assert.equal(describeFailure(withCode('08006')), 'The database does not respond.')
})

test('failures are counted by cause, and logged in sums', () => {
  const lines: { cause: string; count: number }[] = []
  const log = openLog('warn', { write: (line) => void lines.push(JSON.parse(line)) })
  let now = 0
  const failures = createFailureCounts(log, () => now)
  for (let n = 0; n < 5; n++) failures.record(withCode('55P03'))
  failures.record(withCode('53100'))
  now = 10_000
  failures.record(withCode('55P03'))
  assert.deepEqual(
    [...failures.counts],
    [
      ['lock_timeout', 6],
      ['disk_full', 1],
    ],
  )
  assert.deepEqual(
    lines.map(({ cause, count }) => `${cause} ${count}`),
    ['lock_timeout 1', 'disk_full 1', 'lock_timeout 5'],
  )
})
