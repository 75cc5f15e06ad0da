/** Divides a file into the parts of an image, and computes checksums without loading the file into memory. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  type FilePart,
  isPartsProblem,
  type ListedPart,
  partBytesFor,
  partsOf,
} from '@bourse/api/images/image-parts.rules.ts'
import { usageProblem } from '../output/usage.ts'

const readBytes = 2 ** 20

/** Chooses the size of the parts. Throws where the requested one is invalid. */
export function choosePartBytes(
  sizeBytes: number,
  wanted: { asked?: number | undefined; listed: readonly ListedPart[] },
): number {
  const chosen = partBytesFor(sizeBytes, wanted)
  if (isPartsProblem(chosen)) throw usageProblem(chosen.message, chosen.remedy)
  return chosen
}

/** Divides a file into parts. Throws where its size is invalid for an image. */
export function planParts(sizeBytes: number, partBytes: number): readonly FilePart[] {
  const parts = partsOf(sizeBytes, partBytes)
  if (isPartsProblem(parts)) throw usageProblem(parts.message, parts.remedy)
  return parts
}

/** Computes the hash of a range of a file; the last argument gets the number of bytes read. */
export async function hashFile(
  path: string,
  algorithm: 'md5' | 'sha256',
  { start, length }: { start: number; length: number },
  output: (bytes: number) => void = () => {},
): Promise<Buffer> {
  const hash = createHash(algorithm)
  if (length > 0) {
    for await (const chunk of readFile(path, { start, length })) {
      hash.update(chunk as Buffer)
      output((chunk as Buffer).length)
    }
  }
  return hash.digest()
}

/** Reads a range of a file. */
export function readFile(path: string, { start, length }: { start: number; length: number }) {
  return createReadStream(path, { start, end: start + length - 1, highWaterMark: readBytes })
}
