import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { files } from '../../src/drivers/qemu/command-line.rules.ts'
import { isGone, noteProcess, processOf } from '../../src/drivers/qemu/process.ts'
import { qemuDriver } from '../../src/drivers/qemu/qemu.ts'
import { machinesFolder } from '../support/driver-contract.ts'
import { newSpec } from '../support/new-spec.ts'
import { openMonitor } from '../support/qemu-monitor.ts'
import { lacking } from './world.ts'

const skip = await lacking()

test('a machine that has ended is found with its end while its process outlives SIGKILL', leftOut(skip), async () => {
  const directory = machinesFolder()
  const driver = qemuDriver({ directory, host_address: '127.0.0.1', kill_milliseconds: 1 })
  atEnd(() => driver.close?.())
  const spec = newSpec(directory, null)
  const stuck = await startStuck(join(directory, 'pid'))
  await noteProcess(spec.directory, stuck.pid)
  const resources = join(spec.directory, files.resources)
  writeFileSync(resources, '{}')
  await openMonitor(spec, 'shutdown')
  assert.equal(await driver.adopt(spec), 'guest_shutdown')
  assert.equal(await processOf(spec), stuck.pid)
  assert.ok(existsSync(resources), 'its process still has its memory')
  await assert.rejects(driver.stop(spec, 0), /does not end/)
  stuck.release()
  assert.equal(await isGone(spec, 60_000), true)
  await driver.stop(spec, 0)
  assert.ok(!existsSync(resources))
})

/**
 * A process that stays when it is killed, as one whose device hangs: the first one of a namespace ends after all others
 * there, and the parent of the second one, outside, does not reap it.
 */
async function startStuck(note: string) {
  const script = 'sleep 600 & echo $! > "$0"; sleep 600 & exec tail -f "$0"'
  const words = ['--pid', 'sh', '-c', script, note]
  const parent = spawn('unshare', words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const release = () => parent.kill('SIGKILL')
  atEnd(release)
  const [line] = await once(parent.stdout, 'data')
  return { pid: Number(String(line)), release }
}
