import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { openKernelTree } from '../../test/support/kernel-tree.ts'
import { filesOf } from '../../test/support/machine-trees.ts'
import { simulatedDriver } from '../drivers/simulated/simulated.ts'
import { startFailure } from '../problems.ts'
import { openHostDevices } from './host-devices.ts'
import { endProbes, verifySlot, withholdFromProbes } from './verify-slot.ts'

const gpu = '0000:0f:00.0'
const audio = '0000:0f:00.1'
const folder = '/sys/bus/pci/devices'
const size = { cpu_count: 8, memory_bytes: 2 ** 34, storage_bytes: null, accelerators: 1, devices: [gpu] }

/** A driver whose machines show what a test says, or fail to start. */
function driverThat(...answers: (string | Error)[]) {
  const done: string[] = []
  let shown = ''
  const start = async () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    done.push('start')
    if (answer instanceof Error) throw answer
    shown = answer ?? ''
  }
  const destroy = async ({ id }: { id: string }) => {
    done.push(`destroy ${id}`)
    if (answers[0] === 'stuck') throw new Error('Its process does not end.')
  }
  const console = async () => ({ first_byte: 0, bytes: Buffer.from(shown) })
  return { done, driver: { ...simulatedDriver(), start, destroy, console } }
}

async function open(...answers: (string | Error)[]) {
  const files = filesOf('hgx-a100')
  const group = [...files.keys()].find((path) => path.endsWith(`/devices/${gpu}`) && path.includes('iommu_groups'))
  files.set(`${folder}/${audio}/class`, '0x040300')
  files.set(`${folder}/${audio}/vendor`, '0x10de')
  files.set(`${folder}/${audio}/device`, '0x1aef')
  files.set((group as string).replace(gpu, audio), `->../../../../devices/${audio}`)
  const kernel = await openKernelTree(files, [gpu, audio])
  const directory = mkdtempSync(join(tmpdir(), 'bourse-probes-'))
  atEnd(() => rmSync(directory, { recursive: true, force: true }))
  const { done, driver } = driverThat(...answers)
  const devices = await openHostDevices({ directory, tree: kernel.tree, ownerOf: () => 59_000, log: () => {} })
  const timing = { pauses: [0, 0], seconds_max: 0 }
  const ids = (await kernel.tree.text(`${folder}/${gpu}/device`))?.slice(2)
  return { done, driver, devices, directory, ids, options: { driver, devices, tree: kernel.tree, directory, timing } }
}

test('a slot whose accelerator brings its audio output with it is good', async () => {
  const { ids } = await open('')
  const { options, devices, done } = await open(`pci 10de:${ids}\npci 10de:1aef\nall seen\n`)
  assert.equal(await verifySlot(options, { slot: 3, size }), undefined)
  assert.deepEqual([done, devices.withheld().size], [['start', 'destroy probe-3'], 0])
  assert.deepEqual(
    devices.checks().map(({ slot, is_good }) => [slot, is_good]),
    [[3, true]],
  )
})

test('devices that a machine does not see go to no machine, without another try', async () => {
  const { options, devices, done } = await open('all seen\n')
  assert.match((await verifySlot(options, { slot: 3, size })) ?? '', /10de:1aef/)
  assert.equal(done.filter((one) => one === 'start').length, 1)
  assert.deepEqual([...devices.withheld().keys()], [gpu])
})

test('a machine that does not start is tried again, and says nothing of its devices', async () => {
  const full = startFailure('disk_full', 'The disk of the host is full.')
  const { ids } = await open('')
  const good = `pci 10de:${ids}\npci 10de:1aef\nall seen\n`
  const again = await open(full, good)
  assert.equal(await verifySlot(again.options, { slot: 3, size }), undefined)
  const never = await open(full)
  assert.match((await verifySlot(never.options, { slot: 3, size })) ?? '', /its probe machine fails: The disk/)
  assert.equal(never.done.filter((one) => one === 'start').length, 3)
  assert.equal(never.devices.withheld().size, 0)
  assert.deepEqual(
    never.devices.checks().map(({ is_good }) => is_good),
    [false],
  )
})

test('a machine that shows nothing in several tries keeps its devices back', async () => {
  const { options, devices, done } = await open('SeaBIOS\n')
  assert.match((await verifySlot(options, { slot: 3, size })) ?? '', /shows no devices in time/)
  assert.equal(done.filter((one) => one === 'start').length, 3)
  assert.deepEqual([...devices.withheld().keys()], [gpu])
})

test('a probe machine that does not end keeps its devices, which are named', async () => {
  const { options, devices } = await open('stuck')
  const reason = 'its probe machine still has it: Its process does not end'
  assert.equal(await verifySlot(options, { slot: 3, size }), reason)
  assert.deepEqual(await devices.problems(), [`${gpu}: ${reason}`, `${audio}: ${reason}`])
  // The slot has another device since.
  const other = { ...size, devices: ['0000:07:00.0'] }
  assert.equal(await verifySlot(options, { slot: 3, size: other }), reason)
  assert.deepEqual([...devices.withheld().keys()], [gpu, audio])
  assert.deepEqual(
    devices.devicesOf('probe-3').map(({ pci }) => pci),
    [gpu, audio],
  )
})

test('the devices of a probe machine that an earlier agent could not end are named', async () => {
  const { options, devices } = await open('stuck')
  await verifySlot(options, { slot: 3, size })
  const probes = await endProbes(options)
  await devices.sweep(new Set(probes))
  await withholdFromProbes(devices, probes)
  const reason = 'a probe machine of an earlier agent still has it'
  assert.deepEqual(
    [...devices.withheld()],
    [
      [gpu, reason],
      [audio, reason],
    ],
  )
})

test('the probe machines of an agent that was killed are ended before their devices are reset', async () => {
  const { options, directory, done } = await open('')
  for (const name of ['probe-3', 'probe-12', 'slot-3.img'])
    mkdirSync(join(directory, 'probes', name), { recursive: true })
  assert.deepEqual(await endProbes(options), [])
  assert.deepEqual(done.sort(), ['destroy probe-12', 'destroy probe-3'])
  assert.equal(existsSync(join(directory, 'probes', 'probe-3')), false)
  // All at once: one that does not end takes its time.
  for (const name of ['probe-3', 'probe-12']) mkdirSync(join(directory, 'probes', name), { recursive: true })
  const both = Promise.withResolvers<void>()
  let begun = 0
  const destroy = () => {
    begun += 1
    if (begun === 2) both.resolve()
    return both.promise
  }
  assert.deepEqual(await endProbes({ directory, driver: { ...options.driver, destroy } }), [])
  const stuck = await open('stuck')
  mkdirSync(join(stuck.directory, 'probes', 'probe-3'), { recursive: true })
  assert.deepEqual(await endProbes(stuck.options), ['probe-3'])
  assert.equal(existsSync(join(stuck.directory, 'probes', 'probe-3')), true)
})
