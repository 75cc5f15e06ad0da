import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openLog } from '../base/log.ts'
import { createFailureCounts, describeFailure, failureCause, unconfirmed } from './failure-causes.ts'
import { replacedError } from './history.ts'

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
      'lock_timeout',
      'statement_timeout',
      'idle_in_transaction',
      'disk_full',
      'too_many_connections',
      'read_only',
      'starting_up',
      'unreachable',
      'unreachable',
      'unreachable',
      'other',
    ],
  )
  assert.equal(failureCause(new Error('timeout exceeded when trying to connect')), 'no_free_connection')
  assert.equal(failureCause(new Error('Connection terminated unexpectedly')), 'unreachable')
  assert.equal(failureCause(unconfirmed), 'unconfirmed')
  assert.equal(failureCause(replacedError('An older timeline.')), 'replaced_server')
  assert.equal(describeFailure(withCode('53100')), 'The database has no space left.')
  assert.equal(describeFailure(withCode('08006')), 'The database does not respond.')
})

test('failures are counted by cause, and logged in sums with the ids of requests', () => {
  const lines: { cause: string; count: number; request_ids?: string[] }[] = []
  const log = openLog('warn', { write: (line) => void lines.push(JSON.parse(line)) })
  let now = 0
  const failures = createFailureCounts(log, () => now)
  const logged = () => lines.splice(0).map(({ cause, count, request_ids }) => [cause, count, request_ids])
  assert.equal(failures.record(withCode('55P03'), 'first'), 'lock_timeout')
  for (let n = 1; n <= 30; n++) failures.record(withCode('55P03'), `next ${n}`)
  failures.record(withCode('53100'))
  assert.deepEqual(logged(), [
    ['lock_timeout', 1, ['first']],
    ['disk_full', 1, undefined],
  ])
  now = 9_999
  failures.check()
  assert.deepEqual(logged(), [])
  now = 10_000
  failures.check()
  assert.deepEqual(logged(), [['lock_timeout', 30, Array.from({ length: 20 }, (_, n) => `next ${n + 1}`)]])
  now = 20_000
  failures.check()
  assert.deepEqual(logged(), [], 'nothing has failed since')
  failures.record(withCode('55P03'), 'late')
  failures.record(withCode('55P03'), 'last')
  assert.deepEqual(logged(), [['lock_timeout', 1, ['late']]])
  failures.flush()
  assert.deepEqual(logged(), [['lock_timeout', 1, ['last']]])
  assert.deepEqual(
    [...failures.counts],
    [
      ['lock_timeout', 33],
      ['disk_full', 1],
    ],
  )
})
