/** Bounded reads below a root. The files are the kernel's, or those of a test; none of them is trusted to be whole. */
import { open, readdir, readlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readApart, readLinesApart } from '../devices/apart.ts'

/** The files of a machine, such as `/sys` and `/proc`. */
export type Tree = {
  /** The text of a file without white space at its ends; undefined if it cannot be read. */
  text(path: string, bytesMax?: number): Promise<string | undefined>
  /** The first bytes of a file for which the kernel asks a device; undefined if it cannot be read. It may never end. */
  bytes(path: string, count: number): Promise<Buffer | undefined>
  /** The last lines of such files, by one process; none of those that cannot be read. It may never end. */
  lines(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The names in a folder, in order; none if it cannot be read. */
  names(path: string): Promise<string[]>
  /** The last part of what a link points to; undefined if it is no link. */
  target(path: string): Promise<string | undefined>
}

const bytesUsual = 65_536
const bytesOfPage = 4096
const namesMax = 16_384

/** The files below a folder; `/` for this machine. */
export function openTree(root: string): Tree {
  return {
    text: (path, bytesMax = bytesUsual) => readText(join(root, path), bytesMax).catch(() => undefined),
    bytes: (path, count) => readApart(join(root, path), count).catch(() => undefined),
    lines: async (paths) => {
      const text = await readLinesApart(paths.map((path) => join(root, path))).catch(() => '')
      const lines = text.toString('latin1').split('\n')
      return new Map(
        paths.flatMap((path) => {
          const start = `${join(root, path)}:`
          const line = lines.findLast((one) => one.startsWith(start))
          return line === undefined ? [] : [[path, line.slice(start.length).trim()] as const]
        }),
      )
    },
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

async function readText(path: string, bytesMax: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const pieces: Buffer[] = []
    // The files of the kernel say that their size is 0, and give a page at a time.
    for (let left = bytesMax; left > 0; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(left, bytesOfPage)))
      if (bytesRead === 0) break
      pieces.push(buffer.subarray(0, bytesRead))
      left -= bytesRead
    }
    return Buffer.concat(pieces).toString('latin1').trim()
  } finally {
    await file.close()
  }
}
