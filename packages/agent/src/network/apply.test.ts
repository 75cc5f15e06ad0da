import assert from 'node:assert/strict'
import { test } from 'vitest'
import { runCommand } from './apply.ts'
import type { NetworkCommand } from './commands.rules.ts'

test('a missing tool fails at once, and leaves no timer that delays the exit', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  const program = 'no-tool-has-this-name' as NetworkCommand['program']
  await assert.rejects(runCommand({ program, namespace: null, words: [], input: null }), { code: 'ENOENT' })
  assert.equal(timers(), before)
})
