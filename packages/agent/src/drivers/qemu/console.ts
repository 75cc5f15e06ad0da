/** Console output of a machine. Positions count all bytes ever written, although the file may have been truncated. */
import { open, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfThere, writeWhole } from '../../files.ts'
import type { MachineSpec } from '../driver.ts'
import { files } from './command-line.rules.ts'

/** A longer file is truncated once all of it has been read. */
const bytesKept = 8 * 2 ** 20
const baseFile = 'console.base'

/** Reads from a position on. */
export async function readConsole({ directory }: MachineSpec, from_byte: number, bytes_max: number): Promise<Buffer> {
  const path = join(directory, files.console)
  const base = Number((await readIfThere(join(directory, baseFile))) ?? 0)
  const length = await stat(path).then(
    ({ size }) => size,
    () => 0,
  )
  const at = Math.max(0, from_byte - base)
  if (at >= length && length > bytesKept) {
    await writeWhole(join(directory, baseFile), String(base + length))
    await truncate(path)
    return Buffer.alloc(0)
  }
  if (at >= length) return Buffer.alloc(0)
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(bytes_max, length - at)), 0, undefined, at)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
