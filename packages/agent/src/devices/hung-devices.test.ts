import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { openKernelTree } from '../../test/support/kernel-tree.ts'
import { openLateWork } from '../../test/support/late-work.ts'
import { filesOf, writeTree } from '../../test/support/machine-trees.ts'
import { knownAccelerators } from '../facts/accelerator-models.ts'
import { readHardware } from '../facts/hardware.ts'
import { late, openBoundedWork } from './bounded-work.ts'
import { openHostDevices } from './host-devices.ts'
import { isAnswering } from './read-host.ts'

const folder = '/sys/bus/pci/devices'
const [first, second] = ['0000:07:00.0', '0000:0f:00.0'] as const
/** The bound of a change of driver, in milliseconds, and that of a look of the facts. */
const [change, look] = [90_000, 30_000] as const

async function open() {
  const kernel = await openKernelTree(filesOf('hgx-a100'), [first, second])
  const directory = writeTree(new Map())
  const log: string[] = []
  const { wait, makeLate } = openLateWork()
  const devices = await openHostDevices({
    directory,
    tree: kernel.tree,
    ownerOf: (slot) => 59_000 + slot,
    wait,
    log: (message, fields) => void log.push(`${message} ${JSON.stringify(fields)}`),
  })
  return { kernel, devices, log, wait, makeLate }
}

const userOf = (slot: number, pci: string) => ({
  id: `inst_${slot}`,
  slot,
  size: { accelerators: 1, devices: [pci] },
})

test('more devices hang than this process has threads, and it still works with files', async () => {
  const { kernel, wait, makeLate } = await open()
  const hung = Array.from({ length: 12 }, (_, index) => `0000:f${index.toString(16)}:00.0`)
  const blocked = hung.map((pci) => {
    kernel.set(`${folder}/${pci}/class`, '0x030200')
    return kernel.block(`${folder}/${pci}/config`)
  })
  const work = openBoundedWork<boolean>(wait)
  const looks = hung.map((pci) => work.run(pci, 500, () => isAnswering(kernel.tree, pci)))
  const path = join(kernel.root, 'note')
  await writeFile(path, 'works')
  assert.equal(await readFile(path, 'utf8'), 'works')
  for (const pci of hung) await makeLate(pci, 500)
  assert.deepEqual(
    await Promise.all(looks),
    hung.map(() => late),
  )
  assert.deepEqual(work.overdue(), hung)
  await writeFile(path, 'still works')
  assert.equal(readFileSync(path, 'utf8'), 'still works')
  for (const { end } of blocked) end()
  await eventually('all reads have ended', () => work.overdue().length === 0)
})

test('facts name devices that hang at a read of themselves or of their link, and hold all others', async () => {
  const { kernel, wait, makeLate } = await open()
  const blocked = [`${first}/config`, `${second}/max_link_width`].map((file) => kernel.block(`${folder}/${file}`))
  const reading = readHardware({
    tree: kernel.tree,
    table: knownAccelerators,
    directory: '/raid/bourse',
    wait,
    storage: { size_bytes: 1, free_bytes: 1 },
    is_kvm_usable: true,
    qemu: null,
  })
  await eventually('both are read', () => blocked.every(({ begun }) => begun() > 0))
  for (const pci of [first, second]) await makeLate(pci, look)
  const hardware = await reading
  for (const { end } of blocked) end()
  assert.deepEqual(
    hardware.problems.filter((problem) => problem.includes('hangs')),
    [first, second].map((pci) => `${pci} is left out: it does not answer within 30 s: it hangs`),
  )
  const [model] = hardware.accelerators
  assert.equal(model?.devices.length, 6)
  assert.ok(model.devices.every(({ pcie_lanes }) => pcie_lanes === 16))
})

test('a change of driver that hangs delays no machine with another device, and its device is named', async () => {
  const { kernel, devices, makeLate } = await open()
  const blocked = kernel.block(`${folder}/${first}/driver_override`)
  const taken = devices.take(userOf(0, first)).then(
    () => 'taken',
    (error: Error) => error.message,
  )
  await eventually('the change has begun', () => blocked.begun() > 0)
  // A whole machine begins and ends meanwhile.
  await devices.take(userOf(1, second))
  await devices.release('inst_1')
  await makeLate(first, change)
  const found = 'the change of its driver has not ended within 90 s: it hangs'
  assert.equal(await taken, `${first} cannot be bound to vfio-pci: ${found}.`)
  const reason = 'the change of its driver does not end: it hangs'
  assert.deepEqual([...devices.withheld()], [[first, reason]])
  assert.deepEqual(await devices.problems(), [`${first}: ${reason}`])
  await devices.release('inst_0')
  assert.match((await devices.take(userOf(2, first)).catch((error: Error) => error.message)) as string, /does not end/)
  blocked.end()
  await eventually('the device is free', async () => {
    await devices.problems()
    return devices.withheld().size === 0
  })
  await devices.take(userOf(2, first))
})

test('a device that hangs on its way back delays no other', async () => {
  const { kernel, devices, log, makeLate } = await open()
  for (const [slot, pci] of [first, second].entries()) {
    await devices.take(userOf(slot, pci))
    await devices.release(`inst_${slot}`)
  }
  const blocked = kernel.block(`${folder}/${first}/driver_override`)
  const given = devices.giveBack()
  await eventually('the change has begun', () => blocked.begun() > 0)
  await eventually('the other device is back', async () => (await kernel.driverOf(second)) === 'nvidia')
  await makeLate(first, change)
  await given
  assert.equal(await kernel.driverOf(first), 'vfio-pci')
  assert.match(log.join(), /could not be given back.*0000:07:00.0.*does not end/)
  blocked.end()
  await eventually('the device is free', () => devices.withheld().size === 0)
})
