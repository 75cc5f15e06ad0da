import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../../../test/at-end.ts'
import { machinesFolder } from '../../../test/support/driver-contract.ts'
import { newSpec } from '../../../test/support/new-spec.ts'
import { openMonitor } from '../../../test/support/qemu-monitor.ts'
import { files } from './command-line.rules.ts'
import { noteProcess, processOf } from './process.ts'
import { qemuDriver } from './qemu.ts'

test('a machine whose monitor closes keeps its processors and its memory until its process is gone', async () => {
  const directory = machinesFolder()
  const driver = qemuDriver({ directory, host_address: '127.0.0.1' })
  const [spec, other] = [newSpec(directory, null), newSpec(directory, null)]
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  atEnd(() => child.kill('SIGKILL'))
  await noteProcess(spec.directory, child.pid as number)
  const resources = join(spec.directory, files.resources)
  writeFileSync(resources, '{}')
  const close = await openMonitor(spec, 'running')
  const ended = new Promise((resolve) => driver.onEnd((id, end) => resolve([id, end])))
  assert.equal(await driver.adopt(spec), undefined)
  close()
  assert.deepEqual(await ended, [spec.id, 'machine_lost'])
  // What the driver does by itself at the end of a machine comes before what it does for another one afterwards.
  await driver.stop(other, 0)
  assert.equal(await processOf(spec), child.pid)
  assert.ok(existsSync(resources), 'its process still has its memory')
  await driver.stop(spec, 0)
  assert.deepEqual([await processOf(spec), existsSync(resources)], [undefined, false])
})
