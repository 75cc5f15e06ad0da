// Whether the archive of a bundle may be unpacked: a tar of plain files, folders and links that stay inside of it.

import { posix } from 'node:path'
import { unpackedEntriesMax } from '@bourse/api/fleet/agent-bundles.ts'

const blockBytes = 512
/** File, folder, symbolic link. */
const types: readonly string[] = ['0', '\0', '5', '2']

/** Why a tar must not be unpacked; undefined if it may. */
export function archiveProblem(tar: Buffer): string | undefined {
  let entries = 0
  for (let at = 0; at + blockBytes <= tar.length; ) {
    const header = tar.subarray(at, at + blockBytes)
    if (header.every((byte) => byte === 0)) return entries === 0 ? 'The archive is empty.' : undefined
    const problem = headerProblem(header)
    if (problem !== undefined) return problem
    entries += 1
    if (entries > unpackedEntriesMax) return `The archive has more than ${unpackedEntriesMax} entries.`
    const size = numberAt(header, 124)
    if (!Number.isSafeInteger(size) || (size > 0 && !hasContent(header))) return 'The archive is damaged.'
    at += blockBytes + Math.ceil(size / blockBytes) * blockBytes
  }
  return 'The archive is cut off.'
}

function headerProblem(header: Buffer): string | undefined {
  if (numberAt(header, 148, 8) !== checksumOf(header)) return 'The archive is damaged.'
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? textAt(header, 345, 155) : ''
  const name = prefix === '' ? textAt(header, 0, 100) : `${prefix}/${textAt(header, 0, 100)}`
  const type = header.toString('latin1', 156, 157)
  const shown = JSON.stringify(name)
  if (!types.includes(type)) return `The archive has ${shown}, which is neither a file nor a folder nor a link.`
  if (!isInside(name)) return `The archive has ${shown}, which would lie outside of it.`
  if (type === '2' && !isInside(posix.join(posix.dirname(name), textAt(header, 157, 100)), textAt(header, 157, 100))) {
    return `The link ${shown} of the archive leads out of it.`
  }
  return undefined
}

/** Programs do not agree whether content follows the header of a folder or a link, and so where the next one is. */
function hasContent(header: Buffer): boolean {
  return ['0', '\0'].includes(header.toString('latin1', 156, 157)) && !textAt(header, 0, 100).endsWith('/')
}

/** Whether a path stays below the place where it is unpacked. `given` is the path before it was joined to others. */
function isInside(path: string, given = path): boolean {
  if (given === '' || given.startsWith('/')) return false
  const [first] = posix.normalize(path).split('/')
  return first !== '..'
}

function textAt(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? length : end)
}

function numberAt(header: Buffer, at: number, length = 12): number {
  const text = textAt(header, at, length).trim()
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN
}

/** The sum of all bytes, with its own field as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 0
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 32 : byte
  return sum
}
