import assert from 'node:assert/strict'
import { reportedStates } from '@bourse/api/fleet/agent.ts'
import { type InstanceState, mayInstanceBecome } from '@bourse/api/fleet/instance-states.ts'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import {
  applyReport,
  isSteady,
  type ReportContent,
  type ReportEntry,
  type ReportedInstance,
  type StandingHost,
  withKeys,
} from './reports.rules.ts'

const waiting: ReportedInstance = {
  state: 'awaiting_allocation',
  generation: 5,
  action: 'run',
  failed_starts: 0,
  reported_state: null,
  reported_reason: null,
}
const running: ReportedInstance = { ...waiting, state: 'running', reported_state: 'running' }
const failed: ReportedInstance = { ...waiting, state: 'failed', reported_state: 'unhealthy' }
const terminated: ReportedInstance = { ...running, state: 'terminated', action: 'stop' }

type ReportEntryFields = Omit<ReportEntry, 'generation'>

/** `state: events` and what else follows. */
function outcome(instance: ReportedInstance, entry: ReportEntryFields): string | undefined {
  const effect = applyReport(instance, { generation: instance.generation, ...entry })
  if (!effect) return undefined
  const marks = [effect.frees_slot && 'slot free', effect.retries_start && `try ${effect.failed_starts + 1}`]
  return [effect.state, ...effect.events, ...marks.filter(Boolean)].join(', ')
}

describe('a report', () => {
  const cases: [string, ReportedInstance, ReportEntryFields, string | undefined][] = [
    ['of a download makes a waiting instance run', waiting, { state: 'fetching' }, 'running, instance.running'],
    ['of a boot makes it run', waiting, { state: 'starting' }, 'running, instance.running'],
    ['of a running machine makes it run', waiting, { state: 'running' }, 'running, instance.running'],
    ['of progress changes no state', { ...running, reported_state: 'fetching' }, { state: 'starting' }, 'running'],
    ['without news changes nothing', running, { state: 'running' }, undefined],
    ['of a failed start has it tried again', running, { state: 'start_failed' }, 'running, try 2'],
    [
      'of the third failed start fails the instance',
      { ...running, failed_starts: 2 },
      { state: 'start_failed', reason: 'checksum_mismatch' },
      'failed, instance.failed',
    ],
    ['of bad health fails it', running, { state: 'unhealthy' }, 'failed, instance.failed'],
    ['of a lost machine fails it', running, { state: 'unhealthy', reason: 'machine_lost' }, 'failed, instance.failed'],
    ['of bad health is told once', failed, { state: 'unhealthy' }, undefined],
    ['of a failed start after that is nothing new', failed, { state: 'start_failed' }, undefined],
    ['of recovery is noted and changes no state', failed, { state: 'running' }, 'failed'],
    [
      'of a guest that powered off ends it',
      running,
      { state: 'stopped', reason: 'guest_shutdown' },
      'terminated, instance.terminated, slot free',
    ],
    [
      'of a failed guest that powered off ends it',
      failed,
      { state: 'stopped', reason: 'guest_shutdown' },
      'terminated, instance.terminated, slot free',
    ],
    ['of a stop that nobody asked for is a lost machine', running, { state: 'stopped' }, 'failed, instance.failed'],
    ['of a stop that was asked for frees the slot', terminated, { state: 'stopped' }, 'terminated, slot free'],
    ['of a machine that is still stopping changes nothing', terminated, { state: 'running' }, undefined],
    ['of a machine lost while stopping waits for the stop', terminated, { state: 'unhealthy' }, undefined],
    [
      'of a guest that powered off while it was to stop frees the slot and ends nothing twice',
      terminated,
      { state: 'stopped', reason: 'guest_shutdown' },
      'terminated, slot free',
    ],
    [
      'does not start an instance that goes back to waiting',
      { ...waiting, action: 'stop' },
      { state: 'starting' },
      undefined,
    ],
    [
      'of its stop lets it wait for another slot',
      { ...waiting, action: 'stop' },
      { state: 'stopped' },
      'awaiting_allocation, slot free',
    ],
  ]
  for (const [what, instance, entry, expected] of cases) {
    test(what, () => assert.equal(outcome(instance, entry), expected))
  }

  test('of a fault still records that the instance has run', () => {
    assert.equal(outcome(waiting, { state: 'unhealthy' }), 'failed, instance.running, instance.failed')
    assert.equal(outcome(waiting, { state: 'start_failed' }), 'running, instance.running, try 2')
    assert.equal(
      outcome(waiting, { state: 'stopped', reason: 'guest_shutdown' }),
      'terminated, instance.running, instance.terminated, slot free',
    )
  })

  test('of an older generation is ignored, whatever its content', () => {
    for (const instance of [waiting, running, failed, terminated]) {
      for (const state of ['fetching', 'running', 'start_failed', 'unhealthy', 'stopped'] as const) {
        assert.equal(applyReport(instance, { generation: 4, state, reason: 'guest_shutdown' }), undefined)
      }
    }
  })

  test('keeps its reason, and a machine that stopped by itself counts as lost', () => {
    const entry = { generation: 5, state: 'start_failed', reason: 'disk_full' } as const
    assert.equal(applyReport(running, entry)?.reported_reason, 'disk_full')
    assert.equal(applyReport(running, { generation: 5, state: 'stopped' })?.reported_reason, 'machine_lost')
  })
})

describe('a report is steady', () => {
  const ssh = { hostname: '192.0.2.7', port: 20_022, host_keys: [{ key_type: 'ssh-ed25519', key: 'AAAA' }] }
  const ssh_keys = { has_channel: true, ids: ['sshk_a'] }
  const machine = { ...running, instance_id: 'inst_a', ssh, ssh_keys, connection_lost_at: null }
  const host: StandingHost = {
    epoch: 3,
    generation: 6,
    state: 'active',
    health: 'healthy',
    health_message: null,
    machines: [machine],
  }
  const entry = { id: 'inst_a', generation: 5, state: 'running' as const, ssh: structuredClone(ssh) }
  const report: ReportContent = { epoch: 3, generation: 6, health: 'healthy', instances: [entry] }
  const standing = (more: object): StandingHost => ({ ...host, machines: [{ ...machine, ...more }] })
  const saying = (more: object): ReportContent => ({ ...report, instances: [{ ...entry, ...more }] })
  const cases: [string, boolean, StandingHost, ReportContent][] = [
    ['when it says what was said before', true, host, report],
    ['when it leaves out how a machine is reached', true, host, saying({ ssh: undefined })],
    ['when a machine has the keys that it had', true, host, saying({ ssh_keys: structuredClone(ssh_keys) })],
    ['not when a machine has lost a key', false, host, saying({ ssh_keys: { has_channel: true, ids: [] } })],
    ['not when a machine can be reached inside', false, standing({ ssh_keys: null }), saying({ ssh_keys })],
    ['when it leaves out a machine that it was not told of yet', true, host, { ...report, instances: [] }],
    ['when it tells of a machine that does not stand there any more', true, host, saying({ id: 'inst_gone' })],
    ['when it tells of an older generation', true, host, saying({ generation: 4, state: 'unhealthy' })],
    ['when a machine that is to stop runs on', true, standing({ action: 'stop' }), report],
    ['when a machine that failed is bad still', true, standing(failed), saying({ state: 'unhealthy' })],
    ['on a host that is cordoned', true, { ...host, state: 'cordoned' }, report],
    [
      'when a fault is told again',
      true,
      { ...host, health: 'faulted', health_message: 'disk' },
      { ...report, health: 'faulted', message: 'disk' },
    ],
    ['not of another epoch', false, host, { ...report, epoch: 2 }],
    ['not on a host that is retired', false, { ...host, state: 'retired' }, report],
    ['not after a silence', false, { ...host, health: 'unreachable' }, report],
    ['not while an instance is told not to answer', false, standing({ connection_lost_at: 1 }), report],
    ['not when the host is worse', false, host, { ...report, health: 'faulted' }],
    ['not when the fault is another', false, host, { ...report, message: 'the disk is full' }],
    ['not when a machine goes on', false, standing({ reported_state: 'starting' }), report],
    ['not when the first word of an instance comes', false, standing(waiting), report],
    ['not when a reason is new', false, host, saying({ reason: 'slow' })],
    ['not when a machine has gone', false, standing({ action: 'stop' }), saying({ state: 'stopped' })],
    ['not when a start failed again', false, host, saying({ state: 'start_failed' })],
    ['not when a machine is reached elsewhere', false, host, saying({ ssh: { ...ssh, port: 20_023 } })],
    ['not when it shows first how a machine is reached', false, standing({ ssh: null }), report],
  ]
  for (const [what, expected, at, output] of cases) test(what, () => assert.equal(isSteady(at, output), expected))

  test('only if none of its entries has an effect', () => {
    const anyMachine = fc.record({
      state: fc.constantFrom(
        'awaiting_allocation' as const,
        'running' as const,
        'failed' as const,
        'terminated' as const,
      ),
      action: fc.constantFrom('run' as const, 'stop' as const),
      reported_state: fc.constantFrom(null, ...reportedStates),
      reported_reason: fc.constantFrom(null, 'guest_shutdown', 'machine_lost'),
      failed_starts: fc.integer({ min: 0, max: 2 }),
    })
    const anyEntry = fc.record({
      generation: fc.integer({ min: 4, max: 6 }),
      state: fc.constantFrom(...reportedStates),
      reason: fc.constantFrom(null, 'guest_shutdown', 'machine_lost'),
    })
    fc.assert(
      fc.property(anyMachine, anyEntry, (one, output) => {
        const effect = applyReport({ ...one, generation: 5 }, output)
        assert.equal(isSteady(standing(one), saying({ ...output, ssh: undefined })), effect === undefined)
      }),
      { numRuns: sized(2_000) },
    )
  })
})

describe('reports over a life', () => {
  const anyEntry = fc.record({
    state: fc.constantFrom(...reportedStates),
    reason: fc.constantFrom(null, null, 'guest_shutdown', 'machine_lost'),
    age: fc.constantFrom(0, 0, 0, 1, 2),
    twice: fc.boolean(),
  })
  const anyStep = fc.oneof(
    { weight: 6, arbitrary: anyEntry },
    { weight: 1, arbitrary: fc.constantFrom('end', 'notice') },
  )

  test('cause running, failure and end at most once each, in that order, however often they arrive', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 25 }), (steps) => {
        let instance = waiting
        const events: string[] = []
        let isFree = false
        for (const step of steps) {
          if (step === 'end' && instance.state !== 'terminated') events.push('instance.terminated')
          if (step === 'end')
            instance = { ...instance, state: 'terminated', action: 'stop', generation: instance.generation + 1 }
          if (step === 'notice') instance = { ...instance, generation: instance.generation + 1 }
          if (typeof step === 'string') continue
          const entry = { ...step, generation: instance.generation - step.age }
          for (const again of step.twice ? [false, true] : [false]) {
            const effect = applyReport(instance, entry)
            if (!effect) continue
            assert.ok(!again || instance.state === effect.state, 'the same report twice changed the state twice')
            assertLegal(instance.state, effect.state, effect.events)
            events.push(...effect.events)
            isFree = effect.frees_slot
            const { state, failed_starts, reported_state, reported_reason } = effect
            const generation = instance.generation + (effect.retries_start ? 1 : 0)
            instance = { ...instance, state, failed_starts, reported_state, reported_reason, generation }
            if (isFree) break
          }
          if (isFree) break
        }
        const order = ['instance.running', 'instance.failed', 'instance.terminated']
        assert.deepEqual(
          events,
          order.filter((event) => events.includes(event)),
        )
        assert.ok(!events.includes('instance.failed') || events.includes('instance.running'))
        assert.ok(instance.failed_starts <= 3)
      }),
      { numRuns: sized(5_000) },
    )
  })

  function assertLegal(from: InstanceState, to: InstanceState, events: readonly string[]): void {
    let state = from
    for (const event of events) {
      const next = event.slice('instance.'.length) as InstanceState
      assert.ok(mayInstanceBecome(state, next), `${state} became ${next}`)
      state = next
    }
    assert.equal(state, to)
  }
})

test('the keys of a machine are read from one text, and are left out where a report says nothing of them', () => {
  const entries = [
    { id: 'a', ssh_keys: 'sshk_1 sshk_2', guest_agent: true },
    { id: 'b', ssh_keys: '' },
    { id: 'c', guest_agent: true },
  ]
  assert.deepEqual(withKeys(entries), [
    { id: 'a', ssh_keys: { has_channel: true, ids: ['sshk_1', 'sshk_2'] } },
    { id: 'b', ssh_keys: { has_channel: false, ids: [] } },
    { id: 'c' },
  ])
})
