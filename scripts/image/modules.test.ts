import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { modulesInOrder } from './modules.ts'

const directory = mkdtempSync(join(tmpdir(), 'bourse-modules-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Writes a kernel module, as far as the code reads it. */
function module(file: string, depends: string): string {
  const path = join(directory, file)
  writeFileSync(path, `\x7fELF…\0license=GPL\0depends=${depends}\0name=${file}\0`)
  return path
}

const files = [
  module('virtio.ko', ''),
  module('virtio_ring.ko', 'virtio'),
  module('virtio_blk.ko', 'virtio_ring,virtio'),
  module('pvpanic-pci.ko', 'pvpanic'),
  module('pvpanic.ko', ''),
]

test('each module comes once, after its dependencies', async () => {
  const ordered = await modulesInOrder(['virtio_blk', 'pvpanic_pci', 'virtio'], files, '')
  assert.deepEqual(
    ordered.map(({ name }) => name),
    ['virtio', 'virtio_ring', 'virtio_blk', 'pvpanic', 'pvpanic_pci'],
  )
})

test('built-in modules are not searched for, and a missing module is named', async () => {
  const builtin = 'kernel/drivers/virtio/virtio.ko\nkernel/drivers/acpi/button.ko\n'
  const ordered = await modulesInOrder(['virtio_ring', 'button'], files, builtin)
  assert.deepEqual(
    ordered.map(({ name }) => name),
    ['virtio_ring'],
  )
  await assert.rejects(modulesInOrder(['isofs'], files, builtin), /no module isofs/)
})
