/** A kill of the server and one of PostgreSQL under load, in every `npm test`. kills.test.ts has twenty. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { describeKills, runKills } from './kills/run.ts'

const victims = ['server', 'postgres with its children'] as const

test('a kill of the server and one of PostgreSQL lose no acknowledged effect and duplicate none', async ({
  annotate,
}) => {
  const report = await runKills({ rounds: victims.length, seed: 'every commit', victims })
  await annotate(describeKills(report))
  assert.deepEqual(report.failures, [], report.failures.join('\n'))
})
