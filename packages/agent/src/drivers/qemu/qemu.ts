/**
 * Runs each machine as a QEMU process that outlives the agent and has no rights on the host. Without an attachment to
 * the networks of the host a machine has no outbound traffic, and only SSH inbound.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { refuseCount } from '../../devices/claims.rules.ts'
import { isDiskFull, readIfThere, removeAll } from '../../files.ts'
import { startFailure } from '../../problems.ts'
import { type Driver, type Fitness, type MachineEnd, type MachineSpec, machineEnds } from '../driver.ts'
import { metaData } from './cloud-init.rules.ts'
import {
  files,
  innerAddress,
  type MachineNetwork,
  memoryOf,
  qemuArguments,
  refuseDirectory,
  refuseMachine,
  uuidOf,
} from './command-line.rules.ts'
import { readConsole } from './console.ts'
import { lockable, openMilliseconds } from './device-arguments.rules.ts'
import { chooseFirmware } from './firmware.rules.ts'
import { findUefi, firmwareOf, makeVariables } from './firmware.ts'
import { syncGuestKeys } from './guest-keys.ts'
import { answerGuest, writeNotice } from './metadata.ts'
import { isFree, portOf, portsOf, writePort } from './ports.ts'
import { findAccelerator, findRoom, findTools } from './probe.ts'
import { isGone, launch, processOf } from './process.ts'
import { openQmp, type Qmp, type QmpEvent } from './qmp.ts'
import { openRelay, type Relay } from './relay.ts'
import type { Resources } from './resources.rules.ts'
import { openResources, planSlots, type ResourceBook } from './resources.ts'
import { seedVolume } from './seed.ts'
import { hasBanner, inspectImage, layoutOf, makeOverlay, scanHostKeys } from './tools.ts'
import { confinement, firstUid, kvmGroup, type MachineUser, onProcessors, withinNamespace } from './user.rules.ts'

/** The options of the driver. */
type QemuOptions = {
  readonly directory: string
  readonly allow_tcg?: boolean | undefined
  readonly host_address: string
  /** The folder with `sys` and `proc`. The default is the machine itself. */
  readonly root?: string
  /** How long the process of a machine may take to end when it is killed. */
  readonly kill_milliseconds?: number
}

/** A running machine to which this agent is connected. */
type Running = {
  readonly qmp: Qmp
  /** The server of its metadata address. */
  readonly metadata: Socket | undefined
  /** The relay from the address of the host, once it is needed. */
  relay: Relay | undefined
  end: MachineEnd
  isStopRequested: boolean
  readonly resets: number[]
}

type QemuState = {
  readonly options: QemuOptions
  readonly resources: ResourceBook
  readonly running: Map<string, Running>
  readonly listeners: ((id: string, end: MachineEnd) => void)[]
  /** The accelerator that the probe found. */
  accelerated: Awaited<ReturnType<typeof findAccelerator>> | undefined
  /** What the last probe found. */
  versions: ReturnType<NonNullable<Driver['versions']>>
}

const pressMilliseconds = 2_000
const quitMilliseconds = 3_000
/** The kernel gives back much locked memory, and closes devices, in seconds. */
const killMilliseconds = 15_000
/** On a busy host a monitor takes seconds to answer. A machine whose monitor is given up counts as lost. */
const adoptMilliseconds = 30_000
/** A slow host fills 2 GiB a second with all of its threads. */
const fillMillisecondsPerGibibyte = 500
const resetsMax = 3
const resetWindowSeconds = 60
/** States of QEMU that mean that the guest ended while no agent was connected. */
const endsByStatus: Readonly<Record<string, MachineEnd>> = {
  shutdown: 'guest_shutdown',
  'guest-panicked': 'guest_panicked',
}

const unprobed = { is_kvm_usable: null, qemu: null }

/** Creates the driver. */
export function qemuDriver(options: QemuOptions): Driver {
  const resources = openResources(options.directory, options.root)
  const found = { accelerated: undefined, versions: unprobed }
  const state: QemuState = { options, resources, running: new Map(), listeners: [], ...found }
  return {
    name: 'qemu',
    network: 'ssh_only',
    ownerOf: (slot) => (process.getuid?.() === 0 ? firstUid + slot : (process.getuid?.() ?? 0)),
    gives_devices: true,
    needs_image: true,
    probe: () => probe(state),
    versions: () => state.versions,
    planSlots: (slots) => planSlots(slots, options.root),
    prepare: (spec, userData) => prepare(state, spec, userData),
    start: (spec, signal) => start(state, spec, signal),
    adopt: async (spec) => {
      const end = await adopt(state, spec)
      // A process that remains has its memory until it is stopped.
      if (end && (await processOf(spec)) === undefined) await resources.release(spec)
      return end
    },
    stop: (spec, graceSeconds) => stop(state, spec, graceSeconds),
    destroy: (spec) => destroy(state, spec),
    console: readConsole,
    endpoints: (spec) => endpoints(state, spec),
    setNotice: writeNotice,
    syncKeys: async (spec, known) => (state.running.has(spec.id) ? syncGuestKeys(spec, known) : undefined),
    onEnd: (listener) => void state.listeners.push(listener),
    close: () => {
      for (const running of state.running.values()) {
        // Closing the monitor does not end the machine.
        running.isStopRequested = true
        running.qmp.close()
      }
    },
  }
}

async function probe(state: QemuState): Promise<Fitness> {
  await mkdir(state.options.directory, { recursive: true, mode: 0o700 })
  const findings = [...(await findTools()), await findRoom(state.options.directory)]
  const wrong = refuseDirectory(join(state.options.directory, 'machines', 'inst_'.padEnd(26, 'x')))
  if (wrong !== undefined) findings.push({ subject: '--directory', is_good: false, message: wrong })
  if (findings.every(({ is_good }) => is_good)) {
    // An accelerator that worked once keeps working, and the probe takes seconds of processor time.
    const found =
      state.accelerated ?? (await findAccelerator(state.options.allow_tcg ?? false, await userOf({ slot: 0 })))
    if (found.accelerator) state.accelerated = found
    findings.push(found.finding)
  }
  findings.push(await findUefi(state.options.root))
  const [, qemu = null] = /version (\S{1,32})/.exec(findings[0]?.message ?? '') ?? []
  const { accelerated } = state
  state.versions = { is_kvm_usable: accelerated ? accelerated.accelerator?.name === 'kvm' : null, qemu }
  return { is_fit: findings.every(({ is_good, is_optional }) => is_good || is_optional), findings }
}

async function prepare(state: QemuState, spec: MachineSpec, userData: Buffer | null): Promise<void> {
  const { id, directory, hostname, image_file, size, devices = [] } = spec
  if (image_file === null) throw startFailure('image_gone', 'The image has no bytes.')
  // Those of `cpus` include processors that the agent may not use.
  const cpu_count = (await state.resources.processors()) || cpus().length
  const refusal =
    refuseCount({ ...size, devices: devices.map(({ pci }) => pci) }) ??
    refuseMachine(size, { cpu_count, memory_bytes: totalmem() })
  if (refusal) throw startFailure(refusal.reason, refusal.message)
  const { layout, boots } = await inspectImage(image_file, size.storage_bytes, await userOf(spec))
  const firmware = spec.firmware ?? chooseFirmware(boots, size.accelerators ?? 0)
  if (firmware instanceof Error) throw firmware
  await state.resources.assign(spec)
  await makeVariables(directory, firmware, state.options.root)
  const disk = join(directory, files.disk)
  await removeAll(disk)
  await makeOverlay(image_file, layout, size.storage_bytes, disk)
  const seed = seedVolume({
    'meta-data': metaData({ 'instance-id': id, 'local-hostname': hostname, ...publicKeys(spec) }),
    'user-data': userData ?? '#cloud-config\n',
  })
  await writeFile(join(directory, files.seed), seed, { mode: 0o600 }).catch((error) => {
    throw isDiskFull(error) ? startFailure('disk_full', 'The disk of the host is full.') : error
  })
}

/**
 * The keys of the platform. cloud-init adds them to those of the user data. As a list in vendor data they would be
 * replaced by such a list of the user data.
 */
function publicKeys({ ssh_keys = [] }: MachineSpec): Record<string, readonly string[]> {
  return ssh_keys.length === 0 ? {} : { 'public-keys': ssh_keys.map(({ public_key }) => public_key) }
}

/** The user of a machine: the user of the agent, unless that is root. */
async function userOf({ slot }: { readonly slot: number }): Promise<MachineUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const device = await stat('/dev/kvm').catch(() => undefined)
  return { uid: firstUid + slot, kvm_gid: device && kvmGroup(device) }
}

async function start(state: QemuState, spec: MachineSpec, signal: AbortSignal): Promise<void> {
  await end(state, spec)
  if (spec.attachment) return startOn(state, spec, { kind: 'device', device: spec.attachment.device }, signal)
  const { host_address: address } = state.options
  for (const port of portsOf(spec.slot)) {
    if (!(await isFree(address, port)) || !(await isFree(innerAddress, port))) continue
    await writePort(spec, port)
    try {
      return await startOn(state, spec, { kind: 'user', port }, signal)
    } catch (error) {
      // Another program took the port between the check and the start of QEMU.
      if (!/host forwarding/.test((error as Error).message)) throw error
    }
  }
  const ports = portsOf(spec.slot).join(', ')
  throw startFailure('port_taken', `All ports of this slot are taken by other programs: ${ports}.`)
}

async function startOn(
  state: QemuState,
  spec: MachineSpec,
  network: MachineNetwork,
  signal: AbortSignal,
): Promise<void> {
  const accelerator = state.accelerated?.accelerator
  const { id, directory, size, image_file, attachment, devices = [] } = spec
  if (!accelerator) throw startFailure('no_accelerator', 'No accelerator works on this host.')
  if (image_file === null) throw startFailure('image_gone', 'The image has no bytes.')
  const { format: image_format } = await layoutOf(image_file)
  const firmware = await firmwareOf(directory, state.options.root)
  const resources = await state.resources.of(spec)
  const { page_bytes = null, is_bound = false, processors = [] } = resources ?? {}
  const nodes = is_bound ? (resources?.memory ?? []).map(({ node }) => node) : []
  const given = { firmware: firmware.name, memory: { page_bytes, nodes }, devices }
  const machine = { id, size, image_format, mac: spec.network.mac, accelerator, network, ...given }
  const own = [
    ...withinNamespace(attachment?.namespace),
    ...onProcessors(processors),
    ...lockable(devices, memoryOf(size)),
    ...confinement(await userOf(spec)),
  ]
  const shared = { image: image_file, uefi: firmware.code }
  const child = await launch(spec, [...own, 'qemu-system-x86_64', ...qemuArguments(machine)], shared)
  const milliseconds = openMilliseconds(devices, memoryOf(size)) + fillMilliseconds(resources)
  const isUp = await isTaken(state, spec, child, milliseconds)
  if (signal.aborted) await end(state, spec)
  if (isUp) return
  await end(state, spec)
  throw startFailure('qemu_failed', (await lastLine(join(directory, files.errors))) ?? 'QEMU did not start.')
}

/** QEMU fills huge pages before its monitor responds. */
function fillMilliseconds(resources: Resources | undefined): number {
  if (!resources?.page_bytes) return 0
  const bytes = resources.memory.reduce((sum, part) => sum + part.bytes, 0)
  return (bytes / 2 ** 30) * fillMillisecondsPerGibibyte
}

/** Waits for the monitor of a new process. False if the process ends instead. */
async function isTaken(
  state: QemuState,
  spec: MachineSpec,
  child: ChildProcess,
  milliseconds: number,
): Promise<boolean> {
  const ended = once(child, 'exit').then(() => false)
  const opened = take(state, spec, milliseconds).then(() => true)
  return Promise.race([opened, ended]).catch(() => false)
}

/** Connects to the monitor of a machine and watches for its end. */
async function take(state: QemuState, spec: MachineSpec, milliseconds: number): Promise<Running> {
  const { id, directory } = spec
  const onEvent = (event: QmpEvent) => onQmpEvent(state, spec, event)
  const onClose = () => {
    const running = state.running.get(id)
    state.running.delete(id)
    running?.metadata?.destroy()
    running?.relay?.close()
    if (!running || running.isStopRequested) return
    for (const listener of state.listeners) listener(id, running.end)
  }
  const qmp = await openQmp(join(directory, files.monitor), { onEvent, onClose }, milliseconds)
  const metadata = spec.attachment ? undefined : answerGuest(spec)
  const running: Running = { qmp, metadata, relay: undefined, end: 'machine_lost', isStopRequested: false, resets: [] }
  state.running.set(id, running)
  // Events from before the connection are lost, so the state is queried.
  const { status } = (await qmp.execute('query-status', undefined, milliseconds)) as { status: string }
  const ended = endsByStatus[status]
  if (ended) finish(spec, running, ended)
  return running
}

function onQmpEvent(state: QemuState, spec: MachineSpec, { event, data }: QmpEvent): void {
  const running = state.running.get(spec.id)
  if (!running) return
  if (event === 'GUEST_PANICKED') finish(spec, running, 'guest_panicked')
  if (event === 'SHUTDOWN' && data.guest === true) finish(spec, running, 'guest_shutdown')
  if (event === 'RESET' && data.guest === true && isLooping(running.resets)) finish(spec, running, 'crash_loop')
}

/**
 * The guest has ended by itself. QEMU is paused until the end has been written down, so that the next agent finds it
 * even if this one is killed before it has told anyone.
 */
function finish({ directory }: MachineSpec, running: Running, end: MachineEnd): void {
  if (running.end === 'machine_lost') running.end = end
  try {
    // Nothing may come between, such as a stop that removes the files.
    writeFileSync(join(directory, files.end), running.end, { mode: 0o600 })
  } catch {
    // A full disk keeps no machine from ending. This agent still knows how it ended.
  }
  running.qmp.execute('quit').catch(() => {})
}

/** Detects a crash loop. A single reboot can cause several resets at once. */
function isLooping(resets: number[]): boolean {
  const now = performance.now() / 1000
  const last = resets.at(-1)
  if (last === undefined || now - last > pressMilliseconds / 1000) resets.push(now)
  return resets.filter((at) => now - at < resetWindowSeconds).length >= resetsMax
}

async function adopt(state: QemuState, spec: MachineSpec): Promise<MachineEnd | undefined> {
  if ((await processOf(spec)) === undefined) return noted(spec)
  const running = await take(state, spec, adoptMilliseconds).catch(() => undefined)
  if (!running) return noted(spec)
  try {
    const { UUID } = (await running.qmp.execute('query-uuid')) as { UUID: string }
    if (UUID !== uuidOf(spec.id)) return 'machine_lost'
    if (running.end === 'machine_lost') return undefined
  } catch {
    // It has ended in between.
  }
  // A process that hangs in the kernel remains. The stop and the removal of the machine try again.
  await end(state, spec).catch(() => {})
  return running.end
}

/** The end of a machine that an agent has seen. */
async function noted({ directory }: MachineSpec): Promise<MachineEnd> {
  const text = await readIfThere(join(directory, files.end))
  return machineEnds.find((end) => end === text) ?? 'machine_lost'
}

async function stop(state: QemuState, spec: MachineSpec, graceSeconds: number): Promise<void> {
  const mayAsk = graceSeconds > 0 && (await processOf(spec)) !== undefined
  const connect = () => (mayAsk ? take(state, spec, adoptMilliseconds).catch(() => undefined) : undefined)
  const running = state.running.get(spec.id) ?? (await connect())
  if (running) {
    running.isStopRequested = true
    // A press is lost while the guest does not handle it yet, so it is repeated.
    for (let left = graceSeconds * 1000; left > 0 && (await processOf(spec)) !== undefined; left -= pressMilliseconds) {
      await running.qmp.execute('system_powerdown').catch(() => {})
      await isGone(spec, Math.min(left, pressMilliseconds))
    }
  }
  await end(state, spec)
  await state.resources.release(spec)
}

/** Ends a machine without its guest. Throws if its process remains: it has its devices, so nobody else may get them. */
async function end(state: QemuState, spec: MachineSpec): Promise<void> {
  const running = state.running.get(spec.id)
  if (running) {
    running.isStopRequested = true
    await running.qmp.execute('quit').catch(() => {})
    await isGone(spec, quitMilliseconds)
  }
  const pid = await processOf(spec)
  if (pid !== undefined) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
    const { kill_milliseconds = killMilliseconds } = state.options
    if (!(await isGone(spec, kill_milliseconds))) throw new Error(`The process ${pid} of ${spec.id} does not end.`)
  }
  running?.qmp.close()
  state.running.delete(spec.id)
  for (const file of [files.monitor, files.metadata, files.guest, files.process, files.end])
    await removeAll(join(spec.directory, file))
}

async function destroy(state: QemuState, spec: MachineSpec): Promise<void> {
  await end(state, spec)
  await writeNotice(spec, null)
  await state.resources.release(spec)
  for (const file of [files.disk, files.seed, files.variables]) await removeAll(join(spec.directory, file))
}

async function endpoints(state: QemuState, spec: MachineSpec) {
  const { address, port } = spec.attachment ?? { address: state.options.host_address, port: await portOf(spec) }
  const running = state.running.get(spec.id)
  if (!running) return undefined
  if (!spec.attachment && !running.relay) {
    const relay = await openRelay(address, port).catch(() => undefined)
    // The machine may have ended in between; then the relay must be closed here.
    if (state.running.get(spec.id) === running) running.relay ??= relay
    else relay?.close()
  }
  if (!(await hasBanner(address, port))) return undefined
  const host_keys = await scanHostKeys({ address, port }, await userOf(spec))
  return host_keys.length === 0 ? undefined : { hostname: address, port, host_keys }
}

async function lastLine(path: string): Promise<string | undefined> {
  const line = (await readIfThere(path))?.trim().split('\n').at(-1)
  return line === '' ? undefined : line
}
