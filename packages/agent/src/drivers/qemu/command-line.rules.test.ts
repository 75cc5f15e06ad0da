import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type Machine, qemuArguments, refuseDirectory, refuseMachine, uuidOf } from './command-line.rules.ts'
import { inheritedFiles, type QemuDescriptors, type QemuFile, qemuDescriptors } from './descriptors.rules.ts'

const machine: Machine = {
  id: 'inst_a',
  size: { cpu_count: 4, memory_bytes: 2 ** 30, storage_bytes: null },
  mac: '02:00:00:00:00:01',
  accelerator: { name: 'tcg', cpu: 'qemu64' },
  image_format: 'qcow2',
  network: { kind: 'user', port: 22_003 },
  firmware: 'bios',
  memory: { page_bytes: null, nodes: [] },
  devices: [],
}

function valuesOf(words: readonly string[], option: string): string[] {
  return words.flatMap((word, index) => (word === option ? [words[index + 1] as string] : []))
}

test('a machine reaches only the metadata address, and only its SSH port is reachable', () => {
  const [net] = valuesOf(qemuArguments(machine), '-netdev')
  assert.match(net ?? '', /^user,.*,restrict=on,hostfwd=tcp:127\.0\.0\.1:22003-:22,guestfwd=tcp:169\.254\.169\.254:80-/)
})

test('a machine has the whole size of its SKU', () => {
  const sizes = (size: Machine['size']) => {
    const words = qemuArguments({ ...machine, size })
    return [valuesOf(words, '-smp')[0], valuesOf(words, '-m')[0]]
  }
  assert.deepEqual(sizes(machine.size), ['4', '1024'])
  assert.deepEqual(sizes({ cpu_count: 128, memory_bytes: 2 ** 40, storage_bytes: null }), ['128', '1048576'])
  assert.deepEqual(sizes({ cpu_count: null, memory_bytes: null, storage_bytes: null }), ['1', '512'])
  assert.deepEqual(sizes({ cpu_count: null, memory_bytes: 2 ** 30 + 1, storage_bytes: null }), ['1', '1025'])
  assert.deepEqual(sizes({ cpu_count: null, memory_bytes: 1, storage_bytes: null }), ['1', '96'])
})

test('memory is bound to the node of the machine, or spread over its nodes, in the pages that were set aside', () => {
  const size = { ...machine.size, memory_bytes: 2 ** 35 }
  const backend = (memory: Machine['memory']) => {
    const words = qemuArguments({ ...machine, size, memory })
    return [valuesOf(words, '-object'), valuesOf(words, '-machine')]
  }
  const board = ['q35,mem-merge=off,memory-backend=memory']
  assert.deepEqual(backend({ page_bytes: null, nodes: [] }), [[], ['q35,mem-merge=off']])
  const one = 'memory-backend-ram,id=memory,merge=off,size=32768M,host-nodes=1,policy=bind'
  assert.deepEqual(backend({ page_bytes: null, nodes: [1] }), [[one], board])
  const pages = 'merge=off,size=32768M,hugetlb=on,hugetlbsize=1073741824,prealloc=on,prealloc-threads=4'
  const two = `memory-backend-memfd,id=memory,${pages},host-nodes=0,host-nodes=1,policy=interleave`
  assert.deepEqual(backend({ page_bytes: 2 ** 30, nodes: [0, 1] }), [[two], board])
})

test('a machine starts by UEFI from firmware that it cannot write, with variables of its own', () => {
  const words = qemuArguments({ ...machine, firmware: 'uefi', memory: { page_bytes: null, nodes: [0] } })
  assert.deepEqual(valuesOf(words, '-machine'), [
    'q35,mem-merge=off,memory-backend=memory,pflash0=firmware,pflash1=variables',
  ])
  const flash = valuesOf(words, '-blockdev').map((text) => JSON.parse(text))
  const [code, variables] = ['firmware', 'variables'].map((name) => flash.find((one) => one['node-name'] === name))
  assert.deepEqual([code['read-only'], code.file['read-only'], code.file.filename], [true, true, '/dev/fdset/10'])
  assert.deepEqual([variables['read-only'], variables.file.filename], [false, '/dev/fdset/11'])
  assert.ok(!qemuArguments(machine).join(' ').includes('fdset/10'))
})

test('a machine that does not fit its host is refused with the reason', () => {
  const host = { cpu_count: 4, memory_bytes: 2 ** 31 }
  const refused = (change: Partial<Machine['size']>) => refuseMachine({ ...machine.size, ...change }, host)
  assert.equal(refused({}), undefined)
  assert.equal(refused({ memory_bytes: 2 ** 31 }), undefined)
  assert.deepEqual(refused({ memory_bytes: 2 ** 31 + 1 }), {
    reason: 'too_little_memory',
    message: 'It must have 2148532224 bytes of memory, the host has 2147483648.',
  })
  assert.deepEqual(refused({ cpu_count: 5 }), {
    reason: 'too_few_processors',
    message: 'It must have 5 vCPUs, the host has 4.',
  })
})

test('a machine on a network of the host gets its own device', () => {
  const network = { kind: 'device', device: 'bt3' } as const
  const [net] = valuesOf(qemuArguments({ ...machine, network }), '-netdev')
  assert.equal(net, 'tap,id=net,ifname=bt3,script=no,downscript=no')
})

test('QEMU gets open files instead of paths, and opens no path that an image contains', () => {
  for (const image_format of ['qcow2', 'raw'] as const) {
    const words = qemuArguments({ ...machine, image_format })
    const [disk] = valuesOf(words, '-blockdev').map((text) => JSON.parse(text))
    assert.equal(disk.backing.driver, image_format)
    assert.equal(disk.backing['read-only'], true)
    assert.equal(disk.backing.backing, image_format === 'qcow2' ? null : undefined)
    const paths = words.join(' ').match(/\/(?!16)[\w/.]+/g) ?? []
    assert.deepEqual(new Set(paths), new Set([4, 5, 6, 7].map((fd) => `/dev/fdset/${fd}`)))
  }
})

test('QEMU runs in its sandbox, pauses when its guest has ended, and has no default devices', () => {
  const words = qemuArguments(machine)
  assert.match(valuesOf(words, '-sandbox')[0] ?? '', /^on,.*spawn=deny/)
  assert.deepEqual(valuesOf(words, '-action'), ['shutdown=pause,panic=pause'])
  for (const word of ['-nodefaults', '-no-user-config']) assert.ok(words.includes(word))
})

test('each machine has its own identity, in the form of a random UUID', () => {
  assert.match(uuidOf('inst_a'), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(uuidOf('inst_a'), uuidOf('inst_a'))
  assert.notEqual(uuidOf('inst_a'), uuidOf('inst_b'))
})

test('a folder with a path that is too long for a socket is refused', () => {
  assert.equal(refuseDirectory('/state/machines/inst_a'), undefined)
  assert.match(refuseDirectory(`/${'x'.repeat(100)}`) ?? '', /too long/)
})

test('each file that QEMU opens is the one that its process inherits under this number, in any numbering', () => {
  const opened = { monitor: 21, console: 22, disk: 23, image: 24, seed: 25, metadata: 26, firmware: 27, variables: 28 }
  const names = Object.keys(qemuDescriptors) as QemuFile[]
  for (const order of [names, names.toReversed(), [...names.slice(3), ...names.slice(0, 3)]]) {
    const numbers = Object.fromEntries(order.map((name, index) => [name, index + 3])) as QemuDescriptors
    const words = qemuArguments({ ...machine, firmware: 'uefi' }, numbers)
    const inherited = inheritedFiles(opened, 20, numbers)
    assert.deepEqual(inherited.slice(0, 3), ['ignore', 20, 20])
    const fileAt = (text = '') => inherited[Number(/(?:fdset\/|fd=)(\d+)/.exec(text)?.[1])]
    const disks = valuesOf(words, '-blockdev').map((text) => JSON.parse(text))
    const disk = disks.find((one) => one['node-name'] === 'disk')
    assert.equal(fileAt(disk.file.filename), opened.disk)
    assert.equal(fileAt(disk.backing.file.filename), opened.image)
    for (const name of ['seed', 'firmware', 'variables'] as const) {
      assert.equal(fileAt(disks.find((one) => one['node-name'] === name).file.filename), opened[name])
    }
    for (const name of ['monitor', 'console', 'metadata'] as const) {
      assert.equal(fileAt(valuesOf(words, '-chardev').find((text) => text.includes(`id=${name},`))), opened[name])
    }
  }
})

test('a machine without UEFI inherits nothing under the numbers of its files, wherever they stand', () => {
  const opened = { monitor: 21, console: 22, disk: 23, image: 24, seed: 25, metadata: 26 }
  assert.deepEqual(inheritedFiles(opened, 20), ['ignore', 20, 20, 21, 22, 23, 24, 25, 26])
  const numbers = { ...qemuDescriptors, firmware: 3, monitor: 9 }
  assert.deepEqual(inheritedFiles(opened, 20, numbers), ['ignore', 20, 20, 'ignore', 22, 23, 24, 25, 26, 21])
})
