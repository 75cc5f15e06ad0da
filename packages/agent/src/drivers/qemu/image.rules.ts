// Checks the header of an image. Images come from customers, so references to other files are detected here, before a
// tool that would follow them reads the image. The offsets are those of the qcow2 specification of QEMU.

import { type StartFailure, startFailure } from '../../problems.ts'

/** The format of a disk, and its size as the guest sees it. */
export type DiskLayout = { readonly format: 'qcow2' | 'raw'; readonly size_bytes: number }

/** How many bytes of an image are read. */
export const headerBytes = 512

const MAGIC = 0x51_46_49_fb
const OF_VERSION_2 = 72
const EXTERNAL_DATA = 4n

/** Reads the header of an image, or returns why it cannot be used. Every image that is not qcow2 is a raw disk. */
export function readLayout(header: Buffer, file_bytes: number): DiskLayout | StartFailure {
  if (header.length < 4 || header.readUInt32BE(0) !== MAGIC) return { format: 'raw', size_bytes: file_bytes }
  if (header.length < headerBytes) return startFailure('image_not_bootable', 'The header of the image is truncated.')
  const version = header.readUInt32BE(4)
  if (version !== 2 && version !== 3) {
    return startFailure('image_not_bootable', `The image has version ${version} of qcow2; supported are 2 and 3.`)
  }
  const needed = version === 2 ? 0n : header.readBigUInt64BE(OF_VERSION_2)
  if (header.readBigUInt64BE(8) !== 0n || (needed & EXTERNAL_DATA) !== 0n) {
    return startFailure('image_refused', 'The image refers to another file. Upload a self-contained image.')
  }
  if (header.readUInt32BE(32) !== 0) return startFailure('image_refused', 'The image is encrypted.')
  return { format: 'qcow2', size_bytes: Number(header.readBigUInt64BE(24)) }
}

/** Refuses a disk that is too large for a machine. */
export function refuseSize({ size_bytes }: DiskLayout, size_max: number | null): StartFailure | undefined {
  if (size_max === null || size_bytes <= size_max) return undefined
  return startFailure(
    'image_too_large',
    `The disk of the image has ${size_bytes} bytes; the machine allows ${size_max}.`,
  )
}

/** Whether the first sector has a boot signature, as disks for BIOS and UEFI do. */
export function isBootSector(sector: Buffer): boolean {
  return sector.length >= 512 && sector.readUInt16BE(510) === 0x55aa
}
