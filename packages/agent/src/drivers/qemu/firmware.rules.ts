// Which firmware starts an image, from its partition tables. They are the customer's, so every place in them is checked
// against the bytes that were read; a wrong table harms only its own machine.

import { type StartFailure, startFailure } from '../../problems.ts'

/** The firmware of a machine. */
export type Firmware = 'bios' | 'uefi'

/** The firmware that can start a disk. */
export type BootWays = Readonly<Record<Firmware, boolean>>

const sector = 512
/** How much of a disk decides: its first sector, the header of a GUID partition table, and its usual 128 entries. */
export const bootBytes = 34 * sector

/** What a BIOS executes of the first sector. The partition table comes behind it. */
const bootCodeBytes = 440
const masterEntries = [446, 462, 478, 494] as const
const activePartition = 0x80
const systemPartition = 0xef
const guids = {
  /** C12A7328-F81F-11D2-BA4B-00C04B3EC93B */
  system: '28732ac11ff8d211ba4b00c04b3ec93b',
  /** 21686148-6449-6E6F-744E-656564454649, where GRUB for a BIOS is stored. */
  biosBoot: '4861682149646f6e744e656564454649',
} as const
const entryBytesMin = 128
const entriesMax = 128
/** The attribute of a partition that the boot code in the first sector may start. */
const legacyBootable = 4n

/**
 * How a disk starts, from its first bytes. Without boot code no BIOS starts it. With boot code, a GUID partition table
 * whose only sign of a boot is an EFI system partition is for UEFI: such code only says that the disk does not boot.
 */
export function bootWaysOf(head: Buffer): BootWays {
  const hasCode = head.subarray(0, bootCodeBytes).some((byte) => byte !== 0)
  const master = masterEntries.map((at) => ({ isActive: head[at] === activePartition, type: head[at + 4] }))
  const table = guidTable(head)
  const hasSystem = master.some(({ type }) => type === systemPartition) || table?.hasSystem === true
  const isForBios = table?.hasBiosBoot !== false || master.some(({ isActive }) => isActive)
  return { bios: hasCode && (!hasSystem || isForBios), uefi: hasSystem || table?.isUnread === true }
}

/** The firmware of a machine. Accelerators need UEFI: a BIOS gives their large memory regions no addresses. */
export function chooseFirmware({ bios, uefi }: BootWays, accelerators: number): Firmware | StartFailure {
  if (!bios && !uefi) {
    return startFailure(
      'image_not_bootable',
      'The disk of the image has neither boot code nor an EFI system partition.',
    )
  }
  if (accelerators === 0) return bios ? 'bios' : 'uefi'
  if (uefi) return 'uefi'
  const message = 'A machine with accelerators starts by UEFI, and the image has no EFI system partition.'
  return startFailure('image_not_uefi', message)
}

/** The entries of a GUID partition table, if there is one. `isUnread`: some of them are outside of the bytes. */
function guidTable(
  head: Buffer,
): { readonly hasSystem: boolean; readonly hasBiosBoot: boolean; readonly isUnread: boolean } | undefined {
  if (head.length < 2 * sector || head.toString('latin1', sector, sector + 8) !== 'EFI PART') return undefined
  const first = head.readBigUInt64LE(sector + 72) * BigInt(sector)
  const count = Math.min(head.readUInt32LE(sector + 80), entriesMax)
  const bytes = head.readUInt32LE(sector + 84)
  const isInside = bytes >= entryBytesMin && first + BigInt(count) * BigInt(bytes) <= BigInt(head.length)
  if (!isInside) return { hasSystem: false, hasBiosBoot: true, isUnread: true }
  const entries = Array.from({ length: count }, (_, index) => head.subarray(Number(first) + index * bytes))
  const types = entries.map((entry) => entry.toString('hex', 0, 16))
  const isMarked = entries.some((entry) => (entry.readBigUInt64LE(48) & legacyBootable) !== 0n)
  return {
    hasSystem: types.includes(guids.system),
    hasBiosBoot: types.includes(guids.biosBoot) || isMarked,
    isUnread: false,
  }
}
