/**
 * Console output of a machine. Positions count all bytes ever written. The machine appends to one file; when that file
 * is long, its bytes move to a second one and it begins anew, so that the two together are a ring: what the server has
 * not received when the second file is replaced is lost.
 */
import { copyFile, open, rename, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfThere, writeWhole } from '../../files.ts'
import type { ConsolePart, MachineSpec } from '../driver.ts'
import { files } from './command-line.rules.ts'

/** A longer file is moved aside. */
export const consoleBytesMax = 4 * 2 ** 20
const baseFile = 'console.base'

/** The position at which the present file begins, and the length of the file before it. */
type ConsolePosition = { readonly base: number; readonly previous: number }

/** Reads from a position on, or from the first byte after it that is still there. */
export async function readConsole({ directory }: MachineSpec, from: number, bytesMax: number): Promise<ConsolePart> {
  const path = join(directory, files.console)
  const previousPath = join(directory, files.previousConsole)
  const { base, previous } = await openPlace(directory)
  const first_byte = Math.max(from, base - previous)
  const at = first_byte - (base - previous)
  const older = await readPart(previousPath, at, Math.min(bytesMax, previous - at))
  // Both files together: bytes that are sent again must be as many as the first time.
  const newer = await readPart(path, Math.max(0, first_byte - base), bytesMax - older.length)
  return { first_byte, bytes: Buffer.concat([older, newer]) }
}

/** The place of the files, after a long one has been moved aside. */
async function openPlace(directory: string): Promise<ConsolePosition> {
  const path = join(directory, files.console)
  const [base = 0, previous = 0] = ((await readIfThere(join(directory, baseFile))) ?? '').split(' ').map(Number)
  if ((await lengthOf(path)) <= consoleBytesMax) return { base, previous }
  const beside = join(directory, `${files.previousConsole}.new`)
  await copyFile(path, beside)
  const moved = await lengthOf(beside)
  await rename(beside, join(directory, files.previousConsole))
  await writeWhole(join(directory, baseFile), `${base + moved} ${moved}`)
  // The machine opened the file for appending, so it goes on at the new end. What it wrote since the copy is lost.
  await truncate(path)
  return { base: base + moved, previous: moved }
}

async function lengthOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}

async function readPart(path: string, at: number, bytesMax: number): Promise<Buffer> {
  if (bytesMax <= 0) return Buffer.alloc(0)
  const bytes = Math.min(bytesMax, (await lengthOf(path)) - at)
  if (bytes <= 0) return Buffer.alloc(0)
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, undefined, at)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
