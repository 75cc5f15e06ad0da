import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { atEnd } from '../../../../../test/at-end.ts'
import { newSpec } from '../../../test/support/new-spec.ts'
import { files, uuidOf } from './command-line.rules.ts'
import { qemuDescriptors } from './descriptors.rules.ts'
import { isGone, launch, noteProcess, processOf } from './process.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-process-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A process that behaves as one whose memory is gone and whose files are still open: it has no command line. */
const nameless = "process.title = ''; console.log('ready'); setInterval(() => {}, 1000)"

test('a machine is gone when its process is, and not when its command line is empty', async () => {
  const spec = newSpec(root, null)
  const child = spawn(process.execPath, ['-e', nameless, uuidOf(spec.id)], { stdio: ['ignore', 'pipe', 'inherit'] })
  atEnd(() => child.kill('SIGKILL'))
  const pid = child.pid as number
  await noteProcess(spec.directory, pid)
  await once(child.stdout, 'data')
  assert.equal(readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(uuidOf(spec.id)), false)
  assert.equal(await processOf(spec), pid)
  assert.equal(await isGone(spec, 1), false)
  child.kill('SIGKILL')
  assert.equal(await isGone(spec, 30_000), true)
})

test('a process that only waits for its parent is gone', async () => {
  const spec = newSpec(root, null)
  // A shell reaps its children until a program has replaced it, so the number is shown by that program.
  const script = 'sleep 600 & echo $! > "$0"; exec tail -f "$0"'
  const words = ['-c', script, join(spec.directory, 'child')]
  const parent = spawn('sh', words, { stdio: ['ignore', 'pipe', 'inherit'] })
  atEnd(() => parent.kill('SIGKILL'))
  const [line] = await once(parent.stdout, 'data')
  const pid = Number(String(line))
  await noteProcess(spec.directory, pid)
  assert.equal(await processOf(spec), pid)
  process.kill(pid, 'SIGKILL')
  assert.equal(await isGone(spec, 30_000), true)
  assert.match(readFileSync(`/proc/${pid}/stat`, 'utf8'), /\) Z /)
})

test('a process that has the number of an earlier one is not the machine', async () => {
  const spec = newSpec(root, null)
  await noteProcess(spec.directory, process.pid)
  assert.equal(await processOf(spec), process.pid)
  const path = join(spec.directory, files.process)
  const [pid, started, boot] = readFileSync(path, 'utf8').trim().split(' ')
  writeFileSync(path, `${pid} ${Number(started) - 1} ${boot}\n`)
  assert.equal(await processOf(spec), undefined)
  writeFileSync(path, `${pid} ${started} another-boot\n`)
  assert.equal(await processOf(spec), undefined)
  writeFileSync(path, `${pid}\n`)
  assert.equal(await processOf(spec), undefined, 'of an agent of before, without the name of the machine')
})

test('a machine is found by its name where the agent was killed before it had noted its process', async () => {
  const spec = newSpec(root, null)
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', uuidOf(spec.id)], { stdio: 'ignore' })
  atEnd(() => child.kill('SIGKILL'))
  await once(child, 'spawn')
  assert.equal(await processOf(spec), child.pid, 'it has no file')
  writeFileSync(join(spec.directory, files.process), '')
  assert.equal(await processOf(spec), child.pid, 'the file was made, and nothing was written to it')
})

test('a machine starts with each of its files under the number of this file', async () => {
  const spec = newSpec(root, null)
  const inMachine = (name: string) => join(spec.directory, name)
  const plain = { console: files.console, disk: files.disk, seed: files.seed, variables: files.variables }
  const paths = Object.entries(plain).map(([name, file]) => [name, inMachine(file)] as const)
  const shared = { image: inMachine('shared-image'), uefi: inMachine('shared-firmware') }
  const expected = new Map([...paths, ['image', shared.image] as const, ['firmware', shared.uefi] as const])
  for (const path of expected.values()) writeFileSync(path, '')
  const child = await launch(spec, [process.execPath, '-e', 'setInterval(() => {}, 1000)'], shared)
  atEnd(() => child.kill('SIGKILL'))
  for (const [name, number] of Object.entries(qemuDescriptors)) {
    const link = readlinkSync(`/proc/${child.pid}/fd/${number}`)
    assert.equal(link.startsWith('socket:') ? undefined : link, expected.get(name), name)
  }
})
