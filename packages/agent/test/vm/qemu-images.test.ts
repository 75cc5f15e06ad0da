import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { leftOut } from '../../../../test/left-out.ts'
import { findUefi } from '../../src/drivers/qemu/firmware.ts'
import { qemuDriver } from '../../src/drivers/qemu/qemu.ts'
import { layoutOf } from '../../src/drivers/qemu/tools.ts'
import { spoken } from '../support/boot-sectors.ts'
import { consoleSays, machinesFolder } from '../support/driver-contract.ts'
import { newSpec } from '../support/new-spec.ts'
import { newDeafSpec, openQemu, type QemuMachines, runDeaf } from '../support/qemu-machines.ts'
import { writeUefiDisk } from '../support/uefi-disk.ts'

const { qemu, missing } = await openQemu()
const { driver } = (qemu ?? {}) as QemuMachines

/** The reason why an image is refused. Nothing of its machine may remain. */
async function refusal(image_file: string, storage_bytes: number | null = null): Promise<string> {
  const spec = newSpec(machinesFolder(), image_file)
  const refused = await driver.prepare({ ...spec, size: { ...spec.size, storage_bytes } }, null).catch((error) => error)
  assert.deepEqual(readdirSync(spec.directory), [])
  return refused?.reason ?? 'none'
}

/** Creates an image. The last argument is its size. */
function qcow2(name: string, ...words: string[]): string {
  const path = join(machinesFolder(), name)
  execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', ...words.slice(0, -1), path, words.at(-1) as string])
  return path
}

test(
  'an image that refers to other files of the host is refused before they are opened',
  leftOut(missing),
  async () => {
    const secret = join(machinesFolder(), 'secret')
    writeFileSync(secret, 'x'.repeat(1024))
    assert.equal(await refusal(qcow2('backed', '-b', secret, '-F', 'raw', '1M')), 'image_refused')
    assert.equal(await refusal(qcow2('absent', '-u', '-b', '/nowhere', '-F', 'raw', '1M')), 'image_refused')
    assert.equal(await refusal(qcow2('data', '-o', `data_file=${secret}.data`, '1M')), 'image_refused')
  },
)

test('every kind of self-contained qcow2 that qemu-img writes is read', leftOut(missing), async () => {
  const kinds = [
    [],
    ['-o', 'compat=0.10'],
    ['-o', 'cluster_size=512'],
    ['-o', 'cluster_size=2M'],
    ['-o', 'extended_l2=on'],
    ['-o', 'lazy_refcounts=on'],
    ['-o', 'compression_type=zstd'],
    ['-o', 'preallocation=metadata'],
  ]
  for (const [index, words] of kinds.entries()) {
    const path = qcow2(`kind-${index}`, ...words, '3G')
    assert.deepEqual(await layoutOf(path), { format: 'qcow2', size_bytes: 3 * 2 ** 30 }, words.join(' '))
  }
})

test('an image that is too large, damaged or not bootable is refused', leftOut(missing), async () => {
  assert.equal(await refusal(qcow2('large', '1T'), 2 ** 30), 'image_too_large')
  assert.equal(await refusal(qcow2('empty', '1M'), 2 ** 30), 'image_not_bootable')
  const damaged = qcow2('damaged', '1M')
  truncateSync(damaged, 1000)
  assert.equal(await refusal(damaged), 'image_not_bootable')
  const poem = join(machinesFolder(), 'poem.txt')
  for (const words of ['', 'no disk', 'no disk at all '.repeat(100)]) {
    writeFileSync(poem, words)
    assert.equal(await refusal(poem), 'image_not_bootable')
  }
})

test('an image that boots by UEFI only starts', leftOut(missing), async () => {
  const image_file = writeUefiDisk(machinesFolder())
  await runDeaf(qemu as QemuMachines, { image_file }, async (spec) => {
    await consoleSays(driver, spec, spoken)
    assert.equal(statSync(join(spec.directory, 'uefi-variables.fd')).mode & 0o777, 0o600)
  })
})

test('an image that boots by UEFI only does not start where the firmware is missing', leftOut(missing), async () => {
  const root = machinesFolder()
  const { is_good, is_optional, message } = await findUefi(root)
  assert.deepEqual([is_good, is_optional, /not found.* do not start, package ovmf$/.test(message)], [false, true, true])
  const bare = qemuDriver({ ...(qemu as QemuMachines).options, root })
  const spec = newSpec(machinesFolder(), writeUefiDisk(machinesFolder()))
  await assert.rejects(bare.prepare(spec, null), { name: 'StartFailure', reason: 'uefi_firmware_missing' })
  const deaf = newDeafSpec()
  await bare.prepare(deaf, null)
  await bare.destroy(deaf)
})

test('a full disk of the host is reported as the reason', leftOut(missing), async ({ skip }) => {
  const directory = machinesFolder()
  if (!mountsFull(directory)) skip('only root can mount a small disk')
  try {
    const spec = { ...newDeafSpec(), directory }
    await assert.rejects(driver.prepare(spec, null), { name: 'StartFailure', reason: 'disk_full' })
    truncateSync(join(directory, 'filler'), 0)
    const much = driver.prepare(spec, Buffer.alloc(2 ** 20))
    await assert.rejects(much, { name: 'StartFailure', reason: 'disk_full' })
  } finally {
    execFileSync('umount', [directory])
  }
})

/** Mounts a full disk of 512 KiB. False if that is not permitted. */
function mountsFull(directory: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'none', directory], { stdio: 'ignore' })
  } catch {
    return false
  }
  writeFileSync(join(directory, 'filler'), Buffer.alloc(2 ** 19))
  return true
}
