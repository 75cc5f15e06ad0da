import assert from 'node:assert/strict'
import { test } from 'vitest'
import { describeRecovery } from './recovery-log.rules.ts'

test('the log of a recovery tells the last commit, the first lost one and the new timeline', () => {
  const stopping = 'recovery stopping before commit of transaction 771, time 2026-11-29 03:00:00.123456+00'
  const log = `2026-11-29 03:20:01 UTC [12] LOG:  starting backup recovery with redo LSN 0/2000028
2026-11-29 03:20:02 UTC [12] LOG:  ${stopping}
2026-11-29 03:20:02.302 UTC [12] LOG:  last completed transaction was at log time 2026-11-29 02:59:59.5+00
2026-11-29 03:20:02.400 UTC [12] LOG:  selected new timeline ID: 2`
  assert.deepEqual(describeRecovery(log), {
    last_commit_at: '2026-11-29T02:59:59.5Z',
    first_lost: { transaction: 771, at: '2026-11-29T03:00:00.123456Z' },
    timeline: 2,
  })
  assert.deepEqual(describeRecovery('2026-11-29 03:20:01.101 UTC [12] LOG:  redo is not required'), {
    last_commit_at: undefined,
    first_lost: undefined,
    timeline: undefined,
  })
})
