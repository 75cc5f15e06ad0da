import assert from 'node:assert/strict'
import { onTestFinished, test, vi } from 'vitest'
import { runCommand } from './apply.ts'
import type { NetworkCommand } from './commands.rules.ts'

test('a missing tool fails at once, and leaves no timer that delays the exit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const program = 'no-tool-has-this-name' as NetworkCommand['program']
  const running = runCommand({ program, namespace: null, words: [], input: null })
  assert.equal(vi.getTimerCount(), 1)
  await assert.rejects(running, { code: 'ENOENT' })
  assert.equal(vi.getTimerCount(), 0)
})
