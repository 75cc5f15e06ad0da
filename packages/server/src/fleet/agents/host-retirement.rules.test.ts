import assert from 'node:assert/strict'
import { type HostHealth, type HostState, hostStates, mayHostBecome } from '@bourse/api/fleet/host-states.ts'
import type { InstanceState } from '@bourse/api/fleet/instance-states.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { describe, test } from 'vitest'
import { planLoss, refuseRetirement } from './host-retirement.rules.ts'

const states = Object.keys(hostStates) as HostState[]
const reporting: readonly HostHealth[] = ['healthy', 'faulted']

describe('a retirement', () => {
  test('without force needs a drained host', () => {
    for (const health of [...reporting, 'unreachable'] as const) {
      const allowed = states.filter((state) => !refuseRetirement({ state, health }, false))
      assert.deepEqual(allowed, ['drained'])
    }
  })

  test('a host that reports does not retire by force before it is drained', () => {
    for (const health of reporting) {
      const allowed = states.filter((state) => !refuseRetirement({ state, health }, true))
      assert.deepEqual(allowed, ['drained'])
      const refusal = refuseRetirement({ state: 'draining', health }, true)
      assert.deepEqual([refusal?.code, refusal?.field], ['invalid_state', null])
      assert.match(refusal?.message ?? '', /^The host still reports.* Drain it/)
    }
  })

  test('an unreachable host retires by force in every state, once', () => {
    const allowed = states.filter((state) => !refuseRetirement({ state, health: 'unreachable' }, true))
    assert.deepEqual(allowed, ['active', 'cordoned', 'draining', 'drained'])
    for (const state of allowed) assert.ok(mayHostBecome(state, 'retired'))
    const again = refuseRetirement({ state: 'retired', health: 'unreachable' }, true)
    assert.equal(again?.message, 'The action retire is not allowed on a host that is retired.')
  })

  test('the refusal names force only for a host that can retire by it', () => {
    const messageFor = (state: HostState, health: HostHealth) => refuseRetirement({ state, health }, false)?.message
    assert.match(messageFor('draining', 'unreachable') ?? '', /is draining\. It is unreachable: .* `force`\.$/)
    assert.doesNotMatch(messageFor('draining', 'faulted') ?? '', /force/)
    assert.doesNotMatch(messageFor('retired', 'unreachable') ?? '', /force/)
  })
})

test('of the instances on a lost host those that run fail and end, and those that never ran wait again', () => {
  const on = (instance_id: string, instance_state: InstanceState) => {
    return { instance_id: instance_id as Id<'instance'>, instance_state }
  }
  const instances = [
    on('inst_a', 'terminated'),
    on('inst_b', 'running'),
    on('inst_c', 'failed'),
    on('inst_d', 'awaiting_allocation'),
    on('inst_e', 'running'),
  ]
  const { failing, ending } = planLoss(instances)
  assert.deepEqual(failing, ['inst_b', 'inst_e'])
  assert.deepEqual(ending, ['inst_b', 'inst_c', 'inst_e'])
})
