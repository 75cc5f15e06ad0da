import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DesiredInstance } from '@bourse/api/fleet/agent.ts'
import { endsStart, entryOf, type MachineRecord, nextStep, type Phase } from './machine.rules.ts'

const network: DesiredInstance['network'] = {
  mac: '02:00:00:00:00:01',
  private_ip: null,
  subnet: null,
  vni: null,
  cidr: null,
  peers: [],
  public_ip: null,
  firewall_rules: null,
  infiniband_partition: null,
  partition_key: null,
}

function wanted(action: 'run' | 'stop', generation = 2): DesiredInstance {
  return {
    id: 'inst_a',
    generation,
    action,
    slot: 0,
    hostname: 'a',
    image: null,
    user_data_ticket: null,
    network,
    machine: { cpu_count: 1, memory_bytes: 1, storage_bytes: 1 },
    terminate_at: null,
    terminate_reason: null,
  }
}

function record(phase: Phase, generation = 2): MachineRecord {
  const { user_data_ticket: _, ...rest } = wanted('run', generation)
  return { id: 'inst_a', generation, phase, reason: null, wanted: rest, next_seqnum: 1, console_byte: 0 }
}

const phases: Phase[] = ['fetching', 'starting', 'running', 'start_failed', 'unhealthy', 'stopping', 'stopped']

test('what is not there is started, or said to be stopped', () => {
  assert.equal(nextStep(undefined, undefined), 'nothing')
  assert.equal(nextStep(undefined, wanted('run')), 'start')
  assert.equal(nextStep(undefined, wanted('stop')), 'stop')
})

test('what is not listed any more is cleared away, whatever it does', () => {
  for (const phase of phases) assert.equal(nextStep(record(phase), undefined), 'remove', phase)
})

test('an older desired state than the one acted on changes nothing', () => {
  for (const phase of phases) {
    assert.equal(nextStep(record(phase, 3), wanted('run', 2)), 'nothing', phase)
    assert.equal(nextStep(record(phase, 3), wanted('stop', 2)), 'nothing', phase)
  }
})

test('what is to stop is stopped once', () => {
  for (const phase of phases.filter((one) => one !== 'stopped')) {
    assert.equal(nextStep(record(phase), wanted('stop', 3)), 'stop', phase)
  }
  assert.equal(nextStep(record('stopped'), wanted('stop', 2)), 'nothing')
  assert.equal(nextStep(record('stopped'), wanted('stop', 3)), 'keep')
})

test('what is to run is started where it was interrupted, and again only where it is wanted anew', () => {
  const steps = (generation: number) =>
    Object.fromEntries(phases.map((phase) => [phase, nextStep(record(phase), wanted('run', generation))]))
  assert.deepEqual(steps(2), {
    fetching: 'start',
    starting: 'start',
    running: 'nothing',
    start_failed: 'nothing',
    unhealthy: 'nothing',
    stopping: 'stop',
    stopped: 'nothing',
  })
  assert.deepEqual(steps(3), {
    fetching: 'start',
    starting: 'start',
    running: 'keep',
    start_failed: 'start',
    unhealthy: 'keep',
    stopping: 'stop',
    stopped: 'start',
  })
})

test('what runs follows its network and its deadline, which change under the same generation', () => {
  const running = record('running')
  const at = (changes: Partial<DesiredInstance>) => nextStep(running, { ...wanted('run'), ...changes })
  assert.equal(at({}), 'nothing')
  assert.equal(at({ terminate_at: 1_800_000_000, terminate_reason: 'sold' }), 'keep')
  assert.equal(at({ network: { ...network, firewall_rules: [] } }), 'keep')
  assert.equal(at({ network: { ...network, peers: [{ private_ip: '10.0.0.4', host_address: '192.0.2.1' }] } }), 'keep')
  // A fresh URL for the same image and a fresh ticket do not matter to a machine that runs.
  const image = { id: 'image_a' as const, url: 'http://192.0.2.1/x', sha256: null, size_bytes: null, expires_at: 1 }
  assert.equal(at({ user_data_ticket: 'fresh', image }), 'nothing')
  assert.equal(nextStep({ ...running, generation: 3 }, { ...wanted('run'), terminate_at: 1 }), 'nothing')
  assert.equal(nextStep(record('stopped'), { ...wanted('run'), terminate_at: 1 }), 'nothing')
})

test('a start is broken off by a stop, and by being forgotten', () => {
  assert.deepEqual([endsStart(wanted('run')), endsStart(wanted('stop')), endsStart(undefined)], [false, true, true])
})

test('a report says nothing of a stop under way, and what is known of the rest', () => {
  const ssh = { hostname: 'h', port: 1, host_keys: [] }
  assert.deepEqual(entryOf(record('stopping'), undefined), { id: 'inst_a', generation: 2, state: 'running' })
  assert.deepEqual(entryOf({ ...record('unhealthy'), reason: 'machine_lost' }, ssh), {
    id: 'inst_a',
    generation: 2,
    state: 'unhealthy',
    reason: 'machine_lost',
    ssh,
  })
})
