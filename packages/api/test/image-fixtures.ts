/** The beginnings of image files, written byte by byte. */
import { crc32 } from 'node:zlib'
import { imageHeadBytes } from '../src/images/image-format.rules.ts'

const cluster = 65_536

/** The size of the disk in `qcow2Of`, and of its file: a header, two tables of counts, a table of clusters. */
export const diskBytes = 2 ** 30
export const qcow2Bytes = 3 * cluster + 16

/** An empty qcow2 file as `qemu-img create` writes it, without its last tables; `change` may spoil it. */
export function qcow2Of(change: (bytes: Buffer) => void = () => {}): Buffer {
  const bytes = Buffer.alloc(imageHeadBytes)
  bytes.write('QFI\xfb', 'latin1')
  bytes.writeUInt32BE(3, 4)
  bytes.writeUInt32BE(16, 20)
  bytes.writeBigUInt64BE(BigInt(diskBytes), 24)
  bytes.writeUInt32BE(2, 36)
  bytes.writeBigUInt64BE(BigInt(3 * cluster), 40)
  bytes.writeBigUInt64BE(BigInt(cluster), 48)
  bytes.writeUInt32BE(1, 56)
  bytes.writeUInt32BE(4, 96)
  bytes.writeUInt32BE(112, 100)
  // The names of features: a header extension that QEMU writes into each file.
  bytes.writeUInt32BE(0x68_03_f8_57, 112)
  bytes.writeUInt32BE(384, 116)
  change(bytes)
  return bytes
}

/** As `qcow2Of`, in version 2. */
export function oldQcow2Of(change: (bytes: Buffer) => void = () => {}): Buffer {
  return qcow2Of((bytes) => {
    bytes.writeUInt32BE(2, 4)
    // In version 2 the header extensions begin where version 3 has its features.
    bytes.fill(0, 72, 512)
    change(bytes)
  })
}

/** The bytes of a raw disk that has something at an offset. */
export function rawOf(fill: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(imageHeadBytes)
  fill(bytes)
  return bytes
}

/** A disk with one partition of Linux in an MBR. */
export function mbrOf(change: (bytes: Buffer) => void = () => {}): Buffer {
  return rawOf((bytes) => {
    bytes.set([0x80, 0, 0, 0, 0x83], 446)
    bytes.writeUInt32LE(64, 446 + 8)
    bytes.writeUInt32LE(2000, 446 + 12)
    bytes.writeUInt16BE(0x55aa, 510)
    change(bytes)
  })
}

/** A disk with a GPT, whose checksum is that of the header before `change`. */
export function gptOf(sector: 512 | 4096, change: (bytes: Buffer) => void = () => {}): Buffer {
  return rawOf((bytes) => {
    bytes.write('EFI PART', sector)
    bytes.writeUInt32LE(0x1_0000, sector + 8)
    bytes.writeUInt32LE(92, sector + 12)
    bytes.writeBigUInt64LE(1n, sector + 24)
    bytes.writeBigUInt64LE(34n, sector + 40)
    bytes.writeBigUInt64LE(2000n, sector + 48)
    bytes.writeUInt32LE(crc32(bytes.subarray(sector, sector + 92)), sector + 16)
    change(bytes)
  })
}
