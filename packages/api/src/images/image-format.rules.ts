/**
 * What a file is that someone wants to use as an image, by its first bytes. The command line asks before it uploads a
 * file, the server before it completes an image, the agent before it gives a file to QEMU.
 */
import { findDiskContents, hasBootSignature, textAt } from './disk-contents.rules.ts'
import { isQcow2, type Qcow2Problem, readQcow2 } from './qcow2.rules.ts'

/** How many bytes of a file are read, from its start: up to the end of the superblock of Btrfs. */
export const imageHeadBytes = 65_536 + 4096

/** The formats in which instances start from an image. Clients must accept further values. */
export const imageFormats = ['qcow2', 'raw'] as const
export type ImageFormat = (typeof imageFormats)[number]

/** A usable image. */
export type ImageLayout = {
  readonly format: ImageFormat
  /** The size of the disk that a guest sees. */
  readonly virtual_size_bytes: number
  /** For raw disks: the partition table or file system, undefined if there is none that is known. */
  readonly contents?: string | undefined
  /** Whether a raw disk has a boot signature. Undefined for qcow2, whose first sector may be anywhere in the file. */
  readonly has_boot_signature?: boolean
}

/** Why a file is no image: `image_format_unknown` may be ignored by its owner, `image_refused` never. */
export type ImageProblem = {
  readonly code: 'image_format_unknown' | 'image_refused'
  readonly message: string
}

/** The image in a file of this size. `head` has its first bytes, at most `imageHeadBytes` of them are read. */
export function inspectImage(head: Uint8Array, fileBytes: number): ImageLayout | ImageProblem {
  const layout = readImage(head, fileBytes)
  if ('kind' in layout) return { code: 'image_refused', message: `This qcow2 file cannot be used. ${layout.message}` }
  if (layout.format === 'qcow2' || layout.contents !== undefined) return layout
  return { code: 'image_format_unknown', message: describe(viewOf(head), fileBytes) }
}

/** As `inspectImage`, but a file that is not qcow2 is a raw disk, whatever it contains. */
export function readImage(head: Uint8Array, fileBytes: number): ImageLayout | Qcow2Problem {
  const view = viewOf(head)
  if (isQcow2(view)) {
    const header = readQcow2(view, fileBytes)
    return 'kind' in header ? header : { format: 'qcow2', virtual_size_bytes: header.virtual_size_bytes }
  }
  const contents = isForeignDisk(view) ? undefined : findDiskContents(view, fileBytes)
  return { format: 'raw', virtual_size_bytes: fileBytes, contents, has_boot_signature: hasBootSignature(view) }
}

/** Whether an image can be used. */
export function isImageLayout(found: ImageLayout | ImageProblem): found is ImageLayout {
  return 'format' in found
}

/** Filled up with zeros, so that a short file has no offset that is outside. */
function viewOf(head: Uint8Array): DataView {
  const bytes = new Uint8Array(imageHeadBytes)
  bytes.set(head.subarray(0, imageHeadBytes))
  return new DataView(bytes.buffer)
}

type FormatKind = { readonly what: string; readonly at: number; readonly magic: string; readonly remedy: string }

const supported =
  'Supported are qcow2, and raw disks with a partition table (MBR, GPT) or a known file system (ext2 to ext4, XFS, ' +
  'Btrfs, SquashFS, ISO 9660, FAT).'
const convert = (format: string) => `Convert it: qemu-img convert -f ${format} -O qcow2 <file> image.qcow2`
const unpack = (tool: string) => `Unpack it (${tool}) and upload the disk image that is in it.`

/** Formats of disks that hosts do not read. They are no raw disks, even if some bytes look like one. */
const foreignDisks: readonly FormatKind[] = [
  { what: 'a VMware disk (VMDK)', at: 0, magic: 'KDMV', remedy: convert('vmdk') },
  { what: 'the description of a VMware disk (VMDK)', at: 0, magic: '# Disk DescriptorFile', remedy: convert('vmdk') },
  { what: 'a Hyper-V disk (VHDX)', at: 0, magic: 'vhdxfile', remedy: convert('vhdx') },
  { what: 'a Virtual PC disk (VHD)', at: 0, magic: 'conectix', remedy: convert('vpc') },
  { what: 'a VirtualBox disk (VDI)', at: 64, magic: '\x7f\x10\xda\xbe', remedy: convert('vdi') },
  { what: 'a QED disk', at: 0, magic: 'QED\0', remedy: convert('qed') },
  { what: 'a Parallels disk', at: 0, magic: 'WithoutFreeSpace', remedy: convert('parallels') },
  { what: 'a Parallels disk', at: 0, magic: 'WithouFreSpacExt', remedy: convert('parallels') },
]

const otherFiles: readonly FormatKind[] = [
  { what: 'a gzip file', at: 0, magic: '\x1f\x8b', remedy: unpack('gunzip') },
  { what: 'an xz file', at: 0, magic: '\xfd7zXZ\0', remedy: unpack('unxz') },
  { what: 'a Zstandard file', at: 0, magic: '\x28\xb5\x2f\xfd', remedy: unpack('unzstd') },
  { what: 'a bzip2 file', at: 0, magic: 'BZh', remedy: unpack('bunzip2') },
  { what: 'an LZ4 file', at: 0, magic: '\x04\x22\x4d\x18', remedy: unpack('lz4 -d') },
  { what: 'a zip archive', at: 0, magic: 'PK\x03\x04', remedy: unpack('unzip') },
  { what: 'a 7z archive', at: 0, magic: '7z\xbc\xaf\x27\x1c', remedy: unpack('7z x') },
  { what: 'a tar archive', at: 257, magic: 'ustar', remedy: unpack('tar -xf') },
  {
    what: 'an encrypted volume (LUKS)',
    at: 0,
    magic: 'LUKS\xba\xbe',
    remedy: 'Hosts have no key: upload the disk unencrypted.',
  },
  {
    what: 'an LVM physical volume',
    at: 512,
    magic: 'LABELONE',
    remedy: `Upload the disk with its partitions. ${supported}`,
  },
  {
    what: 'a Linux program or kernel (ELF)',
    at: 0,
    magic: '\x7fELF',
    remedy: `Upload a disk that contains it. ${supported}`,
  },
  {
    what: 'a Linux kernel',
    at: 514,
    magic: 'HdrS',
    remedy: `Upload a disk that contains it. ${supported}`,
  },
]

function isForeignDisk(view: DataView): boolean {
  return foreignDisks.some((kind) => isKind(view, kind))
}

function isKind(view: DataView, { at, magic }: FormatKind): boolean {
  return textAt(view, at, magic.length) === magic
}

/** Says what a file is, and how to make an image of it. */
function describe(view: DataView, fileBytes: number): string {
  const disk = foreignDisks.find((kind) => isKind(view, kind))
  if (disk !== undefined) return `This is ${disk.what}, which hosts do not read. ${disk.remedy}`
  const { what, remedy } = otherFiles.find((kind) => isKind(view, kind)) ?? nameOf(view, fileBytes)
  return `This is ${what}, not a disk image. ${remedy}`
}

/** Names a file without a known magic number. */
function nameOf(view: DataView, fileBytes: number): { what: string; remedy: string } {
  if (fileBytes < 512)
    return { what: `a file of ${fileBytes === 1 ? '1 byte' : `${fileBytes} bytes`}`, remedy: supported }
  const start = textAt(view, 0, 512)
  if (/^\s*<(!doctype html|html|\?xml)/i.test(start)) {
    return { what: 'a web page or XML', remedy: `Is it an error page of the download? ${supported}` }
  }
  if (/^[\t\n\f\r\x20-\x7e]+$/.test(start)) return { what: 'text', remedy: supported }
  if (isZero(view, fileBytes)) return { what: 'a file that begins with zeros only', remedy: supported }
  return { what: 'a file without a partition table or a known file system', remedy: supported }
}

function isZero(view: DataView, fileBytes: number): boolean {
  return new Uint8Array(view.buffer, 0, Math.min(fileBytes, view.byteLength)).every((byte) => byte === 0)
}
