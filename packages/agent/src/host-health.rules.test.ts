import assert from 'node:assert/strict'
import { test } from 'vitest'
import { deviceMessage, healthOfDriver, healthToReport } from './host-health.rules.ts'

const none = { devices: undefined, tunnel: undefined, partition: undefined, left_out: [] }

test('a host is faulted by what its driver needs, and not by what only limits it', () => {
  const limited = { subject: 'uefi firmware', is_good: false, is_optional: true, message: 'not found' }
  const broken = { subject: 'qemu', is_good: false, message: 'not found' }
  assert.deepEqual(healthOfDriver({ is_fit: true, findings: [limited] }), { health: 'healthy' })
  const faulted = { health: 'faulted', message: 'qemu: not found' }
  assert.deepEqual(healthOfDriver({ is_fit: false, findings: [limited, broken] }), faulted)
})

test('a device is named once, and makes the host faulted', () => {
  const withheld = new Map([
    ['0000:01:00.0', 'it could not be reset'],
    ['0000:02:00.0', 'it does not answer'],
  ])
  const message = deviceMessage(['0000:01:00.0 fell off its bus'], withheld)
  assert.equal(message, 'Devices: 0000:01:00.0 fell off its bus; 0000:02:00.0: it does not answer.')
  assert.deepEqual(healthToReport({ health: 'healthy' }, { ...none, devices: message }), { health: 'faulted', message })
  assert.equal(deviceMessage([]), undefined)
})

test('a tunnel that fails is a note of a healthy host, and hides no other message', () => {
  const notes = { ...none, tunnel: 'no key', left_out: ['10.0.0.1: private'] }
  assert.deepEqual(healthToReport({ health: 'healthy' }, none), { health: 'healthy' })
  const message =
    'The tunnel to other hosts does not work: no key. Peers without a usable address are left out. 10.0.0.1: private'
  assert.deepEqual(healthToReport({ health: 'healthy' }, notes), { health: 'healthy', message })
  const faulted = { health: 'faulted', message: 'qemu: not found' } as const
  assert.deepEqual(healthToReport(faulted, notes), faulted)
})

test('a machine that could not join its partition is a note of a healthy host', () => {
  const partition = 'The partition command failed to join: no such key'
  const message = `A machine could not join its InfiniBand partition. ${partition}`
  assert.deepEqual(healthToReport({ health: 'healthy' }, { ...none, partition }), { health: 'healthy', message })
})
