import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { type Hanging, type KernelTree, openKernelTree } from '../../test/support/kernel-tree.ts'
import { openLateWork } from '../../test/support/late-work.ts'
import { type Files, filesOf } from '../../test/support/machine-trees.ts'
import { openHostDevices } from './host-devices.ts'

const folder = '/sys/bus/pci/devices'
/** Two accelerators of the machine, with the driver of their maker, and the file of the first one's IOMMU group. */
const [first, second] = ['0000:07:00.0', '0000:0f:00.0'] as const
const firstGroup = '/dev/vfio/55'
const uid = process.getuid?.() ?? 0
/** The bounds of work on a device, in milliseconds. */
const [read, reset] = [15_000, 90_000] as const

/** The devices of an HGX A100. Its first accelerator has an audio output beside it, in the same IOMMU group. */
async function open(change: (files: Files) => void = () => {}) {
  const files = filesOf('hgx-a100')
  const beside = '0000:07:00.1'
  files.set(`${folder}/${beside}/class`, '0x040300')
  files.set(`/sys/kernel/iommu_groups/55/devices/${beside}`, `->../../../../devices/${beside}`)
  files.set('/sys/bus/pci/devices/0000:00:01.0/class', '0x060400')
  files.set('/sys/kernel/iommu_groups/55/devices/0000:00:01.0', '->../../../../devices/0000:00:01.0')
  change(files)
  const kernel = await openKernelTree(files, [first, second, beside, '0000:c4:00.0', '0000:c5:00.0'])
  const directory = mkdtempSync(join(tmpdir(), 'bourse-devices-'))
  atEnd(() => rmSync(directory, { recursive: true, force: true }))
  const log: string[] = []
  const { wait, makeLate, waits } = openLateWork()
  const reopen = () =>
    openHostDevices({
      directory,
      tree: kernel.tree,
      ownerOf: (slot) => 59_000 + slot,
      log: (message, fields) => void log.push(`${message} ${JSON.stringify(fields)}`),
      wait,
    })
  return { kernel, log, directory, reopen, beside, makeLate, waits, devices: await reopen() }
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

test('a start that waits for no device leaves no timer', async () => {
  const { devices, reopen, waits } = await open()
  await devices.take(userOf(0, first))
  await (await reopen()).sweep(new Set())
  await eventually('no timer of a wait is left', () => waits().length === 0)
})

test('after a start with other addresses nothing is reset but what machines had', async () => {
  const { kernel, devices, reopen } = await open()
  await devices.take(userOf(0, first))
  await devices.take(userOf(1, second))
  kernel.refused.add(`${folder}/${second}/reset`)
  await devices.release('inst_1')
  assert.deepEqual([...devices.withheld().keys()], [second])
  kernel.refused.clear()
  // Disks of the host have both addresses now.
  for (const pci of [first, second]) {
    kernel.set(`${folder}/${pci}/vendor`, '0x144d')
    kernel.set(`${folder}/${pci}/device`, '0xa80a')
  }
  const next = await reopen()
  const before = resetsOf(kernel).length
  await next.sweep(new Set())
  assert.deepEqual(await next.problems(), [])
  assert.deepEqual(
    resetsOf(kernel)
      .slice(before)
      .filter((write) => !write.includes('07:00.1')),
    [],
  )
  assert.deepEqual([...next.withheld()], [])
})

test('what has the address of a device since a start is not watched, and is given back to no driver', async () => {
  const { kernel, devices, reopen } = await open()
  await devices.take(userOf(0, first))
  await devices.take(userOf(1, second))
  await devices.release('inst_1')
  for (const pci of [first, second]) {
    kernel.set(`${folder}/${pci}/device`, '0xa80a')
    kernel.setAlive(pci, false)
  }
  const next = await reopen()
  await next.sweep(new Set())
  const before = kernel.writes.length
  assert.deepEqual(await next.problems(), [])
  await next.giveBack()
  assert.deepEqual(
    kernel.writes.slice(before).filter((write) => !write.includes('07:00.1')),
    [],
  )
})

test('a device that a driver of the host has again is taken from it before its reset', async () => {
  const { kernel, devices, reopen } = await open()
  await devices.take(userOf(0, second))
  const link = join(kernel.root, folder, second, 'driver')
  rmSync(link)
  symlinkSync('../../../../bus/pci/drivers/nvidia', link)
  const next = await reopen()
  await next.sweep(new Set())
  const [unbind, reset] = ['driver/unbind', 'reset'].map((name) =>
    kernel.writes.findLastIndex((write) => write.startsWith(`${folder}/${second}/${name}=`)),
  ) as [number, number]
  assert.ok(unbind >= 0 && unbind < reset, kernel.writes.join(' '))
  assert.equal(await kernel.driverOf(second), 'vfio-pci')
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

test('a device that hangs is named in time, is waited for once, and delays no other device or machine', async () => {
  const { kernel, devices, makeLate } = await open()
  await devices.take(userOf(0, first))
  await devices.take(userOf(1, second))
  const config = kernel.hang(`${folder}/${first}/config`)
  kernel.setAlive(second, false)
  const found = [`${first} does not answer within 15 s: it hangs`, `${second} does not answer: it fell off its bus`]
  const problems = devices.problems()
  await eventually('the device is read', () => config.begun() > 0)
  await makeLate(first, read)
  assert.deepEqual(await problems, found)
  // Nothing makes a further wait late.
  assert.deepEqual(await devices.problems(), found)
  assert.match(await reasonOf(devices.take(userOf(0, first))), /^device_missing: 0000:07:00.0 does not answer/)
  assert.equal(config.begun(), 1)
  kernel.setAlive(second, true)
  config.end()
  await devices.take(userOf(0, first))
  assert.deepEqual(await devices.problems(), [])
})

test('a reset that does not end is named, is tried once, and holds up no report', async () => {
  const { kernel, devices, directory, makeLate } = await open()
  await devices.take(userOf(0, first))
  await devices.take(userOf(1, second))
  kernel.refused.add(`${folder}/${second}/reset`)
  await devices.release('inst_1')
  const hung = kernel.hang(`${folder}/${first}/reset`)
  // Its machine ends while the reset hangs.
  const released = devices.release('inst_0')
  await eventually('the reset has begun', () => hung.begun() > 0)
  assert.deepEqual(await devices.problems(), [`${second}: it could not be reset: EIO: i/o error, write`])
  await makeLate(first, reset)
  await released
  assert.equal(devices.withheld().get(first), 'its reset does not end')
  kernel.refused.clear()
  assert.deepEqual(await devices.problems(), [`${first}: its reset does not end`])
  assert.equal(hung.begun(), 1)
  await devices.giveBack()
  assert.deepEqual(await Promise.all([first, second].map(kernel.driverOf)), ['vfio-pci', 'nvidia'])
  hung.end()
  await eventually('nothing is wrong', async () => assert.deepEqual(await devices.problems(), []) ?? true)
  const { blocked } = JSON.parse(readFileSync(join(directory, 'devices.json'), 'utf8'))
  assert.deepEqual([blocked, [...devices.withheld()]], [[], []])
  await devices.take(userOf(2, first))
})

test('one reset that hangs is waited for, and the others of its machine follow by themselves', async () => {
  const { kernel, devices, beside, makeLate } = await open()
  await devices.take(userOf(0, first, second))
  const [one, other] = [first, second].map((pci) => kernel.hang(`${folder}/${pci}/reset`)) as [Hanging, Hanging]
  let isReleased = false
  const released = devices.release('inst_0').then(() => {
    isReleased = true
  })
  await eventually('the reset has begun', () => one.begun() > 0)
  await makeLate(first, reset)
  await eventually('the release goes on', () => isReleased || other.begun() > 0)
  assert.equal(other.begun(), 0)
  await released
  const reason = `its reset waits for that of ${first}`
  assert.deepEqual(
    [...devices.withheld()],
    [
      [first, 'its reset does not end'],
      [second, reason],
      [beside, reason],
    ],
  )
  other.end()
  await devices.problems()
  assert.deepEqual([...devices.withheld().keys()], [first])
  one.end()
})

test('a reset that is tried again and hangs frees its device when it ends', async () => {
  const { kernel, devices, makeLate } = await open()
  await devices.take(userOf(0, second))
  kernel.refused.add(`${folder}/${second}/reset`)
  await devices.release('inst_0')
  kernel.refused.clear()
  const hung = kernel.hang(`${folder}/${second}/reset`)
  const found = [`${second}: it could not be reset: EIO: i/o error, write`]
  const problems = devices.problems()
  await eventually('the reset is tried again', () => hung.begun() > 0)
  await makeLate(second, read)
  assert.deepEqual(await problems, found)
  assert.deepEqual(await devices.problems(), found)
  assert.equal(hung.begun(), 1)
  hung.end()
  await eventually('the device is free', () => devices.withheld().size === 0)
  await devices.take(userOf(1, second))
})

test('an agent starts while the reset of a device that no machine has hangs', async () => {
  const { kernel, devices, reopen, makeLate } = await open()
  await devices.take(userOf(0, first))
  await devices.take(userOf(1, second))
  const hung = kernel.hang(`${folder}/${first}/reset`)
  const next = await reopen()
  const swept = next.sweep(new Set())
  await eventually('the reset has begun', () => hung.begun() > 0)
  await makeLate('all devices', read)
  await swept
  await next.take(userOf(2, second))
  hung.end()
  await next.take(userOf(3, first))
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

test('bus errors from while no agent ran are seen by the next one, unless the kernel counts anew', async () => {
  const { kernel, devices, reopen } = await open((files) => {
    files.set('/proc/sys/kernel/random/boot_id', 'first\n')
    files.set(`${folder}/${second}/aer_dev_fatal`, 'TOTAL_ERR_FATAL 3\n')
    files.set(`${folder}/${second}/aer_dev_nonfatal`, 'TOTAL_ERR_NONFATAL 0\n')
  })
  await devices.take(userOf(0, second))
  assert.deepEqual(await devices.problems(), [])
  kernel.set(`${folder}/${second}/aer_dev_fatal`, 'TOTAL_ERR_FATAL 5\n')
  const found = [`${second} has 2 fatal bus errors (AER) since its last reset`]
  assert.deepEqual(await (await reopen()).problems(), found)
  assert.deepEqual(await (await reopen()).problems(), found, 'a restart forgets nothing')
  const next = await reopen()
  await next.release('inst_0')
  await next.take(userOf(1, second))
  assert.deepEqual(await (await reopen()).problems(), [], 'a reset clears it')
  kernel.set('/proc/sys/kernel/random/boot_id', 'second\n')
  kernel.set(`${folder}/${second}/aer_dev_fatal`, 'TOTAL_ERR_FATAL 9\n')
  assert.deepEqual(await (await reopen()).problems(), [], 'errors of another start of the kernel')
})

test('records of an agent without error counts are read', async () => {
  const { directory, devices, reopen } = await open()
  await devices.take(userOf(0, second))
  const path = join(directory, 'devices.json')
  const { errors: _, boot: __, ...old } = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify(old))
  const next = await reopen()
  assert.equal(next.devicesOf('inst_0')[0]?.pci, second)
  assert.deepEqual(await next.problems(), [])
})

test('a machine gets NVSwitches as devices, and they stand for no accelerator', async () => {
  const [one, other] = ['0000:c4:00.0', '0000:c5:00.0'] as const
  const { kernel, devices } = await open()
  const size = { accelerators: 2, devices: [second, one, other] }
  const message = 'It must have 2 accelerators, and its slot has 1 devices.'
  assert.equal(await reasonOf(devices.take({ id: 'inst_0', slot: 0, size })), `accelerators_not_delivered: ${message}`)
  await devices.take({ id: 'inst_0', slot: 0, size: { ...size, accelerators: 1 } })
  assert.deepEqual(await Promise.all([second, one].map(kernel.driverOf)), ['vfio-pci', 'vfio-pci'])
  assert.deepEqual(kernel.owners.get('/dev/vfio/70'), 59_000)
  assert.deepEqual(
    devices.devicesOf('inst_0').map(({ pci, numa }) => [pci, numa]),
    [
      [second, 3],
      [one, null],
      [other, null],
    ],
  )
  assert.match(await reasonOf(devices.take({ ...userOf(1, one) })), /^accelerators_not_delivered/)
  assert.match(await reasonOf(devices.take({ id: 'inst_1', slot: 1, size: { devices: [one] } })), /^device_in_use/)
  await devices.release('inst_0')
  assert.equal(resetsOf(kernel).length, 3)
  await devices.giveBack()
  assert.equal(await kernel.driverOf(one), 'nvidia-nvswitch')
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

test('the adapters of a machine have the GUIDs that their fabric knows', async () => {
  const { devices } = await open((files) => {
    for (const pci of [first, second]) files.set(`${folder}/${pci}/class`, '0x020700')
    files.set('/sys/class/infiniband/mlx5_50/device', `->../../../bus/pci/devices/${second}`)
    files.set('/sys/class/infiniband/mlx5_50/node_guid', 'b8ce:f603:00ab:cd12')
    files.set('/sys/class/infiniband/mlx5_50/ports/1/link_layer', 'InfiniBand')
    const adapter = `${folder}/0000:c4:00.0`
    files.set(`${folder}/${first}/physfn`, '->../0000:c4:00.0')
    files.set(`${adapter}/virtfn0`, '->../0000:c5:00.0')
    files.set(`${adapter}/virtfn1`, `->../${first}`)
    files.set(`${adapter}/sriov/1/port`, 'b8:ce:f6:03:00:ab:cd:99')
  })
  await devices.take(userOf(0, first, second))
  assert.deepEqual(await devices.adaptersOf('inst_0'), [
    { pci: first, guid: '0xb8cef60300abcd99' },
    { pci: second, guid: '0xb8cef60300abcd12' },
  ])
  assert.deepEqual(await devices.adaptersOf('inst_1'), [])
})

test('the ports of an adapter are noted with it, and not with one of its virtual functions', async () => {
  for (const isVirtual of [false, true]) {
    const { devices } = await open((files) => {
      files.set(`${folder}/${second}/class`, '0x020700')
      files.set('/sys/class/infiniband/mlx5_50/device', `->../../../bus/pci/devices/${isVirtual ? first : second}`)
      files.set('/sys/class/infiniband/mlx5_50/ports/1/link_layer', 'InfiniBand')
      if (!isVirtual) return
      files.set(`${folder}/${first}/virtfn0`, `->../${second}`)
      files.set(`${folder}/${second}/physfn`, `->../${first}`)
    })
    await devices.take({ id: 'inst_0', slot: 0, size: { rdma: true, devices: [second] } })
    assert.deepEqual(
      devices.ports().map(({ device }) => device),
      isVirtual ? [] : ['mlx5_50'],
    )
  }
})

test('a kernel without vfio-pci is named', async () => {
  const { kernel, devices } = await open()
  rmSync(join(kernel.root, '/sys/bus/pci/drivers/vfio-pci'), { recursive: true })
  assert.match(await reasonOf(devices.take(userOf(0, second))), /^no_vfio: .*modprobe vfio-pci/)
})
