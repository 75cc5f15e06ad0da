import assert from 'node:assert/strict'
import type { AdministeredSku, SkuOverride } from '@bourse/sdk'
import { test } from 'vitest'
import { canDiffer, overriddenProperties, overrideBody, usualHint } from './overrides.rules.ts'

const sku = {
  id: 'sku_1',
  alias: 'h100-west',
  accelerator: { value: 'h100', display_value: 'NVIDIA H100' },
  num_vcpus: { value: 208, display_value: '208' },
  memory_bytes: { value: 2 ** 40, display_value: '1 TiB' },
  supports_public_ipv4: { value: true, display_value: 'Yes' },
} as unknown as AdministeredSku
const properties = {
  memory_bytes: { value: 2 ** 39, display_value: 'half a TiB' },
  num_vcpus: { value: 104, display_value: '104' },
} as const
const override = { sku: { id: 'sku_1', alias: 'h100-west' }, properties } as unknown as SkuOverride

test('each property that differs has a row with the usual value, where the SKU has one', () => {
  const rows = overriddenProperties([override], [sku], ['num_vcpus', 'memory_bytes']).map(({ name, usual, own }) => [
    name,
    usual,
    own,
  ])
  assert.deepEqual(rows, [
    ['num_vcpus', '208', '104'],
    ['memory_bytes', '1 TiB', 'half a TiB'],
  ])
  const fabric = { ...override, properties: { infiniband_fabric: 'west-ib' } } as SkuOverride
  assert.deepEqual(
    overriddenProperties([fabric], [], ['infiniband_fabric']).map(({ usual, own }) => [usual, own]),
    [[undefined, 'west-ib']],
  )
})

test('what was not changed is sent as it was', () => {
  const first = { num_vcpus: '104', memory_bytes: '512 GiB' }
  const body = { num_vcpus: 96, memory_bytes: 2 ** 39 }
  assert.deepEqual(overrideBody(body, { ...first, num_vcpus: '96' }, first, properties), {
    num_vcpus: 96,
    memory_bytes: properties.memory_bytes,
  })
  assert.deepEqual(overrideBody({ region: 'us-west' }, { region: 'us-west' }, {}), { region: 'us-west' })
})

test('a form has no fields for what cannot differ, unless the override has it', () => {
  assert.equal(canDiffer('num_vcpus', undefined), true)
  assert.equal(canDiffer('accelerator', undefined), false)
  const same = { ...override, properties: { accelerator: sku.accelerator } } as SkuOverride
  assert.equal(canDiffer('accelerator', same), true)
})

test('a field says what is usual, and where no more can be promised', () => {
  assert.match(usualHint(sku, 'num_vcpus'), /^Usually 208, and never more/)
  assert.equal(usualHint(sku, 'supports_public_ipv4'), 'Usually Yes')
  assert.equal(usualHint(sku, 'region'), 'The SKU does not say')
  assert.match(usualHint(sku, 'accelerator'), /NVIDIA H100, as for all/)
})
