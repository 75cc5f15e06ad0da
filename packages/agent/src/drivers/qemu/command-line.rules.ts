// The command line of one machine. No shell ever sees it: each entry is one argument.

import { createHash } from 'node:crypto'
import type { DesiredInstance } from '@bourse/api/fleet/agent.ts'

/** Where QEMU listens for what goes to a guest's secure shell, on its own network. */
export const innerAddress = '127.0.0.1'

/** How machines are executed: by the processor, or emulated. */
export type Accelerator = { readonly name: 'kvm' | 'tcg'; readonly cpu: string }

/** What a machine is made of. */
export type Machine = {
  readonly id: string
  readonly size: DesiredInstance['machine']
  readonly image_format: 'qcow2' | 'raw'
  readonly mac: string
  readonly accelerator: Accelerator
  readonly network: MachineNetwork
  /** What the host itself has, which no machine exceeds. */
  readonly host: { readonly cpu_count: number; readonly memory_bytes: number }
}

/** QEMU's own network, out of which the secure shell alone is forwarded; or a device that is there. */
export type MachineNetwork =
  | { readonly kind: 'user'; readonly port: number }
  | { readonly kind: 'device'; readonly device: string }

/** The files of a machine in its folder. */
export const files = {
  disk: 'disk.qcow2',
  seed: 'seed.iso',
  monitor: 'qmp.sock',
  metadata: 'metadata.sock',
  console: 'console.log',
  process: 'qemu.pid',
  errors: 'qemu.err',
} as const

/**
 * The open files that QEMU is started with, by their numbers. It gets no path of the host: its user could follow none.
 */
export const handed = { monitor: 3, console: 4, disk: 5, image: 6, seed: 7, metadata: 8 } as const
const plainFiles = ['console', 'disk', 'image', 'seed'] as const

/** The address at which guests ask for what they are to know; QEMU's own network has to hold it. */
const metadata = { network: '169.254.0.0/16', address: '169.254.169.254' } as const

const MEBIBYTE = 2 ** 20
const LEAST_MEMORY = 96 * MEBIBYTE
const USUAL_MEMORY = 512 * MEBIBYTE
/** The longest path of a unix socket that Linux takes. */
const SOCKET_PATH_MAX = 107

/** The identity of a machine as its firmware shows it; found again in the list of processes. */
export function uuidOf(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Why a machine's folder cannot be used; undefined where it can. */
export function refuseDirectory(directory: string): string | undefined {
  const longest = `${directory}/${files.metadata}.new`.length
  return longest > SOCKET_PATH_MAX
    ? `is too long: ${longest} characters to its socket, ${SOCKET_PATH_MAX} at most`
    : undefined
}

/** The arguments of QEMU. In its own network machines reach nothing; of them only the secure shell is reached. */
export function qemuArguments(machine: Machine): string[] {
  const { id, mac, accelerator } = machine
  return [
    ...['-name', `guest=${id}`, '-uuid', uuidOf(id)],
    ...['-accel', accelerator.name, '-cpu', accelerator.cpu, '-machine', 'q35'],
    ...['-m', `${memoryOf(machine) / MEBIBYTE}`, '-smp', `${cpusOf(machine)}`],
    ...['-display', 'none', '-nodefaults', '-no-user-config'],
    // A guest that has ended waits for the agent to take note, also when that is away.
    ...['-action', 'shutdown=pause,panic=pause'],
    ...['-sandbox', 'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny'],
    ...plainFiles.flatMap((name) => ['-add-fd', `fd=${handed[name]},set=${handed[name]}`]),
    ...['-chardev', `socket,id=monitor,fd=${handed.monitor},server=on,wait=off`, '-mon', 'monitor,mode=control'],
    // Appending lets the agent cut the file while the guest writes to it.
    ...['-chardev', `file,id=console,path=${setOf('console')},append=on`, '-serial', 'chardev:console'],
    ...['-device', 'virtio-rng-pci', '-device', 'pvpanic-pci'],
    ...['-blockdev', JSON.stringify(diskOf(machine)), '-device', 'virtio-blk-pci,drive=disk,bootindex=1'],
    ...['-blockdev', JSON.stringify(seedDisk), '-device', 'virtio-blk-pci,drive=seed'],
    ...networkOf(machine),
    ...['-device', `virtio-net-pci,netdev=net,mac=${mac},romfile=`],
  ]
}

function setOf(name: keyof typeof handed): string {
  return `/dev/fdset/${handed[name]}`
}

/** The machine's own disk over its image. What files either names in itself is not followed. */
function diskOf({ image_format }: Machine): object {
  const image = { driver: 'file', filename: setOf('image'), 'read-only': true }
  const below = { driver: image_format, 'read-only': true, file: image }
  const backing = image_format === 'qcow2' ? { ...below, backing: null } : below
  const file = { driver: 'file', filename: setOf('disk'), discard: 'unmap' }
  return { driver: 'qcow2', 'node-name': 'disk', discard: 'unmap', file, backing }
}

const seedDisk = {
  driver: 'raw',
  'node-name': 'seed',
  'read-only': true,
  file: { driver: 'file', filename: setOf('seed'), 'read-only': true },
}

function networkOf({ network }: Machine): string[] {
  if (network.kind === 'device') return ['-netdev', `tap,id=net,ifname=${network.device},script=no,downscript=no`]
  const ssh = `hostfwd=tcp:${innerAddress}:${network.port}-:22`
  const asks = `guestfwd=tcp:${metadata.address}:80-chardev:metadata`
  return [
    ...['-chardev', `socket,id=metadata,fd=${handed.metadata},server=on,wait=off`],
    ...['-netdev', `user,id=net,ipv6=off,net=${metadata.network},restrict=on,${ssh},${asks}`],
  ]
}

/** Whole mebibytes: what the SKU says, and no more than the host has. */
function memoryOf({ size, host }: Machine): number {
  const wanted = Math.max(LEAST_MEMORY, Math.min(size.memory_bytes ?? USUAL_MEMORY, host.memory_bytes))
  return Math.floor(wanted / MEBIBYTE) * MEBIBYTE
}

function cpusOf({ size, host }: Machine): number {
  return Math.max(1, Math.min(size.cpu_count ?? 1, host.cpu_count))
}
