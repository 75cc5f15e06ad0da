// The command line of one machine. No shell ever sees it: each entry is one argument.

import { createHash } from 'node:crypto'
import type { DesiredInstance } from '@bourse/api/fleet/agent.ts'

/** How machines are executed: by the processor, or emulated. */
export type Accelerator = { readonly name: 'kvm' | 'tcg'; readonly cpu: string }

/** What a machine is made of. Paths may hold no comma: QEMU divides its options by them. */
export type Machine = {
  readonly id: string
  readonly directory: string
  readonly size: DesiredInstance['machine']
  readonly mac: string
  readonly accelerator: Accelerator
  /** The address and port of the host that lead to its secure shell. */
  readonly address: string
  readonly port: number
  /** What the host itself has, which no machine exceeds. */
  readonly host: { readonly cpu_count: number; readonly memory_bytes: number }
}

/** The files of a machine in its folder. */
export const files = {
  disk: 'disk.qcow2',
  seed: 'seed.iso',
  monitor: 'qmp.sock',
  console: 'console.log',
  process: 'qemu.pid',
  errors: 'qemu.err',
} as const

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
  if (directory.includes(',')) return 'has a comma in its path, which QEMU divides its options by'
  const longest = `${directory}/${files.monitor}`.length
  return longest > SOCKET_PATH_MAX
    ? `is too long: ${longest} characters to its socket, ${SOCKET_PATH_MAX} at most`
    : undefined
}

/** The arguments of QEMU. Machines reach nothing; of them only the secure shell is reached. */
export function qemuArguments(machine: Machine): string[] {
  const { id, directory, mac, accelerator, address, port } = machine
  const path = (name: keyof typeof files) => `${directory}/${files[name]}`
  const ssh = `hostfwd=tcp:${address}:${port}-:22`
  return [
    ...['-name', `guest=${id}`, '-uuid', uuidOf(id)],
    ...['-accel', accelerator.name, '-cpu', accelerator.cpu, '-machine', 'q35'],
    ...['-m', `${memoryOf(machine) / MEBIBYTE}`, '-smp', `${cpusOf(machine)}`],
    ...['-display', 'none', '-nodefaults', '-no-user-config', '-action', 'panic=shutdown'],
    ...['-sandbox', 'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny'],
    ...['-qmp', `unix:${path('monitor')},server=on,wait=off`, '-pidfile', path('process')],
    // Appending lets the agent cut the file while the guest writes to it.
    ...['-chardev', `file,id=console,path=${path('console')},append=on`, '-serial', 'chardev:console'],
    ...['-device', 'virtio-rng-pci', '-device', 'pvpanic-pci'],
    ...['-drive', `file=${path('disk')},format=qcow2,if=none,id=disk,discard=unmap`],
    ...['-device', 'virtio-blk-pci,drive=disk,bootindex=1'],
    ...[
      '-drive',
      `file=${path('seed')},format=raw,if=none,id=seed,readonly=on`,
      '-device',
      'virtio-blk-pci,drive=seed',
    ],
    ...['-netdev', `user,id=net,ipv6=off,restrict=on,${ssh}`],
    ...['-device', `virtio-net-pci,netdev=net,mac=${mac},romfile=`],
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
