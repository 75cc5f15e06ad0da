import assert from 'node:assert/strict'
import type { AdministeredSku, Host, PlatformPool } from '@bourse/sdk'
import { test } from 'vitest'
import { isKept, racksOf, soldNow, soldWithin } from './racks.rules.ts'

const now = 1_800_000_000
const sku = { id: 'sku_h', alias: 'h100', num_vcpus: { value: 32, display_value: '32' } } as unknown as AdministeredSku
const facts = { cpu_count: 128, memory_bytes: 0, storage_bytes: 0 }

function host(name: string, given: Partial<Host> = {}): Host {
  const usual = { id: `host_${name}`, name, sku: { id: 'sku_h', alias: 'h100' }, state: 'active', health: 'healthy' }
  return { ...usual, health_message: null, slots: 4, used_slots: 0, facts, last_seen_at: now, ...given } as Host
}

const drawn = (hosts: readonly Host[], sold = 0) => {
  const [rack] = racksOf(hosts, { skus: [sku], sold: new Map([['sku_h', sold]]), now })
  return rack?.hosts.map(({ name, slots, word }) => [name, slots.map(([letter]) => letter).join(''), word.text])
}

test('slots that run come first, then as many as are sold and not started, over all hosts of the SKU', () => {
  assert.deepEqual(drawn([host('hel-10', { used_slots: 1 }), host('hel-9', { used_slots: 3 })], 6), [
    ['hel-9', 'rrrs', 'as promised'],
    ['hel-10', 'rsff', 'as promised'],
  ])
})

test('what a host lacks, and that it is silent, leaving or closed, is drawn and said', () => {
  const hosts = [
    host('a', { facts: { ...facts, cpu_count: 96 } as Host['facts'] }),
    host('b', { health: 'unreachable', last_seen_at: now - 41, used_slots: 1 }),
    host('c', { health: 'faulted', health_message: 'QEMU is missing' }),
    host('d', { state: 'cordoned', used_slots: 2 }),
    host('e', { state: 'retired' }),
  ]
  assert.deepEqual(drawn(hosts, 3), [
    ['a', 'fffb', 'lacks processors'],
    ['b', 'rccc', 'silent for 41 s'],
    ['c', 'bbbb', 'QEMU is missing'],
    ['d', 'rrcc', 'takes no instances'],
  ])
  const [rack] = racksOf(hosts, { skus: [sku], sold: new Map(), now })
  assert.deepEqual([rack?.slots, rack?.running, rack?.hosts.filter(isKept).length], [16, 3, 0])
})

const range = (from: number, to: number, node_count: number) => ({
  start_at: now + from * 3600,
  end_at: now + to * 3600,
  node_count,
})
const pool = (kind: string, ...schedule: ReturnType<typeof range>[]) =>
  ({ kind, allocation_schedule: { total: schedule, by_sku: { sku_h: schedule } } }) as unknown as PlatformPool

test('sold is what left the pools of hosts, now and over the hours to come', () => {
  const pools = [pool('originating', range(-5, 30, 6)), pool('market', range(-1, 1, 2), range(12, 40, 1))]
  assert.deepEqual(soldNow(pools, now), new Map([['sku_h', 2]]))
  assert.deepEqual(soldWithin(pools, now, 24), { sold: 14, all: 14 + 6 * 24 })
  assert.deepEqual(soldWithin([], now, 24), { sold: 0, all: 0 })
})
