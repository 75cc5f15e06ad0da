// What a rollout of a version of the agent does next: which hosts begin their update, which are done, and when it
// halts. Times are in seconds of the real clock, by which hosts live.

import { createHash } from 'node:crypto'
import {
  type AgentRolloutState,
  groupsMax,
  type HaltReason,
  type RolloutHostState,
  type SkipReason,
} from '@bourse/api/fleet/agent-rollouts.ts'
import type { AgentManager } from '@bourse/api/fleet/agent-updates.ts'
import type { HostHealth, HostState } from '@bourse/api/fleet/host-states.ts'
import type { RefusalData } from '../../core/base/refusal.ts'

/** A group of a rollout. Null: it gets all hosts that are left. */
export type RolloutGroup = { readonly name: string; readonly percent: number | null }

/** An instance that ran on a host when its update began, as it is now. */
export type WatchedInstance = {
  readonly id: string
  readonly state: 'awaiting_allocation' | 'running' | 'failed' | 'terminated'
  readonly termination_reason: string | null
  /** What its host last reported of its machine; null: the host has none. */
  readonly reported_state: string | null
}

/** A host as it is now. */
export type LiveHost = {
  readonly state: HostState
  readonly health: HostHealth
  readonly health_message: string | null
  readonly version: string | null
  readonly last_seen_at: number | null
  readonly managed_by: AgentManager | null
  readonly updater_version: string | null
  readonly updater_at: number | null
  readonly is_pinned: boolean
  /** The instances that run on it: those of a host whose update begins are watched. */
  readonly instance_ids: readonly string[]
}

/** A host of a rollout. */
export type RolloutHost = {
  readonly host_id: string
  /** The place of its group, and its own in the order of all hosts. */
  readonly turn: number
  readonly place: number
  readonly sku_id: string
  readonly fabric: string | null
  readonly state: RolloutHostState
  readonly to_version: string
  readonly attempt: number
  readonly reason: string | null
  readonly began_at: number | null
  readonly well_since: number | null
  readonly health_message: string | null
  /** What its updater said about this attempt. */
  readonly failure: string | null
  readonly watched: readonly WatchedInstance[]
  readonly live: LiveHost
}

/** A rollout and its hosts. */
type RolloutProgress = {
  readonly state: AgentRolloutState
  readonly groups: number
  readonly turn: number
  readonly began_at: number
  readonly health_seconds: number
  readonly return_seconds: number
  readonly hosts_at_once: number
  readonly hosts: readonly RolloutHost[]
}

/** What changes of a host. */
export type HostChange = { readonly host_id: string } & (
  | { readonly does: 'begin'; readonly instance_ids: readonly string[]; readonly health_message: string | null }
  | { readonly does: 'watch'; readonly well_since: number | null }
  | { readonly does: 'finish' }
  | { readonly does: 'skip'; readonly reason: SkipReason }
  | { readonly does: 'fail'; readonly halts: Exclude<HaltReason, 'operator'>; readonly reason: string }
)

/** The next step of a rollout: the writes, and when to look again if nothing happens until then. */
type RolloutPlan = {
  readonly hosts: readonly HostChange[]
  readonly turn: number
  readonly state: AgentRolloutState
  readonly halt: { readonly reason: HaltReason; readonly message: string } | null
  /** Undefined: there is nothing to wait for. */
  readonly next_at: number | undefined
}

/** How long a host and its updater may say nothing before an update of it does not begin. */
const silentSeconds = 90
const updaterSilentSeconds = 300

/**
 * Plans the next step. Hosts that are being updated are looked at first, and the first failure halts the rollout, so
 * that no host begins after it. A completed rollout takes up hosts that it left out, by the same rules.
 */
export function planRollout(rollout: RolloutProgress, now: number): RolloutPlan {
  const still: RolloutPlan = { hosts: [], turn: rollout.turn, state: rollout.state, halt: null, next_at: undefined }
  if (rollout.state !== 'running' && rollout.state !== 'completed') return still
  const looked = rollout.hosts.filter(({ state }) => state === 'updating').map((host) => lookAt(host, rollout, now))
  const observed = looked.flatMap(({ change }) => change ?? [])
  const failed = observed.find((change) => change.does === 'fail')
  if (failed?.does === 'fail') {
    const message = `${failed.host_id}: ${failed.reason}`
    return { ...still, hosts: observed, state: 'halted', halt: { reason: failed.halts, message } }
  }
  const ended = new Set(observed.filter(({ does }) => does === 'finish').map(({ host_id }) => host_id))
  const { changes, turn } = giveTurns(rollout, ended, now)
  const times = looked.flatMap(({ change, next_at }) => (change?.does === 'finish' ? [] : [next_at]))
  const overAt = rollout.began_at + rollout.health_seconds
  const isOver = turn >= rollout.groups && times.length === 0 && !changes.some(({ does }) => does === 'begin')
  if (isOver && overAt > now) times.push(overAt)
  const state = rollout.state === 'running' && isOver && overAt <= now ? 'completed' : rollout.state
  return { ...still, hosts: [...observed, ...changes], turn, state, next_at: earliest(times) }
}

/** What became of a host that is being updated, and when to look at it again if nothing else happens. */
function lookAt(
  host: RolloutHost,
  { health_seconds, return_seconds }: RolloutProgress,
  now: number,
): { readonly change: HostChange | undefined; readonly next_at: number } {
  const { host_id, live, to_version } = host
  const endAt = (host.began_at ?? now) + return_seconds
  const fail = (halts: Exclude<HaltReason, 'operator'>, reason: string) => {
    return { change: { host_id, does: 'fail', halts, reason } as const, next_at: now }
  }
  if (host.failure !== null) return fail('update_failed', host.failure)
  const lost = host.watched.find(isLost)
  if (lost) return fail('instance_lost', `The instance ${lost.id} did not run on: it is ${lost.state}.`)
  if (live.state === 'retired') return { change: { host_id, does: 'skip', reason: 'retired' }, next_at: now }
  const problem = problemOf(host, now)
  if (problem === undefined) {
    const since = host.well_since ?? now
    if (now - since >= health_seconds) return { change: { host_id, does: 'finish' }, next_at: now }
    const change = host.well_since === null ? ({ host_id, does: 'watch', well_since: now } as const) : undefined
    return { change, next_at: since + health_seconds }
  }
  if (now >= endAt) {
    const isBack = live.version === to_version && isHeard(live, now)
    return fail(isBack ? 'new_problem' : 'not_back', `It was not well after ${return_seconds} s. ${problem}`)
  }
  const change = host.well_since === null ? undefined : ({ host_id, does: 'watch', well_since: null } as const)
  return { change, next_at: endAt }
}

/** What keeps a host that is being updated from being well; undefined if it is. */
function problemOf({ live, to_version, health_message, watched }: RolloutHost, now: number): string | undefined {
  if (!isHeard(live, now)) return 'It does not report.'
  if (live.version !== to_version) return `Its agent reports version ${live.version}, not ${to_version}.`
  if (live.updater_version !== to_version || !isUpdaterHeard(live, now)) {
    return 'The updater of the new version does not report.'
  }
  const late = watched.find((one) => one.state === 'running' && one.reported_state !== 'running')
  if (late) return `The machine of ${late.id} is ${late.reported_state ?? 'not reported'}.`
  if (live.health === 'faulted') return `It is faulted: ${live.health_message ?? 'it does not say why.'}`
  if (live.health_message !== null && live.health_message !== health_message) {
    return `It has a new problem: ${live.health_message}`
  }
  return undefined
}

/** A machine that is gone without a request ends its instance as one that the guest has shut down. */
function isLost({ state, termination_reason }: WatchedInstance): boolean {
  if (state === 'terminated') return termination_reason === 'guest_shutdown'
  return state !== 'running'
}

/** Hosts whose turn it is begin or are left out. The next group follows when nothing of the present one is open. */
function giveTurns(rollout: RolloutProgress, ended: ReadonlySet<string>, now: number) {
  const changes = new Map<string, HostChange>()
  const underWay = rollout.hosts.filter(({ state, host_id }) => state === 'updating' && !ended.has(host_id))
  const skus = counterOf(underWay.map(({ sku_id }) => sku_id))
  const fabrics = counterOf(underWay.flatMap(({ fabric }) => fabric ?? []))
  const inOrder = rollout.hosts.toSorted((a, b) => a.place - b.place)
  let { turn } = rollout
  for (;;) {
    let isOpen = underWay.some((host) => host.turn <= turn)
    for (const host of inOrder) {
      // Those of earlier groups that were left out follow as soon as they can.
      const isLate = host.state === 'skipped' && host.turn <= turn
      if (!isLate && (host.state !== 'pending' || host.turn !== turn)) continue
      const { host_id, live } = host
      if (changes.has(host_id)) continue
      const reason = whyNotNow(live, now)
      if (reason !== undefined) {
        if (reason !== host.reason || host.state === 'pending') changes.set(host_id, { host_id, does: 'skip', reason })
      } else if (live.version === host.to_version && host.attempt === 0) {
        changes.set(host_id, { host_id, does: 'finish' })
      } else {
        // Whose update has failed is watched again, also with the version: it was not well with it.
        isOpen = true
        if (!hasRoom(host, { skus, fabrics }, rollout.hosts_at_once)) continue
        skus.add(host.sku_id)
        if (host.fabric !== null) fabrics.add(host.fabric)
        const { instance_ids, health_message } = live
        changes.set(host_id, { host_id, does: 'begin', instance_ids, health_message })
      }
    }
    if (!isOpen) turn = Math.min(turn + 1, rollout.groups)
    if (isOpen || turn >= rollout.groups) return { changes: [...changes.values()], turn }
  }
}

type Counter = { readonly count: (key: string) => number; readonly add: (key: string) => void }

function counterOf(keys: readonly string[]): Counter {
  const counts = new Map<string, number>()
  const add = (key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1)
  keys.forEach(add)
  return { count: (key) => counts.get(key) ?? 0, add }
}

function hasRoom(
  { sku_id, fabric }: RolloutHost,
  { skus, fabrics }: { readonly skus: Counter; readonly fabrics: Counter },
  most: number,
): boolean {
  return skus.count(sku_id) < most && (fabric === null || fabrics.count(fabric) < most)
}

/** Why an update of a host does not begin now; undefined if it may. */
function whyNotNow(live: LiveHost, now: number): SkipReason | undefined {
  if (live.state === 'retired') return 'retired'
  if (live.is_pinned) return 'pinned'
  if (live.managed_by === 'package') return 'package'
  if (!isHeard(live, now)) return 'silent'
  if (live.managed_by !== 'updater' || !isUpdaterHeard(live, now)) return 'no_updater'
  return undefined
}

function isHeard({ last_seen_at }: LiveHost, now: number): boolean {
  return last_seen_at !== null && last_seen_at > now - silentSeconds
}

function isUpdaterHeard({ updater_at }: LiveHost, now: number): boolean {
  return updater_at !== null && updater_at > now - updaterSilentSeconds
}

function earliest(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : Math.min(...times)
}

/** The usual groups. */
export const usualGroups = ['canary=1%', 'early=10%', 'rest'] as const

/**
 * Reads groups such as `canary=1%`, `rest`. All but the last one have a share, which together are less than everything,
 * and the last one has none. Refuses `invalid_value`, and `duplicate_entry` for two of one name.
 */
export function readGroups(texts: readonly string[]): readonly RolloutGroup[] | { readonly refusal: RefusalData } {
  const groups = texts.map((text): RolloutGroup => {
    const [name = '', share] = text.split('=')
    return { name, percent: share === undefined ? null : Number.parseInt(share, 10) }
  })
  const names = new Set(groups.map(({ name }) => name))
  if (names.size < groups.length) {
    return { refusal: { code: 'duplicate_entry', field: 'groups', message: 'Two groups have the same name.' } }
  }
  const wrong = (message: string) => ({ refusal: { code: 'invalid_value' as const, field: 'groups', message } })
  if (groups.length > groupsMax) return wrong(`There are more than ${groupsMax} groups.`)
  const shares = groups.slice(0, -1)
  const without = shares.find(({ percent }) => percent === null)
  if (without) return wrong(`Give ${without.name} a share, such as ${without.name}=5%: only the last group has none.`)
  if (groups.at(-1)?.percent !== null) {
    return wrong('The last group gets all hosts that are left: give it no share, as in canary=1%,rest.')
  }
  const sum = shares.reduce((all, { percent }) => all + (percent ?? 0), 0)
  if (sum >= 100) return wrong(`The shares of the groups are ${sum} % together, so nothing is left for the last one.`)
  return groups
}

/**
 * Spreads hosts over groups. The order is that of a digest of their ids, so that a host is always in the same place,
 * whatever other hosts there are. Each group with a share gets one host at least, as long as there are some.
 */
export function spreadHosts(
  hostIds: readonly string[],
  groups: readonly RolloutGroup[],
): readonly { readonly host_id: string; readonly turn: number; readonly place: number }[] {
  const ordered = hostIds
    .map((host_id) => ({ host_id, digest: createHash('sha256').update(host_id).digest('hex') }))
    .sort((a, b) => (a.digest < b.digest ? -1 : 1))
  const ends: number[] = []
  let percents = 0
  for (const { percent } of groups) {
    percents += percent ?? 100
    const share = Math.ceil((hostIds.length * percents) / 100)
    ends.push(percent === null ? hostIds.length : Math.max(share, (ends.at(-1) ?? 0) + 1))
  }
  return ordered.map(({ host_id }, place) => ({ host_id, place, turn: ends.findIndex((end) => place < end) }))
}

/** The protocol of a version of the agent. */
type BundleProtocol = {
  readonly version: string
  readonly protocol: number
  readonly oldest_server_protocol: number
}

/** Refuses a version that does not work with this server: `bundle_not_supported`. */
export function refuseProtocol(
  { version, protocol, oldest_server_protocol }: BundleProtocol,
  server: { readonly protocol: number; readonly oldest_agent: number },
): RefusalData | undefined {
  const code = 'bundle_not_supported'
  if (protocol < server.oldest_agent) {
    const message = `Version ${version} speaks protocol ${protocol}; this server needs ${server.oldest_agent} or newer.`
    return { code, field: 'agent_version', message }
  }
  if (oldest_server_protocol > server.protocol) {
    const needs = `Version ${version} needs a server of protocol ${oldest_server_protocol} or newer`
    return { code, field: 'agent_version', message: `${needs}; this one has ${server.protocol}.` }
  }
  return undefined
}

/** Refuses a change that the state of a rollout does not allow: `invalid_state`. */
export function refuseRolloutChange(
  change: 'halt' | 'resume' | 'cancel' | 'roll_back',
  { state, is_newest }: { readonly state: AgentRolloutState; readonly is_newest: boolean },
): RefusalData | undefined {
  const code = 'invalid_state'
  if (change === 'roll_back' || state === 'completed') {
    if (!is_newest) return { code, message: 'There is a newer rollout: change that one.' }
  }
  const allowed: Readonly<Record<typeof change, readonly AgentRolloutState[]>> = {
    halt: ['running', 'completed'],
    resume: ['halted'],
    cancel: ['running', 'halted'],
    roll_back: ['running', 'halted', 'completed'],
  }
  if (allowed[change].includes(state)) return undefined
  return { code, message: `The rollout is ${state}.` }
}

/** The key of an update of a host. */
export function updateKeyOf(rolloutId: string, attempt: number): string {
  return `${rolloutId}/${attempt}`
}
