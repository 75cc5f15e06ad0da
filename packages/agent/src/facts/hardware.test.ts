import assert from 'node:assert/strict'
import { fitOf, misfitsOf } from '@bourse/api/fleet/fit.ts'
import { assignSlots, type SkuNeeds } from '@bourse/api/fleet/fit-slots.ts'
import { countsOf, type HostHardware, hardwareBytesMax, isSameHardware } from '@bourse/api/fleet/hardware.ts'
import { hardwareLine } from '@bourse/api/fleet/hardware-line.ts'
import { test } from 'vitest'
import { type Files, filesOf, type MachineName, machineNames, writeTree } from '../../test/support/machine-trees.ts'
import { type AcceleratorTable, knownAccelerators } from './accelerator-models.ts'
import { type HardwareSource, readHardware } from './hardware.ts'
import { openTree } from './tree.ts'

const gib = 2 ** 30

function source(files: Files, table: AcceleratorTable = knownAccelerators): HardwareSource {
  return {
    tree: openTree(writeTree(files)),
    table,
    directory: '/raid/bourse',
    storage: { size_bytes: 4096 * gib, free_bytes: 2048 * gib },
    is_kvm_usable: true,
    qemu: '7.2.22',
  }
}

function read(files: Files, table: AcceleratorTable = knownAccelerators): Promise<HostHardware> {
  return readHardware(source(files, table))
}

const none: SkuNeeds = {
  vcpus: null,
  memory_bytes: null,
  storage_bytes: null,
  accelerators: null,
  rdma: null,
  is_simulated: false,
}

/** What a SKU asks for, and the slots. */
type Case = readonly [needs: Partial<SkuNeeds>, slots: number, misfits: readonly string[]]
type Expected = {
  readonly line: string
  readonly counts: readonly [sockets: number, cores: number, threads: number, gibibytes: number]
  readonly known: Partial<HostHardware>
  readonly rdma: readonly string[]
  readonly fits: readonly Case[]
}

const gpus = (count: number, kind: string, form: string | null = null) => ({ accelerators: { count, kind, form } })
const rdma = (type: string, gigabits_per_second: number | null = null) => ({ rdma: { type, gigabits_per_second } })

const expected: Record<MachineName, Expected> = {
  'dgx-h100': {
    line: '8 × NVIDIA H100 SXM5 80 GB, 2 NUMA nodes',
    counts: [2, 112, 224, 2015],
    known: { is_iommu_on: true, is_secure_boot_on: false, kernel: '5.15.0-1042-nvidia', problems: [] },
    rdma: ['8 infiniband 400', '2 ethernet 200'],
    fits: [
      [{ ...gpus(8, 'h100', 'sxm'), ...rdma('infiniband', 400), vcpus: 192, memory_bytes: 1800 * gib }, 1, []],
      [{ ...gpus(1, 'h100'), vcpus: 28, memory_bytes: 240 * gib }, 8, []],
      // 1920 GiB in huge pages: seven machines, and none outside of them.
      [{ ...gpus(1, 'h100'), memory_bytes: 250 * gib }, 8, ['memory']],
      [{ ...gpus(1, 'h100'), memory_bytes: 250 * gib }, 7, []],
      [{ memory_bytes: 2048 * gib }, 1, ['memory']],
      [gpus(8, 'h100'), 2, ['accelerators']],
      [gpus(8, 'h200'), 1, ['accelerators']],
    ],
  },
  'hgx-a100': {
    line: '8 × NVIDIA A100 SXM4 80 GB, 8 NUMA nodes',
    counts: [2, 128, 256, 1007],
    known: { is_iommu_on: true, is_secure_boot_on: null, problems: [] },
    rdma: ['4 infiniband 200'],
    fits: [
      [{ ...gpus(8, 'a100-80gb', 'sxm4'), ...rdma('infiniband') }, 1, []],
      [gpus(4, 'a100'), 2, []],
      [gpus(2, 'a100'), 4, []],
      // Two accelerators on each of four NUMA nodes: the second and third slot would share one.
      [gpus(3, 'a100'), 2, []],
      [gpus(1, 'a100-40gb'), 1, ['accelerators']],
      [rdma('infiniband', 400), 1, ['rdma']],
    ],
  },
  'l40s-dual-socket': {
    line: '4 × NVIDIA L40S 48 GB, 2 NUMA nodes',
    counts: [2, 64, 128, 503],
    known: { is_iommu_on: true, is_secure_boot_on: true, problems: [] },
    rdma: ['1 ethernet 100'],
    fits: [
      [{ ...gpus(1, 'l40s', 'pcie'), ...rdma('roce', 100), vcpus: 32, memory_bytes: 125 * gib }, 4, []],
      [{ vcpus: 32, memory_bytes: 126 * gib }, 4, ['memory']],
      [rdma('infiniband'), 1, ['rdma']],
    ],
  },
  mi300x: {
    line: '8 × AMD Instinct MI300X 192 GB, 2 NUMA nodes',
    counts: [2, 192, 384, 2267],
    known: { is_iommu_on: true, is_secure_boot_on: false, problems: [] },
    rdma: ['8 ethernet 400'],
    fits: [
      [{ ...gpus(8, 'mi300x', 'oam'), ...rdma('roce', 400) }, 1, []],
      [gpus(4, 'mi300x'), 2, []],
      [gpus(8, 'h100'), 1, ['accelerators']],
    ],
  },
  laptop: {
    line: 'no accelerators, 1 NUMA node',
    counts: [1, 12, 16, 15],
    known: { is_iommu_on: false, is_secure_boot_on: true, problems: [] },
    rdma: [],
    fits: [
      [{ vcpus: 8, memory_bytes: 12 * gib }, 1, []],
      [{ ...gpus(8, 'h100'), vcpus: 128 }, 1, ['processors', 'iommu', 'accelerators']],
    ],
  },
  'cloud-vm': {
    line: 'no accelerators, 1 NUMA node',
    counts: [1, 2, 4, 7],
    known: { is_iommu_on: false, is_secure_boot_on: false, problems: [] },
    rdma: [],
    fits: [
      [{ vcpus: 2, memory_bytes: 2 * gib }, 2, []],
      [{ memory_bytes: 4 * gib }, 2, ['memory']],
    ],
  },
}

for (const name of machineNames) {
  test(`the files of a machine give its hardware and what it fits: ${name}`, async () => {
    const { line, counts, known, rdma: ports, fits } = expected[name]
    const hardware = await read(filesOf(name))
    assert.ok(JSON.stringify(hardware).length <= hardwareBytesMax, `${JSON.stringify(hardware).length} bytes`)
    assert.equal(hardwareLine(hardware), line)
    const { sockets, cores, threads } = hardware.processors
    assert.deepEqual([sockets, cores, threads, Math.floor(hardware.memory_bytes / gib)], counts)
    for (const [member, value] of Object.entries(known)) {
      assert.deepEqual(hardware[member as keyof HostHardware], value, member)
    }
    assert.equal(
      hardware.numa_nodes.reduce((sum, node) => sum + node.threads, 0),
      threads,
    )
    const shown = Map.groupBy(hardware.rdma, (port) => `${port.link_layer} ${port.gigabits_per_second}`)
    assert.deepEqual(
      [...shown].map(([kind, list]) => `${list.length} ${kind}`).sort((a, b) => (a > b ? -1 : 1)),
      [...ports].sort((a, b) => (a > b ? -1 : 1)),
    )
    const facts = { ...countsOf(hardware), hardware }
    for (const [needs, slots, misfits] of fits) {
      const found = misfitsOf(fitOf(facts, { ...none, ...needs }, slots))
      assert.deepEqual(
        found.map(({ subject }) => subject),
        misfits,
        `${slots} × ${JSON.stringify(needs)}: ${found.map(({ message }) => message)}`,
      )
    }
  })
}

test('an accelerator is read with everything that its files say', async () => {
  const { accelerators } = await read(filesOf('dgx-h100'))
  const [display, h100] = accelerators
  assert.deepEqual([display?.kind, display?.pci_id], [null, '1a03:2000'])
  const { devices, ...model } = h100 as HostHardware['accelerators'][number]
  assert.deepEqual(model, {
    kind: 'h100',
    name: 'NVIDIA H100 SXM5 80 GB',
    form_factor: 'sxm5',
    memory_bytes: 80 * gib,
    pci_id: '10de:2330',
    subsystem_id: '10de:16c1',
    bar_bytes: 2 ** 37 + 2 ** 25 + 2 ** 24,
    pcie_generation_max: 5,
    pcie_lanes_max: 16,
  })
  const link = { driver: 'vfio-pci', pcie_generation: 5, pcie_lanes: 16 }
  assert.equal(devices.length, 8)
  assert.deepEqual(devices[0], { pci: '0000:1b:00.0', numa_node: 0, iommu_group: 31, ...link })
  assert.deepEqual(devices[7], { pci: '0000:df:00.0', numa_node: 1, iommu_group: 253, ...link })
})

test('processors that the agent may not use are no processors of the host', async () => {
  const files = filesOf('dgx-h100').set('/proc/self/status', 'Name:\tnode\nCpus_allowed_list:\t4-55,112-167\n')
  const hardware = await read(files)
  assert.deepEqual([hardware.processors.threads, hardware.processors.sockets], [108, 1])
  assert.deepEqual(
    hardware.numa_nodes.map(({ threads }) => threads),
    [108, 0],
  )
  const misfits = (one: HostHardware) =>
    misfitsOf(fitOf({ ...countsOf(one), hardware: one }, { ...none, vcpus: 60 }, 2)).map(({ subject }) => subject)
  assert.deepEqual(misfits(hardware), ['processors'])
  assert.deepEqual(misfits(await read(filesOf('dgx-h100'))), [])
})

test('the disk below a partition or a mapped volume says whether it turns', async () => {
  for (const [name, isRotational] of [
    ['dgx-h100', false],
    ['l40s-dual-socket', true],
  ] as const) {
    assert.equal((await read(filesOf(name))).storage.is_rotational, isRotational, name)
  }
  const files = filesOf('cloud-vm')
  for (const [mount, isReadOnly] of [
    ['rw - overlay x rw', false],
    ['ro - overlay x rw', true],
    // As the kernel leaves it after errors.
    ['rw shared:1 - ext4 x ro,errors=remount-ro', true],
  ] as const) {
    files.set('/proc/self/mountinfo', `22 1 0:99 / / rw - overlay overlay rw\n30 22 0:99 / /raid ${mount}\n`)
    const { storage } = await read(files)
    assert.deepEqual([storage.is_rotational, storage.is_read_only], [null, isReadOnly], mount)
  }
})

test('no file that is missing, empty, cut or odd makes the reading fail', async () => {
  const nothing = await read(new Map())
  assert.deepEqual(nothing.problems, [
    '/proc/cpuinfo names no processor',
    '/proc/meminfo does not say how much memory there is',
  ])
  assert.equal(countsOf(nothing).cpu_count, 1)
  const whole = filesOf('dgx-h100')
  for (const spoil of [
    () => '',
    (text: string) => text.slice(0, text.length / 2),
    () => '\u0000\u00ff{"'.repeat(999),
  ]) {
    const files: Files = new Map(
      [...whole].map(([path, text]) => [path, text.startsWith('->') ? text : spoil(text)] as const),
    )
    const hardware = await read(files)
    assert.ok(JSON.stringify(hardware).length <= hardwareBytesMax)
    assert.match(JSON.stringify(hardware), /^[ -~]*$/)
  }
})

test('an accelerator without its ids, and one in two IOMMU groups, are named', async () => {
  const files = filesOf('dgx-h100')
  files.delete('/sys/bus/pci/devices/0000:1b:00.0/vendor')
  files.set('/sys/kernel/iommu_groups/999/devices/0000:43:00.0', '->../../../../devices/0000:43:00.0')
  const hardware = await read(files)
  assert.deepEqual(hardware.problems, [
    '0000:1b:00.0 has no readable vendor and device, so it is left out',
    '0000:43:00.0 is in the IOMMU groups 75 and 999',
  ])
  const needs = { ...none, ...gpus(8, 'h100') }
  const [misfit] = misfitsOf(fitOf({ ...countsOf(hardware), hardware }, needs, 1))
  assert.equal(misfit?.message, 'SKU asks for 8 × h100 a slot, host has 6; 1 more without an IOMMU group')
})

test('with the IOMMU off nothing can be given to a machine', async () => {
  const files: Files = new Map([...filesOf('dgx-h100')].filter(([path]) => !path.includes('/iommu_groups/')))
  const hardware = await read(files)
  assert.equal(hardware.is_iommu_on, false)
  const misfits = misfitsOf(fitOf({ ...countsOf(hardware), hardware }, { ...none, ...gpus(1, 'h100') }, 1))
  assert.deepEqual(
    misfits.map(({ subject }) => subject),
    ['iommu', 'accelerators'],
  )
})

test('a virtual function is not counted beside its physical function', async () => {
  const files = filesOf('dgx-h100')
  files.set('/sys/bus/pci/devices/0000:1b:00.0/physfn', '->../0000:1a:00.0')
  const { accelerators } = await read(files)
  assert.deepEqual(
    accelerators.map(({ devices }) => devices.length),
    [1, 7],
  )
})

test('more devices than facts can hold are left out, and named', async () => {
  const files = filesOf('dgx-h100')
  const own = [...files].filter(([path]) => path.includes('0000:1b:00.0'))
  for (let domain = 1; domain <= 100; domain++) {
    const address = `${domain.toString(16).padStart(4, '0')}:1b:00.0`
    for (const [path, text] of own)
      files.set(path.replaceAll('0000:1b:00.0', address).replace('/31/', `/${domain + 1000}/`), text)
  }
  const hardware = await read(files)
  assert.ok(JSON.stringify(hardware).length <= hardwareBytesMax, `${JSON.stringify(hardware).length}`)
  assert.match(hardware.problems.join(), /44 of 108 accelerators of one model are left out/)
  assert.ok((hardware.accelerators[1]?.devices.length ?? 0) > 30)
})

test('an unknown model has no kind; an entry of the operator gives it one', async () => {
  const files = filesOf('laptop')
  assert.equal((await read(files)).accelerators[0]?.kind, null)
  const own = new Map([
    ['8086:46a6', { kind: 'iris-xe', name: 'Intel Iris Xe', form_factor: null, memory_bytes: null }],
  ])
  const { accelerators } = await read(files, own)
  assert.deepEqual([accelerators[0]?.kind, accelerators[0]?.name], ['iris-xe', 'Intel Iris Xe'])
})

test('a link that slows down while idle, and free space, are no change of the hardware', async () => {
  const before = await read(filesOf('dgx-h100'))
  const files = filesOf('dgx-h100')
  files.set('/sys/bus/pci/devices/0000:1b:00.0/current_link_speed', '2.5 GT/s PCIe')
  files.set('/sys/devices/system/node/node0/hugepages/hugepages-1048576kB/free_hugepages', '7')
  const idle = await read(files)
  assert.notDeepEqual(idle, before)
  assert.ok(isSameHardware(before, idle))
  files.set('/sys/class/infiniband/mlx5_0/ports/1/state', '1: DOWN')
  assert.ok(!isSameHardware(before, await read(files)))
})

test('a device that does not answer, cannot be reset or is kept back is left out, and the fit says why', async () => {
  const files = filesOf('dgx-h100')
  const folder = '/sys/bus/pci/devices'
  files.set(`${folder}/0000:1b:00.0/config`, '\u00ff'.repeat(64))
  files.set(`${folder}/0000:43:00.0/reset_method`, 'pm')
  const withheld = new Map([['0000:52:00.0', 'it could not be reset']])
  const hardware = await readHardware({ ...source(files), withheld })
  assert.equal(hardware.accelerators[1]?.devices.length, 5)
  const [misfit] = misfitsOf(fitOf({ ...countsOf(hardware), hardware }, { ...none, ...gpus(8, 'h100') }, 1))
  assert.equal(
    misfit?.message,
    'SKU asks for 8 × h100 a slot, host has 5 (and 1 × unknown, PCI id 1a03:2000); ' +
      '0000:1b:00.0 is left out: it does not answer, it fell off its bus; ' +
      '0000:43:00.0 is left out: it cannot be reset between machines; ' +
      '0000:52:00.0 is left out: it could not be reset',
  )
})

test('InfiniBand adapters are given whole or by virtual functions, and stay known when they are taken', async () => {
  const files = filesOf('dgx-h100')
  const folder = '/sys/bus/pci/devices'
  const [whole, divided] = ['0000:18:00.0', '0000:40:00.0']
  const virtual = ['0000:40:00.1', '0000:40:00.2']
  for (const [index, pci] of virtual.entries()) {
    files.set(`${folder}/${divided}/virtfn${index}`, `->../${pci}`)
    files.set(`${folder}/${pci}/class`, '0x020700')
    files.set(`${folder}/${pci}/physfn`, `->../${divided}`)
    files.set(`/sys/kernel/iommu_groups/${900 + index}/devices/${pci}`, `->../../../../devices/${pci}`)
  }
  files.set('/sys/class/infiniband/mlx5_20/device', `->../../../bus/pci/devices/${virtual[0]}`)
  files.set('/sys/class/infiniband/mlx5_20/ports/1/link_layer', 'InfiniBand')
  const { rdma, problems: before } = await read(files)
  const of = (device: string) => rdma.find((port) => port.device === device)
  assert.deepEqual(of('mlx5_0')?.functions, [whole])
  assert.deepEqual(of('mlx5_3')?.functions, virtual)
  assert.equal(of('mlx5_20'), undefined, 'a virtual function is no adapter')
  assert.equal(of('mlx5_1')?.functions, undefined)
  files.set(`${folder}/${virtual[0]}/driver`, '->../../../../bus/pci/drivers/vfio-pci')
  for (const path of [...files.keys()]) if (path.startsWith('/sys/class/infiniband/mlx5_20/')) files.delete(path)
  const noted = rdma.filter(({ device }) => device === 'mlx5_3')
  const given = await readHardware({ ...source(files), ports: noted })
  assert.deepEqual([given.rdma, given.problems], [rdma, before], 'a virtual function that a machine has')
  for (const path of [...files.keys()]) if (path.startsWith('/sys/class/infiniband/mlx5_0/')) files.delete(path)
  files.set(`${folder}/${whole}/driver`, '->../../../../bus/pci/drivers/vfio-pci')
  const taken = await readHardware({ ...source(files), ports: rdma.slice(0, 1) })
  assert.deepEqual(taken.rdma.find((port) => port.device === 'mlx5_0')?.functions, [whole])
  const names = (ports: readonly { device: string }[]) => ports.map(({ device }) => device)
  assert.deepEqual(names(taken.rdma), names(rdma), 'in the same order')
  assert.match((await read(files)).problems.join(), /0000:18:00.0 is an InfiniBand adapter with vfio-pci: leave it/)
  files.set('/sys/kernel/iommu_groups/179/devices/0000:9b:00.0', '->../../../../devices/0000:9b:00.0')
  files.set(`${folder}/0000:9b:00.0/class`, '0x020000')
  assert.deepEqual((await read(files)).rdma.find((port) => port.device === 'mlx5_6')?.functions, [])
})

test('a machine with all accelerators of a board gets its NVSwitches, and one with fewer gets none', async () => {
  const boards = [
    ['dgx-h100', 'h100', 0, ['07', '08', '09', '0a'], 39],
    ['hgx-a100', 'a100', 4, ['c4', 'c5', 'c6', 'c7', 'c8', 'c9'], 70],
  ] as const
  for (const [name, kind, numa_node, buses, group] of boards) {
    const hardware = await read(filesOf(name))
    const pci = buses.map((bus) => `0000:${bus}:00.0`)
    assert.deepEqual(
      hardware.nvswitches?.map((one) => one.pci),
      pci,
    )
    assert.deepEqual(hardware.nvswitches?.[0], { pci: pci[0], numa_node, iommu_group: group })
    const facts = { ...countsOf(hardware), hardware }
    const switchesOf = (count: number, slots: number) =>
      assignSlots(facts, { ...none, ...gpus(count, kind) }, slots).map(({ nvswitches }) => nvswitches)
    assert.deepEqual(switchesOf(8, 1), [pci])
    assert.deepEqual(switchesOf(4, 2), [undefined, undefined])
    assert.deepEqual(switchesOf(4, 1), [undefined])
  }
  assert.equal((await read(filesOf('l40s-dual-socket'))).nvswitches, undefined)
})

test('an NVSwitch that machines cannot be given is a fact without a group, and the host does not fit', async () => {
  const folder = '/sys/bus/pci/devices'
  const files = filesOf('hgx-a100')
  files.set(`${folder}/0000:c4:00.0/config`, '\u00ff'.repeat(64))
  files.set(`${folder}/0000:c5:00.0/reset_method`, 'pm')
  files.set('/sys/kernel/iommu_groups/73/devices/0000:ca:00.0', '->../../../../devices/0000:ca:00.0')
  files.set(`${folder}/0000:ca:00.0/class`, '0x010802')
  files.set(`${folder}/0000:ca:00.0/driver`, '->../../../../bus/pci/drivers/nvme')
  const withheld = new Map([['0000:c8:00.0', 'it could not be reset']])
  const hardware = await readHardware({ ...source(files), withheld })
  assert.deepEqual(hardware.problems, [
    'NVSwitch 0000:c4:00.0: it does not answer, it fell off its bus',
    'NVSwitch 0000:c5:00.0: it cannot be reset between machines',
    'NVSwitch 0000:c7:00.0 shares its IOMMU group with 0000:ca:00.0, which this host uses (driver nvme)',
    'NVSwitch 0000:c8:00.0: it could not be reset',
  ])
  assert.deepEqual(
    hardware.nvswitches?.map((one) => one.iommu_group),
    [null, null, 72, null, null, 75],
  )
  const facts = { ...countsOf(hardware), hardware }
  const whole = fitOf(facts, { ...none, ...gpus(8, 'a100') }, 1)
  assert.deepEqual(
    misfitsOf(whole).map(({ subject, message }) => `${subject}: ${message}`),
    [
      'nvswitches: a machine with all accelerators needs the 6 NVSwitches between them, and cannot be given ' +
        '0000:c4:00.0, 0000:c5:00.0, 0000:c7:00.0, 0000:c8:00.0',
    ],
  )
  assert.deepEqual(
    [whole.fitting_slots, whole.slots[0]?.nvswitches],
    [1, undefined],
    'a machine that runs is not ended',
  )
  assert.deepEqual(misfitsOf(fitOf(facts, { ...none, ...gpus(4, 'a100') }, 2)), [])
})

test('huge pages that machines use are no change of the hardware, and those that are set aside are', async () => {
  const before = await read(filesOf('dgx-h100'))
  const [node] = before.numa_nodes
  assert.deepEqual([node?.total_2mib_pages, node?.total_1gib_pages, node?.free_1gib_pages], [undefined, 960, 960])
  const files = filesOf('dgx-h100')
  const folder = '/sys/devices/system/node/node0/hugepages/hugepages-1048576kB'
  files.set(`${folder}/free_hugepages`, '0')
  const used = await read(files)
  assert.ok(isSameHardware(before, used))
  const needs = { ...none, memory_bytes: 900 * gib }
  assert.equal(fitOf({ ...countsOf(used), hardware: used }, needs, 2).fits, true)
  files.set(`${folder}/nr_hugepages`, '800')
  const fewer = await read(files)
  assert.ok(!isSameHardware(before, fewer))
  const [misfit] = misfitsOf(fitOf({ ...countsOf(fewer), hardware: fewer }, needs, 2))
  assert.match(misfit?.message ?? '', /, but huge pages divide it: 1 of 2 slots get theirs$/)
})
