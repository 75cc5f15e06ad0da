// The behaviour of simulated hosts: which machines a host starts and stops, how the state of a machine changes with
// time or by a fault, and what the host reports. Equal inputs give equal results, so a seed determines a whole run. Not
// decided here: how the server applies a report, and which faults there are.

/** Durations in seconds: from `least` up to, not including, `least + spread`. */
const fetchSeconds = { least: 1, spread: 3 }
const bootSeconds = { least: 2, spread: 4 }
const stopSeconds = { least: 1, spread: 2 }
/** Seconds until a crashed host is back, unless the fault has an end. Long enough for the server to detect silence. */
export const rebootSeconds = 120

/** Kinds of faults of simulated hosts and machines. */
export type MachineFaultKind =
  | 'host_silent'
  | 'host_crash'
  | 'start_failure'
  | 'checksum_mismatch'
  | 'instance_unhealthy'
  | 'guest_shutdown'

/** A fault that is active now on a host (`instance_id` null) or on one of its machines. */
export type ActiveFault = {
  readonly id: string
  readonly kind: MachineFaultKind
  readonly instance_id: string | null
  /** The number of hits left; null: no limit. */
  readonly times_left: number | null
  readonly hits: number
  readonly ends_at: number | null
}

/** The simulated state of a machine on its host. */
export type SimulatedMachine = {
  readonly instance_id: string
  readonly generation: number
  readonly state: 'fetching' | 'starting' | 'running' | 'start_failed' | 'unhealthy' | 'stopping' | 'stopped'
  readonly reason: string | null
  /** The time of its next state change, in seconds; null: the state does not change with time. */
  readonly next_at: number | null
}

/** A machine as the server wants it. */
export type WantedMachine = {
  readonly id: string
  readonly generation: number
  readonly action: 'run' | 'stop'
}

/** The part of a report about one machine. */
export type SimulatedEntry<Id extends string = string> = {
  readonly id: Id
  readonly generation: number
  readonly state: 'fetching' | 'starting' | 'running' | 'start_failed' | 'unhealthy' | 'stopped'
  readonly reason: string | null
}

/** The result of one step of a host. `hits` contains the id of a fault once per hit. */
export type SimulatedStep = {
  readonly machines: readonly SimulatedMachine[]
  readonly entries: readonly SimulatedEntry[]
  readonly hits: readonly string[]
  readonly next_at: number | null
}

/**
 * Whether a host responds, and when to check again. If `next_at` is null while the host is away, the outage lasts until
 * a fault is removed.
 */
type HostOutage = {
  readonly is_away: boolean
  /** The host loses its machines in this step. */
  readonly crashes: boolean
  readonly down_until: number | null
  readonly next_at: number | null
  readonly hits: readonly string[]
}

/**
 * Evaluates whether a host is away. Silence lasts as long as its fault. A crash loses the machines of the host. The
 * host is back when the fault ends, or after a reboot. If the fault has no limit of hits, the host is back when the
 * fault is removed. A host that returns reports once before it crashes again at the next step.
 */
export function evaluateOutage(
  host: { readonly hidden_at: number | null; readonly down_until: number | null },
  faults: readonly ActiveFault[],
  now: number,
): HostOutage {
  const silentFaults = faults.filter(({ kind }) => kind === 'host_silent')
  const crashes = faults.filter(({ kind }) => kind === 'host_crash')
  const lasting = crashes.filter(({ times_left }) => times_left === null)
  const isThere = host.hidden_at === null
  const fresh = isThere ? crashes.find(({ times_left, hits }) => times_left !== null || hits === 0) : undefined
  const isDown = host.down_until !== null && host.down_until > now
  const down_until = fresh ? (fresh.ends_at ?? now + rebootSeconds) : isDown ? host.down_until : null
  const ends = [...silentFaults, ...lasting].map(({ ends_at }) => ends_at)
  if (down_until !== null) ends.push(down_until)
  const begun = isThere ? silentFaults.filter(({ hits }) => hits === 0) : []
  const isAway = ends.length > 0
  const backAt = ends.includes(null) ? null : (ends as number[]).reduce((a, b) => Math.max(a, b), now)
  const crashesAgain = !isAway && crashes.length > 0
  return {
    is_away: isAway,
    crashes: fresh !== undefined,
    down_until,
    next_at: isAway ? backAt : crashesAgain ? now + rebootSeconds : null,
    hits: [...begun, ...(fresh ? [fresh] : [])].map(({ id }) => id),
  }
}

/** The machines of a host after a crash: those that were stopping have stopped, all others are lost. */
export function loseMachines(machines: readonly SimulatedMachine[]): SimulatedMachine[] {
  return machines.map((machine) =>
    machine.state === 'stopping'
      ? { ...machine, state: 'stopped', next_at: null }
      : { ...machine, state: 'unhealthy', reason: 'machine_lost', next_at: null },
  )
}

/**
 * The next step of a host that responds: it applies the desired state, advances its machines up to `now`, and reports
 * all of them. A new machine is reported as `fetching` before its state can change. A stopped machine is reported once
 * and then removed. A machine that is not in the desired state is removed.
 */
export function stepHost(input: {
  readonly now: number
  readonly seed: number
  readonly wanted: readonly WantedMachine[]
  readonly machines: readonly SimulatedMachine[]
  readonly faults: readonly ActiveFault[]
}): SimulatedStep {
  const { now, seed } = input
  const own = new Map(input.machines.map((machine) => [machine.instance_id, machine]))
  const tracker = trackFaults(input.faults)
  const machines = input.wanted.map((wanted) => {
    const before = own.get(wanted.id)
    const taken = wanted.action === 'run' ? takeUp(before, wanted, { now, seed }) : letGo(before, wanted, { now, seed })
    const isFresh = taken.state === 'fetching' && before?.state !== 'fetching'
    return isFresh ? taken : advance(taken, { now, seed, tracker })
  })
  const kept = machines.filter(({ state }) => state !== 'stopped')
  const ahead = kept.flatMap(({ next_at }) => next_at ?? [])
  return {
    machines: kept,
    entries: machines.map(asEntry),
    hits: tracker.hits,
    next_at: ahead.length === 0 ? null : Math.min(...ahead),
  }
}

type SimulatedMoment = { readonly now: number; readonly seed: number }

/** Starts a machine that should run, if there is none, or if it failed or stopped and the generation is newer. */
function takeUp(
  before: SimulatedMachine | undefined,
  wanted: WantedMachine,
  moment: SimulatedMoment,
): SimulatedMachine {
  const { id, generation } = wanted
  const isAnew =
    before && before.generation < generation && ['start_failed', 'stopped', 'stopping'].includes(before.state)
  if (!before || isAnew) {
    const next_at = moment.now + secondsFor(fetchSeconds, `${moment.seed} ${id} ${generation} fetch`)
    return { instance_id: id, generation, state: 'fetching', reason: null, next_at }
  }
  return before.generation === generation ? before : { ...before, generation }
}

/** Stops a machine. A machine that does not exist counts as stopped. */
function letGo(before: SimulatedMachine | undefined, wanted: WantedMachine, moment: SimulatedMoment): SimulatedMachine {
  const { id: instance_id, generation } = wanted
  if (!before) return { instance_id, generation, state: 'stopped', reason: null, next_at: null }
  if (before.state === 'stopping' || before.state === 'stopped') return { ...before, generation }
  const next_at = moment.now + secondsFor(stopSeconds, `${moment.seed} ${instance_id} ${generation} stop`)
  return { instance_id, generation, state: 'stopping', reason: null, next_at }
}

/** Applies all state changes of a machine up to `now`, each at its own time. */
function advance(
  start: SimulatedMachine,
  { now, seed, tracker }: SimulatedMoment & { tracker: FaultTracker },
): SimulatedMachine {
  let machine = start
  while (machine.next_at !== null && machine.next_at <= now)
    machine = become(machine, machine.next_at, { seed, tracker })
  const isUp = machine.state === 'fetching' || machine.state === 'starting' || machine.state === 'running'
  if (isUp && tracker.hit('instance_unhealthy', machine.instance_id)) {
    return { ...machine, state: 'unhealthy', reason: 'hardware_fault', next_at: null }
  }
  if (machine.state === 'running' && tracker.hit('guest_shutdown', machine.instance_id)) {
    return { ...machine, state: 'stopped', reason: 'guest_shutdown', next_at: null }
  }
  return machine
}

function become(
  machine: SimulatedMachine,
  at: number,
  { seed, tracker }: { seed: number; tracker: FaultTracker },
): SimulatedMachine {
  const { instance_id, generation } = machine
  if (machine.state === 'stopping') return { ...machine, state: 'stopped', next_at: null }
  const kind = machine.state === 'fetching' ? 'checksum_mismatch' : 'start_failure'
  if (tracker.hit(kind, instance_id)) return { ...machine, state: 'start_failed', reason: kind, next_at: null }
  if (machine.state !== 'fetching') return { ...machine, state: 'running', next_at: null }
  const next_at = at + secondsFor(bootSeconds, `${seed} ${instance_id} ${generation} boot`)
  return { ...machine, state: 'starting', next_at }
}

/** Reports have no state for a stop in progress: a stopping machine is reported as running until it has stopped. */
function asEntry({ instance_id: id, generation, state, reason }: SimulatedMachine): SimulatedEntry {
  return { id, generation, state: state === 'stopping' ? 'running' : state, reason }
}

type FaultTracker = { hit(kind: MachineFaultKind, instance_id: string): boolean; readonly hits: string[] }

function trackFaults(faults: readonly ActiveFault[]): FaultTracker {
  const left = new Map(faults.map(({ id, times_left }) => [id, times_left ?? Number.POSITIVE_INFINITY]))
  const hits: string[] = []
  return {
    hits,
    hit: (kind, instance_id) => {
      const fault = faults.find(
        (one) =>
          one.kind === kind &&
          (one.instance_id === null || one.instance_id === instance_id) &&
          (left.get(one.id) as number) > 0,
      )
      if (!fault) return false
      left.set(fault.id, (left.get(fault.id) as number) - 1)
      hits.push(fault.id)
      return true
    },
  }
}

/** A number of seconds that depends only on the given text (hash function FNV-1a by Fowler, Noll and Vo). */
function secondsFor({ least, spread }: { least: number; spread: number }, words: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words.charCodeAt(i), 0x01000193) >>> 0
  return least + (((hash ^ (hash >>> 15)) >>> 0) % spread)
}
