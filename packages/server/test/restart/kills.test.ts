import assert from 'node:assert/strict'
import { test } from 'vitest'
import { describeKills, runKills } from './kills/run.ts'

const seed = 'every commit'

test('kills of any process lose no acknowledged effect and duplicate none', async ({ annotate }) => {
  // On a loaded machine few of the calls have come as far as a COMMIT when their process is killed.
  const report = await runKills({ rounds: 20, more_rounds: 40, seed })
  await annotate(describeKills(report))
  assert.deepEqual(report.failures, [], report.failures.join('\n'))
  assert.ok(report.found > 0, 'no unanswered call had taken effect')
})

test('with unsafe commits the loop finds the lost effects', async ({ annotate }) => {
  const settings = { synchronous_commit: 'off', wal_writer_delay: '10s' }
  const victims = ['postgres with its children'] as const
  const report = await runKills({ rounds: 6, seed, settings, victims, until_wrong: true })
  await annotate(describeKills(report))
  assert.ok(report.failures.some((failure) => failure.startsWith('lost: ')))
})
