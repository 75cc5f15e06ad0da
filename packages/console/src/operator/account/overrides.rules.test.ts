import assert from 'node:assert/strict'
import type { AdministeredSku, SkuOverride } from '@bourse/sdk'
import { test } from 'vitest'
import {
  isOverrideChanged,
  overriddenProperties,
  overrideBody,
  overrideFields,
  overrideFlags,
  overrideTexts,
  usualHint,
} from './overrides.rules.ts'

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
  const rows = overriddenProperties([override], [sku]).map(({ name, usual, own }) => [name, usual, own])
  assert.deepEqual(rows, [
    ['num_vcpus', '208', '104'],
    ['memory_bytes', '1 TiB', 'half a TiB'],
  ])
  const fabric = { ...override, properties: { infiniband_fabric: 'west-ib' } } as SkuOverride
  assert.deepEqual(
    overriddenProperties([fabric], []).map(({ usual, own }) => [usual, own]),
    [[undefined, 'west-ib']],
  )
})

test('what was not changed is sent as it was, and what was emptied is left out', () => {
  const before = overrideTexts(properties)
  assert.equal(isOverrideChanged(before, properties), false)
  const fields = { ...before, num_vcpus: '', supports_public_ipv4: 'no' }
  assert.equal(isOverrideChanged(fields, properties), true)
  assert.deepEqual(overrideBody(fields, properties), {
    memory_bytes: properties.memory_bytes,
    supports_public_ipv4: false,
  })
  assert.deepEqual(overrideBody({ ...before, num_vcpus: '96', memory_bytes: '' }, properties), { num_vcpus: 96 })
  assert.deepEqual(overrideBody({ ...before, num_vcpus: '', memory_bytes: '' }, properties), {})
  const fresh = overrideTexts(undefined)
  assert.deepEqual(overrideBody({ ...fresh, region: 'us-west', memory_bytes: '512 GiB' }), {
    region: 'us-west',
    memory_bytes: 2 ** 39,
  })
})

test('a form has no fields for what cannot differ, unless the override has it', () => {
  const names = overrideFields(undefined)
  assert.ok(names.includes('num_vcpus') && names.includes('region'))
  assert.ok(!names.includes('accelerator') && !names.includes('alias') && !names.includes('fee_bps'))
  const same = { ...override, properties: { accelerator: sku.accelerator } } as SkuOverride
  assert.ok(overrideFields(same).includes('accelerator'))
})

test('a field says what is usual, and where no more can be promised', () => {
  assert.match(usualHint(sku, 'num_vcpus'), /^Usually 208, and never more/)
  assert.equal(usualHint(sku, 'supports_public_ipv4'), 'Usually Yes')
  assert.equal(usualHint(sku, 'region'), 'The SKU does not say')
  assert.match(usualHint(sku, 'accelerator'), /NVIDIA H100, as for all/)
})

test('the command has flags, and the whole request where a value has a text of its own', () => {
  assert.deepEqual(overrideFlags({ num_vcpus: 96, supports_public_ipv4: false }), {
    'num-vcpus': 96,
    'no-supports-public-ipv4': true,
  })
  const body = { memory_bytes: properties.memory_bytes, num_vcpus: 96 }
  assert.deepEqual(overrideFlags(body), { body: JSON.stringify(body) })
})
