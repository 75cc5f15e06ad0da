import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'vitest'
import { type Files, filesOf, writeTree } from '../../test/support/machine-trees.ts'
import { readSkuFile } from '../sku-file.ts'
import { knownAccelerators } from './accelerator-models.ts'
import { readHostHardware } from './facts.ts'
import { skuFindings } from './fit-checks.ts'

const is_root = process.getuid?.() === 0
const shown = <T>(value: T) => ({ value, display_value: `${value}` })

async function hardwareWith(more: Files) {
  const root = writeTree(new Map([...filesOf('dgx-h100'), ...more]))
  return readHostHardware({ directory: join(root, 'machines'), table: knownAccelerators, root })
}

test('the facts say whether devices can reach machines, and the check of a SKU with devices what to do', async () => {
  const bare = await hardwareWith(new Map())
  assert.deepEqual(bare.delivery, { is_root, is_vfio_loaded: false, has_uefi: false })
  const firmware = ['CODE', 'VARS'].map((part) => [`/usr/share/OVMF/OVMF_${part}.fd`, part] as const)
  const ready = await hardwareWith(new Map([...firmware, ['/sys/bus/pci/drivers/vfio-pci/unbind', '']]))
  assert.deepEqual(ready.delivery, { is_root, is_vfio_loaded: true, has_uefi: true })
  const skuOf = (properties: object) => {
    const folder = writeTree(new Map([['/sku.json', JSON.stringify({ object: 'sku', alias: 'west', ...properties })]]))
    return readSkuFile(join(folder, 'sku.json'))
  }
  const gpus = { accelerator: shown('h100'), num_accelerators: shown(8) }
  const [lacking] = skuFindings(bare, await skuOf(gpus), 1).filter(({ subject }) => subject === 'delivery')
  assert.match(lacking?.message ?? '', /vfio-pci is not loaded: modprobe vfio-pci; .*install the package ovmf$/)
  assert.equal(lacking?.is_good, false)
  const others = skuFindings(bare, await skuOf({ num_vcpus: shown(1) }), 1)
  assert.ok(others.every(({ subject }) => subject !== 'delivery'))
})
