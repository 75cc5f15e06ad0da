import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openKernelTree } from '../../test/support/kernel-tree.ts'
import { filesOf, writeTree } from '../../test/support/machine-trees.ts'
import { pause, waitFor } from '../clock.ts'
import { knownAccelerators } from '../facts/accelerator-models.ts'
import { readHardware } from '../facts/hardware.ts'
import { late, openBoundedWork } from './bounded-work.ts'
import { openHostDevices } from './host-devices.ts'
import { isAnswering } from './read-host.ts'

const folder = '/sys/bus/pci/devices'
const [first, second] = ['0000:07:00.0', '0000:0f:00.0'] as const

async function open(bounds: { readonly read: number; readonly reset: number }) {
  const kernel = await openKernelTree(filesOf('hgx-a100'), [first, second])
  const directory = writeTree(new Map())
  const log: string[] = []
  const devices = await openHostDevices({
    ...{ directory, tree: kernel.tree, ownerOf: (slot) => 59_000 + slot, bounds },
    log: (message, fields) => void log.push(`${message} ${JSON.stringify(fields)}`),
  })
  return { kernel, devices, log }
}

const userOf = (slot: number, pci: string) => ({
  id: `inst_${slot}`,
  slot,
  size: { accelerators: 1, devices: [pci] },
})
const within = { every: 10, at_most: 20_000 }

test('more devices hang than this process has threads, and it still works with files', {
  timeout: 30_000,
}, async () => {
  const { kernel } = await open({ read: 1_000, reset: 1_000 })
  const hung = Array.from({ length: 12 }, (_, index) => `0000:f${index.toString(16)}:00.0`)
  const releases = hung.map((pci) => {
    kernel.set(`${folder}/${pci}/class`, '0x030200')
    return kernel.block(`${folder}/${pci}/config`)
  })
  const work = openBoundedWork<boolean>()
  const looks = hung.map((pci) => work.run(pci, 500, () => isAnswering(kernel.tree, pci)))
  const path = join(kernel.root, 'note')
  await writeFile(path, 'works')
  assert.equal(await readFile(path, 'utf8'), 'works')
  assert.deepEqual(
    await Promise.all(looks),
    hung.map(() => late),
  )
  assert.deepEqual(work.overdue(), hung)
  await writeFile(path, 'still works')
  assert.equal(readFileSync(path, 'utf8'), 'still works')
  for (const release of releases) release()
  assert.deepEqual(await waitFor(() => work.overdue().length === 0 || undefined, within), true)
})

test('facts name devices that hang at a read of themselves or of their link, and hold all others', async () => {
  const { kernel } = await open({ read: 1_000, reset: 1_000 })
  const releases = [`${first}/config`, `${second}/max_link_width`].map((file) => kernel.block(`${folder}/${file}`))
  const reading = readHardware({
    ...{ tree: kernel.tree, table: knownAccelerators, directory: '/raid/bourse', answer_within: 4_000 },
    ...{ storage: { size_bytes: 1, free_bytes: 1 }, is_kvm_usable: true, qemu: null },
  })
  const ended = new AbortController()
  const tooLate = pause(20_000, ended.signal).then(() => 'too late')
  const first_of = await Promise.race([reading.then(() => 'in time'), tooLate])
  ended.abort()
  for (const release of releases) release()
  assert.equal(first_of, 'in time')
  const hardware = await reading
  assert.deepEqual(
    hardware.problems.filter((problem) => problem.includes('hangs')),
    [first, second].map((pci) => `${pci} is left out: it does not answer within 4 s: it hangs`),
  )
  const [model] = hardware.accelerators
  assert.equal(model?.devices.length, 6)
  assert.ok(model.devices.every(({ pcie_lanes }) => pcie_lanes === 16))
})

test('a change of driver that hangs delays no machine with another device, and its device is named', async () => {
  const { kernel, devices } = await open({ read: 4_000, reset: 4_000 })
  const release = kernel.block(`${folder}/${first}/driver_override`)
  const taken = devices.take(userOf(0, first)).then(
    () => 'taken',
    (error: Error) => error.message,
  )
  // A whole machine begins and ends meanwhile.
  const other = devices.take(userOf(1, second)).then(() => devices.release('inst_1'))
  assert.equal(await Promise.race([taken, other.then(() => 'other')]), 'other')
  const hangs = 'the change of its driver has not ended within 4 s: it hangs'
  assert.equal(await taken, `${first} cannot be bound to vfio-pci: ${hangs}.`)
  const reason = 'the change of its driver does not end: it hangs'
  assert.deepEqual([...devices.withheld()], [[first, reason]])
  assert.deepEqual(await devices.problems(), [`${first}: ${reason}`])
  await devices.release('inst_0')
  assert.match((await devices.take(userOf(2, first)).catch((error: Error) => error.message)) as string, /does not end/)
  release()
  const isFree = async () => {
    await devices.problems()
    return devices.withheld().size === 0 || undefined
  }
  assert.equal(await waitFor(isFree, within), true)
  await devices.take(userOf(2, first))
})

test('a device that hangs on its way back delays no other', async () => {
  const { kernel, devices, log } = await open({ read: 4_000, reset: 4_000 })
  for (const [slot, pci] of [first, second].entries()) {
    await devices.take(userOf(slot, pci))
    await devices.release(`inst_${slot}`)
  }
  const release = kernel.block(`${folder}/${first}/driver_override`)
  await devices.giveBack()
  assert.deepEqual(await Promise.all([first, second].map(kernel.driverOf)), ['vfio-pci', 'nvidia'])
  assert.match(log.join(), /could not be given back.*0000:07:00.0.*does not end/)
  release()
  assert.equal(await waitFor(() => devices.withheld().size === 0 || undefined, within), true)
})
