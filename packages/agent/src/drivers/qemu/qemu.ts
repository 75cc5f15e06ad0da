/**
 * Real machines, each a QEMU of its own that outlives the agent. Without rights on the network: a machine reaches
 * nothing, and of it nothing but its secure shell is reached.
 */
import { spawn } from 'node:child_process'
import { mkdir, open, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '../../clock.ts'
import { readIfThere, removeAll, writeWhole } from '../../files.ts'
import { startFailure } from '../../problems.ts'
import type { Driver, Fitness, MachineEnd, MachineSpec } from '../driver.ts'
import { type Accelerator, files, qemuArguments, refuseDirectory, uuidOf } from './command-line.rules.ts'
import { findAccelerator, findRoom, findTools } from './probe.ts'
import { openQmp, type Qmp, type QmpEvent } from './qmp.ts'
import { seedVolume } from './seed.ts'
import { hasBanner, inspectImage, makeOverlay, scanHostKeys } from './tools.ts'

/** How the driver is set up. */
export type QemuWish = {
  readonly directory: string
  readonly allow_tcg?: boolean | undefined
  readonly host_address: string
}

/** A machine that runs, as far as this agent has hold of it. */
type Running = { readonly qmp: Qmp; end: MachineEnd; isAsked: boolean; readonly resets: number[] }

type Rig = {
  readonly wish: QemuWish
  readonly running: Map<string, Running>
  readonly listeners: ((id: string, end: MachineEnd) => void)[]
  /** What the last look at the host found to work. */
  accelerator: Accelerator | undefined
}

const firstPort = 22_000
const pressMilliseconds = 2_000
const quitMilliseconds = 3_000
const openTries = 400
/** A console file that is longer is cut when all of it has been read. */
const consoleBytesKept = 8 * 2 ** 20
const baseFile = 'console.base'
const resetsMax = 3
const resetWindowSeconds = 60

/** Makes the driver. */
export function qemuDriver(wish: QemuWish): Driver {
  const rig: Rig = { wish, running: new Map(), listeners: [], accelerator: undefined }
  return {
    name: 'qemu',
    network: 'ssh_only',
    needs_image: true,
    probe: () => probe(rig),
    prepare,
    start: (spec, signal) => start(rig, spec, signal),
    adopt: (spec) => adopt(rig, spec),
    stop: (spec, grace_seconds) => stop(rig, spec, grace_seconds),
    destroy: (spec) => destroy(rig, spec),
    console: readConsole,
    endpoints: (spec) => endpoints(rig, spec),
    // A machine without a network of its own has nothing to ask; its deadline is in the events of its owner.
    tell: async () => {},
    onEnd: (listener) => void rig.listeners.push(listener),
  }
}

async function probe(rig: Rig): Promise<Fitness> {
  await mkdir(rig.wish.directory, { recursive: true, mode: 0o700 })
  const findings = [...(await findTools()), await findRoom(rig.wish.directory)]
  const wrong = refuseDirectory(join(rig.wish.directory, 'machines', 'inst_'.padEnd(26, 'x')))
  if (wrong !== undefined) findings.push({ what: '--directory', is_good: false, says: wrong })
  if (findings.every(({ is_good }) => is_good)) {
    const { accelerator, finding } = await findAccelerator(rig.wish.allow_tcg ?? false)
    rig.accelerator = accelerator
    findings.push(finding)
  }
  return { is_fit: findings.every(({ is_good }) => is_good), findings }
}

async function prepare(spec: MachineSpec, user_data: Buffer | null): Promise<void> {
  const { id, directory, hostname, image_file, size } = spec
  if (image_file === null) throw startFailure('image_gone', 'The image has no bytes.')
  const format = await formatOf(image_file)
  await inspectImage(image_file, format, size.storage_bytes)
  await removeAll(join(directory, files.disk))
  await makeOverlay(image_file, format, join(directory, files.disk)).catch((error) => {
    throw startFailure('disk_full', `The disk of the machine could not be made: ${error.message}`)
  })
  const seed = seedVolume({
    'meta-data': `instance-id: ${id}\nlocal-hostname: ${hostname}\n`,
    'user-data': user_data ?? '#cloud-config\n',
  })
  await writeFile(join(directory, files.seed), seed, { mode: 0o600 })
}

async function start(rig: Rig, spec: MachineSpec, signal: AbortSignal): Promise<void> {
  await end(rig, spec)
  const { accelerator } = rig
  if (!accelerator) throw startFailure('no_accelerator', 'Machines cannot be executed on this host.')
  const { id, directory, size, network } = spec
  const host = { cpu_count: cpus().length, memory_bytes: totalmem() }
  const words = qemuArguments({ id, directory, size, mac: network.mac, accelerator, ...wayTo(rig, spec), host })
  const errors = await open(join(directory, files.errors), 'w', 0o600)
  const child = spawn('qemu-system-x86_64', words, { detached: true, stdio: ['ignore', errors.fd, errors.fd] })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  await errors.close()
  child.unref()
  const opened = take(rig, spec, openTries)
  const isUp = await Promise.race([opened.then(() => true), ended.then(() => false)]).catch(() => false)
  if (signal.aborted) await end(rig, spec)
  if (!isUp) throw startFailure('qemu_failed', (await lastLine(join(directory, files.errors))) ?? 'QEMU did not start.')
}

/** Takes hold of a machine's monitor, and listens for its end. */
async function take(rig: Rig, spec: MachineSpec, tries: number): Promise<Running> {
  const { id, directory } = spec
  const onEvent = (event: QmpEvent) => hear(rig, spec, event)
  const onClose = () => {
    const running = rig.running.get(id)
    rig.running.delete(id)
    if (running && !running.isAsked) for (const listener of rig.listeners) listener(id, running.end)
  }
  const qmp = await openQmp(join(directory, files.monitor), { onEvent, onClose }, tries)
  const running: Running = { qmp, end: 'machine_lost', isAsked: false, resets: [] }
  rig.running.set(id, running)
  return running
}

function hear(rig: Rig, spec: MachineSpec, { event, data }: QmpEvent): void {
  const running = rig.running.get(spec.id)
  if (!running) return
  if (event === 'GUEST_PANICKED') running.end = 'guest_panicked'
  if (event === 'SHUTDOWN' && running.end === 'machine_lost' && data.guest === true) running.end = 'guest_shutdown'
  if (event === 'RESET' && data.guest === true && isLooping(running.resets)) {
    running.end = 'crash_loop'
    running.qmp.execute('quit').catch(() => {})
  }
}

/** A guest that starts over again and again never comes up. One reboot may show as several resets at once. */
function isLooping(resets: number[]): boolean {
  const now = performance.now() / 1000
  const last = resets.at(-1)
  if (last === undefined || now - last > pressMilliseconds / 1000) resets.push(now)
  return resets.filter((at) => now - at < resetWindowSeconds).length >= resetsMax
}

async function adopt(rig: Rig, spec: MachineSpec): Promise<boolean> {
  if ((await processOf(spec)) === undefined) return false
  try {
    const { qmp } = await take(rig, spec, 1)
    const { UUID } = (await qmp.execute('query-uuid')) as { UUID: string }
    return UUID === uuidOf(spec.id)
  } catch {
    return false
  }
}

async function stop(rig: Rig, spec: MachineSpec, grace_seconds: number): Promise<void> {
  const running = rig.running.get(spec.id) ?? (await take(rig, spec, 1).catch(() => undefined))
  if (running) {
    running.isAsked = true
    // The button is lost while nothing in the guest listens for it, so it is pressed again and again.
    for (
      let left = grace_seconds * 1000;
      left > 0 && (await processOf(spec)) !== undefined;
      left -= pressMilliseconds
    ) {
      await running.qmp.execute('system_powerdown').catch(() => {})
      await isGone(spec, Math.min(left, pressMilliseconds))
    }
  }
  await end(rig, spec)
}

/** Ends a machine without asking its guest. */
async function end(rig: Rig, spec: MachineSpec): Promise<void> {
  const running = rig.running.get(spec.id)
  if (running) {
    running.isAsked = true
    await running.qmp.execute('quit').catch(() => {})
    await isGone(spec, quitMilliseconds)
  }
  const pid = await processOf(spec)
  if (pid !== undefined) {
    process.kill(pid, 'SIGKILL')
    await isGone(spec, quitMilliseconds)
  }
  running?.qmp.close()
  rig.running.delete(spec.id)
  await removeAll(join(spec.directory, files.monitor))
}

async function destroy(rig: Rig, spec: MachineSpec): Promise<void> {
  await end(rig, spec)
  for (const file of [files.disk, files.seed, files.process]) await removeAll(join(spec.directory, file))
}

async function endpoints(rig: Rig, spec: MachineSpec) {
  const { address, port } = wayTo(rig, spec)
  if (!(await hasBanner(address, port))) return undefined
  const host_keys = await scanHostKeys(address, port)
  return host_keys.length === 0 ? undefined : { hostname: address, port, host_keys }
}

/** Each slot has its port, so that no two machines of a host meet. */
function wayTo({ wish }: Rig, { slot }: MachineSpec): { address: string; port: number } {
  return { address: wish.host_address, port: firstPort + slot }
}

/** Positions count all bytes that the console has ever said; the file may have been cut since. */
async function readConsole(spec: MachineSpec, from_byte: number, bytes_max: number): Promise<Buffer> {
  const path = join(spec.directory, files.console)
  const base = Number((await readIfThere(join(spec.directory, baseFile))) ?? 0)
  const length = await stat(path).then(
    ({ size }) => size,
    () => 0,
  )
  const at = Math.max(0, from_byte - base)
  if (at >= length && length > consoleBytesKept) {
    await writeWhole(join(spec.directory, baseFile), String(base + length))
    await truncate(path)
    return Buffer.alloc(0)
  }
  if (at >= length) return Buffer.alloc(0)
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(bytes_max, length - at)), 0, undefined, at)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** The process of a machine, told by its identity: a number alone may be another program's by now. */
async function processOf({ id, directory }: MachineSpec): Promise<number | undefined> {
  const pid = Number(await readIfThere(join(directory, files.process)))
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return line.includes(uuidOf(id)) ? pid : undefined
}

async function isGone(spec: MachineSpec, milliseconds: number): Promise<boolean> {
  const look = async () => ((await processOf(spec)) === undefined ? true : undefined)
  return (await waitFor(look, { every: 50, at_most: milliseconds })) ?? false
}

async function formatOf(path: string): Promise<'qcow2' | 'raw'> {
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.equals(Buffer.from([0x51, 0x46, 0x49, 0xfb])) ? 'qcow2' : 'raw'
  } finally {
    await file.close()
  }
}

async function lastLine(path: string): Promise<string | undefined> {
  return (await readIfThere(path))?.trim().split('\n').at(-1)
}
