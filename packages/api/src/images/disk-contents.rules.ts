/**
 * Recognizes what a raw disk begins with: a partition table or a file system. Only structures that can be checked
 * count, since two or four bytes of a magic number are found in any file.
 */

/** Finds the partition table or file system of a disk of this size; undefined if there is none that is known. */
export function findDiskContents(view: DataView, file_bytes: number): string | undefined {
  return probes.find(([, probe]) => probe(view, file_bytes))?.[0]
}

/** Whether the first sector has a boot signature, as disks for BIOS and UEFI do. */
export function hasBootSignature(view: DataView): boolean {
  return view.getUint16(510) === 0x55aa
}

type Probe = (view: DataView, file_bytes: number) => boolean

const LITTLE = true
const SECTOR = 512
const sectorSizes = [512, 4096]

// FAT before MBR: a FAT volume ends its first sector with the same signature.
const probes: readonly (readonly [string, Probe])[] = [
  ['a GPT partition table', isGpt],
  ['a FAT file system', isFat],
  ['an MBR partition table', isMbr],
  ['an ext2, ext3 or ext4 file system', isExt],
  ['an XFS file system', isXfs],
  ['a Btrfs file system', isBtrfs],
  ['a SquashFS file system', isSquashFs],
  ['an ISO 9660 file system', isIso],
]

/** Checks the primary header, on disks with sectors of 512 or 4,096 bytes. */
function isGpt(view: DataView, file_bytes: number): boolean {
  return sectorSizes.some((sector) => {
    if (textAt(view, sector, 8) !== 'EFI PART') return false
    const header_bytes = view.getUint32(sector + 12, LITTLE)
    if (header_bytes < 92 || header_bytes > sector) return false
    const header = new Uint8Array(header_bytes)
    header.set(new Uint8Array(view.buffer, view.byteOffset + sector, header_bytes))
    // The checksum is computed with its own field as zero.
    header.fill(0, 16, 20)
    if (view.getUint32(sector + 16, LITTLE) !== crc32(header)) return false
    const first_usable = view.getBigUint64(sector + 40, LITTLE)
    const last_usable = view.getBigUint64(sector + 48, LITTLE)
    const isHere = view.getBigUint64(sector + 24, LITTLE) === 1n
    return isHere && first_usable <= last_usable && first_usable * BigInt(sector) < BigInt(file_bytes)
  })
}

/** At least one of the four entries is used, and all of them can be right. */
function isMbr(view: DataView, file_bytes: number): boolean {
  if (!hasBootSignature(view)) return false
  const entries = [446, 462, 478, 494].map((at) => ({
    status: view.getUint8(at),
    type: view.getUint8(at + 4),
    start: view.getUint32(at + 8, LITTLE),
    sectors: view.getUint32(at + 12, LITTLE),
  }))
  if (entries.some(({ status }) => status !== 0 && status !== 0x80)) return false
  const used = entries.filter(({ type }) => type !== 0)
  const isInside = ({ start, sectors }: { start: number; sectors: number }) =>
    start > 0 && sectors > 0 && start * SECTOR < file_bytes
  return used.length > 0 && used.every(isInside)
}

function isFat(view: DataView): boolean {
  const bytes_per_sector = view.getUint16(11, LITTLE)
  const sectors_per_cluster = view.getUint8(13)
  const fats = view.getUint8(16)
  return (
    hasBootSignature(view) &&
    [512, 1024, 2048, 4096].includes(bytes_per_sector) &&
    isPowerOfTwo(sectors_per_cluster) &&
    view.getUint16(14, LITTLE) > 0 &&
    (fats === 1 || fats === 2) &&
    view.getUint8(21) >= 0xf0 &&
    (textAt(view, 54, 3) === 'FAT' || textAt(view, 82, 5) === 'FAT32')
  )
}

function isExt(view: DataView): boolean {
  const at = 1024
  const isMarked = view.getUint16(at + 56, LITTLE) === 0xef53
  const hasBlocks = view.getUint32(at + 4, LITTLE) > 0 && view.getUint32(at, LITTLE) > 0
  return isMarked && hasBlocks && view.getUint32(at + 24, LITTLE) <= 6
}

function isXfs(view: DataView): boolean {
  const block_bytes = view.getUint32(4)
  const isBlock = block_bytes >= 512 && block_bytes <= 65_536 && isPowerOfTwo(block_bytes)
  return textAt(view, 0, 4) === 'XFSB' && isBlock && view.getBigUint64(8) > 0n
}

function isBtrfs(view: DataView): boolean {
  const at = 65_536
  return textAt(view, at + 64, 8) === '_BHRfS_M' && view.getBigUint64(at + 48, LITTLE) === BigInt(at)
}

function isSquashFs(view: DataView): boolean {
  const block_bytes = view.getUint32(12, LITTLE)
  const isBlock = isPowerOfTwo(block_bytes) && block_bytes === 2 ** Math.min(31, view.getUint16(22, LITTLE))
  return textAt(view, 0, 4) === 'hsqs' && isBlock && view.getUint16(28, LITTLE) === 4
}

function isIso(view: DataView): boolean {
  const at = 32_768
  return textAt(view, at + 1, 5) === 'CD001' && view.getUint8(at + 6) === 1 && [0, 1].includes(view.getUint8(at))
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && Number.isInteger(Math.log2(value))
}

/** Some bytes as Latin-1 text. */
export function textAt(view: DataView, at: number, length: number): string {
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length))
}

/** CRC-32 as in GPT and zip. `node:zlib` has it too, but the contract also runs where there is no Node. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xff_ff_ff_ff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0)
  }
  return (crc ^ 0xff_ff_ff_ff) >>> 0
}
