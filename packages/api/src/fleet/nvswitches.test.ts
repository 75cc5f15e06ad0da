import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { HostHardware } from './hardware.ts'
import { behindSwitches, hasAllBehindSwitches, lostSwitches } from './nvswitches.ts'

type SwitchChange = { readonly pci_id?: string; readonly form_factor?: string | null; readonly kind?: string | null }
const model = (addresses: readonly string[], change: SwitchChange = {}) => ({
  kind: 'h100',
  pci_id: '10de:2330',
  form_factor: 'sxm5',
  devices: addresses.map((pci, index) => ({ pci, iommu_group: index })),
  ...change,
})
const switchIn = (iommu_group: number | null) => ({ pci: `switch in ${iommu_group}`, numa_node: 0, iommu_group })
const hostOf = (accelerators: readonly ReturnType<typeof model>[], groups: readonly (number | null)[] = [9]) => ({
  hardware: { accelerators, nvswitches: groups.map(switchIn) } as unknown as HostHardware,
})
const slotOf = (...addresses: readonly string[]) => ({ accelerators: addresses.map((pci) => ({ pci })) })

test("NVIDIA's modules are behind the switches; cards, other makers and hosts without switches are not", () => {
  assert.deepEqual(behindSwitches(hostOf([model(['a', 'b'])])), ['a', 'b'])
  assert.deepEqual(behindSwitches(hostOf([model(['a'], { form_factor: 'pcie' })])), [])
  assert.deepEqual(behindSwitches(hostOf([model(['a'], { form_factor: null })])), [])
  assert.deepEqual(behindSwitches(hostOf([model(['a'], { pci_id: '1002:74a1' })])), [])
  assert.deepEqual(behindSwitches(hostOf([model(['a'])], [])), [])
  assert.deepEqual(behindSwitches({}), [])
})

test('a slot has all behind the switches only with every one of them', () => {
  const facts = hostOf([model(['a', 'b'])])
  assert.equal(hasAllBehindSwitches(facts, slotOf('b', 'a')), true)
  assert.equal(hasAllBehindSwitches(facts, slotOf('a')), false)
  assert.equal(hasAllBehindSwitches(hostOf([]), slotOf('a')), false)
})

test('a switch is lost without an IOMMU group, or with one of an accelerator that is not behind it', () => {
  const card = model(['c'], { form_factor: 'pcie' })
  assert.deepEqual(lostSwitches(hostOf([model(['a'])], [0, null])), ['switch in null'])
  assert.deepEqual(lostSwitches(hostOf([card], [0, 1])), ['switch in 0'])
  assert.deepEqual(lostSwitches(hostOf([model(['c'], { form_factor: 'pcie', kind: null })], [0])), [])
  assert.deepEqual(lostSwitches({}), [])
})
