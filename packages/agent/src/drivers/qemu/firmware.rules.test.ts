import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { test } from 'vitest'
import { machinesFolder } from '../../../test/support/driver-contract.ts'
import { writeUefiDisk } from '../../../test/support/uefi-disk.ts'
import { type BootWays, bootBytes, bootWaysOf, chooseFirmware } from './firmware.rules.ts'

const guids = {
  system: '28732ac11ff8d211ba4b00c04b3ec93b',
  biosBoot: '4861682149646f6e744e656564454649',
  linux: 'af3dc60f838472478e793d69d8477de4',
}

type Disk = {
  readonly code?: boolean
  /** The types of the entries in the first sector. An active one is negative. */
  readonly master?: readonly number[]
  readonly guid?: readonly (keyof typeof guids)[]
  readonly change?: (head: Buffer) => void
}

function head({ code = false, master = [], guid, change }: Disk): Buffer {
  const bytes = Buffer.alloc(bootBytes)
  if (code) bytes[439] = 0xeb
  for (const [index, type] of master.entries()) {
    bytes[446 + index * 16] = type < 0 ? 0x80 : 0
    bytes[450 + index * 16] = Math.abs(type)
  }
  if (guid) {
    bytes.write('EFI PART', 512, 'latin1')
    bytes.writeBigUInt64LE(2n, 512 + 72)
    bytes.writeUInt32LE(128, 512 + 80)
    bytes.writeUInt32LE(128, 512 + 84)
    for (const [index, name] of guid.entries()) Buffer.from(guids[name], 'hex').copy(bytes, 1024 + index * 128)
  }
  change?.(bytes)
  return bytes
}

const only = { bios: { bios: true, uefi: false }, uefi: { bios: false, uefi: true } } as const
const both = { bios: true, uefi: true }
const none = { bios: false, uefi: false }

test('an image starts by what its disk is made for', () => {
  const far = (bytes: Buffer) => void bytes.writeBigUInt64LE(2n ** 63n, 512 + 72)
  const marked = (bytes: Buffer) => void bytes.writeBigUInt64LE(4n, 1024 + 48)
  const cases: readonly (readonly [string, Disk, BootWays])[] = [
    ['a boot sector alone', { code: true }, only.bios],
    ['GRUB for a BIOS', { code: true, master: [-0x83] }, only.bios],
    ['a cloud image for both', { code: true, master: [0xee], guid: ['linux', 'biosBoot', 'system'] }, both],
    ['UEFI only', { master: [0xee], guid: ['system', 'linux'] }, only.uefi],
    ['UEFI only, with code that says so', { code: true, master: [0xee], guid: ['linux', 'system'] }, only.uefi],
    ['a hybrid with an active entry', { code: true, master: [-0x83, 0xee], guid: ['system'] }, both],
    ['a partition marked for a BIOS', { code: true, master: [0xee], guid: ['system'], change: marked }, both],
    ['a GUID table for a BIOS', { code: true, master: [0xee], guid: ['biosBoot', 'linux'] }, only.bios],
    ['an EFI system partition in the first sector', { master: [0xef] }, only.uefi],
    ['the same with boot code', { code: true, master: [-0x83, 0xef] }, both],
    ['entries elsewhere', { master: [0xee], guid: ['system'], change: far }, only.uefi],
    ['nothing', { master: [0x83] }, none],
    ['data on a GUID table', { master: [0xee], guid: ['linux'] }, none],
  ]
  for (const [name, disk, expected] of cases) assert.deepEqual(bootWaysOf(head(disk)), expected, name)
  assert.deepEqual(bootWaysOf(head({ code: true }).subarray(0, 512)), only.bios)
  assert.deepEqual(bootWaysOf(readFileSync(writeUefiDisk(machinesFolder())).subarray(0, bootBytes)), only.uefi)
})

test('every disk has an answer, whatever its table says', () => {
  const place = fc.oneof(fc.bigInt({ min: 0n, max: 40n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
  const number = fc.oneof(fc.nat(300), fc.nat(2 ** 32 - 1))
  const lengths = fc.constantFrom(0, 511, 512, 1000, 1024, 1536, bootBytes)
  fc.assert(
    fc.property(place, number, number, lengths, fc.boolean(), (first, count, bytes, length, code) => {
      const change = (disk: Buffer) => {
        disk.writeBigUInt64LE(first, 512 + 72)
        disk.writeUInt32LE(count, 512 + 80)
        disk.writeUInt32LE(bytes, 512 + 84)
      }
      const { bios } = bootWaysOf(head({ code, guid: ['system'], change }).subarray(0, length))
      // Without code no BIOS starts a disk.
      assert.ok(code || !bios)
    }),
  )
})

test('an image that boots by both starts by BIOS, and machines with accelerators start by UEFI', () => {
  assert.equal(chooseFirmware(both, 0), 'bios')
  assert.equal(chooseFirmware(only.bios, 0), 'bios')
  assert.equal(chooseFirmware(only.uefi, 0), 'uefi')
  assert.equal(chooseFirmware(both, 8), 'uefi')
  assert.equal(chooseFirmware(only.uefi, 8), 'uefi')
  const reasonOf = (found: ReturnType<typeof chooseFirmware>) => (typeof found === 'string' ? found : found.reason)
  assert.equal(reasonOf(chooseFirmware(only.bios, 8)), 'image_not_uefi')
  assert.equal(reasonOf(chooseFirmware(none, 0)), 'image_not_bootable')
  assert.equal(reasonOf(chooseFirmware(none, 8)), 'image_not_bootable')
})
