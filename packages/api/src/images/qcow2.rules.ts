/**
 * Reads the header of a qcow2 file. A header may name other files, which a tool that opens the image would follow on
 * the machine where it runs. The offsets are those of the qcow2 specification of QEMU.
 */

/** What the header of a usable file says. */
export type Qcow2Header = { readonly version: 2 | 3; readonly virtual_size_bytes: number }
/** Why a file cannot be used. `unsafe`: it refers to other files, or is encrypted. */
export type Qcow2Problem = { readonly kind: 'unsafe' | 'damaged'; readonly message: string }

/** The largest disk that an image may describe: 64 TiB. A small file can describe any size. */
export const virtualBytesMax = 64 * 2 ** 40

const magic = 0x51_46_49_fb
const headerBytesByVersion = { 2: 72, 3: 104 } as const
const clusterBitsMin = 9
const clusterBitsMax = 21
/** The limits of QEMU for its tables, in bytes. */
const l1BytesMax = 32 * 2 ** 20
const refcountBytesMax = 8 * 2 ** 20
const dataFileExtension = 0x44_41_54_41

const corrupt = 2n
const dataFile = 4n
const extendedL2 = 16n
const knownFeatures = 31n

const selfContained = 'Make a self-contained copy: qemu-img convert -O qcow2 <file> image.qcow2'

/** Whether a file begins as qcow2 of any version. */
export function isQcow2(view: DataView): boolean {
  return view.getUint32(0) === magic
}

/**
 * Reads the header of a file of this size. `view` is the beginning of the file, filled up with zeros to at least 4 KiB.
 */
export function readQcow2(view: DataView, fileBytes: number): Qcow2Header | Qcow2Problem {
  if (fileBytes < 8) return damaged('It ends within its header.')
  const version = view.getUint32(4)
  if (version !== 2 && version !== 3) {
    const convert = 'Convert it: qemu-img convert -O qcow2 <file> image.qcow2'
    return damaged(`It has version ${version} of qcow2; supported are 2 and 3. ${convert}`)
  }
  if (fileBytes < headerBytesByVersion[version]) return damaged('It ends within its header.')
  const incompatible = version === 2 ? 0n : view.getBigUint64(72)
  const problem =
    findReference(view, incompatible) ??
    findBadClusters(view) ??
    findBadExtension(view, version) ??
    findBadFeature(incompatible) ??
    findBadGeometry(view, fileBytes, (incompatible & extendedL2) !== 0n)
  return problem ?? { version, virtual_size_bytes: Number(view.getBigUint64(24)) }
}

function findReference(view: DataView, incompatible: bigint): Qcow2Problem | undefined {
  if (view.getBigUint64(8) !== 0n || view.getUint32(16) !== 0) {
    return unsafe(`It has a backing file: it is only the difference to another image. ${selfContained}`)
  }
  if ((incompatible & dataFile) !== 0n) return unsafe(`Its data is in another file. ${selfContained}`)
  return view.getUint32(32) === 0 ? undefined : unsafe('It is encrypted, and hosts have no key.')
}

function findBadClusters(view: DataView): Qcow2Problem | undefined {
  const clusterBits = view.getUint32(20)
  if (clusterBits >= clusterBitsMin && clusterBits <= clusterBitsMax) return undefined
  return damaged(`Its clusters have 2^${clusterBits} bytes.`)
}

/** Follows the header extensions: a type, a length, and data that is padded to eight bytes. */
function findBadExtension(view: DataView, version: 2 | 3): Qcow2Problem | undefined {
  const clusterBytes = 2 ** view.getUint32(20)
  const headerBytes = version === 2 ? headerBytesByVersion[2] : view.getUint32(100)
  const end = Math.min(clusterBytes, view.byteLength)
  if (headerBytes < headerBytesByVersion[version] || headerBytes % 8 !== 0 || headerBytes > end) {
    return damaged(`Its header has ${headerBytes} bytes.`)
  }
  for (let at = headerBytes; at + 8 <= end; ) {
    const type = view.getUint32(at)
    if (type === 0) return undefined
    if (type === dataFileExtension) return unsafe(`It names another file for its data. ${selfContained}`)
    at += 8 + Math.ceil(view.getUint32(at + 4) / 8) * 8
    if (at > end) return damaged('An extension of its header ends outside of the header.')
  }
  return undefined
}

function findBadFeature(incompatible: bigint): Qcow2Problem | undefined {
  if ((incompatible & ~knownFeatures) !== 0n) {
    return damaged(`It needs features that are not supported. Convert it: qemu-img convert -O qcow2 <file> image.qcow2`)
  }
  if ((incompatible & corrupt) === 0n) return undefined
  return damaged('It is marked as corrupt. Repair it: qemu-img check -r all <file>')
}

/** Compares sizes and places with each other, so that a file that was cut off is found here and not when it boots. */
function findBadGeometry(view: DataView, fileBytes: number, hasExtendedL2: boolean): Qcow2Problem | undefined {
  const size = view.getBigUint64(24)
  if (size === 0n) return damaged('Its disk has no bytes.')
  if (size > BigInt(virtualBytesMax)) {
    return damaged(`Its disk has ${size} bytes; the maximum is ${virtualBytesMax}.`)
  }
  const clusterBytes = 2 ** view.getUint32(20)
  const bytesOfEntry = (clusterBytes * clusterBytes) / (hasExtendedL2 ? 16 : 8)
  const l1Bytes = view.getUint32(36) * 8
  if (l1Bytes > l1BytesMax || l1Bytes < Math.ceil(Number(size) / bytesOfEntry) * 8) {
    return damaged('The table of its clusters does not fit its size.')
  }
  const refcountBytes = view.getUint32(56) * clusterBytes
  if (refcountBytes === 0 || refcountBytes > Math.max(refcountBytesMax, clusterBytes)) {
    return damaged('The table of its reference counts has a wrong size.')
  }
  const tables = [
    { offset: view.getBigUint64(40), bytes: l1Bytes },
    // The last cluster of a file may be cut short.
    { offset: view.getBigUint64(48), bytes: 1 },
  ]
  for (const { offset, bytes } of tables) {
    if (offset === 0n || offset % BigInt(clusterBytes) !== 0n) return damaged('A table is at a wrong place.')
    if (offset + BigInt(bytes) > BigInt(fileBytes)) return damaged('It was cut off: a table is behind its end.')
  }
  return undefined
}

function unsafe(message: string): Qcow2Problem {
  return { kind: 'unsafe', message }
}

function damaged(message: string): Qcow2Problem {
  return { kind: 'damaged', message }
}
