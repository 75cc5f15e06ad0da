/** Divides a file into the parts of an image, and computes checksums without loading the file into memory. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { IMAGE_BYTES_MAX, IMAGE_PARTS_MAX, PART_BYTES_MAX, PART_BYTES_MIN } from '@bourse/api/images/image-uploads.ts'
import { usageProblem } from '../output/usage.ts'

/** A range of bytes of a file. */
export type FilePart = { readonly part_id: number; readonly start: number; readonly length: number }

/** A part as the server lists it. */
export type ListedPart = { readonly part_id: number; readonly size_bytes: number; readonly etag: string }

const mebibyte = 2 ** 20
const usualPartBytes = 16 * mebibyte
const readBytes = mebibyte

/** Chooses the size of the parts: the requested size, that of the existing parts, or one that limits their number. */
export function choosePartBytes(
  size_bytes: number,
  { asked, listed }: { asked?: number | undefined; listed: readonly ListedPart[] },
): number {
  const least = Math.ceil(size_bytes / IMAGE_PARTS_MAX)
  const begun = Math.max(0, ...listed.map((part) => part.size_bytes))
  const usual = Math.max(usualPartBytes, Math.ceil(least / mebibyte) * mebibyte)
  const chosen = asked ?? (begun >= PART_BYTES_MIN ? begun : usual)
  if (chosen >= Math.max(PART_BYTES_MIN, least) && chosen <= PART_BYTES_MAX) return chosen
  const remedy = 'Parts have 5 MiB to 5 GiB, and an image has at most 10,000 of them.'
  throw usageProblem(`The part size of ${chosen} bytes is invalid.`, remedy)
}

/** Divides a file into parts. Throws where its size is invalid for an image. */
export function planParts(size_bytes: number, part_bytes: number): FilePart[] {
  if (size_bytes === 0) throw usageProblem('The file is empty.')
  if (size_bytes > IMAGE_BYTES_MAX) throw usageProblem('The file is too large.', 'An image has at most 128 GiB.')
  return Array.from({ length: Math.ceil(size_bytes / part_bytes) }, (_, index) => {
    const start = index * part_bytes
    return { part_id: index + 1, start, length: Math.min(part_bytes, size_bytes - start) }
  })
}

/** Computes the hash of a range of a file; `look` gets the number of bytes read. */
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
