/**
 * Reads the header of a qcow2 file. A header may name other files, which a tool that opens the image would follow on
 * the machine where it runs. The offsets are those of the qcow2 specification of QEMU.
 */

/** What the header of a usable file says. */
export type Qcow2Header = { readonly version: 2 | 3; readonly virtual_size_bytes: number }
/** Why a file cannot be used. `unsafe`: it refers to other files, or is encrypted. */
export type Qcow2Problem = { readonly kind: 'unsafe' | 'damaged'; readonly message: string }

/** The largest disk that an image may describe: 64 TiB. A small file can describe any size. */
export const VIRTUAL_BYTES_MAX = 64 * 2 ** 40

const MAGIC = 0x51_46_49_fb
const HEADER_BYTES = { 2: 72, 3: 104 } as const
const CLUSTER_BITS_MIN = 9
const CLUSTER_BITS_MAX = 21
/** The limits of QEMU for its tables, in bytes. */
const L1_BYTES_MAX = 32 * 2 ** 20
const REFCOUNT_BYTES_MAX = 8 * 2 ** 20
const DATA_FILE_EXTENSION = 0x44_41_54_41

const CORRUPT = 2n
const DATA_FILE = 4n
const EXTENDED_L2 = 16n
const KNOWN_FEATURES = 31n

const selfContained = 'Make a self-contained copy: qemu-img convert -O qcow2 <file> image.qcow2'

/** Whether a file begins as qcow2 of any version. */
export function isQcow2(view: DataView): boolean {
  return view.getUint32(0) === MAGIC
}

/**
 * Reads the header of a file of this size. `view` is the beginning of the file, filled up with zeros to at least 4 KiB.
 */
export function readQcow2(view: DataView, file_bytes: number): Qcow2Header | Qcow2Problem {
  if (file_bytes < 8) return damaged('It ends within its header.')
  const version = view.getUint32(4)
  if (version !== 2 && version !== 3) {
    const convert = 'Convert it: qemu-img convert -O qcow2 <file> image.qcow2'
    return damaged(`It has version ${version} of qcow2; supported are 2 and 3. ${convert}`)
  }
  if (file_bytes < HEADER_BYTES[version]) return damaged('It ends within its header.')
  const incompatible = version === 2 ? 0n : view.getBigUint64(72)
  const problem =
    findReference(view, incompatible) ??
    findBadClusters(view) ??
    findBadExtension(view, version) ??
    findBadFeature(incompatible) ??
    findBadGeometry(view, file_bytes, (incompatible & EXTENDED_L2) !== 0n)
  return problem ?? { version, virtual_size_bytes: Number(view.getBigUint64(24)) }
}

function findReference(view: DataView, incompatible: bigint): Qcow2Problem | undefined {
  if (view.getBigUint64(8) !== 0n || view.getUint32(16) !== 0) {
    return unsafe(`It has a backing file: it is only the difference to another image. ${selfContained}`)
  }
  if ((incompatible & DATA_FILE) !== 0n) return unsafe(`Its data is in another file. ${selfContained}`)
  return view.getUint32(32) === 0 ? undefined : unsafe('It is encrypted, and hosts have no key.')
}

function findBadClusters(view: DataView): Qcow2Problem | undefined {
  const cluster_bits = view.getUint32(20)
  if (cluster_bits >= CLUSTER_BITS_MIN && cluster_bits <= CLUSTER_BITS_MAX) return undefined
  return damaged(`Its clusters have 2^${cluster_bits} bytes.`)
}

/** Follows the header extensions: a type, a length, and data that is padded to eight bytes. */
function findBadExtension(view: DataView, version: 2 | 3): Qcow2Problem | undefined {
  const cluster_bytes = 2 ** view.getUint32(20)
  const header_bytes = version === 2 ? HEADER_BYTES[2] : view.getUint32(100)
  const end = Math.min(cluster_bytes, view.byteLength)
  if (header_bytes < HEADER_BYTES[version] || header_bytes % 8 !== 0 || header_bytes > end) {
    return damaged(`Its header has ${header_bytes} bytes.`)
  }
  for (let at = header_bytes; at + 8 <= end; ) {
    const type = view.getUint32(at)
    if (type === 0) return undefined
    if (type === DATA_FILE_EXTENSION) return unsafe(`It names another file for its data. ${selfContained}`)
    at += 8 + Math.ceil(view.getUint32(at + 4) / 8) * 8
    if (at > end) return damaged('An extension of its header ends outside of the header.')
  }
  return undefined
}

function findBadFeature(incompatible: bigint): Qcow2Problem | undefined {
  if ((incompatible & ~KNOWN_FEATURES) !== 0n) {
    return damaged(`It needs features that are not supported. Convert it: qemu-img convert -O qcow2 <file> image.qcow2`)
  }
  if ((incompatible & CORRUPT) === 0n) return undefined
  return damaged('It is marked as corrupt. Repair it: qemu-img check -r all <file>')
}

/** Compares sizes and places with each other, so that a file that was cut off is found here and not when it boots. */
function findBadGeometry(view: DataView, file_bytes: number, hasExtendedL2: boolean): Qcow2Problem | undefined {
  const size = view.getBigUint64(24)
  if (size === 0n) return damaged('Its disk has no bytes.')
  if (size > BigInt(VIRTUAL_BYTES_MAX)) {
    return damaged(`Its disk has ${size} bytes; the maximum is ${VIRTUAL_BYTES_MAX}.`)
  }
  const cluster_bytes = 2 ** view.getUint32(20)
  const bytes_of_entry = (cluster_bytes * cluster_bytes) / (hasExtendedL2 ? 16 : 8)
  const l1_bytes = view.getUint32(36) * 8
  if (l1_bytes > L1_BYTES_MAX || l1_bytes < Math.ceil(Number(size) / bytes_of_entry) * 8) {
    return damaged('The table of its clusters does not fit its size.')
  }
  const refcount_bytes = view.getUint32(56) * cluster_bytes
  if (refcount_bytes === 0 || refcount_bytes > Math.max(REFCOUNT_BYTES_MAX, cluster_bytes)) {
    return damaged('The table of its reference counts has a wrong size.')
  }
  const tables = [
    { offset: view.getBigUint64(40), bytes: l1_bytes },
    // The last cluster of a file may be cut short.
    { offset: view.getBigUint64(48), bytes: 1 },
  ]
  for (const { offset, bytes } of tables) {
    if (offset === 0n || offset % BigInt(cluster_bytes) !== 0n) return damaged('A table is at a wrong place.')
    if (offset + BigInt(bytes) > BigInt(file_bytes)) return damaged('It was cut off: a table is behind its end.')
  }
  return undefined
}

function unsafe(message: string): Qcow2Problem {
  return { kind: 'unsafe', message }
}

function damaged(message: string): Qcow2Problem {
  return { kind: 'damaged', message }
}
