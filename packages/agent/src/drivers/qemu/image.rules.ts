// What an image says of itself in its first bytes. It comes from a customer: whether it names other files is found out
// here, before a tool that would follow them sees it. The offsets are those of QEMU's docs/interop/qcow2.

import { type StartFailure, startFailure } from '../../problems.ts'

/** How a disk is laid out, and its size as the guest sees it. */
export type DiskLayout = { readonly format: 'qcow2' | 'raw'; readonly size_bytes: number }

/** How much of an image is looked at. */
export const headerBytes = 512

const MAGIC = 0x51_46_49_fb
const OF_VERSION_2 = 72
const EXTERNAL_DATA = 4n

/** Reads the header of an image, or says why it may not be started from. What is not qcow2 is a raw disk. */
export function readLayout(header: Buffer, file_bytes: number): DiskLayout | StartFailure {
  if (header.length < 4 || header.readUInt32BE(0) !== MAGIC) return { format: 'raw', size_bytes: file_bytes }
  if (header.length < headerBytes) return startFailure('image_not_bootable', 'The image is cut off in its header.')
  const version = header.readUInt32BE(4)
  if (version !== 2 && version !== 3) {
    return startFailure('image_not_bootable', `The image is of version ${version} of qcow2; known are 2 and 3.`)
  }
  const needed = version === 2 ? 0n : header.readBigUInt64BE(OF_VERSION_2)
  if (header.readBigUInt64BE(8) !== 0n || (needed & EXTERNAL_DATA) !== 0n) {
    return startFailure('image_refused', 'The image names another file; upload it as one whole.')
  }
  if (header.readUInt32BE(32) !== 0) return startFailure('image_refused', 'The image is encrypted.')
  return { format: 'qcow2', size_bytes: Number(header.readBigUInt64BE(24)) }
}

/** Why a disk is too large for a machine; undefined where it is not. */
export function refuseSize({ size_bytes }: DiskLayout, size_max: number | null): StartFailure | undefined {
  if (size_max === null || size_bytes <= size_max) return undefined
  return startFailure('image_too_large', `The disk of the image has ${size_bytes} bytes, ${size_max} at most.`)
}

/** Whether a first sector is one that a BIOS starts from; disks for UEFI have the same mark. */
export function isBootSector(sector: Buffer): boolean {
  return sector.length >= 512 && sector.readUInt16BE(510) === 0x55aa
}
