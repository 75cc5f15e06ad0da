/**
 * Brings one machine to its desired state, one step at a time. Each step is written to the journal before it begins.
 * The result is reported to the server.
 */
import { type DesiredInstance, logChunkBytesMax, logChunksMax, type ReportedSsh } from '@bourse/api/fleet/agent.ts'
import type { LogChunk } from '@bourse/api/fleet/instance-access.ts'
import { nowSeconds } from './clock.ts'
import type { Driver, MachineEnd, MachineSpec, TerminationNotice } from './drivers/driver.ts'
import type { Images } from './images.ts'
import type { Journal } from './journal.ts'
import { endsStart, entryOf, type MachineRecord, nextStep, type Phase, type ReportEntry } from './machine.rules.ts'
import type { HostNetwork } from './network/host-network.ts'
import { isStartFailure, startFailure } from './problems.ts'
import type { ServerCalls } from './server-calls.ts'

/** What the machines of an agent share. */
export type Household = {
  readonly driver: Driver
  /** The networks of this host. Absent: machines have the network of their driver. */
  readonly network?: HostNetwork | undefined
  readonly journal: Journal
  readonly images: Images
  readonly calls: ServerCalls
  /** Called when something has changed that must be reported. */
  readonly tell: () => void
  /** Resolves when the current state of all machines has been reported. */
  readonly reported: () => Promise<void>
  readonly note: (message: string, fields: object) => void
}

/** One machine and its current step. Only the functions of this file change it. */
export type Keeping = {
  readonly household: Household
  readonly id: string
  record: MachineRecord | undefined
  wanted: DesiredInstance | undefined
  /** How many desired states were set, and how many of them have been handled. */
  wishes: number
  seen: number
  /** It is being removed, so nothing may be written to its journal. */
  isLeaving: boolean
  starting: AbortController | undefined
  work: Promise<void> | undefined
  ssh: ReportedSsh | undefined
}

/** Seconds that a guest has to stop by itself. */
const graceSeconds = 20

/** Starts to manage a machine. `record` is its journal from before a restart. */
export function openKeeping(household: Household, id: string, record: MachineRecord | undefined): Keeping {
  const idle = { isLeaving: false, starting: undefined, work: undefined, ssh: undefined }
  return { household, id, record, wanted: undefined, wishes: 0, seen: 0, ...idle }
}

/** Sets the desired state; undefined: the server no longer lists the machine. */
export function wish(keeping: Keeping, wanted: DesiredInstance | undefined): void {
  keeping.wanted = wanted
  keeping.wishes += 1
  if (endsStart(wanted)) keeping.starting?.abort()
  proceed(keeping)
}

/** Retries a step that failed. */
export function tryAgain(keeping: Keeping): void {
  if (keeping.wishes > 0) proceed(keeping)
}

/** Adopts a machine that was running before the agent started. */
export async function adopt(keeping: Keeping): Promise<void> {
  const { record, household } = keeping
  if (record?.phase !== 'running') return
  const end = await household.driver.adopt(await specOf(keeping))
  if (end) await enter(keeping, phaseAfter(end), end)
}

/** Records that the machine has ended without a request. */
export async function noteEnd(keeping: Keeping, end: MachineEnd): Promise<void> {
  // The guest may end before the step that starts it is recorded as running.
  if (keeping.record?.phase === 'starting') await keeping.work
  if (keeping.record?.phase !== 'running') return
  await keeping.household.reported()
  // Its stop may have been requested in between.
  if (keeping.record?.phase !== 'running') return
  await enter(keeping, phaseAfter(end), end)
}

/** A guest that shuts itself down is stopped. Every other end is a fault. */
function phaseAfter(end: MachineEnd): Phase {
  return end === 'guest_shutdown' ? 'stopped' : 'unhealthy'
}

/** What to report; undefined if the machine is unknown or removed. */
export function reportOf({ record, ssh }: Keeping): ReportEntry | undefined {
  return record && entryOf(record, record.phase === 'running' ? ssh : undefined)
}

/** Whether no step is running. */
export function isIdle({ work }: Keeping): boolean {
  return work === undefined
}

/** Looks for the host keys of a machine where they are not known yet. */
export async function lookForSsh(keeping: Keeping): Promise<void> {
  const { record, ssh, household } = keeping
  if (record?.phase !== 'running' || ssh) return
  const found = await household.driver.endpoints(await specOf(keeping))
  keeping.ssh = found && { ...found, ...household.network?.shellOf(keeping.id) }
  if (keeping.ssh) household.tell()
}

/**
 * Sends new console output to the server. The number of bytes is written to the journal first: if an agent cannot know
 * whether the chunks arrived, it sends the same chunks again, and the server skips the numbers that it has.
 */
export async function shipConsole(keeping: Keeping, signal: AbortSignal): Promise<void> {
  const { id, household, record: now } = keeping
  if (!now || now.phase === 'fetching' || keeping.isLeaving) return
  const spec = await specOf(keeping)
  const most = now.console_under_way ?? logChunkBytesMax * logChunksMax
  const bytes = await household.driver.console(spec, now.console_byte, most)
  if (bytes.length === 0 || !keeping.record || keeping.isLeaving) return
  keeping.record = { ...keeping.record, console_under_way: bytes.length }
  await household.journal.write(keeping.record)
  const chunks: LogChunk[] = []
  for (let at = 0; at < bytes.length; at += logChunkBytesMax) {
    const data = bytes.subarray(at, at + logChunkBytesMax).toString('base64')
    chunks.push({ seqnum: now.next_seqnum + chunks.length, logged_at: nowSeconds(), data })
  }
  const next_seqnum = await household.calls.appendLogs(id, chunks, signal)
  if (!keeping.record || keeping.isLeaving) return
  const console_byte = now.console_byte + bytes.length
  keeping.record = { ...keeping.record, next_seqnum, console_byte, console_under_way: undefined }
  await household.journal.write(keeping.record)
}

function proceed(keeping: Keeping): void {
  keeping.work ??= run(keeping).finally(() => {
    keeping.work = undefined
    if (keeping.wishes !== keeping.seen) proceed(keeping)
    else keeping.household.tell()
  })
}

async function run(keeping: Keeping): Promise<void> {
  for (;;) {
    keeping.seen = keeping.wishes
    const { record, wanted } = keeping
    const step = nextStep(record, wanted)
    if (step === 'nothing') return
    try {
      if (step === 'remove' || !wanted) await remove(keeping)
      else if (step === 'start') await start(keeping, wanted)
      else if (step === 'stop') await stop(keeping, wanted)
      else await keep(keeping, wanted)
    } catch (error) {
      // Retried with the next request for the desired state.
      keeping.household.note('A step of a machine failed.', { id: keeping.id, step, error: (error as Error).message })
      return
    }
  }
}

async function start(keeping: Keeping, wanted: DesiredInstance): Promise<void> {
  const { household, id } = keeping
  const { driver, images, calls, note } = household
  keeping.starting = new AbortController()
  const { signal } = keeping.starting
  await begin(keeping, wanted, 'fetching')
  try {
    const image_file = driver.needs_image ? await images.fetch(wanted.image, signal) : null
    const ticket = wanted.user_data_ticket
    const user_data = ticket === null ? null : await calls.userData(id, ticket, signal)
    await connect(keeping, wanted)
    const spec = await specOf(keeping, image_file)
    await driver.prepare(spec, user_data)
    await enter(keeping, 'starting')
    await driver.start(spec, signal)
    await tell(keeping, wanted)
    await enter(keeping, 'running')
  } catch (error) {
    if (signal.aborted) return
    const reason = isStartFailure(error) ? error.reason : 'start_failure'
    note('A machine did not start.', { id, reason, error: (error as Error).message })
    // The server must have received a report that the machine was starting before the failure is reported.
    await household.reported()
    await enter(keeping, 'start_failed', reason)
  } finally {
    keeping.starting = undefined
  }
}

async function stop(keeping: Keeping, wanted: DesiredInstance): Promise<void> {
  // The machine was never started, so there is nothing to stop.
  if (!keeping.record) return begin(keeping, wanted, 'stopped')
  await begin(keeping, wanted, 'stopping')
  await keeping.household.driver.stop(await specOf(keeping), graceSeconds)
  // Released before the end is reported: after the report another machine may use the slot and the addresses.
  await keeping.household.network?.release(keeping.id)
  keeping.ssh = undefined
  await enter(keeping, 'stopped')
}

async function remove(keeping: Keeping): Promise<void> {
  const { household, id, record } = keeping
  keeping.isLeaving = true
  if (record) await household.driver.destroy(await specOf(keeping))
  await household.network?.release(id)
  await household.journal.remove(id)
  keeping.record = undefined
}

async function keep(keeping: Keeping, wanted: DesiredInstance): Promise<void> {
  if (keeping.record?.phase === 'running') {
    if (keeping.household.network?.wiringOf(keeping.id)) await connect(keeping, wanted)
    await tell(keeping, wanted)
  }
  // The console may have been sent in between, and the machine may have ended.
  const record = keeping.record as MachineRecord
  await write(keeping, { ...record, generation: wanted.generation, wanted: withoutTicket(wanted) })
}

/** Attaches a machine to its desired network, or changes the network. */
async function connect({ id, household }: Keeping, { slot, network }: DesiredInstance): Promise<void> {
  const { subnet, public_ip, partition_key } = network
  const needsMore = subnet !== null || public_ip !== null || partition_key !== null
  if (household.network) await household.network.attach({ id, slot, network })
  else if (household.driver.network === 'ssh_only' && needsMore) {
    throw startFailure('no_network', 'This host no longer has network rights. Run: bourse agent check')
  }
}

async function tell(keeping: Keeping, wanted: DesiredInstance): Promise<void> {
  const { id, household } = keeping
  await household.network?.tell(id, noticeOf(wanted))
  await household.driver.tell(await specOf(keeping), noticeOf(wanted))
}

async function begin(keeping: Keeping, wanted: DesiredInstance, phase: Phase): Promise<void> {
  const { id, household } = keeping
  await household.journal.folderOf(id)
  const { generation } = wanted
  const { next_seqnum = 1, console_byte = 0, console_under_way } = keeping.record ?? {}
  const shipped = { next_seqnum, console_byte, console_under_way }
  await write(keeping, { id, generation, phase, reason: null, wanted: withoutTicket(wanted), ...shipped })
}

function enter(keeping: Keeping, phase: Phase, reason: string | null = null): Promise<void> {
  return write(keeping, { ...(keeping.record as MachineRecord), phase, reason })
}

async function write(keeping: Keeping, record: MachineRecord): Promise<void> {
  keeping.record = record
  await keeping.household.journal.write(record)
  keeping.household.tell()
}

async function specOf({ id, household, record }: Keeping, image_file: string | null = null): Promise<MachineSpec> {
  const { hostname, slot, network, machine: size } = (record as MachineRecord).wanted
  const wiring = household.network?.wiringOf(id)
  return { id, directory: await household.journal.folderOf(id), hostname, slot, size, network, image_file, wiring }
}

function noticeOf({ terminate_at, terminate_reason }: DesiredInstance): TerminationNotice | null {
  return terminate_at === null ? null : { deadline_at: terminate_at, reason: terminate_reason ?? 'allocation_ended' }
}

/** A ticket is valid for one start and is not stored. */
function withoutTicket({ user_data_ticket: _, ...rest }: DesiredInstance): MachineRecord['wanted'] {
  return rest
}
