import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import {
  planRollout,
  type RolloutHost,
  readGroups,
  refuseProtocol,
  refuseRolloutChange,
  spreadHosts,
} from './agent-rollouts.rules.ts'

const wanted = '2.0.0'
const start = 1_000_000
type Progress = Parameters<typeof planRollout>[0]
type LiveChanges = Partial<RolloutHost['live']>

function hostWith(changes: Partial<RolloutHost> = {}, live: LiveChanges = {}): RolloutHost {
  return {
    host_id: 'host_a',
    turn: 0,
    place: 0,
    sku_id: 'sku_a',
    fabric: null,
    state: 'pending',
    to_version: wanted,
    attempt: 0,
    reason: null,
    began_at: null,
    well_since: null,
    health_message: null,
    failure: null,
    watched: [],
    ...changes,
    live: {
      state: 'active',
      health: 'healthy',
      health_message: null,
      version: '1.0.0',
      last_seen_at: start,
      managed_by: 'updater',
      updater_version: '1.0.0',
      updater_at: start,
      is_pinned: false,
      instance_ids: [],
      ...live,
    },
  }
}

function rolloutWith(hosts: readonly RolloutHost[], changes: Partial<Progress> = {}): Progress {
  return {
    state: 'running',
    groups: 1,
    turn: 0,
    began_at: start,
    health_seconds: 120,
    return_seconds: 600,
    hosts_at_once: 1,
    hosts,
    ...changes,
  }
}

/** A host that is back with the version and well. */
const well: LiveChanges = { version: wanted, updater_version: wanted }
const updating = (changes: Partial<RolloutHost> = {}, live: LiveChanges = {}) =>
  hostWith({ state: 'updating', attempt: 1, began_at: start, ...changes }, live)
const machine = { id: 'inst_a', state: 'running', termination_reason: null, reported_state: 'running' } as const

function haltOf(host: RolloutHost, now = start) {
  const plan = planRollout(rolloutWith([host, hostWith({ host_id: 'host_b', place: 1 })]), now)
  if (plan.halt) assert.ok(plan.hosts.every(({ does }) => does !== 'begin'))
  return plan.halt?.reason
}

test('a host is watched from when it is well, and done after the whole time', () => {
  const first = planRollout(rolloutWith([updating({}, well)]), start)
  assert.deepEqual(first.hosts, [{ host_id: 'host_a', does: 'watch', well_since: start }])
  assert.equal(first.next_at, start + 120)
  const watched = updating({ well_since: start - 60 }, well)
  assert.deepEqual(planRollout(rolloutWith([watched]), start).hosts, [])
  const whole = updating({ well_since: start - 120 }, well)
  assert.deepEqual(planRollout(rolloutWith([whole]), start).hosts, [{ host_id: 'host_a', does: 'finish' }])
  // What was well and is no longer begins anew.
  const ill = updating({ well_since: start - 60 }, { ...well, health: 'faulted' })
  assert.deepEqual(planRollout(rolloutWith([ill]), start).hosts, [
    { host_id: 'host_a', does: 'watch', well_since: null },
  ])
})

test('each way to fail halts with its reason, and no host begins after it', () => {
  assert.equal(haltOf(updating({ failure: 'It did not start.' })), 'update_failed')
  assert.equal(haltOf(updating({ watched: [{ ...machine, state: 'failed' }] }, well)), 'instance_lost')
  const shut = { ...machine, state: 'terminated', termination_reason: 'guest_shutdown' } as const
  assert.equal(haltOf(updating({ watched: [shut] }, well)), 'instance_lost')
  const ended = { ...shut, termination_reason: 'user' }
  assert.equal(haltOf(updating({ watched: [ended] }, well)), undefined)
  const late = { began_at: start - 600 }
  assert.equal(haltOf(updating(late)), 'not_back')
  assert.equal(haltOf(updating({ began_at: start - 599 })), undefined)
  assert.equal(haltOf(updating(late, { ...well, health: 'faulted' })), 'new_problem')
  assert.equal(haltOf(updating(late, { ...well, health_message: 'slot 1 is lost' })), 'new_problem')
  const known = { ...late, health_message: 'slot 1 is lost' }
  assert.equal(haltOf(updating(known, { ...well, health_message: 'slot 1 is lost' })), undefined)
  // A version whose updater does not work could not be taken back.
  assert.equal(haltOf(updating(late, { version: wanted })), 'new_problem')
  const starting = { ...machine, reported_state: 'starting' }
  assert.equal(haltOf(updating({ ...late, watched: [starting] }, well)), 'new_problem')
})

test('hosts that cannot be updated are left out with the reason, and taken up when they can', () => {
  const reasonOf = (live: LiveChanges) => {
    const [change] = planRollout(rolloutWith([hostWith({}, live)]), start).hosts
    return change?.does === 'skip' ? change.reason : change?.does
  }
  assert.equal(reasonOf({ is_pinned: true }), 'pinned')
  assert.equal(reasonOf({ managed_by: 'package' }), 'package')
  assert.equal(reasonOf({ managed_by: null }), 'no_updater')
  assert.equal(reasonOf({ updater_at: start - 300 }), 'no_updater')
  assert.equal(reasonOf({ last_seen_at: start - 90 }), 'silent')
  assert.equal(reasonOf({ state: 'retired' }), 'retired')
  assert.equal(reasonOf({ version: wanted }), 'finish')
  assert.equal(reasonOf({}), 'begin')
  const back = hostWith({ state: 'skipped', reason: 'silent' })
  const late = planRollout(rolloutWith([back], { state: 'completed', turn: 1 }), start)
  assert.deepEqual([late.hosts[0]?.does, late.state], ['begin', 'completed'])
})

test('a halted or cancelled rollout does nothing', () => {
  for (const state of ['halted', 'cancelled'] as const) {
    const plan = planRollout(rolloutWith([hostWith(), updating({ host_id: 'host_b', failure: 'x' })], { state }), start)
    assert.deepEqual([plan.hosts, plan.state, plan.next_at], [[], state, undefined])
  }
})

test('a rollout without hosts completes after the time in which hosts are watched', () => {
  const early = planRollout(rolloutWith([]), start + 119)
  assert.deepEqual([early.state, early.next_at], ['running', start + 120])
  assert.equal(planRollout(rolloutWith([]), start + 120).state, 'completed')
})

/** Hosts in two groups, of few SKUs and fabrics. Some break when they are updated. */
const fleet = fc.record({
  hosts: fc.array(
    fc.record({
      sku: fc.integer({ min: 0, max: 2 }),
      fabric: fc.option(fc.integer({ min: 0, max: 1 }), { nil: null }),
      turn: fc.integer({ min: 0, max: 2 }),
      breaks: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
      delay: fc.integer({ min: 0, max: 400 }),
    }),
    { maxLength: 12 },
  ),
  at_once: fc.integer({ min: 1, max: 3 }),
})

test('a rollout keeps its limits, halts at the first failure, and ends', () => {
  fc.assert(
    fc.property(fleet, ({ hosts: given, at_once }) => {
      let hosts = given.map(({ sku, fabric, turn }, place) =>
        hostWith({
          host_id: `host_${place}`,
          place,
          turn,
          sku_id: `sku_${sku}`,
          fabric: fabric === null ? null : `fabric_${fabric}`,
        }),
      )
      let rollout = rolloutWith(hosts, { groups: 3, hosts_at_once: at_once })
      let steps = 0
      for (let now = start; rollout.state === 'running'; now += 10) {
        assert.ok(++steps < 2_000, 'it does not end')
        const plan = planRollout({ ...rollout, hosts }, now)
        hosts = hosts.map((host) => carriedOut(host, plan.hosts, now)).map((host) => lived(host, given, now))
        const underWay = hosts.filter(({ state }) => state === 'updating')
        for (const key of ['sku_id', 'fabric'] as const) {
          const groups = Map.groupBy(
            underWay.filter((host) => host[key] !== null),
            (host) => host[key],
          )
          for (const own of groups.values()) assert.ok(own.length <= at_once)
        }
        const begun = plan.hosts.filter(({ does }) => does === 'begin')
        if (plan.halt) assert.equal(begun.length, 0)
        // Nothing of a later group begins before all of the former ones are done.
        const first = Math.min(...hosts.filter(({ state }) => state !== 'updated').map(({ turn }) => turn))
        for (const { host_id } of begun) assert.ok((hosts.find((one) => one.host_id === host_id)?.turn ?? 0) <= first)
        rollout = { ...rollout, state: plan.state, turn: plan.turn }
      }
      const hasBroken = hosts.some(({ state }) => state === 'failed')
      assert.equal(rollout.state, hasBroken ? 'halted' : 'completed')
      if (!hasBroken) assert.ok(hosts.every(({ state }) => state === 'updated'))
    }),
  )
})

type HostChanges = ReturnType<typeof planRollout>['hosts']

function carriedOut(host: RolloutHost, changes: HostChanges, now: number): RolloutHost {
  const change = changes.find(({ host_id }) => host_id === host.host_id)
  switch (change?.does) {
    case 'begin':
      return { ...host, state: 'updating', attempt: host.attempt + 1, began_at: now, well_since: null }
    case 'watch':
      return { ...host, well_since: change.well_since }
    case 'finish':
      return { ...host, state: 'updated' }
    case 'fail':
      return { ...host, state: 'failed' }
    case 'skip':
      return { ...host, state: 'skipped', reason: change.reason }
    default:
      return host
  }
}

/** All hosts report. One that is updated has the version after its time, or says that it has failed. */
function lived(host: RolloutHost, given: readonly { breaks: boolean; delay: number }[], now: number): RolloutHost {
  const { breaks = false, delay = 0 } = given[host.place] ?? {}
  const live = { ...host.live, last_seen_at: now, updater_at: now }
  if (host.state !== 'updating' || now < (host.began_at ?? now) + delay) return { ...host, live }
  return breaks ? { ...host, live, failure: 'It did not start.' } : { ...host, live: { ...live, ...well } }
}

test('groups are read, and refused where they do not add up', () => {
  assert.deepEqual(readGroups(['canary=1%', 'rest']), [
    { name: 'canary', percent: 1 },
    { name: 'rest', percent: null },
  ])
  const codeOf = (...texts: string[]) => {
    const read = readGroups(texts)
    return 'refusal' in read ? read.refusal.code : undefined
  }
  assert.equal(codeOf('rest'), undefined)
  assert.equal(codeOf('a=99%', 'rest'), undefined)
  assert.equal(codeOf('a=60%', 'b=40%', 'rest'), 'invalid_value')
  assert.equal(codeOf('a=100%'), 'invalid_value')
  assert.equal(codeOf('a', 'rest'), 'invalid_value')
  assert.equal(codeOf('rest=1%', 'rest'), 'duplicate_entry')
})

test('a host is in the same place of the order whatever hosts there are, and each group has one', () => {
  const groups = [
    { name: 'canary', percent: 1 },
    { name: 'early', percent: 10 },
    { name: 'rest', percent: null },
  ]
  const ids = fc.uniqueArray(
    fc.integer({ min: 0, max: 500 }).map((number) => `host_${number}`),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(ids, (hosts) => {
      const spread = spreadHosts(hosts, groups)
      assert.deepEqual(spread.map(({ host_id }) => host_id).sort(), hosts.toSorted())
      assert.ok(spread.every(({ turn }, place) => turn >= (spread[place - 1]?.turn ?? 0)))
      for (let turn = 0; turn < Math.min(groups.length, hosts.length); turn++) {
        assert.ok(spread.some((one) => one.turn === turn))
      }
      const fewer = spreadHosts(hosts.slice(1), groups).map(({ host_id }) => host_id)
      assert.deepEqual(
        fewer,
        spread.map(({ host_id }) => host_id).filter((id) => id !== hosts[0]),
      )
    }),
  )
  const many = spreadHosts(
    Array.from({ length: 200 }, (_, number) => `host_${number}`),
    groups,
  )
  assert.deepEqual(
    [0, 1, 2].map((turn) => many.filter((one) => one.turn === turn).length),
    [2, 20, 178],
  )
})

test('a version works with servers from its oldest on, and a server with agents from its oldest on', () => {
  const bundle = { version: wanted, protocol: 2, oldest_server_protocol: 2 }
  assert.equal(refuseProtocol(bundle, { protocol: 2, oldest_agent: 1 }), undefined)
  assert.equal(refuseProtocol(bundle, { protocol: 2, oldest_agent: 2 }), undefined)
  assert.equal(refuseProtocol(bundle, { protocol: 1, oldest_agent: 1 })?.code, 'bundle_not_supported')
  assert.equal(refuseProtocol(bundle, { protocol: 3, oldest_agent: 3 })?.code, 'bundle_not_supported')
})

test('what ended or was followed by a newer rollout is not changed', () => {
  const isAllowed = (...given: Parameters<typeof refuseRolloutChange>) => refuseRolloutChange(...given) === undefined
  assert.ok(isAllowed('halt', { state: 'running', is_newest: true }))
  assert.ok(isAllowed('halt', { state: 'completed', is_newest: true }))
  assert.ok(!isAllowed('halt', { state: 'completed', is_newest: false }))
  assert.ok(isAllowed('roll_back', { state: 'completed', is_newest: true }))
  assert.ok(!isAllowed('roll_back', { state: 'completed', is_newest: false }))
  for (const change of ['halt', 'resume', 'cancel', 'roll_back'] as const)
    assert.ok(!isAllowed(change, { state: 'cancelled', is_newest: true }))
})
