import assert from 'node:assert/strict'
import { type HostAction, type HostState, hostStates, mayHostBecome } from '@bourse/api/fleet/host-states.ts'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import {
  type DrainRequest,
  evaluateSilence,
  foldSupply,
  hasDrained,
  hostEndOf,
  hostEndsAt,
  hostStateAfter,
  isOpenHost,
  planDrain,
  planWithdrawal,
  refuseHostAction,
  repairSeconds,
  supplyAfterUncordon,
  supplyChanges,
  supplyOfSlots,
  withdrawnSupply,
} from './hosts.rules.ts'
import { type AllocationStep, allocationAt } from './victims.rules.ts'

const now = 1_800_000_030
const minute = 1_800_000_000
const states = Object.keys(hostStates) as HostState[]
const actions = Object.keys(hostStateAfter) as HostAction[]

describe('the actions on a host', () => {
  test('are allowed exactly in the states of the table, and lead only to permitted states', () => {
    const allowed = (action: HostAction) => states.filter((state) => refuseHostAction(action, state) === undefined)
    assert.deepEqual(Object.fromEntries(actions.map((action) => [action, allowed(action)])), {
      cordon: ['active'],
      uncordon: ['cordoned', 'draining', 'drained'],
      drain: ['active', 'cordoned'],
      retire: ['drained'],
    })
    for (const action of actions) {
      for (const state of allowed(action)) assert.ok(mayHostBecome(state, hostStateAfter[action]))
    }
    assert.equal(refuseHostAction('retire', 'active')?.code, 'invalid_state')
  })

  test('only an active, healthy host accepts instances', () => {
    for (const state of states) {
      assert.equal(isOpenHost({ state, health: 'healthy' }), state === 'active')
      assert.equal(isOpenHost({ state, health: 'unreachable' }), false)
      assert.equal(isOpenHost({ state, health: 'faulted' }), false)
    }
  })

  test('the instances of a draining host end at its deadline, which uncordon removes', () => {
    for (const state of states) {
      const letsGo = state === 'draining' || state === 'drained'
      const fit = { unfit_at: null, fitting_slots: null, used_slots: 4 }
      assert.equal(hostEndsAt({ state, drain_deadline_at: now, ...fit }), letsGo ? now : null)
    }
  })

  test('the instances of a host that lacks their hardware end after the time for a repair', () => {
    const host = { state: 'active', drain_deadline_at: null, unfit_at: now, fitting_slots: 3, used_slots: 4 } as const
    assert.deepEqual(hostEndOf(host), { at: now + repairSeconds, reason: 'host_unfit' })
    assert.equal(hostEndOf({ ...host, used_slots: 3 }), null)
    assert.equal(hostEndOf({ ...host, unfit_at: null }), null)
    const draining = { ...host, state: 'draining', drain_deadline_at: now + 60 } as const
    assert.deepEqual(hostEndOf(draining), { at: now + 60, reason: 'host_retired' })
    assert.deepEqual(hostEndOf({ ...draining, drain_deadline_at: now + 2 * repairSeconds })?.reason, 'host_unfit')
  })

  test('a draining host is drained after its deadline, once it is empty', () => {
    const host = { state: 'draining', drain_deadline_at: now, used_slots: 0 } as const
    assert.equal(hasDrained(host, now), true)
    assert.equal(hasDrained(host, now - 1), false)
    assert.equal(hasDrained({ ...host, used_slots: 1 }, now), false)
    assert.equal(hasDrained({ ...host, state: 'active' }, now), false)
    assert.equal(hasDrained({ ...host, state: 'drained' }, now), false)
  })
})

describe('the silence of a host', () => {
  const host = { state: 'active', health: 'healthy', last_seen_at: now - 89 } as const

  test('counts after 90 seconds, not before', () => {
    assert.deepEqual(evaluateSilence(host, now), { is_lost: false, next_at: now + 1 })
    assert.deepEqual(evaluateSilence(host, now + 1), { is_lost: true, next_at: null })
    assert.deepEqual(evaluateSilence({ ...host, health: 'faulted', state: 'draining' }, now + 1).is_lost, true)
  })

  test('counts once per outage', () => {
    assert.deepEqual(evaluateSilence({ ...host, health: 'unreachable' }, now + 500), { is_lost: false, next_at: null })
    assert.deepEqual(evaluateSilence({ ...host, last_seen_at: now + 500 }, now + 590), { is_lost: true, next_at: null })
  })

  test('of a retired host does not count, and a clock that was set back causes none', () => {
    assert.deepEqual(evaluateSilence({ ...host, state: 'retired' }, now + 500), { is_lost: false, next_at: null })
    assert.deepEqual(evaluateSilence({ ...host, last_seen_at: now + 5 }, now), { is_lost: false, next_at: now + 95 })
  })
})

describe('the supply of a host', () => {
  const forever = (node_count: number, start_at = minute): AllocationStep => ({ start_at, end_at: null, node_count })
  const request: DrainRequest = {
    slots: 4,
    now: now,
    deadline_at: now + 3_600,
    supply_starts_at: minute - 600,
    supply: [forever(4, minute - 600)],
    free: [forever(9)],
    force: false,
  }

  test('begins with the next minute and has no end', () => {
    assert.deepEqual(supplyOfSlots(4, now), forever(4, minute + 60))
    assert.deepEqual(supplyOfSlots(4, minute), forever(4, minute + 60))
  })

  test('ends with the minute of the deadline', () => {
    const end = minute + 3_600
    assert.deepEqual(planDrain(request), { supply_ends_at: end, withdrawn: [forever(4, end)], short: [] })
    assert.deepEqual(planDrain({ ...request, deadline_at: now }), {
      supply_ends_at: minute,
      withdrawn: [forever(4, minute)],
      short: [],
    })
  })

  test('that has not begun is withdrawn completely', () => {
    const plan = planDrain({
      ...request,
      deadline_at: now,
      supply_starts_at: minute + 60,
      supply: [forever(4, minute + 60)],
      free: [forever(4, minute + 60)],
    })
    assert.deepEqual(plan, { supply_ends_at: minute + 60, withdrawn: [forever(4, minute + 60)], short: [] })
  })

  test('cannot end in the past', () => {
    const plan = planDrain({ ...request, deadline_at: now - 1, force: true })
    assert.ok('refusal' in plan && plan.refusal.code === 'in_the_past' && plan.refusal.field === 'deadline_at')
  })

  test('that is sold is not withdrawn: the drain is refused, or a forced drain leaves a shortage', () => {
    const end = minute + 3_600
    const free = [
      { start_at: minute, end_at: end, node_count: 0 },
      { start_at: end, end_at: end + 600, node_count: 1 },
      { start_at: end + 900, end_at: null, node_count: 5 },
    ]
    const refused = planDrain({ ...request, free })
    assert.ok('refusal' in refused)
    assert.deepEqual(refused.refusal, {
      code: 'supply_sold',
      field: 'deadline_at',
      message: `3 of its 4 nodes are sold or offered from ${end} on, and no other host has free nodes for them.`,
    })
    assert.deepEqual(planDrain({ ...request, free, force: true }), {
      supply_ends_at: end,
      withdrawn: [
        { start_at: end, end_at: end + 600, node_count: 1 },
        { start_at: end + 900, end_at: null, node_count: 4 },
      ],
      short: [
        { start_at: end, end_at: end + 600, node_count: 3 },
        { start_at: end + 600, end_at: end + 900, node_count: 4 },
      ],
    })
  })

  test('returns from the next minute on when the host is uncordoned', () => {
    const withdrawn = [
      { start_at: minute - 600, end_at: minute + 120, node_count: 1 },
      { start_at: minute + 180, end_at: null, node_count: 4 },
    ]
    assert.deepEqual(supplyAfterUncordon(withdrawn, now), [
      { start_at: minute + 60, end_at: minute + 120, node_count: 1 },
      { start_at: minute + 180, end_at: null, node_count: 4 },
    ])
    assert.deepEqual(supplyAfterUncordon([forever(4, minute + 3_600)], now), [forever(4, minute + 3_600)])
    assert.deepEqual(supplyAfterUncordon([], now), [])
  })

  test('the missing supply equals the withdrawn supply, and its return restores the whole', () => {
    const withdrawn = [
      { start_at: minute + 600, end_at: minute + 1200, node_count: 1 },
      { start_at: minute + 1200, end_at: null, node_count: 4 },
    ]
    const put = [{ minute: minute / 60, delta: 4 }]
    const after = foldSupply([...put, ...supplyChanges(withdrawn, -1)])
    assert.deepEqual(after, [
      { start_at: minute, end_at: minute + 600, node_count: 4 },
      { start_at: minute + 600, end_at: minute + 1200, node_count: 3 },
    ])
    assert.deepEqual(withdrawnSupply(forever(4, minute), after), withdrawn)
    assert.deepEqual(supplyChanges(withdrawn, 1), [
      { minute: minute / 60 + 10, delta: 1 },
      { minute: minute / 60 + 20, delta: 3 },
    ])
    assert.deepEqual(foldSupply([]), [])
    assert.deepEqual(withdrawnSupply(forever(4, minute), [forever(4, minute)]), [])
  })

  const anyFree = fc
    .array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 5 }), fc.nat(6)), { maxLength: 5 })
    .map((parts) => {
      let at = minute
      return parts.map(([gap, minutes, node_count], index): AllocationStep => {
        const start_at = at + gap * 60
        at = start_at + minutes * 60
        return { start_at, end_at: index === parts.length - 1 && minutes % 2 ? null : at, node_count }
      })
    })

  test('a drain takes no more than the host supplies, however much is free', () => {
    const plan = planDrain({ ...request, supply: [] })
    assert.deepEqual(plan, { supply_ends_at: minute + 3_600, withdrawn: [], short: [] })
  })

  test('what a host without its hardware withdraws is its own and free, from the current minute on', () => {
    const supply = [{ ...forever(4, minute - 600), end_at: minute + 600 }]
    const free = [{ ...forever(1, minute - 600), end_at: minute + 300 }, forever(9, minute + 300)]
    assert.deepEqual(planWithdrawal(supply, free, now), [
      { start_at: minute, end_at: minute + 300, node_count: 1 },
      { start_at: minute + 300, end_at: minute + 600, node_count: 4 },
    ])
  })

  test('a drain withdraws only free nodes, and withdrawn and owed nodes sum to the slots at each minute', () => {
    fc.assert(
      fc.property(anyFree, fc.nat(5), fc.nat(1_500), (free, slots, seconds) => {
        const drain = { ...request, slots, supply: [forever(slots)], deadline_at: now + seconds, free }
        const plan = planDrain({ ...drain, force: true })
        assert.ok('withdrawn' in plan)
        for (let at = minute; at < minute + 3_600; at += 60) {
          const taken = allocationAt(plan.withdrawn, at)
          const owed = allocationAt(plan.short, at)
          assert.ok(taken <= allocationAt(free, at))
          assert.equal(taken + owed, at < plan.supply_ends_at ? 0 : slots)
          assert.ok(owed === 0 || taken === allocationAt(free, at))
        }
        assert.equal('refusal' in planDrain(drain), plan.short.length > 0)
      }),
      { numRuns: sized(2_000) },
    )
  })
})
