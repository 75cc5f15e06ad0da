// The archive that a kernel unpacks as its initial root: cpio in the format `newc`, owned by root, always equal bytes.

/** A file, a folder or a symbolic link. Folders come before their contents. */
export type ArchiveEntry = { readonly path: string } & (
  | { readonly kind: 'folder' }
  | { readonly kind: 'file'; readonly content: Buffer; readonly isProgram: boolean }
  | { readonly kind: 'link'; readonly target: string }
)

const file = 0o100000
const folder = 0o040000
const link = 0o120000

/** Packs entries in their order. */
export function cpioArchive(entries: readonly ArchiveEntry[]): Buffer {
  const pieces = entries.map((entry, index) => {
    if (entry.kind === 'folder') return record(index + 1, entry.path, folder | 0o755, Buffer.alloc(0))
    if (entry.kind === 'link') return record(index + 1, entry.path, link | 0o777, Buffer.from(entry.target))
    return record(index + 1, entry.path, file | (entry.isProgram ? 0o755 : 0o644), entry.content)
  })
  return Buffer.concat([...pieces, record(0, 'TRAILER!!!', 0, Buffer.alloc(0))])
}

function record(inode: number, path: string, mode: number, content: Buffer): Buffer {
  const name = Buffer.from(`${path}\0`)
  const [owner, links, modified, device, checksum] = [0, 1, 0, 0, 0]
  const numbers = [
    inode,
    mode,
    owner,
    owner,
    links,
    modified,
    content.length,
    device,
    device,
    device,
    device,
    name.length,
    checksum,
  ]
  const header = `070701${numbers.map((number) => number.toString(16).padStart(8, '0')).join('')}`
  return Buffer.concat([aligned(Buffer.concat([Buffer.from(header), name])), aligned(content)])
}

/** Pads to a multiple of four bytes. */
function aligned(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])
}
