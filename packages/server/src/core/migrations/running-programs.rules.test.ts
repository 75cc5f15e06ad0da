import assert from 'node:assert/strict'
import { test } from 'vitest'
import { stoppedPrograms } from './running-programs.rules.ts'

test('programs older than the pending migrations serve are stopped, and those that may be', () => {
  const running = [{ schema_version: 70 }, { schema_version: 69 }, { schema_version: null }]
  const stopped = (version: number, pending_serves: number) => stoppedPrograms(running, { version, pending_serves })
  assert.deepEqual(stopped(70, 69), [])
  assert.deepEqual(stopped(70, 70), [{ schema_version: 69 }])
  assert.deepEqual(stopped(70, 71), running)
})
