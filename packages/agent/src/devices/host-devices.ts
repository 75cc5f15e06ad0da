/**
 * The devices of this host that machines get. A machine takes the devices of its slot before it starts; they are bound
 * to `vfio-pci` and opened to the user of its slot. When it has ended they are reset and closed again. Between machines
 * they stay with `vfio-pci`, so that no driver of the host meets what a guest has left.
 */
import type { DesiredInstance } from '@bourse/api/fleet/agent.ts'
import type { HostRdmaPort } from '@bourse/api/fleet/hardware.ts'
import { readPorts } from '../facts/ports.ts'
import { startFailure } from '../problems.ts'
import { openTurns, type Turns } from '../turns.ts'
import { type MachineAdapter, readAdapters } from './adapters.ts'
import { planReturn } from './binding.rules.ts'
import { apply, bind, boundOf, type GivenDevice, givenOf, stillBound } from './binding.ts'
import { type BoundedWork, inTime, late, openBoundedWork, type Wait } from './bounded-work.ts'
import { type Blocked, type Claim, isRefused, planClaim, refuseCount } from './claims.rules.ts'
import { clear, type ResetParams } from './clear.ts'
import type { DeviceTree } from './device-tree.ts'
import { type PciFunction, vfioDriver } from './functions.rules.ts'
import { countsOf, type ErrorCounts, type FunctionReading, type HostReading, healthProblems } from './health.rules.ts'
import { folderOf, idOf, readFunctions } from './read-functions.ts'
import { readFunction, readHealth, readReset } from './read-host.ts'
import {
  type DeviceRecords,
  type RecordedFunction,
  readRecords,
  type SlotCheck,
  without,
  writeRecords,
} from './records.ts'
import { resetProblem } from './reset.rules.ts'

/** A machine that needs devices. */
type DeviceUser = {
  readonly id: string
  readonly slot: number
  readonly size: Pick<DesiredInstance['machine'], 'accelerators' | 'rdma' | 'devices'>
}

/** The devices of a host. */
export type HostDevices = {
  /** Gives a machine its devices. May be repeated. Throws a `StartFailure`. */
  take(user: DeviceUser): Promise<void>
  /** What a machine has. */
  devicesOf(id: string): readonly GivenDevice[]
  /** Its InfiniBand adapters among them. */
  adaptersOf(id: string): Promise<readonly MachineAdapter[]>
  /** Takes the devices of a machine that has ended, and resets them. One that cannot be reset is given to nobody. */
  release(id: string): Promise<void>
  /** At the start: releases what machines have that this agent does not know, and forgets failed checks. */
  sweep(known: ReadonlySet<string>): Promise<void>
  /**
   * What is wrong with the devices and with the host. Tries again to reset what could not be. Waits for no device that
   * hangs.
   */
  problems(): Promise<string[]>
  /** The devices that no machine may get, with the reason. */
  withheld(): ReadonlyMap<string, string>
  /** The RDMA ports of adapters that the agent has taken from their driver. */
  ports(): readonly HostRdmaPort[]
  /** The last checks of slots by probe machines. */
  checks(): readonly SlotCheck[]
  /** Records the check of a slot. With a problem no machine gets its devices, until the agent starts again. */
  noteCheck(check: SlotCheck, devices: readonly string[], problem: string | undefined): Promise<void>
  /** Gives the devices that no machine has back to the drivers that they had. */
  giveBack(): Promise<void>
}

/** The options of the devices. */
export type DeviceOptions = {
  /** The state directory of the agent. */
  readonly directory: string
  readonly tree: DeviceTree
  /** The user that runs the machine of a slot. */
  readonly ownerOf: (slot: number) => number
  readonly log: (message: string, fields: object) => void
  /** Waits in place of a timer, for tests that make work late. */
  readonly wait?: Wait | undefined
}

type HostDevicesState = {
  readonly options: DeviceOptions
  records: DeviceRecords
  readonly given: Map<string, readonly GivenDevice[]>
  /** What functions had counted when they were first read, or reset. Recorded with the next note. */
  readonly first: Map<string, ErrorCounts>
  before: HostReading | undefined
  readonly reads: BoundedWork<FunctionReading>
  readonly resets: BoundedWork<string | undefined>
  readonly bindings: BoundedWork<void>
  readonly inTurn: Turns
  /** The releases under way, by machine. */
  readonly leaving: Map<string, Promise<void>>
  /** The last change of the records, done or not. */
  noted: Promise<void>
}

/**
 * Milliseconds until a read, or a reset or a change of driver, counts as one that does not end. A read takes a second
 * if the device is silent, and more on a busy host, which must not look like a device that hangs. The kernel waits up
 * to a minute for one after its reset.
 */
const bounds = { read: 15_000, reset: 90_000 }
/** The turn of work that claims functions: two machines that start at once must not claim the same group. */
const claiming = 'claims'
const bootFile = '/proc/sys/kernel/random/boot_id'

/** Opens the devices with what is recorded of them. */
export async function openHostDevices(options: DeviceOptions): Promise<HostDevices> {
  const [recorded, boot] = await Promise.all([readRecords(options.directory), options.tree.text(bootFile)])
  // The kernel counts from its start on.
  const errors = recorded.boot === boot ? recorded.errors : []
  const bound = await stillBound(options.tree, recorded.bound)
  const records = { ...recorded, bound, errors, ...(boot === undefined ? {} : { boot }) }
  const first = new Map(errors.map((one) => [one.pci, one]))
  const { wait } = options
  const state: HostDevicesState = {
    options,
    records,
    given: new Map(),
    first,
    before: undefined,
    reads: openBoundedWork(wait),
    resets: openBoundedWork(wait),
    bindings: openBoundedWork(wait),
    inTurn: openTurns(),
    leaving: new Map(),
    noted: Promise.resolve(),
  }
  for (const claim of records.claims) state.given.set(claim.id, await givenOf(options.tree, claim))
  // Each machine in its own turn: one with a device that hangs takes minutes to begin or to end.
  const { inTurn } = state
  return {
    take: (user) => inTurn(user.id, () => take(state, user)),
    devicesOf: (id) => state.given.get(id) ?? [],
    adaptersOf: (id) => {
      const given = (state.given.get(id) ?? []).map(({ pci }) => pci)
      const ports = state.records.bound.flatMap(({ ports: own }) => own)
      return readAdapters(options.tree, given, ports)
    },
    release: (id) => inTurn(id, () => leave(state, id)),
    sweep: async (known) => {
      const gone = state.records.claims.filter(({ id }) => !known.has(id))
      const releases = Promise.all(gone.map(({ id }) => inTurn(id, () => leave(state, id))))
      // No machine waits for a device that hangs, but for its own.
      await inTime(releases, { what: 'all devices', at_most: bounds.read, wait })
      releases.catch((error: Error) => options.log('Devices could not be released.', { error: error.message }))
      if (!state.records.blocked.some(({ by_check }) => by_check)) return
      await note(state, ({ blocked }) => ({ blocked: blocked.filter(({ by_check }) => !by_check) }))
    },
    problems: () => findProblems(state),
    withheld: () => new Map([...hanging(state), ...state.records.blocked].map(({ pci, reason }) => [pci, reason])),
    ports: () => state.records.bound.flatMap(({ ports }) => ports),
    checks: () => state.records.checks,
    noteCheck: (check, pcis, problem) => noteCheck(state, check, { pcis, problem }),
    giveBack: () => inTurn(claiming, () => giveBack(state)),
  }
}

async function take(state: HostDevicesState, { id, slot, size }: DeviceUser): Promise<void> {
  const { tree, ownerOf } = state.options
  const { devices = [] } = size
  const others = state.records.claims.filter(({ passed }) => passed.some((pci) => devices.includes(pci)))
  await Promise.all(others.map((other) => state.leaving.get(other.id)?.catch(() => {})))
  const isNew = !state.records.claims.some((one) => one.id === id)
  const claimed = await state.inTurn(claiming, () => claim(state, { id, slot, size }))
  if (!claimed) return
  const { own, members, noted } = claimed
  await refuseUnusable(state, own).catch(async (error: Error) => {
    // Nothing of it is bound yet.
    if (isNew) await note(state, (known) => without(known, { id, noted }))
    throw error
  })
  for (const member of members) await bindInTime(state, member)
  for (const group of own.groups) {
    await tree.own(`/dev/vfio/${group}`, ownerOf(slot)).catch((error: Error) => {
      throw startFailure('device_not_bound', `/dev/vfio/${group} cannot be given to its machine: ${error.message}`)
    })
  }
  state.given.set(id, await givenOf(tree, own))
}

/** Claims the functions of a machine; undefined if it needs none. Asks no device. */
async function claim(state: HostDevicesState, { id, slot, size }: DeviceUser) {
  const { tree } = state.options
  const { devices = [] } = size
  const functions = devices.length === 0 ? [] : await readFunctions(tree)
  const short = refuseCount(size, functions)
  if (short) throw startFailure(short.reason, short.message)
  if (devices.length === 0) return undefined
  const { claims, bound } = state.records
  const blocked = [...state.records.blocked, ...hanging(state)]
  const planned = planClaim({ id, slot, devices }, { functions, claims, blocked })
  if (isRefused(planned)) throw startFailure(planned.reason, planned.message)
  const own = { ...planned, ids: await Promise.all(planned.passed.map((pci) => idOf(tree, pci))) }
  const members = [...own.passed, ...own.held].flatMap((pci) => functions.find((one) => one.pci === pci) ?? [])
  const taken = members.filter((one) => one.driver !== vfioDriver && !bound.some(({ pci }) => pci === one.pci))
  const { ports } = await readPorts(tree, functions)
  const noted = await Promise.all(taken.map(({ pci, driver }) => boundOf(tree, { pci, driver, ports })))
  await note(state, (known) => ({
    bound: [...known.bound, ...noted],
    claims: [...known.claims.filter((one) => one.id !== id), own],
  }))
  return { own, members, noted }
}

async function refuseUnusable(state: HostDevicesState, { passed }: Claim): Promise<void> {
  const { tree } = state.options
  if (!(await tree.exists(`/sys/bus/pci/drivers/${vfioDriver}`))) {
    throw startFailure('no_vfio', 'The kernel of the host has no vfio-pci. Load it: modprobe vfio-pci')
  }
  for (const pci of passed) {
    const problem = resetProblem(pci, await readReset(tree, pci))
    if (problem !== undefined) throw startFailure('device_not_resettable', `${problem}.`)
    if (!(await readInTime(state, pci)).answers) throw startFailure('device_missing', `${pci} does not answer.`)
  }
}

/** Binds a function. One whose change of driver does not end is no machine's until it does. */
async function bindInTime(state: HostDevicesState, one: PciFunction): Promise<void> {
  const { bindings, options } = state
  const bound = await bindings.run(one.pci, bounds.reset, () => bind(options.tree, one))
  if (bound !== late) return
  const why = `the change of its driver has not ended within ${bounds.reset / 1000} s: it hangs`
  throw startFailure('device_not_bound', `${one.pci} cannot be bound to vfio-pci: ${why}.`)
}

/** The functions whose change of driver takes too long, as ones that no machine may get. */
function hanging({ bindings }: HostDevicesState): Blocked[] {
  return bindings.overdue().map((pci) => ({ pci, reason: 'the change of its driver does not end: it hangs' }))
}

/** Releases the devices of a machine. Machines that are to get them next wait for it, and no others. */
async function leave(state: HostDevicesState, id: string): Promise<void> {
  const release = releaseAll(state, id).finally(() => state.leaving.delete(id))
  state.leaving.set(id, release)
  await release
}

async function releaseAll(state: HostDevicesState, id: string): Promise<void> {
  const { tree, log } = state.options
  const claim = state.records.claims.find((one) => one.id === id)
  if (!claim) return
  const failures: Blocked[] = []
  let hung: string | undefined
  for (const [index, pci] of claim.passed.entries()) {
    const was = claim.ids?.[index]
    // One that hangs is enough to wait for. The next look at the devices resets the others.
    const found =
      hung === undefined ? await reset(state, { pci, was }, bounds.reset) : `its reset waits for that of ${hung}`
    if (found === undefined) continue
    if (found === late) hung = pci
    const reason = found === late ? 'its reset does not end' : found
    failures.push({ pci, reason, id: was })
    log('A device could not be reset, so no machine gets it.', { id, pci, reason })
  }
  for (const group of claim.groups) {
    await tree.own(`/dev/vfio/${group}`, process.getuid?.() ?? 0).catch((error: Error) => {
      // A device that is gone has taken its group with it.
      log('The file of a device could not be closed to its machine.', { id, group, error: error.message })
    })
  }
  await note(state, ({ claims, blocked }) => ({
    claims: claims.filter((one) => one.id !== id),
    blocked: [...blocked.filter((one) => !claim.passed.includes(one.pci)), ...failures],
  }))
  state.given.delete(id)
}

/** Resets a function as {@link clear} does, or waits for the reset that is under way. */
function reset(
  state: HostDevicesState,
  { pci, was }: ResetParams,
  at_most: number,
): Promise<string | undefined | typeof late> {
  if (state.bindings.isUnderWay(pci)) return Promise.resolve('the change of its driver does not end: it hangs')
  return state.resets.run(pci, at_most, () => clear(state.options.tree, { pci, was }, state.first))
}

/** Waits for no machine: one with a device that hangs takes minutes to begin or to end. */
async function findProblems(state: HostDevicesState): Promise<string[]> {
  const { tree } = state.options
  await resetAgain(state)
  const { claims, bound } = state.records
  const watched = new Set([...bound.map(({ pci }) => pci), ...claims.flatMap(({ passed }) => passed)])
  // During its reset a function is silent.
  const isQuiet = (pci: string) => !state.resets.isUnderWay(pci)
  const readings = [...watched].filter(isQuiet).map((pci) => readInTime(state, pci))
  const all = await readHealth(tree, readings)
  const now = { ...all, functions: all.functions.filter(({ pci }) => isQuiet(pci)) }
  await noteCounts(state, now.functions)
  const problems = healthProblems(now, { first: state.first, before: state.before })
  state.before = now
  const blocked = [...state.records.blocked, ...hanging(state)]
  const withheld = [...new Map(blocked.map((one) => [one.pci, one])).values()]
  const named = withheld.filter(({ pci }) => !problems.some((problem) => problem.startsWith(pci)))
  return [...problems, ...named.map(({ pci, reason }) => `${pci}: ${reason}`)]
}

/** Resets what could not be reset. What does not end in time goes on, and frees its device when it ends. */
async function resetAgain(state: HostDevicesState): Promise<void> {
  const { claims, blocked } = state.records
  const claimed = claims.flatMap(({ passed }) => passed)
  const due = blocked.filter(({ pci, by_check }) => !by_check && !claimed.includes(pci))
  const tries = due.flatMap(({ pci, id: was }) => {
    if (state.resets.isUnderWay(pci) || state.bindings.isUnderWay(pci)) return []
    const again = async () => {
      const reason = await clear(state.options.tree, { pci, was }, state.first)
      if (reason === undefined) await free(state, pci)
      return reason
    }
    return [state.resets.run(pci, bounds.read, again)]
  })
  await Promise.all(tries)
}

function free(state: HostDevicesState, pci: string): Promise<void> {
  return note(state, ({ blocked }) => ({ blocked: blocked.filter((one) => one.by_check || one.pci !== pci) }))
}

/** What a function shows, or that it has shown nothing in time. */
async function readInTime(state: HostDevicesState, pci: string): Promise<FunctionReading> {
  const { reads, options } = state
  const reading = await reads.run(pci, bounds.read, () => readFunction(options.tree, pci))
  if (reading !== late) return reading
  const unknown = { fatal_errors: null, nonfatal_errors: null }
  return { pci, is_there: true, answers: false, late_after: bounds.read / 1000, ...unknown }
}

/** Keeps the first counts of functions. Without a disk to write to they are kept until the agent ends. */
async function noteCounts(state: HostDevicesState, readings: readonly FunctionReading[]): Promise<void> {
  const fresh = readings.filter(
    ({ pci, is_there, late_after }) => is_there && late_after === undefined && !state.first.has(pci),
  )
  for (const one of fresh) state.first.set(one.pci, countsOf(one))
  if (fresh.length === 0) return
  await note(state, () => ({})).catch((error: Error) => {
    state.options.log('The error counts of devices could not be recorded.', { error: error.message })
  })
}

async function noteCheck(
  state: HostDevicesState,
  check: SlotCheck,
  { pcis, problem }: { readonly pcis: readonly string[]; readonly problem: string | undefined },
): Promise<void> {
  const found = problem === undefined ? [] : pcis.map((pci) => ({ pci, reason: problem, by_check: true }))
  await note(state, ({ checks, blocked }) => ({
    checks: [...checks.filter(({ slot }) => slot !== check.slot), check],
    blocked: [...blocked.filter(({ pci, by_check }) => !by_check || !pcis.includes(pci)), ...found],
  }))
  if (problem !== undefined) state.options.log('A slot has failed its check.', { slot: check.slot, problem })
}

async function giveBack(state: HostDevicesState): Promise<void> {
  const { bound, claims } = state.records
  const used = new Set(claims.flatMap(({ passed, held }) => [...passed, ...held]))
  await Promise.all(bound.filter(({ pci }) => !used.has(pci)).map((one) => giveOneBack(state, one)))
}

async function giveOneBack(state: HostDevicesState, one: RecordedFunction): Promise<void> {
  const { pci } = one
  const { tree, log } = state.options
  const failed = (error: string) => log('A device could not be given back to its driver.', { pci, error })
  if (state.resets.isUnderWay(pci)) return failed('Its reset does not end.')
  if (state.bindings.isUnderWay(pci)) return failed('The change of its driver does not end.')
  const now = (await tree.target(`${folderOf(pci)}/driver`)) ?? null
  if (await tree.exists(folderOf(pci))) {
    const giving = state.bindings.run(pci, bounds.reset, () => apply(tree, planReturn(one, now)))
    const error = await giving.then(
      (given) => (given === late ? 'The change of its driver does not end.' : undefined),
      (reason: Error) => reason.message,
    )
    if (error !== undefined) return failed(error)
  }
  state.first.delete(pci)
  await note(state, ({ bound }) => ({ bound: bound.filter((other) => other.pci !== pci) }))
}

/** Changes the records, one change after the other: resets end at any time. */
function note(state: HostDevicesState, change: (records: DeviceRecords) => Partial<DeviceRecords>): Promise<void> {
  const done = state.noted.then(async () => {
    const records = { ...state.records, ...change(state.records), errors: [...state.first.values()] }
    await writeRecords(state.options.directory, records)
    state.records = records
  })
  state.noted = done.catch(() => {})
  return done
}
