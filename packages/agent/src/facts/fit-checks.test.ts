import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { type Files, filesOf, writeTree } from '../../test/support/machine-trees.ts'
import { checkLine, checkOf } from '../checks.ts'
import { findDevices } from '../devices/device-checks.ts'
import { openDeviceTree } from '../devices/device-tree.ts'
import { readSkuFile } from '../sku-file.ts'
import { knownAccelerators } from './accelerator-models.ts'
import { devicesToCheck, hardwareFindings, neededFor, skuFindings } from './fit-checks.ts'
import { readHardware } from './hardware.ts'
import { openTree } from './tree.ts'

const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guides/gpu-hosts.md'), 'utf8')
const gibibyte = 2 ** 30
const shown = <T>(value: T) => ({ value, display_value: `${value}` })
const sku = {
  object: 'sku',
  alias: 'h100-west',
  accelerator: shown('h100'),
  form_factor: shown('sxm'),
  num_accelerators: shown(8),
  num_vcpus: shown(192),
  memory_bytes: shown(1800 * gibibyte),
  local_storage_bytes: shown(15_360 * gibibyte),
  rdma_type: shown('infiniband'),
}

const machine = {
  table: knownAccelerators,
  directory: '/raid/bourse',
  storage: { size_bytes: 27 * 2 ** 40, free_bytes: 26 * 2 ** 40 },
  is_kvm_usable: true,
  qemu: '7.2.22',
}

/** The lines that `agent check --sku` prints about the hardware of a machine. */
async function linesFor(files: Files, slots: number, changes: object = {}): Promise<string> {
  const kernel: Files = new Map([...files, ['/sys/bus/pci/drivers/vfio-pci/unbind', '']])
  const root = writeTree(kernel)
  const hardware = await readHardware({ ...machine, tree: openTree(root) })
  const folder = writeTree(new Map([['/sku.json', JSON.stringify({ ...sku, ...changes })]]))
  const read = await readSkuFile(join(folder, 'sku.json'))
  const question = { is_root: true, of: devicesToCheck(read) }
  const host = [...hardwareFindings(hardware), ...(await findDevices(openDeviceTree(root), hardware, question))]
  const findings = [...neededFor(read, host), ...skuFindings(hardware, read, slots)]
  return findings.map((finding) => checkLine(checkOf(finding))).join('\n')
}

test('the guide shows what the check of a host prints before its firmware and kernel are set, and after', async () => {
  const ready = filesOf('dgx-h100')
  const before: Files = new Map([...ready].filter(([path]) => !path.includes('/iommu_groups/')))
  for (const lines of [await linesFor(before, 1), await linesFor(ready, 1), await linesFor(ready, 2)]) {
    assert.ok(guide.includes(lines), `The guide must contain:\n${lines}`)
  }
  const single = { num_accelerators: shown(1), num_vcpus: shown(24), memory_bytes: shown(240 * gibibyte) }
  const parts = await linesFor(ready, 8, { ...single, local_storage_bytes: undefined })
  assert.ok(!parts.includes('missing'), parts)
  assert.ok(guide.includes(parts.split('\n').at(-1) as string), parts)
})

test('what keeps devices from machines is a misfit for a SKU that needs them, else a restriction', async () => {
  const { accelerator, form_factor, num_accelerators, rdma_type, ...plain } = sku
  const files = filesOf('dgx-h100')
  files.set('/sys/bus/pci/drivers/vfio-pci/unbind', '')
  const status = async (changes: object, { is_root, spoil }: { is_root: boolean; spoil?: string }) => {
    const tried = { ...plain, ...changes } as Parameters<typeof neededFor>[0]
    const spoiled: Files = new Map(files)
    if (spoil !== undefined) spoiled.set(`/sys/bus/pci/devices/${spoil}/reset_method`, 'pm')
    const root = writeTree(spoiled)
    const hardware = await readHardware({ ...machine, tree: openTree(root) })
    const found = await findDevices(openDeviceTree(root), hardware, { is_root, of: devicesToCheck(tried) })
    return neededFor(tried, found)
      .map(checkOf)
      .map((check) => check.status)
      .join()
  }
  const gpus = { accelerator, num_accelerators }
  const adapter = '0000:18:00.0'
  assert.equal(await status(gpus, { is_root: false }), 'missing')
  assert.equal(await status({ rdma_type }, { is_root: false }), 'missing')
  assert.equal(await status({}, { is_root: false }), 'limited')
  assert.equal(await status({ ...gpus, simulated: true }, { is_root: false }), 'limited')
  assert.equal(await status(gpus, { is_root: true }), 'ok')
  // An adapter that cannot be reset is of no account for a SKU without InfiniBand.
  assert.equal(await status(gpus, { is_root: true, spoil: adapter }), 'ok')
  assert.equal(await status({ ...gpus, rdma_type }, { is_root: true, spoil: adapter }), 'missing')
  assert.equal(await status({}, { is_root: true, spoil: adapter }), 'limited')
})

test('a file without a SKU is refused with how to write one', async () => {
  for (const text of ['', '[]', '{"object":"sku"}', '{"object":"sku","alias":"a","num_vcpus":8}', 'x'.repeat(70_000)]) {
    const path = join(writeTree(new Map([['/sku.json', text]])), 'sku.json')
    await assert.rejects(readSkuFile(path), /contains no SKU. Write it with: bourse skus get NAME -o json/)
  }
  await assert.rejects(readSkuFile('/nowhere/sku.json'), /cannot be read: ENOENT/)
})

test('UEFI firmware that is missing is a misfit for a SKU with accelerators only', () => {
  const missing = { subject: 'uefi firmware', is_good: false, is_optional: true, message: 'not found' }
  const status = (changes: object) => {
    const { accelerator, num_accelerators, ...rest } = sku
    const tried = { ...rest, ...changes } as Parameters<typeof neededFor>[0]
    return neededFor(tried, [missing])
      .map(checkOf)
      .map((check) => check.status)
  }
  const { accelerator, num_accelerators } = sku
  assert.deepEqual(status({ accelerator, num_accelerators }), ['missing'])
  assert.deepEqual(status({}), ['limited'])
  assert.deepEqual(status({ accelerator, num_accelerators, simulated: true }), ['limited'])
})
