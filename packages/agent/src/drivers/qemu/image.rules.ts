// Checks the header of an image. Images come from customers, so references to other files are detected here, before a
// tool that would follow them reads the image. The server has checked it too, but a host does not rely on that.

import { type ImageFormat, imageHeadBytes, readImage } from '@bourse/api/images/image-format.rules.ts'
import { type StartFailure, startFailure } from '../../problems.ts'

/** The format of a disk, and its size as the guest sees it. */
export type DiskLayout = { readonly format: ImageFormat; readonly size_bytes: number }

/** How many bytes of an image are read. */
export const headerBytes = imageHeadBytes

/** Reads the header of an image, or returns why it cannot be used. Every image that is not qcow2 is a raw disk. */
export function readLayout(header: Buffer, fileBytes: number): DiskLayout | StartFailure {
  const found = readImage(header, fileBytes)
  if (!('kind' in found)) return { format: found.format, size_bytes: found.virtual_size_bytes }
  const reason = found.kind === 'unsafe' ? 'image_refused' : 'image_not_bootable'
  return startFailure(reason, `The image cannot be used. ${found.message}`)
}

/** Refuses a disk that is too large for a machine. */
export function refuseSize({ size_bytes }: DiskLayout, sizeMax: number | null): StartFailure | undefined {
  if (sizeMax === null || size_bytes <= sizeMax) return undefined
  return startFailure(
    'image_too_large',
    `The disk of the image has ${size_bytes} bytes; the machine allows ${sizeMax}.`,
  )
}

/** Whether the first sector has a boot signature, as disks for BIOS and UEFI do. */
export function isBootSector(sector: Buffer): boolean {
  return sector.length >= 512 && sector.readUInt16BE(510) === 0x55aa
}
