import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { modulesInOrder } from './modules.ts'

const directory = mkdtempSync(join(tmpdir(), 'bourse-modules-'))
after(() => rmSync(directory, { recursive: true, force: true }))

/** A file as the kernel has them, as far as it is read. */
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

test('each module comes once, after all that it depends on', async () => {
  const ordered = await modulesInOrder(['virtio_blk', 'pvpanic_pci', 'virtio'], files, '')
  assert.deepEqual(
    ordered.map(({ name }) => name),
    ['virtio', 'virtio_ring', 'virtio_blk', 'pvpanic', 'pvpanic_pci'],
  )
})

test('what the kernel has in itself is not looked for, and what nobody has is named', async () => {
  const builtin = 'kernel/drivers/virtio/virtio.ko\nkernel/drivers/acpi/button.ko\n'
  const ordered = await modulesInOrder(['virtio_ring', 'button'], files, builtin)
  assert.deepEqual(
    ordered.map(({ name }) => name),
    ['virtio_ring'],
  )
  await assert.rejects(modulesInOrder(['isofs'], files, builtin), /no module isofs/)
})
