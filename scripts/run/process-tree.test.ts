import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished, test } from 'vitest'
import { leftOut } from '../../test/left-out.ts'
import { commandOf, descendantsOf, processFromStat, variableOf } from './process-tree.ts'

test('the parent and the time of a process are read behind a name with spaces and parentheses', () => {
  const fields = ['S', '17', ...Array.from({ length: 9 }, () => '9'), '150', '50', '1000', '25', '20', '0']
  assert.deepEqual(processFromStat(4711, `4711 (a) b (c) ${fields.join(' ')}`), {
    pid: 4711,
    parent: 17,
    seconds: 12.25,
  })
})

const notLinux = process.platform !== 'linux' && 'not Linux'

test('processes below this one are found with their command and their variables', leftOut(notLinux), async () => {
  const inner = "require('node:child_process').spawn('sleep', ['1000'], { stdio: 'inherit' }); console.log('started')"
  const env = { ...process.env, BOURSE_TEST_MARK: 'a mark' }
  const child = spawn(process.execPath, ['-e', inner], { env })
  const pid = child.pid as number
  await once(child.stdout, 'data')
  const below = descendantsOf(process.pid)
  const sleeping = below.filter(({ parent }) => parent === pid)
  onTestFinished(() => {
    for (const one of [...sleeping, { pid }]) process.kill(one.pid, 'SIGKILL')
  })
  assert.ok(below.some((one) => one.pid === pid))
  assert.deepEqual(
    sleeping.map((one) => [commandOf(one.pid), variableOf(one.pid, 'BOURSE_TEST_MARK')]),
    [['sleep 1000', 'a mark']],
  )
  assert.equal(variableOf(pid, 'BOURSE_OTHER_MARK'), undefined)
})
