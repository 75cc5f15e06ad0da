/** The files by which the kernel gives devices away: bounded reads, and writes that may fail. */
import { constants } from 'node:fs'
import { chmod, chown, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openTree, type Tree } from '../facts/tree.ts'

/** The files of a host below a root, which is `/` but for tests. */
export type DeviceTree = Tree & {
  /** Whether there is such a file or folder. */
  exists(path: string): Promise<boolean>
  /** Writes to a file that exists. Throws the error of the kernel. */
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
    // Some files can only be written, and none may be made: the flags of an ordinary write do not fit.
    write: (path, text) => writeFile(join(root, path), text, { flag: constants.O_WRONLY }),
    own: async (path, uid) => {
      await chown(join(root, path), uid, uid)
      await chmod(join(root, path), 0o600)
    },
  }
}
