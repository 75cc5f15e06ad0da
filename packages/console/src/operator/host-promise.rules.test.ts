import assert from 'node:assert/strict'
import type { Host, Sku } from '@bourse/sdk'
import { test } from 'vitest'
import { promisedFacts } from './host-promise.rules.ts'

const host = {
  slots: 2,
  facts: { cpu_count: 64, memory_bytes: 66 * 2 ** 30, storage_bytes: 2 ** 40 },
} as unknown as Host
const sku = { num_vcpus: { value: 32 }, memory_bytes: { value: 2 ** 36 } } as unknown as Sku

test('each fact says what the SKU promises, what the host has, and whether that is enough', () => {
  assert.deepEqual(promisedFacts(host, sku), [
    { fact: 'Processors', promised: '32 vCPUs a slot, 64 for 2 slots', reported: '64', is_kept: true },
    {
      fact: 'Memory',
      promised: '64 GiB a slot, 128 GiB for 2 slots',
      reported: '64 GiB for machines, 66 GiB in all',
      is_kept: false,
    },
  ])
})

test('a host without the devices says why', () => {
  const [found] = promisedFacts(host, { accelerator: { value: 'h100' } } as unknown as Sku)
  assert.equal(found?.promised, '1 × h100 a slot, 2 for 2 slots')
  assert.equal(found?.reported, '0; its agent reports no hardware, so update it')
})

test('a simulated SKU promises no hardware of the host', () => {
  assert.deepEqual(promisedFacts(host, { ...sku, simulated: true } as Sku), [])
})
