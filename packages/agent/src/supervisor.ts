/**
 * Brings one machine to its desired state, one step at a time. Each step is written to the journal before it begins.
 * The result is reported to the server.
 */
import { isDeepStrictEqual } from 'node:util'
import type { DesiredInstance, ReportedSsh } from '@bourse/api/fleet/agent.ts'
import type { LogChunk } from '@bourse/api/fleet/instance-access.ts'
import { monotonic, nowSeconds } from './clock.ts'
import { bytesAllowed, type ConsoleBudget, chunksOf, freshBudget, gapChunk, spend } from './console.rules.ts'
import type { HostDevices } from './devices/host-devices.ts'
import type { Driver, MachineEnd, MachineSpec, TerminationNotice } from './drivers/driver.ts'
import type { Images } from './images.ts'
import type { Journal } from './journal.ts'
import {
  endsStart,
  entryOf,
  type MachineKeys,
  type MachineRecord,
  nextStep,
  type Phase,
  type ReportEntry,
  reportableKeys,
} from './machine.rules.ts'
import type { HostNetwork } from './network/host-network.ts'
import { isStartFailure, startFailure } from './problems.ts'
import type { ServerCalls } from './server-calls.ts'

/** What the machines of an agent share. */
export type AgentContext = {
  readonly driver: Driver
  /** The devices of this host. Absent: machines get none. */
  readonly devices?: HostDevices | undefined
  /** Checks the devices of a slot before it is offered again. Absent: they are only reset. */
  readonly verifySlot?: ((slot: Pick<DesiredInstance, 'slot' | 'machine'>) => Promise<unknown>) | undefined
  /** The networks of this host. Absent: machines have the network of their driver. */
  readonly network?: HostNetwork | undefined
  readonly journal: Journal
  readonly images: Images
  readonly calls: ServerCalls
  /** Called when something has changed that must be reported. */
  readonly notify: () => void
  /** Resolves when the current state of all machines has been reported. */
  readonly whenReported: () => Promise<void>
  readonly log: (message: string, fields: object) => void
}

/** One machine and its current step. Only the functions of this file change it. */
export type ManagedMachine = {
  readonly context: AgentContext
  readonly id: string
  record: MachineRecord | undefined
  wanted: DesiredInstance | undefined
  /** How many desired states were set, and how many of them have been handled. */
  desired_revision: number
  handled_revision: number
  /** It is being removed, so nothing may be written to its journal. */
  isLeaving: boolean
  starting: AbortController | undefined
  work: Promise<void> | undefined
  /** What follows from an end without a request. Steps wait for it: it has the devices. */
  ending: Promise<void> | undefined
  ssh: ReportedSsh | undefined
  /** Its keys are being brought to the desired ones. */
  key_sync: Promise<void> | undefined
  /** When its keys may be looked at again, and since when it runs, by the clock that never goes back. */
  keys_after: number
  running_since: number | undefined
  /** How much of its console may be sent. A new agent begins with the whole burst. */
  console_budget: ConsoleBudget
}

/** How often a guest agent is looked for that does not answer. */
const keyLookMilliseconds = 2_000
/** A guest that runs as long has written the keys that its first boot writes. */
const settledMilliseconds = 600_000
/** Seconds that a guest has to stop by itself. */
const graceSeconds = 20

/** Starts to manage a machine. `record` is its journal from before a restart. */
export function keepMachine(context: AgentContext, id: string, record: MachineRecord | undefined): ManagedMachine {
  const idle = { isLeaving: false, starting: undefined, work: undefined, ending: undefined, ssh: undefined }
  const keys = { key_sync: undefined, keys_after: 0, running_since: undefined }
  const revisions = { desired_revision: 0, handled_revision: 0 }
  return { context, id, record, wanted: undefined, ...revisions, ...idle, ...keys, console_budget: freshBudget }
}

/** Sets the desired state; undefined: the server no longer lists the machine. */
export function setDesired(managed: ManagedMachine, wanted: DesiredInstance | undefined): void {
  managed.wanted = wanted
  managed.desired_revision += 1
  if (endsStart(wanted)) managed.starting?.abort()
  proceed(managed)
}

/** Retries a step that failed. */
export function tryAgain(managed: ManagedMachine): void {
  const { record } = managed
  if (record?.phase === 'running' && record.ended && !managed.isLeaving) beginEnd(managed, record.ended)
  if (managed.desired_revision > 0) proceed(managed)
}

/** Adopts a machine that was running before the agent started. */
export async function adopt(managed: ManagedMachine): Promise<void> {
  const { record, context } = managed
  if (record?.phase !== 'running') return
  const end = record.ended ?? (await context.driver.adopt(await specOf(managed)))
  // Its devices may hang, and their reset and check take minutes. Nothing but its own steps waits for them.
  if (end && phaseAfter(end) === 'stopped') beginEnd(managed, end)
  else if (end) await enterEnd(managed, end)
}

/** Records that the machine has ended without a request. */
export async function recordEnd(managed: ManagedMachine, end: MachineEnd): Promise<void> {
  // The guest may end before the step that starts it is recorded as running.
  if (managed.record?.phase === 'starting') await managed.work
  if (managed.record?.phase !== 'running') return
  await managed.context.whenReported()
  // Its stop or its removal may have been requested in between.
  if (managed.record?.phase !== 'running' || managed.isLeaving) return
  await enterEnd(managed, end)
}

/** Enters an end, and waits for nothing. */
function beginEnd(managed: ManagedMachine, end: MachineEnd): void {
  const { context, id } = managed
  void enterEnd(managed, end).catch((error: Error) => {
    context.log('The end of a machine could not be recorded.', { id, error: error.message })
  })
}

/** One at a time: a check of its slot takes minutes, and until then the machine has not ended for anybody else. */
function enterEnd(managed: ManagedMachine, end: MachineEnd): Promise<void> {
  managed.ending ??= clearAndEnter(managed, end).finally(() => {
    managed.ending = undefined
  })
  return managed.ending
}

async function clearAndEnter(managed: ManagedMachine, end: MachineEnd): Promise<void> {
  const phase = phaseAfter(end)
  const { context, id } = managed
  if (phase === 'stopped') {
    // The slot of a stopped machine is free with its report, so its devices are reset before, and nobody has them open.
    try {
      await write(managed, { ...(managed.record as MachineRecord), ended: end })
      await context.driver.stop(await specOf(managed), 0)
      await context.network?.release(id)
      await releaseDevices(managed)
    } catch (error) {
      // Retried with the next request for the desired state.
      return context.log('A machine that has ended is not gone.', { id, error: (error as Error).message })
    }
    // It may have been stopped or removed in between.
    if (managed.record?.phase !== 'running' || managed.isLeaving) return
  }
  await enter(managed, phase, end)
}

/** A guest that shuts itself down is stopped. Every other end is a fault. */
function phaseAfter(end: MachineEnd): Phase {
  return end === 'guest_shutdown' ? 'stopped' : 'unhealthy'
}

/** What to report; undefined if the machine is unknown or removed. */
export function reportOf({ record, ssh }: ManagedMachine): ReportEntry | undefined {
  return record && entryOf(record, record.phase === 'running' ? ssh : undefined)
}

/** Whether no step is running. */
export function isIdle({ work }: ManagedMachine): boolean {
  return work === undefined
}

/** Looks for the host keys of a machine where they are not known yet. */
export async function lookForSsh(managed: ManagedMachine): Promise<void> {
  const { record, ssh, context } = managed
  if (record?.phase !== 'running' || ssh) return
  const found = await context.driver.endpoints(await specOf(managed))
  const host_keys = reportableKeys(found?.host_keys ?? [])
  if (!found || host_keys.length === 0) return
  // It may have ended, or begun anew with other keys, since it was asked.
  const { phase, generation } = managed.record ?? {}
  if (phase !== 'running' || generation !== record.generation) return
  managed.ssh = { ...found, host_keys, ...context.network?.sshEndpointOf(managed.id) }
  context.notify()
}

/** Brings the SSH keys of a machine to the desired ones. One that has no guest agent is asked now and then. */
export function lookAfterKeys(managed: ManagedMachine): void {
  const { record, context, id } = managed
  if (record?.phase !== 'running' || managed.isLeaving || managed.key_sync !== undefined) return
  const { has_channel = false, ids = [] } = record.ssh_keys ?? {}
  const wanted = keyIds(record.wanted)
  if (wanted.length === 0 && ids.length === 0) return
  if (has_channel && isDeepStrictEqual(wanted, ids)) return
  managed.running_since ??= monotonic()
  if (monotonic() < managed.keys_after) return
  managed.keys_after = monotonic() + keyLookMilliseconds
  managed.key_sync = syncKeys(managed)
    .catch((error: Error) =>
      context.log('The SSH keys of a machine could not be changed.', { id, error: error.message }),
    )
    .finally(() => {
      managed.key_sync = undefined
    })
}

async function syncKeys(managed: ManagedMachine): Promise<void> {
  const { record, context, running_since = monotonic() } = managed
  if (!record) return
  const is_settled = monotonic() - running_since > settledMilliseconds
  const spec = await specOf(managed)
  const ids = await context.driver.syncKeys(spec, { placed: record.ssh_keys?.ids ?? [], is_settled })
  // It may have ended, or begun anew, since it was asked.
  const { phase, generation } = managed.record ?? {}
  if (phase !== 'running' || generation !== record.generation || managed.isLeaving) return
  await recordKeys(managed, ids ? { has_channel: true, ids } : { ...noKeys, ...record.ssh_keys, has_channel: false })
}

const noKeys: MachineKeys = { has_channel: false, ids: [] }

function keyIds({ ssh_keys = [] }: Pick<DesiredInstance, 'ssh_keys'>): string[] {
  return ssh_keys.map(({ id }) => id).sort()
}

async function recordKeys(managed: ManagedMachine, ssh_keys: MachineKeys): Promise<void> {
  const { record } = managed
  if (!record || isDeepStrictEqual(record.ssh_keys ?? noKeys, ssh_keys)) return
  await write(managed, { ...record, ssh_keys })
}

/**
 * Sends new console output to the server, as much as the budget of the machine allows. The number of bytes is written
 * to the journal first: if an agent cannot know whether the chunks arrived, it sends the same chunks again, and the
 * server skips the numbers that it has.
 */
export async function shipConsole(managed: ManagedMachine, signal: AbortSignal): Promise<void> {
  const { context, record: now } = managed
  if (!now || now.phase === 'fetching' || managed.isLeaving) return
  const spec = await specOf(managed)
  const most = now.console_under_way ?? bytesAllowed(managed.console_budget, monotonic())
  // Read even if nothing may be sent, because the driver then bounds what it keeps on the host.
  const { first_byte, bytes } = await context.driver.console(spec, now.console_byte, most)
  if (!managed.record || managed.isLeaving) return
  const dropped = first_byte - now.console_byte
  if (dropped > 0) {
    const is_under_way = now.console_under_way !== undefined
    const gap = gapChunk(dropped, { next_seqnum: now.next_seqnum, is_under_way, logged_at: nowSeconds() })
    return sendConsole(managed, { chunks: [gap], console_byte: first_byte }, signal)
  }
  if (bytes.length === 0) return
  if (now.console_under_way === undefined) {
    managed.console_budget = spend(managed.console_budget, bytes.length, monotonic())
  }
  managed.record = { ...managed.record, console_under_way: bytes.length }
  await context.journal.write(managed.record)
  const chunks = chunksOf(bytes, { seqnum: now.next_seqnum, logged_at: nowSeconds() })
  await sendConsole(managed, { chunks, console_byte: now.console_byte + bytes.length }, signal)
}

async function sendConsole(
  managed: ManagedMachine,
  { chunks, console_byte }: { chunks: readonly LogChunk[]; console_byte: number },
  signal: AbortSignal,
): Promise<void> {
  const next_seqnum = await managed.context.calls.appendLogs(managed.id, chunks, signal)
  if (!managed.record || managed.isLeaving) return
  managed.record = { ...managed.record, next_seqnum, console_byte, console_under_way: undefined }
  await managed.context.journal.write(managed.record)
}

function proceed(managed: ManagedMachine): void {
  managed.work ??= run(managed).finally(() => {
    managed.work = undefined
    if (managed.desired_revision !== managed.handled_revision) proceed(managed)
    else managed.context.notify()
  })
}

async function run(managed: ManagedMachine): Promise<void> {
  for (;;) {
    // From here until a step has written its phase nothing waits, so that no end comes between.
    while (managed.ending !== undefined) await managed.ending.catch(() => {})
    managed.handled_revision = managed.desired_revision
    const { record, wanted } = managed
    const step = nextStep(record, wanted)
    if (step === 'nothing') return
    try {
      if (step === 'remove' || !wanted) await remove(managed)
      else if (step === 'start') await start(managed, wanted)
      else if (step === 'stop') await stop(managed, wanted)
      else await keep(managed, wanted)
    } catch (error) {
      // Retried with the next request for the desired state.
      managed.context.log('A step of a machine failed.', { id: managed.id, step, error: (error as Error).message })
      return
    }
  }
}

async function start(managed: ManagedMachine, wanted: DesiredInstance): Promise<void> {
  const { context, id } = managed
  const { driver, images, calls, log } = context
  managed.starting = new AbortController()
  const { signal } = managed.starting
  managed.running_since = undefined
  await begin(managed, wanted, 'fetching')
  try {
    const image_file = driver.needs_image ? await images.fetch(wanted.image, signal) : null
    const ticket = wanted.user_data_ticket
    const userData = ticket === null ? null : await calls.userData(id, ticket, signal)
    await equip(managed, wanted)
    const spec = await specOf(managed, image_file)
    await driver.prepare(spec, userData)
    await recordKeys(managed, { has_channel: false, ids: keyIds(wanted) })
    await enter(managed, 'starting')
    await driver.start(spec, signal)
    await setNotice(managed, wanted)
    await enter(managed, 'running')
  } catch (error) {
    if (signal.aborted) return
    const reason = isStartFailure(error) ? error.reason : 'start_failure'
    log('A machine did not start.', { id, reason, error: (error as Error).message })
    // The server must have received a report that the machine was starting before the failure is reported.
    await context.whenReported()
    await enter(managed, 'start_failed', reason)
  } finally {
    managed.starting = undefined
  }
}

async function stop(managed: ManagedMachine, wanted: DesiredInstance): Promise<void> {
  // The machine was never started, so there is nothing to stop.
  if (!managed.record) return begin(managed, wanted, 'stopped')
  await begin(managed, wanted, 'stopping')
  await managed.context.driver.stop(await specOf(managed), graceSeconds)
  // Released before the end is reported: after the report another machine may use the slot and the addresses. Its
  // adapters leave their partition before another machine can get them.
  await managed.context.network?.release(managed.id)
  await releaseDevices(managed)
  managed.ssh = undefined
  await enter(managed, 'stopped')
}

async function remove(managed: ManagedMachine): Promise<void> {
  const { context, id, record } = managed
  managed.isLeaving = true
  if (record) await context.driver.destroy(await specOf(managed))
  await context.network?.release(id)
  await context.devices?.release(id)
  await context.journal.remove(id)
  managed.record = undefined
}

async function keep(managed: ManagedMachine, wanted: DesiredInstance): Promise<void> {
  if (managed.record?.phase === 'running') {
    if (managed.context.network?.attachmentOf(managed.id)) await connect(managed, wanted)
    await setNotice(managed, wanted)
  }
  // The console may have been sent in between, and the machine may have ended.
  const record = managed.record as MachineRecord
  // Its size stays that of its start, even if the SKU or what its account is promised of it has changed since.
  const { machine } = record.wanted
  await write(managed, { ...record, generation: wanted.generation, wanted: { ...withoutTicket(wanted), machine } })
  managed.keys_after = 0
  lookAfterKeys(managed)
}

/** Gives a machine its devices, then its networks. One that gets no networks keeps no devices. */
async function equip(managed: ManagedMachine, wanted: DesiredInstance): Promise<void> {
  const { context, id } = managed
  await context.devices?.take({ id, slot: wanted.slot, size: wanted.machine })
  try {
    await connect(managed, wanted)
  } catch (error) {
    await unequip(managed).catch((failed: Error) => {
      // They stay with the machine until it is removed.
      context.log('The devices of a machine could not be released.', { id, error: failed.message })
    })
    throw error
  }
}

async function unequip(managed: ManagedMachine): Promise<void> {
  const { context, id } = managed
  if (!context.devices?.devicesOf(id).length) return
  // An agent that was killed during the start may have left its process, which has them open.
  await context.driver.stop(await specOf(managed), 0)
  await context.devices.release(id)
}

/** Attaches a machine to its desired network, or changes the network. */
async function connect({ id, context }: ManagedMachine, { slot, network }: DesiredInstance): Promise<void> {
  const { subnet, public_ip, partition_key } = network
  const needsMore = subnet !== null || public_ip !== null || partition_key !== null
  const adapters = (await context.devices?.adaptersOf(id)) ?? []
  const own = adapters.length > 0 ? { adapters } : {}
  if (context.network) await context.network.attach({ id, slot, network, ...own })
  else if (context.driver.network === 'ssh_only' && needsMore) {
    throw startFailure('no_network', 'This host no longer has network rights. Run: bourse agent check')
  }
}

async function setNotice(managed: ManagedMachine, wanted: DesiredInstance): Promise<void> {
  const { id, context } = managed
  await context.network?.setNotice(id, noticeOf(wanted))
  await context.driver.setNotice(await specOf(managed), noticeOf(wanted))
}

async function begin(managed: ManagedMachine, wanted: DesiredInstance, phase: Phase): Promise<void> {
  const { id } = managed
  const { generation } = wanted
  const { next_seqnum = 1, console_byte = 0, console_under_way } = managed.record ?? {}
  const shipped = { next_seqnum, console_byte, console_under_way }
  await write(managed, { id, generation, phase, reason: null, wanted: withoutTicket(wanted), ...shipped })
}

function enter(managed: ManagedMachine, phase: Phase, reason: string | null = null): Promise<void> {
  const { ended: _, ...record } = managed.record as MachineRecord
  return write(managed, { ...record, phase, reason })
}

async function write(managed: ManagedMachine, record: MachineRecord): Promise<void> {
  managed.record = record
  await managed.context.journal.write(record)
  managed.context.notify()
}

async function specOf({ id, context, record }: ManagedMachine, image_file: string | null = null): Promise<MachineSpec> {
  const { hostname, slot, network, machine: size, ssh_keys } = (record as MachineRecord).wanted
  const attachment = context.network?.attachmentOf(id)
  const devices = context.devices?.devicesOf(id)
  const directory = await context.journal.folderOf(id)
  return { id, directory, hostname, slot, size, network, image_file, attachment, devices, ssh_keys }
}

/** Resets the devices of a machine that has ended, and checks them. */
async function releaseDevices({ id, context, record }: ManagedMachine): Promise<void> {
  const { devices, verifySlot } = context
  const own = devices?.devicesOf(id) ?? []
  await devices?.release(id)
  const withheld = devices?.withheld()
  if (own.length === 0 || !record || own.some(({ pci }) => withheld?.has(pci))) return
  await verifySlot?.({ slot: record.wanted.slot, machine: record.wanted.machine })
}

function noticeOf({ terminate_at, terminate_reason }: DesiredInstance): TerminationNotice | null {
  return terminate_at === null ? null : { deadline_at: terminate_at, reason: terminate_reason ?? 'allocation_ended' }
}

/** A ticket is valid for one start and is not stored. */
function withoutTicket({ user_data_ticket: _, ...rest }: DesiredInstance): MachineRecord['wanted'] {
  return rest
}
