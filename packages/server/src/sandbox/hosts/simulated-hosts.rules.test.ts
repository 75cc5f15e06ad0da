import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import { hostAddress, publicAddresses } from './host-addresses.rules.ts'
import {
  type ActiveFault,
  evaluateOutage,
  loseMachines,
  type MachineFaultKind,
  rebootSeconds,
  type SimulatedEntry,
  type SimulatedMachine,
  type SimulatedStep,
  stepHost,
  type WantedMachine,
} from './simulated-hosts.rules.ts'

const startedAt = 1_800_000_000

function fault(kind: MachineFaultKind, fields: Partial<ActiveFault> = {}): ActiveFault {
  return { id: `flt_${kind}`, kind, instance_id: null, times_left: 1, hits: 0, ends_at: null, ...fields }
}

function wanted(action: 'run' | 'stop' = 'run', generation = 1, id = 'inst_a'): WantedMachine {
  return { id, generation, action }
}

function step(fields: Partial<Parameters<typeof stepHost>[0]> = {}): SimulatedStep {
  return stepHost({ now: startedAt, seed: 1, wanted: [wanted()], machines: [], faults: [], ...fields })
}

/** Runs the steps of a host until no state change is left. Returns all of its reports. */
function live(fields: Partial<Parameters<typeof stepHost>[0]> = {}) {
  const faults = fields.faults ?? []
  let hits: string[] = []
  const output: (SimulatedEntry & { at: number })[] = []
  let now = startedAt
  let last = step({ ...fields, now })
  for (;;) {
    hits = [...hits, ...last.hits]
    output.push(...last.entries.map((entry) => ({ ...entry, at: now - startedAt })))
    if (last.next_at === null) return { said: output, hits, last, now }
    now = last.next_at
    const left = faults.map((one) => ({
      ...one,
      times_left: one.times_left === null ? null : one.times_left - hits.filter((id) => id === one.id).length,
    }))
    last = step({ ...fields, now, machines: last.machines, faults: left })
  }
}

const statesOf = (output: readonly SimulatedEntry[]) => output.map(({ state }) => state)

describe('a machine that is to run', () => {
  test('is reported as fetching, starting and running, each at its own time, within seconds', () => {
    const { said: output, last, now } = live()
    assert.deepEqual(statesOf(output), ['fetching', 'starting', 'running'])
    assert.ok(now - startedAt >= 3 && now - startedAt <= 8)
    assert.deepEqual(last.entries, [{ id: 'inst_a', generation: 1, state: 'running', reason: null }])
  })

  test('needs a time that depends on its seed and differs between machines', () => {
    const needed = (seed: number) => live({ seed }).now - startedAt
    assert.equal(needed(7), needed(7))
    assert.ok(new Set(Array.from({ length: 20 }, (_, seed) => needed(seed))).size > 2)
  })

  test('is reported as fetching before a fault can affect it', () => {
    const faults = [fault('instance_unhealthy'), fault('checksum_mismatch')]
    assert.deepEqual(statesOf(step({ faults }).entries), ['fetching'])
    assert.deepEqual(step({ faults }).hits, [])
  })

  test('stays failed until a newer generation wants it, then starts from the beginning', () => {
    for (const [kind, states] of [
      ['checksum_mismatch', ['fetching', 'start_failed']],
      ['start_failure', ['fetching', 'starting', 'start_failed']],
    ] as const) {
      const { said: output, last, hits } = live({ faults: [fault(kind)] })
      assert.deepEqual(statesOf(output), states)
      assert.deepEqual([last.entries[0]?.reason, last.next_at, hits], [kind, null, [`flt_${kind}`]])
      const again = live({ machines: last.machines, wanted: [wanted('run', 2)] })
      assert.deepEqual(statesOf(again.said), ['fetching', 'starting', 'running'])
      assert.ok(again.said.every(({ generation }) => generation === 2))
    }
  })

  test('continues to run under a newer generation', () => {
    const { machines } = live().last
    const { entries } = step({ machines, wanted: [wanted('run', 5)] })
    assert.deepEqual(entries, [{ id: 'inst_a', generation: 5, state: 'running', reason: null }])
  })

  test('becomes unhealthy or powers itself off by its own fault', () => {
    const { machines } = live().last
    const unhealthy = step({ machines, faults: [fault('instance_unhealthy', { instance_id: 'inst_a' })] })
    assert.deepEqual(unhealthy.entries, [{ id: 'inst_a', generation: 1, state: 'unhealthy', reason: 'hardware_fault' }])
    const off = step({ machines, faults: [fault('guest_shutdown', { instance_id: 'inst_a' })] })
    assert.deepEqual(off.entries, [{ id: 'inst_a', generation: 1, state: 'stopped', reason: 'guest_shutdown' }])
    assert.deepEqual(off.machines, [])
    const other = step({ machines, faults: [fault('guest_shutdown', { instance_id: 'inst_b' })] })
    assert.deepEqual([statesOf(other.entries), other.hits], [['running'], []])
  })
})

describe('a machine that is to stop', () => {
  test('stops within a second or two, is reported once and then removed', () => {
    const { machines } = live().last
    const { said: output, last, now } = live({ machines, wanted: [wanted('stop', 2)] })
    assert.deepEqual(statesOf(output), ['running', 'stopped'])
    assert.ok(now - startedAt >= 1 && now - startedAt <= 2)
    assert.deepEqual(last.machines, [])
  })

  test('is reported as stopped if it does not exist', () => {
    assert.deepEqual(statesOf(step({ wanted: [wanted('stop')] }).entries), ['stopped'])
  })

  test('is removed without a report if it is not in the desired state', () => {
    const { machines } = live().last
    assert.deepEqual(step({ machines, wanted: [] }), { machines: [], entries: [], hits: [], next_at: null })
  })
})

describe('outages', () => {
  const there = { hidden_at: null, down_until: null }

  test('silence lasts as long as its fault, and hits once', () => {
    const silent = fault('host_silent', { ends_at: startedAt + 500 })
    const first = evaluateOutage(there, [silent], startedAt)
    assert.deepEqual([first.is_away, first.next_at, first.hits], [true, startedAt + 500, ['flt_host_silent']])
    const later = evaluateOutage({ hidden_at: startedAt, down_until: null }, [{ ...silent, hits: 1 }], startedAt + 100)
    assert.deepEqual([later.is_away, later.crashes, later.hits], [true, false, []])
    assert.equal(evaluateOutage(there, [fault('host_silent')], startedAt).next_at, null)
    assert.equal(evaluateOutage({ hidden_at: startedAt, down_until: null }, [], startedAt + 500).is_away, false)
  })

  test('a crash loses the machines once, and the host is back after a reboot', () => {
    const crash = evaluateOutage(there, [fault('host_crash')], startedAt)
    assert.deepEqual([crash.is_away, crash.crashes, crash.down_until], [true, true, startedAt + rebootSeconds])
    const down = { hidden_at: startedAt, down_until: startedAt + rebootSeconds }
    const later = evaluateOutage(down, [], startedAt + rebootSeconds - 1)
    assert.deepEqual([later.is_away, later.crashes, later.next_at], [true, false, startedAt + rebootSeconds])
    assert.equal(evaluateOutage(down, [], startedAt + rebootSeconds).is_away, false)
  })

  test('a host that crashes several times reports in between', () => {
    const crash = fault('host_crash', { times_left: 1, hits: 1 })
    const back = evaluateOutage({ hidden_at: startedAt - 200, down_until: startedAt }, [crash], startedAt)
    assert.deepEqual([back.is_away, back.crashes, back.next_at], [false, false, startedAt + rebootSeconds])
    assert.equal(evaluateOutage(there, [crash], startedAt + rebootSeconds).crashes, true)
  })

  test('a crash without a limit of hits lasts until its fault is removed', () => {
    const crash = fault('host_crash', { times_left: null })
    assert.deepEqual(evaluateOutage(there, [crash], startedAt).next_at, null)
    const down = { hidden_at: startedAt, down_until: startedAt + rebootSeconds }
    const later = evaluateOutage(down, [{ ...crash, hits: 1 }], startedAt + 1_000_000)
    assert.deepEqual([later.is_away, later.crashes, later.next_at], [true, false, null])
    assert.equal(evaluateOutage(down, [], startedAt + 1_000_000).is_away, false)
  })

  test('a crash loses every machine, and a stopping machine counts as stopped', () => {
    const { machines } = live().last
    const stopping = step({ machines, wanted: [wanted('stop', 2)] }).machines
    assert.deepEqual(
      [...loseMachines(machines), ...loseMachines(stopping)].map(({ state, reason }) => [state, reason]),
      [
        ['unhealthy', 'machine_lost'],
        ['stopped', null],
      ],
    )
  })
})

test('under random desired states and faults, a host converges and reports every machine', () => {
  const ids = ['inst_a', 'inst_b', 'inst_c']
  const kinds = ['start_failure', 'checksum_mismatch', 'instance_unhealthy', 'guest_shutdown'] as const
  const requests = fc.array(fc.record({ id: fc.constantFrom(...ids), action: fc.constantFrom('run', 'stop') }), {
    maxLength: 12,
  })
  const faults = fc.array(
    fc.record({ kind: fc.constantFrom(...kinds), instance: fc.constantFrom(null, ...ids), times: fc.nat(3) }),
    { maxLength: 4 },
  )
  fc.assert(
    fc.property(fc.nat(), requests, faults, fc.array(fc.nat(4)), (seed, all, wrong, pauses) => {
      const world = new Map<string, WantedMachine>()
      const active = wrong.map(({ kind, instance, times }, index) =>
        fault(kind, { id: `flt_${index}`, instance_id: instance, times_left: times || null }),
      )
      const left = new Map(active.map(({ id, times_left }) => [id, times_left]))
      let machines: readonly SimulatedMachine[] = []
      let now = startedAt
      const go = () => {
        const known = new Map(machines.map((machine) => [machine.instance_id, machine]))
        const current = active.map((one) => ({ ...one, times_left: left.get(one.id) ?? null }))
        const input = { now, seed, wanted: [...world.values()], machines, faults: current }
        const done = stepHost(input)
        assert.deepEqual(done, stepHost(input))
        for (const id of done.hits) left.set(id, left.get(id) === null ? null : (left.get(id) as number) - 1)
        for (const times of left.values()) assert.ok(times === null || times >= 0)
        assert.deepEqual(done.entries.map(({ id }) => id).sort(), [...world.keys()].sort())
        for (const entry of done.entries) {
          assert.equal(entry.generation, world.get(entry.id)?.generation)
          if (!known.has(entry.id)) assert.ok(['fetching', 'stopped'].includes(entry.state))
          if (entry.state === 'stopped') world.delete(entry.id)
        }
        assert.ok(done.next_at === null || done.next_at > now)
        machines = done.machines
        return done.next_at
      }
      for (const [index, { id, action }] of all.entries()) {
        if (action === 'run' && !world.has(id)) world.set(id, { id, generation: index + 1, action })
        if (action === 'stop' && world.has(id)) world.set(id, { id, generation: index + 1, action })
        now += pauses[index] ?? 0
        go()
      }
      let rounds = 0
      for (let next = go(); next !== null; next = go()) {
        now = next
        assert.ok(++rounds < 50)
      }
      for (const { state } of machines) assert.ok(['running', 'start_failed', 'unhealthy'].includes(state))
    }),
    { numRuns: sized(2000) },
  )
})

test('simulated addresses are unique until the range is exhausted', () => {
  assert.deepEqual([hostAddress(1), hostAddress(257)], ['10.128.0.1', '10.128.1.1'])
  assert.deepEqual(publicAddresses(255, 3), ['198.18.0.255', '198.18.1.0', '198.18.1.1'])
  assert.deepEqual(publicAddresses(131_071, 3), ['198.19.255.255'])
  assert.deepEqual(publicAddresses(131_072, 3), [])
})
