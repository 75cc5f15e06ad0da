// The slow reference model of planPlacement: second by second, sorting everything each time, no queue and no cache.
// Then a small world that is driven by plans, to see what holds over time.

import assert from 'node:assert/strict'
import { byStartOrder, byVictimOrder, priorityLevels } from '@bourse/api/fleet/priority-levels.ts'
import fc from 'fast-check'
import { test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import { createSeededRandom, type Random } from '../../core/base/random.ts'
import type { HostNeeds, OpenHost } from './host-choice.rules.ts'
import { type PlacementInput, type PlacementInstance, type PlacementPlan, planPlacement } from './placement.rules.ts'

const startedAt = 1_800_000_000

const flag = fc.boolean()
const anyTime = (min: number, max: number) => fc.integer({ min, max }).map((offset) => startedAt + offset)
const anyFabric = fc.constantFrom(null, null, 'fab-1', 'fab-2')
const anyImage = fc.constantFrom('image_a', 'image_b', 'image_c')

const anyNotice = anyTime(-700, 0).chain((notice_at) =>
  anyTime(-100, 700).map((deadline_at) => ({ notice_at, deadline_at: Math.max(deadline_at, notice_at + 60) })),
)

const anyInstance = fc.record({
  state: fc.constantFrom('awaiting_allocation', 'awaiting_allocation', 'running', 'running', 'failed', 'terminated'),
  priority_level: fc.constantFrom(...priorityLevels),
  created_at: anyTime(-3, 0),
  image_id: anyImage,
  has_slot: flag,
  is_returning: fc.constantFrom(false, false, false, true),
  host_ends_at: fc.option(anyTime(-700, 1_300), { freq: 4 }),
  notice: fc.option(anyNotice, { freq: 1 }),
  fabric: anyFabric,
  needs_public_ipv4: flag,
  needs_full_network: flag,
  replaced: fc.option(
    fc.record({ host: fc.integer({ min: 0, max: 4 }), slot: fc.nat(3), is_usable: flag, may_start_elsewhere: flag }),
    {
      freq: 4,
    },
  ),
})

const anyHost = fc.record({
  free_slots: fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 4 }),
  image_ids: fc.uniqueArray(anyImage),
  fabric: anyFabric,
  network: fc.constantFrom('full', 'full', 'ssh_only'),
  free_public_ipv4s: fc.nat(2),
})

const anyCounts = fc.array(fc.tuple(fc.integer({ min: 1, max: 900 }), fc.nat(9)), { maxLength: 4 })

const anyInput: fc.Arbitrary<PlacementInput> = fc
  .record({
    first: fc.nat(9),
    counts: anyCounts,
    instances: fc.array(anyInstance, { maxLength: 12 }),
    hosts: fc.array(anyHost, { maxLength: 5 }),
    known_until: fc.option(anyTime(601, 3_000)),
  })
  .map(({ first, counts, instances, hosts, known_until }) => ({
    now: startedAt,
    known_until,
    allocation: stepsOf(first, counts),
    instances: withDistinctSuccessors(instances.map((fields, index) => instanceOf(fields, index))),
    hosts: hosts.map((host, index) => ({ ...host, host_id: `host_${index}` }) as OpenHost),
  }))

function stepsOf(first: number, counts: readonly (readonly [number, number])[]): PlacementInput['allocation'] {
  let start_at = startedAt - 60
  let node_count = first
  const steps: PlacementInput['allocation'][number][] = []
  for (const [length, next] of counts) {
    const end_at = Math.max(start_at, startedAt) + length
    if (node_count > 0) steps.push({ start_at, end_at, node_count })
    start_at = end_at
    node_count = next
  }
  return [...steps, { start_at, end_at: null, node_count }]
}

type InstanceFields = typeof anyInstance extends fc.Arbitrary<infer T> ? T : never

function instanceOf({ has_slot, replaced, ...fields }: InstanceFields, index: number): PlacementInstance {
  const isMachine = fields.state !== 'awaiting_allocation'
  const isWaiting = !isMachine && !has_slot
  return {
    ...(fields as unknown as PlacementInstance),
    id: `inst_${String((index * 7) % 12).padStart(2, '0')}`,
    slot: isWaiting ? null : { host_id: `host_held_${index}`, slot: 0 },
    is_returning: !isMachine && has_slot && fields.is_returning,
    host_ends_at: isWaiting ? null : fields.host_ends_at,
    notice: isMachine ? fields.notice : null,
    replaces_slot: isWaiting && replaced ? { host_id: `host_${replaced.host}`, ...replaced } : null,
  }
}

function withDistinctSuccessors(instances: PlacementInstance[]): PlacementInstance[] {
  const claimed = new Set<string>()
  return instances.map((instance) => {
    if (!instance.replaces_slot) return instance
    const { host_id, slot } = instance.replaces_slot
    const isFirst = !claimed.has(`${host_id} ${slot}`)
    claimed.add(`${host_id} ${slot}`)
    return { ...instance, replaces_slot: isFirst ? instance.replaces_slot : null }
  })
}

function naivePlan(input: PlacementInput): Omit<PlacementPlan, 'next_at'> {
  const { now } = input
  const living = input.instances.filter(({ state, is_returning }) => state !== 'terminated' && !is_returning)
  const machines = living.filter(({ state }) => state !== 'awaiting_allocation')
  const reductions = naiveReductions(input, machines)
  const notices: PlacementPlan['notices'][number][] = []
  const deadline_moves: PlacementPlan['notices'][number][] = []
  const ends: PlacementPlan['ends'][number][] = []
  const withdrawals = machines.filter((machine) => machine.notice && !reductions.has(machine)).map(({ id }) => id)
  for (const [{ id: instance_id, notice }, { at, cause }] of reductions) {
    const deadline_at = Math.max(at, (notice ? notice.notice_at : now) + 60)
    if (deadline_at <= now) ends.push({ instance_id, cause })
    else if (!notice) notices.push({ instance_id, deadline_at, cause })
    else if (notice.deadline_at !== deadline_at) deadline_moves.push({ instance_id, deadline_at, cause })
  }
  const counted = machines.length - ends.length
  const placed = living.filter(({ state, slot }) => state === 'awaiting_allocation' && slot)
  const leaving = placed.filter(({ host_ends_at }) => host_ends_at !== null && host_ends_at <= now + 600)
  const kept = placed.filter((instance) => !leaving.includes(instance)).sort(byVictimOrder)
  while (kept.length > 0 && counted + kept.length > naiveCount(input, now))
    leaving.push(kept.shift() as PlacementInstance)
  const waiting = living.filter(({ state, slot }) => state === 'awaiting_allocation' && !slot)
  const starts = naiveStarts(waiting, input.hosts, naiveCount(input, now) - counted - kept.length)
  return { notices, deadline_moves, withdrawals, ends, returns: leaving.map(({ id }) => id), starts }
}

function naiveCount({ allocation, known_until }: PlacementInput, at: number): number {
  const second = known_until === null ? at : Math.min(at, known_until - 1)
  return allocation.find((s) => s.start_at <= second && (s.end_at === null || second < s.end_at))?.node_count ?? 0
}

function naiveReductions(input: PlacementInput, machines: PlacementInstance[]) {
  const reductions = new Map<PlacementInstance, { at: number; cause: 'allocation' | 'host' }>()
  for (let at = input.now; at <= input.now + 600; at++) {
    const left = () => machines.filter((machine) => !reductions.has(machine))
    const released = left().filter(({ host_ends_at }) => host_ends_at !== null && host_ends_at <= at)
    for (const machine of released.sort((a, b) => Number(a.host_ends_at) - Number(b.host_ends_at))) {
      reductions.set(machine, { at: Number(machine.host_ends_at), cause: 'host' })
    }
    const victims = left().sort(byVictimOrder)
    for (const machine of victims.slice(0, Math.max(0, victims.length - naiveCount(input, at)))) {
      reductions.set(machine, { at, cause: 'allocation' })
    }
  }
  return reductions
}

function naiveStarts(waiting: PlacementInstance[], hosts: readonly OpenHost[], room: number): PlacementPlan['starts'] {
  const open = hosts.map((host) => ({ ...host, free_slots: host.free_slots.toSorted((a, b) => a - b) }))
  const starts: PlacementPlan['starts'][number][] = []
  const order = waiting.toSorted(
    (a, b) => Number(b.replaces_slot !== null) - Number(a.replaces_slot !== null) || byStartOrder(a, b),
  )
  const ownHost = new Map<string, (typeof open)[number]>()
  const awaiting = new Set<string>()
  for (const { id, replaces_slot, ...needs } of order) {
    if (!replaces_slot?.is_usable) continue
    const { host_id, slot } = replaces_slot
    const own = open.find((host) => host.host_id === host_id && host.free_slots.includes(slot))
    if (!own) awaiting.add(id)
    if (!own || !fits(own, { ...needs, needs_public_ipv4: false })) continue
    own.free_slots.splice(own.free_slots.indexOf(slot), 1)
    ownHost.set(id, own)
  }
  let left = room
  for (const { id, image_id, replaces_slot, ...needs } of order) {
    if (left <= 0) break
    const awaits = awaiting.has(id)
    if (awaits && !replaces_slot?.may_start_elsewhere) {
      left--
      continue
    }
    const [best] = open
      .filter((host) => host.free_slots.length > 0 && fits(host, needs))
      .sort(
        (a, b) =>
          Number(b.image_ids.includes(image_id)) - Number(a.image_ids.includes(image_id)) ||
          a.free_slots.length - b.free_slots.length ||
          (a.host_id < b.host_id ? -1 : 1),
      )
    const own = ownHost.get(id)
    const host = own ?? best
    if (!host) {
      if (awaits) left--
      continue
    }
    const slot = own ? Number(replaces_slot?.slot) : Number(host.free_slots.shift())
    if (needs.needs_public_ipv4 && !own) Object.assign(host, { free_public_ipv4s: host.free_public_ipv4s - 1 })
    starts.push({ instance_id: id, host_id: host.host_id, slot })
    left--
  }
  return starts
}

function fits(host: OpenHost, { needs_public_ipv4, needs_full_network, fabric }: HostNeeds): boolean {
  return (
    (host.network === 'full' || !(needs_full_network || needs_public_ipv4)) &&
    (host.free_public_ipv4s > 0 || !needs_public_ipv4) &&
    (fabric === null || fabric === host.fabric)
  )
}

test('the plan equals that of a reference model that checks each second and each host', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const { next_at, ...plan } = planPlacement(input)
      assert.deepEqual(plan, naivePlan(input))
      assert.ok(next_at === null || next_at > input.now)
    }),
    { numRuns: sized(3_000) },
  )
})

function carriedOut(input: PlacementInput, now: number, plan: PlacementPlan): PlacementInput {
  const ended = new Set(plan.ends.map(({ instance_id }) => instance_id))
  const noticed = new Map(plan.notices.map(({ instance_id, deadline_at }) => [instance_id, deadline_at]))
  const moved = new Map(plan.deadline_moves.map(({ instance_id, deadline_at }) => [instance_id, deadline_at]))
  const started = new Map(plan.starts.map(({ instance_id, host_id, slot }) => [instance_id, { host_id, slot }]))
  const taken = new Set(plan.starts.map(({ host_id, slot }) => `${host_id} ${slot}`))
  const instances = input.instances.map((instance) => {
    const next = { ...instance }
    const deadline_at = noticed.get(next.id)
    const movedTo = moved.get(next.id)
    if (ended.has(next.id)) next.state = 'terminated'
    if (deadline_at !== undefined) next.notice = { notice_at: now, deadline_at }
    if (movedTo !== undefined && next.notice) next.notice = { ...next.notice, deadline_at: movedTo }
    if (plan.withdrawals.includes(next.id)) next.notice = null
    if (plan.returns.includes(next.id)) next.is_returning = true
    const slot = started.get(next.id)
    if (slot) Object.assign(next, { slot, replaces_slot: null })
    const awaited = next.replaces_slot
    if (awaited && taken.has(`${awaited.host_id} ${awaited.slot}`)) {
      next.replaces_slot = { ...awaited, is_usable: false }
    }
    return next
  })
  const hosts = input.hosts.map((host) => {
    const addressed = plan.starts.filter((start) => start.host_id === host.host_id && takesAddress(input, start))
    const free_slots = host.free_slots.filter((slot) => !taken.has(`${host.host_id} ${slot}`))
    return { ...host, free_slots, free_public_ipv4s: host.free_public_ipv4s - addressed.length }
  })
  return { ...input, now, instances, hosts: hosts.filter(({ free_slots }) => free_slots.length > 0) }
}

function takesAddress(input: PlacementInput, { instance_id, host_id, slot }: PlacementPlan['starts'][number]): boolean {
  const instance = input.instances.find(({ id }) => id === instance_id)
  const own = instance?.replaces_slot
  const isInherited = own?.is_usable === true && own.host_id === host_id && own.slot === slot
  return instance?.needs_public_ipv4 === true && !isInherited
}

function assertEmpty({ next_at: _, ...plan }: PlacementPlan): void {
  for (const [part, entries] of Object.entries(plan)) assert.deepEqual(entries, [], part)
}

test('after a plan is applied there is nothing to do before its next check', () => {
  fc.assert(
    fc.property(anyInput, fc.nat(1_000_000), (input, draw) => {
      const plan = planPlacement(input)
      const after = carriedOut(input, startedAt, plan)
      assertEmpty(planPlacement(after))
      const end = Math.min(plan.next_at ?? startedAt + 2_000, startedAt + 2_000)
      assertEmpty(planPlacement({ ...after, now: startedAt + (draw % (end - startedAt)) }))
    }),
    { numRuns: sized(5_000) },
  )
})

/** A pool with random users, allocation, agents and clock. Plans are often applied late. */
function liveThrough(seed: number): void {
  const random = createSeededRandom(seed)
  let now = startedAt
  let input: PlacementInput = { now, known_until: null, allocation: stepsOf(3, []), instances: [], hosts: [] }
  for (let step = 0; step < 60; step++) {
    input = withOpenHosts({ ...input, ...change(input, random, step), now })
    const plan = planPlacement(input)
    for (const { instance_id } of plan.ends) {
      const notice = input.instances.find(({ id }) => id === instance_id)?.notice
      assert.ok(notice && notice.notice_at + 60 <= now, 'ended without its 60 seconds')
    }
    input = carriedOut(input, now, plan)
    assert.equal(takenSlots(input).size, input.instances.filter(({ slot }) => slot).length, 'two machines in a slot')
    const machines = input.instances.filter(({ state }) => state === 'running' || state === 'failed')
    const least = Math.min(...Array.from({ length: 601 }, (_, second) => naiveCount(input, now + second)))
    const noticed = machines.filter(({ notice }) => notice).length
    assert.equal(noticed, Math.max(0, machines.length - least), 'not exactly the surplus has notice')
    const isEarly = random.integer(3) === 0 || plan.next_at === null
    now = isEarly ? now + random.integer(200) : Math.min((plan.next_at ?? now) + random.integer(20), now + 900)
  }
}

function takenSlots({ instances }: PlacementInput): Set<string> {
  return new Set(instances.flatMap(({ slot }) => (slot ? [`${slot.host_id} ${slot.slot}`] : [])))
}

function withOpenHosts(input: PlacementInput): PlacementInput {
  const taken = takenSlots(input)
  const hosts = (['host_0', 'host_1', 'host_2'] as const).map((host_id) => ({
    host_id,
    image_ids: [],
    fabric: null,
    network: 'full' as const,
    free_public_ipv4s: 0,
    free_slots: [0, 1, 2].filter((slot) => !taken.has(`${host_id} ${slot}`)),
  }))
  return { ...input, hosts: hosts.filter(({ free_slots }) => free_slots.length > 0) }
}

function change(input: PlacementInput, random: Random, step: number): Partial<PlacementInput> {
  const { instances, now } = input
  const chosen = instances.length === 0 ? -1 : random.integer(instances.length)
  switch (random.integer(4)) {
    case 0: {
      const id = `inst_${String(step).padStart(4, '0')}` as const
      const priority_level = priorityLevels[random.integer(4)] as 'normal'
      return { instances: [...instances, { ...plainInstance, id, priority_level, created_at: now }] }
    }
    case 1: {
      const counts = Array.from({ length: random.integer(3) }, (): [number, number] => {
        return [random.integer(900) + 1, random.integer(7)]
      })
      return { allocation: stepsOf(random.integer(7), counts).map((each) => shifted(each, now - startedAt)) }
    }
    case 2:
      return { instances: instances.map((each) => (each.slot && random.integer(2) ? afterReport(each) : each)) }
    default:
      return { instances: instances.map((each, index) => (index === chosen ? hurt(each, random) : each)) }
  }
}

function afterReport(instance: PlacementInstance): PlacementInstance {
  if (instance.state === 'terminated' || instance.is_returning) return { ...instance, slot: null, is_returning: false }
  return instance.state === 'failed' ? instance : { ...instance, state: 'running' }
}

function hurt(instance: PlacementInstance, random: Random): PlacementInstance {
  if (instance.state === 'running' && random.integer(2)) return { ...instance, state: 'failed' }
  return { ...instance, state: 'terminated' }
}

const plainInstance: Omit<PlacementInstance, 'id'> = {
  state: 'awaiting_allocation',
  priority_level: 'normal',
  created_at: startedAt,
  image_id: 'image_a',
  fabric: null,
  slot: null,
  is_returning: false,
  host_ends_at: null,
  notice: null,
  replaces_slot: null,
  needs_public_ipv4: false,
  needs_full_network: false,
}

function shifted(step: PlacementInput['allocation'][number], seconds: number) {
  return { ...step, start_at: step.start_at + seconds, end_at: step.end_at === null ? null : step.end_at + seconds }
}

test('over time exactly the surplus has notice, of at least 60 seconds, and no slot is assigned twice', () => {
  fc.assert(fc.property(fc.nat(), liveThrough), { numRuns: sized(200) })
})
