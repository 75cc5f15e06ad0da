// What a host inside the process does next: which machines it starts and stops, what becomes of them by themselves or
// by a fault, and what it says of them. The same inputs give the same host, so a seed fixes a whole run. Not decided
// here: what the server makes of a report, and which faults there are.

/** How long things take, in seconds: at least, and by how much more at most. */
const FETCH_SECONDS = { least: 1, spread: 3 }
const BOOT_SECONDS = { least: 2, spread: 4 }
const STOP_SECONDS = { least: 1, spread: 2 }
/** Seconds until a host that crashed is back, where the fault does not say. Long enough to be noticed as silence. */
export const REBOOT_SECONDS = 120

/** What can go wrong on a host inside the process. */
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
  /** How often it may still hit; null = as often as it can. */
  readonly times_left: number | null
  readonly hits: number
  readonly ends_at: number | null
}

/** A machine as its host sees it. */
export type SimulatedMachine = {
  readonly instance_id: string
  readonly generation: number
  readonly state: 'fetching' | 'starting' | 'running' | 'start_failed' | 'unhealthy' | 'stopping' | 'stopped'
  readonly reason: string | null
  /** When it becomes another thing by itself; null = it stays as it is. */
  readonly next_at: number | null
}

/** A machine as the server wants it. */
export type WantedMachine = {
  readonly id: string
  readonly generation: number
  readonly action: 'run' | 'stop'
}

/** What a host says of one machine. */
export type SimulatedEntry<Id extends string = string> = {
  readonly id: Id
  readonly generation: number
  readonly state: 'fetching' | 'starting' | 'running' | 'start_failed' | 'unhealthy' | 'stopped'
  readonly reason: string | null
}

/** What a host does in one step. Faults stand in `hits` once for each time that they hit. */
export type SimulatedStep = {
  readonly machines: readonly SimulatedMachine[]
  readonly entries: readonly SimulatedEntry[]
  readonly hits: readonly string[]
  readonly next_at: number | null
}

/** Whether a host responds, and when to check again; `next_at` null while away = when a fault is removed. */
export type Outage = {
  readonly is_away: boolean
  /** It loses its machines now. */
  readonly crashes: boolean
  readonly down_until: number | null
  readonly next_at: number | null
  readonly hits: readonly string[]
}

/**
 * Evaluates whether a host is away. Silence lasts as long as its fault. A crash takes the machines with it; the host is
 * back when the fault ends, or after a reboot, or, where the fault has no number of times, when it is removed. A host
 * that is just coming back reports before it crashes again, at the next look.
 */
export function evaluateOutage(
  host: { readonly hidden_at: number | null; readonly down_until: number | null },
  faults: readonly ActiveFault[],
  now: number,
): Outage {
  const silent_faults = faults.filter(({ kind }) => kind === 'host_silent')
  const crashes = faults.filter(({ kind }) => kind === 'host_crash')
  const lasting = crashes.filter(({ times_left }) => times_left === null)
  const isThere = host.hidden_at === null
  const fresh = isThere ? crashes.find(({ times_left, hits }) => times_left !== null || hits === 0) : undefined
  const isDown = host.down_until !== null && host.down_until > now
  const down_until = fresh ? (fresh.ends_at ?? now + REBOOT_SECONDS) : isDown ? host.down_until : null
  const ends = [...silent_faults, ...lasting].map(({ ends_at }) => ends_at)
  if (down_until !== null) ends.push(down_until)
  const begun = isThere ? silent_faults.filter(({ hits }) => hits === 0) : []
  const isAway = ends.length > 0
  const back_at = ends.includes(null) ? null : (ends as number[]).reduce((a, b) => Math.max(a, b), now)
  const crashesAgain = !isAway && crashes.length > 0
  return {
    is_away: isAway,
    crashes: fresh !== undefined,
    down_until,
    next_at: isAway ? back_at : crashesAgain ? now + REBOOT_SECONDS : null,
    hits: [...begun, ...(fresh ? [fresh] : [])].map(({ id }) => id),
  }
}

/** What is left of the machines of a host that crashed: all are gone, those that were to stop as asked for. */
export function loseMachines(machines: readonly SimulatedMachine[]): SimulatedMachine[] {
  return machines.map((machine) =>
    machine.state === 'stopping'
      ? { ...machine, state: 'stopped', next_at: null }
      : { ...machine, state: 'unhealthy', reason: 'machine_lost', next_at: null },
  )
}

/**
 * The next step of a host that responds: it takes up what is wanted, lets its machines become what they become, and
 * says how all of them are. A machine always says `fetching` before anything happens to it. Stopped ones are told of
 * and forgotten; what is not wanted any more is cleaned away.
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

type Moment = { readonly now: number; readonly seed: number }

/** A machine that is to run: started where there is none, or where it failed to start and is wanted anew. */
function takeUp(before: SimulatedMachine | undefined, wanted: WantedMachine, moment: Moment): SimulatedMachine {
  const { id, generation } = wanted
  const isAnew =
    before && before.generation < generation && ['start_failed', 'stopped', 'stopping'].includes(before.state)
  if (!before || isAnew) {
    const next_at = moment.now + secondsFor(FETCH_SECONDS, `${moment.seed} ${id} ${generation} fetch`)
    return { instance_id: id, generation, state: 'fetching', reason: null, next_at }
  }
  return before.generation === generation ? before : { ...before, generation }
}

/** A machine that is to stop; one that is not there has stopped already. */
function letGo(before: SimulatedMachine | undefined, wanted: WantedMachine, moment: Moment): SimulatedMachine {
  const { id: instance_id, generation } = wanted
  if (!before) return { instance_id, generation, state: 'stopped', reason: null, next_at: null }
  if (before.state === 'stopping' || before.state === 'stopped') return { ...before, generation }
  const next_at = moment.now + secondsFor(STOP_SECONDS, `${moment.seed} ${instance_id} ${generation} stop`)
  return { instance_id, generation, state: 'stopping', reason: null, next_at }
}

/** What becomes of a machine up to now, each thing at its own time. */
function advance(
  start: SimulatedMachine,
  { now, seed, tracker }: Moment & { tracker: FaultTracker },
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
  const next_at = at + secondsFor(BOOT_SECONDS, `${seed} ${instance_id} ${generation} boot`)
  return { ...machine, state: 'starting', next_at }
}

/** A host says nothing of its own of a stop under way; the server listens for its end only. */
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

/** A number of seconds that hangs on nothing but the words given (FNV-1a by Fowler, Noll and Vo). */
function secondsFor({ least, spread }: { least: number; spread: number }, words: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words.charCodeAt(i), 0x01000193) >>> 0
  return least + (((hash ^ (hash >>> 15)) >>> 0) % spread)
}
