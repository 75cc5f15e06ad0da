import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from './apply.ts'
import type { NetworkCommand } from './commands.rules.ts'

test('a tool that is not there is told at once, and no timer holds the process up after it', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  const program = 'no-tool-has-this-name' as NetworkCommand['program']
  await assert.rejects(runCommand({ program, namespace: null, words: [], input: null }), { code: 'ENOENT' })
  assert.equal(timers(), before)
})
