/**
 * The devices of this host that machines get. A machine takes the devices of its slot before it starts; they are bound
 * to `vfio-pci` and opened to the user of its slot. When it has ended they are reset and closed again. Between machines
 * they stay with `vfio-pci`, so that no driver of the host meets what a guest has left.
 */
import type { DesiredInstance } from '@bourse/api/fleet/agent.ts'
import type { HostRdmaPort } from '@bourse/api/fleet/hardware.ts'
import { pause } from '../clock.ts'
import { barBytes } from '../facts/devices.rules.ts'
import { readPorts } from '../facts/ports.ts'
import { parseCount } from '../facts/processors.rules.ts'
import { startFailure } from '../problems.ts'
import { planBinding, planReturn, type SysfsWrite } from './binding.rules.ts'
import { type Blocked, type Claim, isRefused, planClaim, refuseCount } from './claims.rules.ts'
import type { DeviceTree } from './device-tree.ts'
import { type PciFunction, vfioDriver } from './functions.rules.ts'
import { type FunctionReading, type HostReading, healthProblems } from './health.rules.ts'
import { folderOf, readFunctions } from './read-functions.ts'
import { isAnswering, readHealth, readReset } from './read-host.ts'
import { type DeviceRecords, readRecords, type SlotCheck, writeRecords } from './records.ts'
import { planReset, resetProblem } from './reset.rules.ts'

/** A function that QEMU gives to a machine. */
export type GivenDevice = {
  readonly pci: string
  readonly bar_bytes: number
  /** Its NUMA node; null: the host does not say. */
  readonly numa: number | null
}

/** A machine that needs devices. */
export type DeviceUser = {
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
  /** Takes the devices of a machine that has ended, and resets them. One that cannot be reset is given to nobody. */
  release(id: string): Promise<void>
  /** At the start: releases what machines have that this agent does not know, and forgets failed checks. */
  sweep(known: ReadonlySet<string>): Promise<void>
  /** What is wrong with the devices and with the host. Tries again to reset what could not be. */
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
}

type State = {
  readonly options: DeviceOptions
  records: DeviceRecords
  readonly given: Map<string, readonly GivenDevice[]>
  /** The counters of functions when they were first read, or reset. */
  readonly first: Map<string, FunctionReading>
  before: HostReading | undefined
}

/** The kernel waits up to a minute for a function that does not come back. */
const resetMilliseconds = 90_000

/** Opens the devices with what is recorded of them. */
export async function openHostDevices(options: DeviceOptions): Promise<HostDevices> {
  const records = await readRecords(options.directory)
  const state: State = { options, records, given: new Map(), first: new Map(), before: undefined }
  for (const claim of records.claims) state.given.set(claim.id, await givenOf(options.tree, claim))
  // One change after the other: two machines that start at once must not claim the same group.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work)
    last = turn.catch(() => {})
    return turn
  }
  return {
    take: (user) => inTurn(() => take(state, user)),
    devicesOf: (id) => state.given.get(id) ?? [],
    release: (id) => inTurn(() => release(state, id)),
    sweep: (known) =>
      inTurn(async () => {
        for (const { id } of state.records.claims) if (!known.has(id)) await release(state, id)
        const blocked = state.records.blocked.filter(({ by_check }) => !by_check)
        if (blocked.length < state.records.blocked.length) await note(state, { blocked })
      }),
    problems: () => inTurn(() => findProblems(state)),
    withheld: () => new Map(state.records.blocked.map(({ pci, reason }) => [pci, reason])),
    ports: () => state.records.bound.flatMap(({ ports }) => ports),
    checks: () => state.records.checks,
    noteCheck: (check, pcis, problem) => inTurn(() => noteCheck(state, check, { pcis, problem })),
    giveBack: () => inTurn(() => giveBack(state)),
  }
}

async function take(state: State, { id, slot, size }: DeviceUser): Promise<void> {
  const { tree, ownerOf } = state.options
  const short = refuseCount(size)
  if (short) throw startFailure(short.reason, short.message)
  const { devices = [] } = size
  if (devices.length === 0) return
  const functions = await readFunctions(tree)
  const { claims, blocked, bound } = state.records
  const claim = planClaim({ id, slot, devices }, { functions, claims, blocked })
  if (isRefused(claim)) throw startFailure(claim.reason, claim.message)
  await refuseUnusable(tree, claim)
  const members = [...claim.passed, ...claim.held].flatMap((pci) => functions.find((one) => one.pci === pci) ?? [])
  const taken = members.filter((one) => one.driver !== vfioDriver && !bound.some(({ pci }) => pci === one.pci))
  const { ports: all } = await readPorts(tree, functions)
  const noted = taken.map(({ pci, driver }) => ({
    pci,
    driver,
    ports: all.filter((port) => port.functions?.[0] === pci),
  }))
  await note(state, { bound: [...bound, ...noted], claims: [...claims.filter((one) => one.id !== id), claim] })
  for (const member of members) await bind(tree, member)
  for (const group of claim.groups) {
    await tree.own(`/dev/vfio/${group}`, ownerOf(slot)).catch((error: Error) => {
      throw startFailure('device_not_bound', `/dev/vfio/${group} cannot be given to its machine: ${error.message}`)
    })
  }
  state.given.set(id, await givenOf(tree, claim))
}

async function refuseUnusable(tree: DeviceTree, { passed }: Claim): Promise<void> {
  if (!(await tree.exists(`/sys/bus/pci/drivers/${vfioDriver}`))) {
    throw startFailure('no_vfio', 'The kernel of the host has no vfio-pci. Load it: modprobe vfio-pci')
  }
  for (const pci of passed) {
    const problem = resetProblem(pci, await readReset(tree, pci))
    if (problem !== undefined) throw startFailure('device_not_resettable', `${problem}.`)
    if (!(await isAnswering(tree, pci))) throw startFailure('device_missing', `${pci} does not answer.`)
  }
}

async function bind(tree: DeviceTree, one: PciFunction): Promise<void> {
  const failed = (why: string) => startFailure('device_not_bound', `${one.pci} cannot be bound to vfio-pci: ${why}.`)
  await apply(tree, planBinding(one)).catch((error: Error) => {
    throw failed(error.message)
  })
  const driver = await tree.target(`${folderOf(one.pci)}/driver`)
  if (driver !== vfioDriver) throw failed(`its driver is ${driver ?? 'none'}`)
}

async function givenOf(tree: DeviceTree, { passed }: Claim): Promise<GivenDevice[]> {
  return Promise.all(
    passed.map(async (pci) => {
      const [regions, node] = await Promise.all([
        tree.text(`${folderOf(pci)}/resource`),
        tree.text(`${folderOf(pci)}/numa_node`),
      ])
      // The kernel writes -1 where the firmware does not say.
      return { pci, bar_bytes: barBytes(regions), numa: parseCount(node) ?? null }
    }),
  )
}

async function release(state: State, id: string): Promise<void> {
  const { options, records } = state
  const { tree, log } = options
  const claim = records.claims.find((one) => one.id === id)
  if (!claim) return
  const failures: Blocked[] = []
  for (const pci of claim.passed) {
    const reason = await reset(state, pci)
    if (reason === undefined) continue
    failures.push({ pci, reason })
    log('A device could not be reset, so no machine gets it.', { id, pci, reason })
  }
  for (const group of claim.groups) {
    await tree.own(`/dev/vfio/${group}`, process.getuid?.() ?? 0).catch((error: Error) => {
      // A device that is gone has taken its group with it.
      log('The file of a device could not be closed to its machine.', { id, group, error: error.message })
    })
  }
  const blocked = [...records.blocked.filter((one) => !claim.passed.includes(one.pci)), ...failures]
  await note(state, { claims: records.claims.filter((one) => one.id !== id), blocked })
  state.given.delete(id)
}

/** Resets a function. Returns why it is not clear; undefined if it is. */
async function reset(state: State, pci: string): Promise<string | undefined> {
  const { tree } = state.options
  if (!(await tree.exists(folderOf(pci)))) return 'it is gone: it fell off its bus'
  const texts = await readReset(tree, pci)
  const problem = resetProblem(pci, texts)
  if (problem !== undefined) return 'it cannot be reset'
  const given = new AbortController()
  const written = apply(tree, planReset(pci, texts)).then(
    () => undefined,
    (error: Error) => `it could not be reset: ${error.message}`,
  )
  const late = pause(resetMilliseconds, given.signal).then(() => 'its reset does not end')
  const failed = await Promise.race([written, late])
  given.abort()
  if (failed !== undefined) return failed
  if (!(await isAnswering(tree, pci))) return 'it does not answer after its reset'
  const [reading] = (await readHealth(tree, [pci])).functions
  if (reading) state.first.set(pci, reading)
  return undefined
}

async function findProblems(state: State): Promise<string[]> {
  const { tree } = state.options
  const { claims, bound, blocked } = state.records
  const claimed = claims.flatMap(({ passed }) => passed)
  const freed: string[] = []
  for (const { pci, by_check } of blocked) {
    if (!by_check && !claimed.includes(pci) && (await reset(state, pci)) === undefined) freed.push(pci)
  }
  if (freed.length > 0) await note(state, { blocked: blocked.filter(({ pci }) => !freed.includes(pci)) })
  const watched = [...new Set([...bound.map(({ pci }) => pci), ...claimed])]
  const now = await readHealth(tree, watched)
  for (const one of now.functions) if (!state.first.has(one.pci)) state.first.set(one.pci, one)
  const problems = healthProblems(now, { first: state.first, before: state.before })
  state.before = now
  const named = state.records.blocked.filter(({ pci }) => !problems.some((problem) => problem.startsWith(pci)))
  return [...problems, ...named.map(({ pci, reason }) => `${pci}: ${reason}`)]
}

async function noteCheck(
  state: State,
  check: SlotCheck,
  { pcis, problem }: { readonly pcis: readonly string[]; readonly problem: string | undefined },
): Promise<void> {
  const { checks, blocked } = state.records
  const found = problem === undefined ? [] : pcis.map((pci) => ({ pci, reason: problem, by_check: true }))
  await note(state, {
    checks: [...checks.filter(({ slot }) => slot !== check.slot), check],
    blocked: [...blocked.filter(({ pci, by_check }) => !by_check || !pcis.includes(pci)), ...found],
  })
  if (problem !== undefined) state.options.log('A slot has failed its check.', { slot: check.slot, problem })
}

async function giveBack(state: State): Promise<void> {
  const { tree, log } = state.options
  const { bound, claims } = state.records
  const used = new Set(claims.flatMap(({ passed, held }) => [...passed, ...held]))
  for (const one of bound) {
    if (used.has(one.pci)) continue
    const now = (await tree.target(`${folderOf(one.pci)}/driver`)) ?? null
    const isThere = await tree.exists(folderOf(one.pci))
    const failed = isThere && (await apply(tree, planReturn(one, now)).catch((error: Error) => error))
    if (failed) log('A device could not be given back to its driver.', { pci: one.pci, error: failed.message })
    else await note(state, { bound: state.records.bound.filter(({ pci }) => pci !== one.pci) })
  }
}

async function apply(tree: DeviceTree, writes: readonly SysfsWrite[]): Promise<void> {
  for (const { path, text } of writes) await tree.write(path, text)
}

async function note(state: State, change: Partial<DeviceRecords>): Promise<void> {
  const records = { ...state.records, ...change }
  await writeRecords(state.options.directory, records)
  state.records = records
}
