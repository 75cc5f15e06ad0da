import assert from 'node:assert/strict'
import { type DesiredInstance, reportedSsh } from '@bourse/api/fleet/agent.ts'
import Value from 'typebox/value'
import { test } from 'vitest'
import { noNetwork as network } from '../test/support/new-spec.ts'
import { endsStart, entryOf, type MachineRecord, nextStep, type Phase, reportableKeys } from './machine.rules.ts'

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

test('an unknown machine is started, or reported as stopped', () => {
  assert.equal(nextStep(undefined, undefined), 'nothing')
  assert.equal(nextStep(undefined, wanted('run')), 'start')
  assert.equal(nextStep(undefined, wanted('stop')), 'stop')
})

test('a machine that is no longer listed is removed in every phase', () => {
  for (const phase of phases) assert.equal(nextStep(record(phase), undefined), 'remove', phase)
})

test('a desired state older than the applied one changes nothing', () => {
  for (const phase of phases) {
    assert.equal(nextStep(record(phase, 3), wanted('run', 2)), 'nothing', phase)
    assert.equal(nextStep(record(phase, 3), wanted('stop', 2)), 'nothing', phase)
  }
})

test('a machine that must stop is stopped once', () => {
  for (const phase of phases.filter((one) => one !== 'stopped')) {
    assert.equal(nextStep(record(phase), wanted('stop', 3)), 'stop', phase)
  }
  assert.equal(nextStep(record('stopped'), wanted('stop', 2)), 'nothing')
  assert.equal(nextStep(record('stopped'), wanted('stop', 3)), 'keep')
})

test('an interrupted start is repeated, and an ended machine starts again only for a newer generation', () => {
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

test('a running machine follows changes of its network and deadline within a generation', () => {
  const running = record('running')
  const at = (changes: Partial<DesiredInstance>) => nextStep(running, { ...wanted('run'), ...changes })
  assert.equal(at({}), 'nothing')
  assert.equal(at({ terminate_at: 1_800_000_000, terminate_reason: 'sold' }), 'keep')
  assert.equal(at({ network: { ...network, firewall_rules: [] } }), 'keep')
  const peer = { private_ip: '10.0.0.4', host_address: '192.0.2.1', tunnel_address: null }
  assert.equal(at({ network: { ...network, peers: [peer] } }), 'keep')
  // A new URL of the same image and a new ticket do not affect a running machine.
  const image = { id: 'image_a' as const, url: 'http://192.0.2.1/x', sha256: null, size_bytes: null, expires_at: 1 }
  assert.equal(at({ user_data_ticket: 'fresh', image }), 'nothing')
  assert.equal(nextStep({ ...running, generation: 3 }, { ...wanted('run'), terminate_at: 1 }), 'nothing')
  assert.equal(nextStep(record('stopped'), { ...wanted('run'), terminate_at: 1 }), 'nothing')
})

test('a start is aborted by a stop, and when the machine is no longer listed', () => {
  assert.deepEqual([endsStart(wanted('run')), endsStart(wanted('stop')), endsStart(undefined)], [false, true, true])
})

test('a pending stop is reported as running, and other phases with their reason and SSH endpoint', () => {
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

test('keys that a guest chooses are reported within the bounds of the server only', () => {
  const good = { key_type: 'ssh-ed25519', key: 'AAAAC3NzaC1lZDI1NTE5' }
  const bad = [
    { ...good, key: 'A'.repeat(4097) },
    { ...good, key: '' },
    { ...good, key: 'AAAA BBBB' },
    { ...good, key_type: 'x'.repeat(65) },
    { ...good, key_type: '-oProxyCommand=x' },
    { ...good, key_type: 'ssh-rsa\n@cert-authority' },
  ]
  assert.deepEqual(reportableKeys([...bad, good]), [good])
  assert.equal(reportableKeys(Array(9).fill(good)).length, 8)
  const fits = (key: unknown) => Value.Check(reportedSsh, { hostname: '192.0.2.7', port: 22, host_keys: [key] })
  assert.deepEqual([good, ...bad].map(fits), [true, ...bad.map(() => false)])
})
