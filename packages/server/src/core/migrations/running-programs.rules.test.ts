import assert from 'node:assert/strict'
import { test } from 'vitest'
import { stoppedPrograms } from './running-programs.rules.ts'

test('programs older than the pending migrations serve are stopped, and those that may be', () => {
  const running = [{ schema_version: 70 }, { schema_version: 69 }, { schema_version: null }]
  const stopped = (serves: number, pending_serves: number) => stoppedPrograms(running, { serves, pending_serves })
  assert.deepEqual(stopped(55, 55), [])
  assert.deepEqual(stopped(55, 56), [{ schema_version: null }])
  assert.deepEqual(stopped(55, 70), [{ schema_version: 69 }, { schema_version: null }])
  assert.deepEqual(stopped(55, 71), running)
})
