/** Bounded reads below a root. The files are the kernel's, or those of a test; none of them is trusted to be whole. */
import { open, readdir, readlink } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** The files of a machine, such as `/sys` and `/proc`. */
export type Tree = {
  /** The text of a file without white space at its ends; undefined if it cannot be read. */
  text(path: string, bytes_max?: number): Promise<string | undefined>
  /** The first bytes of a file; undefined if it cannot be read. */
  bytes(path: string, count: number): Promise<Buffer | undefined>
  /** The names in a folder, in order; none if it cannot be read. */
  names(path: string): Promise<string[]>
  /** The last part of what a link points to; undefined if it is no link. */
  target(path: string): Promise<string | undefined>
}

const bytesUsual = 65_536
const namesMax = 16_384

/** The files below a folder; `/` for this machine. */
export function openTree(root: string): Tree {
  return {
    text: (path, bytes_max = bytesUsual) => readText(join(root, path), bytes_max).catch(() => undefined),
    bytes: (path, count) => readBytes(join(root, path), count).catch(() => undefined),
    names: (path) =>
      readdir(join(root, path)).then(
        (names) => names.sort().slice(0, namesMax),
        () => [],
      ),
    target: (path) =>
      readlink(join(root, path)).then(
        (target) => basename(target),
        () => undefined,
      ),
  }
}

async function readBytes(path: string, count: number): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function readText(path: string, bytes_max: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const pieces: Buffer[] = []
    // The files of the kernel say that their size is 0, and give a page at a time.
    for (let left = bytes_max; left > 0; ) {
      const { bytesRead, buffer } = await file.read(
        Buffer.alloc(Math.min(left, bytesUsual)),
        0,
        Math.min(left, bytesUsual),
      )
      if (bytesRead === 0) break
      pieces.push(buffer.subarray(0, bytesRead))
      left -= bytesRead
    }
    return Buffer.concat(pieces).toString('latin1').trim()
  } finally {
    await file.close()
  }
}
