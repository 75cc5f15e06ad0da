// The command line of QEMU for one machine. Each entry is one argument; no shell parses it.

import { createHash } from 'node:crypto'
import type { DesiredInstance } from '@bourse/api/fleet/agent.ts'
import type { GivenDevice } from '../../devices/binding.ts'
import { type QemuDescriptors, qemuDescriptors } from './descriptors.rules.ts'
import { deviceArguments } from './device-arguments.rules.ts'
import type { Firmware } from './firmware.rules.ts'

/** The address at which QEMU's user network forwards SSH to the guest. */
export const innerAddress = '127.0.0.1'

/** How machines are executed: with KVM or emulated. */
export type Accelerator = { readonly name: 'kvm' | 'tcg'; readonly cpu: string }

/** The input for the command line of a machine. */
export type Machine = {
  readonly id: string
  readonly size: DesiredInstance['machine']
  readonly image_format: 'qcow2' | 'raw'
  readonly mac: string
  readonly accelerator: Accelerator
  readonly network: MachineNetwork
  readonly firmware: Firmware
  readonly memory: MemorySource
  readonly devices: readonly GivenDevice[]
}

/** Where the memory of a machine comes from. */
type MemorySource = {
  /** The size of the huge pages that it consists of; null: ordinary pages. */
  readonly page_bytes: number | null
  /** The NUMA nodes that it is on; empty: any. */
  readonly nodes: readonly number[]
}

/** The processors and the memory of the host. */
type HostSize = { readonly cpu_count: number; readonly memory_bytes: number }

/** QEMU's user network, which forwards only SSH, or an existing device. */
export type MachineNetwork =
  | { readonly kind: 'user'; readonly port: number }
  | { readonly kind: 'device'; readonly device: string }

/** The names of the files of a machine in its folder. */
export const files = {
  disk: 'disk.qcow2',
  seed: 'seed.iso',
  monitor: 'qmp.sock',
  metadata: 'metadata.sock',
  guest: 'guest.sock',
  console: 'console.log',
  previousConsole: 'console.previous',
  process: 'qemu.pid',
  errors: 'qemu.err',
  end: 'end.txt',
  variables: 'uefi-variables.fd',
  resources: 'resources.json',
} as const

/** The files that QEMU opens by the name of a set of descriptors. */
const plainFiles = ['console', 'disk', 'image', 'seed'] as const
const uefiFiles = ['firmware', 'variables'] as const

/** The metadata address. It must lie in QEMU's user network. */
const metadata = { network: '169.254.0.0/16', address: '169.254.169.254' } as const

const mebibyte = 2 ** 20
const leastMemory = 96 * mebibyte
const usualMemory = 512 * mebibyte
/** More threads fill huge pages no faster. */
const fillingThreadsMax = 16
/** The longest path of a unix socket on Linux. */
const socketPathMax = 107

/** The UUID of a machine, which also identifies its process. */
export function uuidOf(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Why the folder of a machine cannot be used; undefined if it can. */
export function refuseDirectory(directory: string): string | undefined {
  const longest = `${directory}/${files.metadata}.new`.length
  return longest > socketPathMax
    ? `is too long: ${longest} characters to its socket, ${socketPathMax} at most`
    : undefined
}

/**
 * Why a machine cannot start on a host; undefined if it can. A machine never gets less than its SKU promises: what does
 * not fit does not start.
 */
export function refuseMachine(
  size: Machine['size'],
  host: HostSize,
): { readonly reason: string; readonly message: string } | undefined {
  const cpus = cpusOf(size)
  if (cpus > host.cpu_count) {
    const message = `It must have ${cpus} vCPUs, the host has ${host.cpu_count}.`
    return { reason: 'too_few_processors', message }
  }
  const memory = memoryOf(size)
  if (memory <= host.memory_bytes) return undefined
  const message = `It must have ${memory} bytes of memory, the host has ${host.memory_bytes}.`
  return { reason: 'too_little_memory', message }
}

/** The arguments of QEMU. On its user network a machine has no outbound traffic, and only SSH inbound. */
export function qemuArguments(machine: Machine, descriptors: QemuDescriptors = qemuDescriptors): string[] {
  const { id, mac, accelerator } = machine
  const { monitor, console, guest } = descriptors
  return [
    '-name',
    `guest=${id}`,
    '-uuid',
    uuidOf(id),
    '-accel',
    accelerator.name,
    '-cpu',
    accelerator.cpu,
    '-smp',
    `${cpusOf(machine.size)}`,
    ...platformOf(machine, descriptors),
    '-display',
    'none',
    '-nodefaults',
    '-no-user-config',
    // QEMU pauses when the guest has ended, until the agent has recorded it, even if the agent is not running.
    '-action',
    'shutdown=pause,panic=pause',
    '-sandbox',
    'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny',
    ...plainFiles.flatMap((name) => addedFile(descriptors[name])),
    '-chardev',
    `socket,id=monitor,fd=${monitor},server=on,wait=off`,
    '-mon',
    'monitor,mode=control',
    // Append mode lets the agent truncate the file while the guest writes.
    '-chardev',
    `file,id=console,path=${addedPath(console)},append=on`,
    '-serial',
    'chardev:console',
    '-device',
    'virtio-rng-pci',
    '-device',
    'pvpanic-pci',
    '-blockdev',
    JSON.stringify(diskOf(machine, descriptors)),
    '-device',
    'virtio-blk-pci,drive=disk,bootindex=1',
    '-blockdev',
    JSON.stringify(seedDisk(descriptors)),
    '-device',
    'virtio-blk-pci,drive=seed',
    // The name by which the guest agent finds its port.
    '-device',
    'virtio-serial-pci',
    '-chardev',
    `socket,id=guest,fd=${guest},server=on,wait=off`,
    '-device',
    'virtserialport,chardev=guest,name=org.qemu.guest_agent.0',
    ...networkOf(machine, descriptors),
    '-device',
    `virtio-net-pci,netdev=net,mac=${mac},romfile=`,
    ...deviceArguments(machine.devices, accelerator.name),
  ]
}

/** The board with its memory and its firmware. */
function platformOf({ size, memory, firmware }: Machine, descriptors: QemuDescriptors): string[] {
  const mebibytes = memoryOf(size) / mebibyte
  const isPlain = memory.page_bytes === null && memory.nodes.length === 0
  // The kernel of a host may merge equal pages. How long a write takes would then tell what the memory of others holds.
  const board = ['q35', 'mem-merge=off', ...(isPlain ? [] : ['memory-backend=memory'])]
  return [
    '-m',
    `${mebibytes}`,
    ...(isPlain ? [] : ['-object', backendOf(memory, { mebibytes, cpus: cpusOf(size) })]),
    ...(firmware === 'bios' ? ['-machine', board.join(',')] : uefiOf(board, descriptors)),
  ]
}

/** Memory on one NUMA node is bound to it. Memory on several is spread over them evenly. */
function backendOf(
  { page_bytes, nodes }: MemorySource,
  { mebibytes, cpus }: { mebibytes: number; cpus: number },
): string {
  const kind = page_bytes === null ? 'memory-backend-ram' : 'memory-backend-memfd'
  const threads = Math.min(cpus, fillingThreadsMax)
  const pages =
    page_bytes === null ? [] : [`hugetlb=on,hugetlbsize=${page_bytes},prealloc=on,prealloc-threads=${threads}`]
  const policy = nodes.length === 0 ? [] : [`policy=${nodes.length === 1 ? 'bind' : 'interleave'}`]
  return [
    kind,
    'id=memory',
    'merge=off',
    `size=${mebibytes}M`,
    ...pages,
    ...nodes.map((node) => `host-nodes=${node}`),
    ...policy,
  ].join()
}

function uefiOf(board: readonly string[], descriptors: QemuDescriptors): string[] {
  const flash = (name: (typeof uefiFiles)[number]) => {
    const isReadOnly = name === 'firmware'
    const file = { driver: 'file', filename: addedPath(descriptors[name]), 'read-only': isReadOnly }
    return ['-blockdev', JSON.stringify({ driver: 'raw', 'node-name': name, 'read-only': isReadOnly, file })]
  }
  return [
    ...uefiFiles.flatMap((name) => addedFile(descriptors[name])),
    ...uefiFiles.flatMap(flash),
    '-machine',
    [...board, 'pflash0=firmware', 'pflash1=variables'].join(),
  ]
}

/** Makes a set of one descriptor, with the same number. */
function addedFile(descriptor: number): string[] {
  return ['-add-fd', `fd=${descriptor},set=${descriptor}`]
}

/** The path by which QEMU opens the set of a descriptor. */
function addedPath(descriptor: number): string {
  return `/dev/fdset/${descriptor}`
}

/** The disk of the machine as an overlay of its image. File names inside of either are not followed. */
function diskOf({ image_format }: Machine, descriptors: QemuDescriptors): object {
  const image = { driver: 'file', filename: addedPath(descriptors.image), 'read-only': true }
  const below = { driver: image_format, 'read-only': true, file: image }
  const backing = image_format === 'qcow2' ? { ...below, backing: null } : below
  const file = { driver: 'file', filename: addedPath(descriptors.disk), discard: 'unmap' }
  return { driver: 'qcow2', 'node-name': 'disk', discard: 'unmap', file, backing }
}

function seedDisk({ seed }: QemuDescriptors): object {
  const file = { driver: 'file', filename: addedPath(seed), 'read-only': true }
  return { driver: 'raw', 'node-name': 'seed', 'read-only': true, file }
}

function networkOf({ network }: Machine, descriptors: QemuDescriptors): string[] {
  if (network.kind === 'device') return ['-netdev', `tap,id=net,ifname=${network.device},script=no,downscript=no`]
  const ssh = `hostfwd=tcp:${innerAddress}:${network.port}-:22`
  const asks = `guestfwd=tcp:${metadata.address}:80-chardev:metadata`
  return [
    '-chardev',
    `socket,id=metadata,fd=${descriptors.metadata},server=on,wait=off`,
    '-netdev',
    `user,id=net,ipv6=off,net=${metadata.network},restrict=on,${ssh},${asks}`,
  ]
}

/** Whole mebibytes, rounded up, so that a machine has no less than its SKU promises. */
export function memoryOf({ memory_bytes }: Machine['size']): number {
  const wanted = Math.max(leastMemory, memory_bytes ?? usualMemory)
  return Math.ceil(wanted / mebibyte) * mebibyte
}

/** How many vCPUs a machine has. */
export function cpusOf({ cpu_count }: Machine['size']): number {
  return cpu_count ?? 1
}
