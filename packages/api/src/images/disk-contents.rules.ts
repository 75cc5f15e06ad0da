/**
 * Recognizes what a raw disk begins with: a partition table or a file system. Only structures that can be checked
 * count, since two or four bytes of a magic number are found in any file.
 */

/** Finds the partition table or file system of a disk of this size; undefined if there is none that is known. */
export function findDiskContents(view: DataView, fileBytes: number): string | undefined {
  return probes.find(([, probe]) => probe(view, fileBytes))?.[0]
}

/** Whether the first sector has a boot signature, as disks for BIOS and UEFI do. */
export function hasBootSignature(view: DataView): boolean {
  return view.getUint16(510) === 0x55aa
}

type Probe = (view: DataView, fileBytes: number) => boolean

const little = true
const sector = 512
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
function isGpt(view: DataView, fileBytes: number): boolean {
  return sectorSizes.some((sector) => {
    if (textAt(view, sector, 8) !== 'EFI PART') return false
    const headerBytes = view.getUint32(sector + 12, little)
    if (headerBytes < 92 || headerBytes > sector) return false
    const header = new Uint8Array(headerBytes)
    header.set(new Uint8Array(view.buffer, view.byteOffset + sector, headerBytes))
    // The checksum is computed with its own field as zero.
    header.fill(0, 16, 20)
    if (view.getUint32(sector + 16, little) !== crc32(header)) return false
    const firstUsable = view.getBigUint64(sector + 40, little)
    const lastUsable = view.getBigUint64(sector + 48, little)
    const isHere = view.getBigUint64(sector + 24, little) === 1n
    return isHere && firstUsable <= lastUsable && firstUsable * BigInt(sector) < BigInt(fileBytes)
  })
}

/** At least one of the four entries is used, and all of them can be right. */
function isMbr(view: DataView, fileBytes: number): boolean {
  if (!hasBootSignature(view)) return false
  const entries = [446, 462, 478, 494].map((at) => ({
    status: view.getUint8(at),
    type: view.getUint8(at + 4),
    start: view.getUint32(at + 8, little),
    sectors: view.getUint32(at + 12, little),
  }))
  if (entries.some(({ status }) => status !== 0 && status !== 0x80)) return false
  const used = entries.filter(({ type }) => type !== 0)
  const isInside = ({ start, sectors }: { start: number; sectors: number }) =>
    start > 0 && sectors > 0 && start * sector < fileBytes
  return used.length > 0 && used.every(isInside)
}

function isFat(view: DataView): boolean {
  const bytesPerSector = view.getUint16(11, little)
  const sectorsPerCluster = view.getUint8(13)
  const fats = view.getUint8(16)
  return (
    hasBootSignature(view) &&
    [512, 1024, 2048, 4096].includes(bytesPerSector) &&
    isPowerOfTwo(sectorsPerCluster) &&
    view.getUint16(14, little) > 0 &&
    (fats === 1 || fats === 2) &&
    view.getUint8(21) >= 0xf0 &&
    (textAt(view, 54, 3) === 'FAT' || textAt(view, 82, 5) === 'FAT32')
  )
}

function isExt(view: DataView): boolean {
  const at = 1024
  const isMarked = view.getUint16(at + 56, little) === 0xef53
  const hasBlocks = view.getUint32(at + 4, little) > 0 && view.getUint32(at, little) > 0
  return isMarked && hasBlocks && view.getUint32(at + 24, little) <= 6
}

function isXfs(view: DataView): boolean {
  const blockBytes = view.getUint32(4)
  const isBlock = blockBytes >= 512 && blockBytes <= 65_536 && isPowerOfTwo(blockBytes)
  return textAt(view, 0, 4) === 'XFSB' && isBlock && view.getBigUint64(8) > 0n
}

function isBtrfs(view: DataView): boolean {
  const at = 65_536
  return textAt(view, at + 64, 8) === '_BHRfS_M' && view.getBigUint64(at + 48, little) === BigInt(at)
}

function isSquashFs(view: DataView): boolean {
  const blockBytes = view.getUint32(12, little)
  const isBlock = isPowerOfTwo(blockBytes) && blockBytes === 2 ** Math.min(31, view.getUint16(22, little))
  return textAt(view, 0, 4) === 'hsqs' && isBlock && view.getUint16(28, little) === 4
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
