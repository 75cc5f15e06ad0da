import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'vitest'
import { leftOut } from '../../../../../test/left-out.ts'
import { isSameProcess, processIdentity, worksIn } from './process-identity.ts'

test('a running process has a unique identity that does not change', () => {
  const mine = processIdentity(process.pid)
  assert.ok(mine)
  assert.equal(processIdentity(process.pid), mine)
  assert.notEqual(processIdentity(process.ppid), mine)
  assert.ok(isSameProcess(process.pid, mine))
})

test('a dead process has no identity', async () => {
  const child = spawn(process.execPath, ['-e', '0'])
  const pid = child.pid ?? 0
  const identity = processIdentity(pid) ?? ''
  assert.notEqual(identity, '')
  await once(child, 'exit')
  assert.equal(processIdentity(pid), undefined)
  assert.equal(isSameProcess(pid, identity), false)
})

test(
  'the working directory of a process is visible',
  leftOut(process.platform !== 'linux' && 'not Linux'),
  async () => {
    const directory = realpathSync(tmpdir())
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume(); console.log(1)'], { cwd: directory })
    await once(child.stdout, 'data')
    assert.equal(worksIn(child.pid ?? 0, directory), true)
    assert.equal(worksIn(child.pid ?? 0, `${directory}/other`), false)
    child.stdin.end()
    await once(child, 'exit')
  },
)
