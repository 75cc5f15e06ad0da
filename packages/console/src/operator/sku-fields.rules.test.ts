import assert from 'node:assert/strict'
import type { AdministeredSku } from '@bourse/sdk'
import { binarySizeOf } from '@bourse/text/formats/amounts.ts'
import fc from 'fast-check'
import { test } from 'vitest'
import { bodyOf, bytesOf, fieldsOf, flagsOfSku, wrongOf } from './sku-fields.rules.ts'

const sku = {
  alias: 'h100-west',
  listed: true,
  fee_bps: 250,
  flat_fee_dollars_per_node_hour: '0.000000',
  price_step_dollars_per_node_hour: '0.010000',
  accelerator: { value: 'h100', display_value: 'NVIDIA H100' },
  memory_bytes: { value: 2 ** 40, display_value: '1 TiB' },
  supports_public_ipv4: { value: false, display_value: 'no' },
} as unknown as AdministeredSku

test('only what was changed is sent, and an emptied property clears it', () => {
  const before = fieldsOf(sku)
  assert.deepEqual(bodyOf(before, before), {})
  const changed = {
    ...before,
    memory_bytes: '512 GiB',
    accelerator: ' ',
    simulated: 'yes',
    fee_bps: '0',
    num_vcpus: '96',
  }
  const expected = { memory_bytes: 2 ** 39, accelerator: null, simulated: true, fee_bps: 0, num_vcpus: 96 }
  assert.deepEqual(bodyOf(changed, before), expected)
  assert.deepEqual(bodyOf({ ...before, supports_public_ipv4: 'yes' }, before), { supports_public_ipv4: true })
  const ours = { ...before, operator_hosts_only: 'yes' }
  assert.deepEqual(bodyOf(ours, before), { operator_hosts_only: true })
  const strict = { ...before, public_prices_exclude_related: 'yes' }
  assert.deepEqual(bodyOf(strict, before), { public_prices_exclude_related: true })
  assert.deepEqual(bodyOf(before, strict), { public_prices_exclude_related: false })
  const named = { ...before, benchmark_figures: 'memory_bandwidth GB/s, fp16 TFLOP/s,' }
  assert.deepEqual(bodyOf(named, before), { benchmark_figures: ['memory_bandwidth GB/s', 'fp16 TFLOP/s'] })
  const shown = fieldsOf({ ...sku, benchmark_figures: ['a B', 'c D'] })
  assert.equal(shown.benchmark_figures, 'a B, c D')
  assert.deepEqual(bodyOf({ ...shown, benchmark_figures: '' }, shown), { benchmark_figures: [] })
  const fresh = fieldsOf(undefined)
  assert.deepEqual(bodyOf({ ...fresh, alias: 'new', listed: 'no' }, fresh), { alias: 'new', listed: false })
})

test('numbers and sizes are checked as they are typed', () => {
  assert.deepEqual(
    [wrongOf('num_vcpus', '96'), wrongOf('alias', 'x'), wrongOf('memory_bytes', '')],
    Array(3).fill(undefined),
  )
  assert.match(String(wrongOf('num_vcpus', '9.5')), /whole number/)
  assert.match(String(wrongOf('memory_bytes', 'a lot')), /512 GiB/)
})

test('bytes are read as they are shown', () => {
  fc.assert(fc.property(fc.nat({ max: 2 ** 50 }), (bytes) => bytesOf(binarySizeOf(bytes)) === bytes))
  assert.deepEqual(['1.5 GiB', '2tib', '7', '1 GB', '0.0001 KiB', '-1'].map(bytesOf), [
    1.5 * 2 ** 30,
    2 ** 41,
    7,
    1e9,
    undefined,
    undefined,
  ])
})

test('the command has the flags of the request, and the body where there is no flag', () => {
  const flags = flagsOfSku({ memory_bytes: 1024, listed: false, region: null as never, fee_bps: 150 })
  assert.deepEqual(flags, { memory: 1024, 'no-listed': true, region: 'null', 'fee-bps': 150 })
  assert.deepEqual(flagsOfSku({ operator_hosts_only: false }), { 'no-operator-hosts-only': true })
  assert.deepEqual(flagsOfSku({ simulated: false }), { body: '{"simulated":false}' })
  assert.deepEqual(flagsOfSku({ benchmark_figures: [] }), { body: '{"benchmark_figures":[]}' })
})
