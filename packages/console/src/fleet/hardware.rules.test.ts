import assert from 'node:assert/strict'
import { test } from 'vitest'
import { hardwareText } from './hardware.rules.ts'

test('a node is one line, without what its SKU does not name', () => {
  const count = (value: number) => ({ value, display_value: `${value}` })
  const full = {
    accelerator: { value: 'h100', display_value: 'NVIDIA H100' },
    num_accelerators: count(8),
    num_vcpus: count(192),
    memory_bytes: count(2 * 1024 ** 4),
    local_storage_bytes: count(15 * 1024 ** 4),
  } as unknown as Parameters<typeof hardwareText>[0]
  assert.equal(hardwareText(full), '8 × NVIDIA H100 · 192 vCPUs · 2 TiB memory · 15 TiB storage')
  assert.equal(hardwareText({ num_vcpus: count(1) } as never), '1 vCPU')
  assert.equal(hardwareText({}), '')
})
