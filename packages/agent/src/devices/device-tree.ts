/** The files by which the kernel gives devices away: bounded reads, and writes that may fail. */
import { chmod, chown, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openTree, type Tree } from '../facts/tree.ts'
import { writeApart } from './apart.ts'

/** The files of a host below a root, which is `/` but for tests. */
export type DeviceTree = Tree & {
  /** Whether there is such a file or folder. */
  exists(path: string): Promise<boolean>
  /** Writes to a file that exists. Throws the error of the kernel. It may never end. */
  write(path: string, text: string): Promise<void>
  /** Makes a user the only one who may open a file. */
  own(path: string, uid: number): Promise<void>
}

/** Opens the files below a folder. */
export function openDeviceTree(root: string): DeviceTree {
  return {
    ...openTree(root),
    exists: (path) =>
      stat(join(root, path)).then(
        () => true,
        () => false,
      ),
    write: (path, text) => writeApart(join(root, path), text),
    own: async (path, uid) => {
      await chown(join(root, path), uid, uid)
      await chmod(join(root, path), 0o600)
    },
  }
}
