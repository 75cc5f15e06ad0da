import assert from 'node:assert/strict'
import { test } from 'vitest'
import { describeKills, runKills } from '../restart/kills/run.ts'

test('after a kill of any process the server is ready again within ten seconds', async ({ annotate }) => {
  const report = await runKills({ rounds: 6, seed: 'recovery' })
  await annotate(describeKills(report))
  assert.deepEqual([...report.failures, ...report.late], [])
})
