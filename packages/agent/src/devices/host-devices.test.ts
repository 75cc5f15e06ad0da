import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type KernelTree, openKernelTree } from '../../test/support/kernel-tree.ts'
import { type Files, filesOf } from '../../test/support/machine-trees.ts'
import { openHostDevices } from './host-devices.ts'

const folder = '/sys/bus/pci/devices'
/** Two accelerators of the machine, with the driver of their maker, and the file of the first one's IOMMU group. */
const [first, second] = ['0000:07:00.0', '0000:0f:00.0'] as const
const firstGroup = '/dev/vfio/55'
const uid = process.getuid?.() ?? 0

/** The devices of an HGX A100. Its first accelerator has an audio output beside it, in the same IOMMU group. */
async function open(change: (files: Files) => void = () => {}) {
  const files = filesOf('hgx-a100')
  const beside = '0000:07:00.1'
  files.set(`${folder}/${beside}/class`, '0x040300')
  files.set(`/sys/kernel/iommu_groups/55/devices/${beside}`, `->../../../../devices/${beside}`)
  files.set('/sys/bus/pci/devices/0000:00:01.0/class', '0x060400')
  files.set('/sys/kernel/iommu_groups/55/devices/0000:00:01.0', '->../../../../devices/0000:00:01.0')
  change(files)
  const kernel = await openKernelTree(files, [first, second, beside])
  const directory = mkdtempSync(join(tmpdir(), 'bourse-devices-'))
  after(() => rmSync(directory, { recursive: true, force: true }))
  const log: string[] = []
  const reopen = () =>
    openHostDevices({
      directory,
      tree: kernel.tree,
      ownerOf: (slot) => 59_000 + slot,
      log: (message, fields) => void log.push(`${message} ${JSON.stringify(fields)}`),
    })
  return { kernel, log, reopen, beside, devices: await reopen() }
}

const userOf = (slot: number, ...pci: string[]) => ({
  id: `inst_${slot}`,
  slot,
  size: { accelerators: pci.length, devices: pci },
})
const resetsOf = ({ writes }: KernelTree) => writes.filter((write) => write.endsWith('/reset=1'))
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: { reason: string; message: string }) => `${error.reason}: ${error.message}`,
  )

test('a machine gets its device with what belongs to it, and gives it back reset', async () => {
  const { kernel, devices, beside } = await open()
  await devices.take(userOf(0, first))
  assert.deepEqual(await Promise.all([first, beside].map(kernel.driverOf)), ['vfio-pci', 'vfio-pci'])
  assert.equal(await kernel.driverOf(second), 'nvidia')
  assert.equal(await kernel.driverOf('0000:00:01.0'), undefined, 'a bridge stays as it is')
  assert.deepEqual(
    devices.devicesOf('inst_0').map(({ pci }) => pci),
    [first, beside],
  )
  assert.ok((devices.devicesOf('inst_0')[0]?.bar_bytes ?? 0) > 2 ** 36)
  assert.deepEqual([...kernel.owners], [[firstGroup, 59_000]])
  assert.deepEqual(resetsOf(kernel), [])
  await devices.release('inst_0')
  assert.deepEqual(resetsOf(kernel), [`${folder}/${first}/reset=1`, `${folder}/${beside}/reset=1`])
  assert.deepEqual([...kernel.owners], [[firstGroup, uid]])
  assert.deepEqual(devices.devicesOf('inst_0'), [])
  assert.equal(await kernel.driverOf(first), 'vfio-pci', 'no driver of the host meets what a guest left')
  await devices.take(userOf(1, first))
  assert.deepEqual(kernel.owners.get(firstGroup), 59_001)
})

test('a device has one machine, and so has its IOMMU group', async () => {
  const { devices, beside } = await open()
  await devices.take(userOf(0, first))
  const message = `The machine of slot 0 has ${first}, ${beside}, in the same IOMMU group.`
  assert.equal(await reasonOf(devices.take(userOf(1, first))), `device_in_use: ${message}`)
  assert.equal(await reasonOf(devices.take(userOf(1, beside))), `device_in_use: ${message}`)
  assert.deepEqual(devices.devicesOf('inst_1'), [])
  await devices.take(userOf(1, second))
  await devices.take(userOf(0, first))
  await devices.release('inst_1')
  await devices.release('inst_1')
})

test('two machines that start at once never get the same device', async () => {
  const { devices } = await open()
  const both = await Promise.all([0, 1].map((slot) => reasonOf(devices.take(userOf(slot, first)))))
  assert.deepEqual(both.map((reason) => reason.split(':')[0]).sort(), ['device_in_use', 'none'])
})

test('the next agent knows who has which device, and takes it from machines that are gone', async () => {
  const { kernel, devices, reopen } = await open()
  await devices.take(userOf(0, first))
  await devices.take(userOf(1, second))
  const next = await reopen()
  assert.equal(next.devicesOf('inst_1')[0]?.pci, second)
  assert.match(await reasonOf(next.take(userOf(2, first))), /^device_in_use/)
  await next.sweep(new Set(['inst_1']))
  assert.equal(resetsOf(kernel).length, 2)
  await next.take(userOf(2, first))
  assert.match(await reasonOf(next.take(userOf(3, second))), /^device_in_use/)
})

test('a device that cannot be reset, or does not answer after it, goes to no machine and is named', async () => {
  const { kernel, devices, log, reopen } = await open()
  await devices.take(userOf(0, second))
  kernel.refused.add(`${folder}/${second}/reset`)
  await devices.release('inst_0')
  const reason = 'it could not be reset: EIO: i/o error, write'
  assert.deepEqual([...devices.withheld()], [[second, reason]])
  assert.match(log.join(), /no machine gets it.*"pci":"0000:0f:00.0"/)
  const next = await reopen()
  assert.equal(await reasonOf(next.take(userOf(1, second))), `device_not_reset: ${second}: ${reason}.`)
  assert.deepEqual(await next.problems(), [`${second}: ${reason}`])
  kernel.refused.clear()
  kernel.setAlive(second, false)
  assert.deepEqual(await next.problems(), [`${second} does not answer: it fell off its bus`])
  kernel.setAlive(second, true)
  assert.deepEqual(await next.problems(), [])
  await next.take(userOf(1, second))
})

test('bus errors of a device count from its last reset on', async () => {
  const { kernel, devices } = await open((files) => {
    files.set(`${folder}/${second}/aer_dev_fatal`, 'Undefined 0\nTOTAL_ERR_FATAL 3\n')
    files.set(`${folder}/${second}/aer_dev_nonfatal`, 'TOTAL_ERR_NONFATAL 0\n')
  })
  await devices.take(userOf(0, second))
  assert.deepEqual(await devices.problems(), [])
  kernel.set(`${folder}/${second}/aer_dev_fatal`, 'Undefined 1\nTOTAL_ERR_FATAL 4\n')
  assert.deepEqual(await devices.problems(), [`${second} has 1 fatal bus errors (AER) since its last reset`])
  await devices.release('inst_0')
  assert.deepEqual(await devices.problems(), [])
})

test('devices go back to their drivers, unless a machine has them', async () => {
  const { kernel, devices, reopen, beside } = await open()
  await devices.take(userOf(0, first))
  await devices.take(userOf(1, second))
  await devices.release('inst_1')
  await devices.giveBack()
  assert.deepEqual(await Promise.all([first, second].map(kernel.driverOf)), ['vfio-pci', 'nvidia'])
  const next = await reopen()
  await next.release('inst_0')
  await next.giveBack()
  assert.deepEqual(await Promise.all([first, beside].map(kernel.driverOf)), ['nvidia', undefined])
  assert.equal(await kernel.tree.text(`${folder}/${first}/driver_override`), '')
})

test('nothing is bound for a machine that cannot get all of its devices', async () => {
  const wanted = { accelerators: 2, devices: [first, second] }
  const cases: [string, { devices?: string[]; rdma?: boolean }, (files: Files) => void][] = [
    ['device_missing: 0000:ff:00.0 is not on this host.', { devices: [first, '0000:ff:00.0'] }, () => {}],
    [
      `device_not_isolated: ${second} has no IOMMU group: the IOMMU is off.`,
      {},
      (files) => files.delete(`/sys/kernel/iommu_groups/57/devices/${second}`),
    ],
    [
      `device_not_isolated: ${second} is in the IOMMU groups 57 and 99.`,
      {},
      (files) => files.set(`/sys/kernel/iommu_groups/99/devices/${second}`, '->../..'),
    ],
    [
      `device_not_isolated: ${second} shares its IOMMU group with 0000:10:00.0, which this host uses (driver nvme).`,
      {},
      (files) => {
        files.set('/sys/bus/pci/devices/0000:10:00.0/class', '0x010802')
        files.set('/sys/bus/pci/devices/0000:10:00.0/driver', '->../../../../bus/pci/drivers/nvme')
        files.set('/sys/kernel/iommu_groups/57/devices/0000:10:00.0', '->../..')
      },
    ],
    [
      `device_not_resettable: ${second} can be reset only by pm, which clears nothing.`,
      {},
      (files) => files.set(`${folder}/${second}/reset_method`, 'pm'),
    ],
    [
      'accelerators_not_delivered: It must have 2 accelerators and an InfiniBand adapter of its own, ' +
        'and its slot has 2 devices.',
      { rdma: true },
      () => {},
    ],
    ['accelerators_not_delivered: It must have 2 accelerators, and its slot has 0 devices.', { devices: [] }, () => {}],
  ]
  for (const [reason, change, spoil] of cases) {
    const { kernel, devices } = await open(spoil)
    const size = { ...wanted, ...change }
    assert.equal(await reasonOf(devices.take({ id: 'inst_0', slot: 0, size })), reason)
    assert.deepEqual(kernel.writes, [])
    assert.deepEqual([...kernel.owners], [])
  }
})

test('a device whose driver does not let go is named, and its machine does not start', async () => {
  const { kernel, devices } = await open()
  kernel.refused.add(`${folder}/${second}/driver/unbind`)
  assert.match(await reasonOf(devices.take(userOf(0, second))), /^device_not_bound: 0000:0f:00.0 cannot be bound .*EIO/)
  await devices.release('inst_0')
  await devices.giveBack()
  assert.equal(await kernel.driverOf(second), 'nvidia')
})

test('a kernel without vfio-pci is named', async () => {
  const { kernel, devices } = await open()
  rmSync(join(kernel.root, '/sys/bus/pci/drivers/vfio-pci'), { recursive: true })
  assert.match(await reasonOf(devices.take(userOf(0, second))), /^no_vfio: .*modprobe vfio-pci/)
})
