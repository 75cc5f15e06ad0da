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

test('a program that does not say its version is older than those that do, whatever the schema is', () => {
  const running = [{ schema_version: 81 }, { schema_version: null }]
  const stopped = (version: number, pending_serves: number) => stoppedPrograms(running, { version, pending_serves })
  assert.deepEqual(stopped(81, 78), [])
  assert.deepEqual(stopped(81, 79), [{ schema_version: null }])
  assert.deepEqual(stopped(81, 82), running)
})
