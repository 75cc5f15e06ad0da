/** Divides a file into the parts of an image, and reads sums of it without holding it. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { IMAGE_BYTES_MAX, IMAGE_PARTS_MAX, PART_BYTES_MAX, PART_BYTES_MIN } from '@bourse/api/images/image-uploads.ts'
import { usageProblem } from '../output/usage.ts'

/** A stretch of a file. */
export type FilePart = { readonly part_id: number; readonly start: number; readonly length: number }

/** A part as the server lists it. */
export type ListedPart = { readonly part_id: number; readonly size_bytes: number; readonly etag: string }

const mebibyte = 2 ** 20
const usualPartBytes = 16 * mebibyte
const readBytes = mebibyte

/** How large parts are: as asked for, as those that are there already, or so that there are not too many. */
export function choosePartBytes(
  size_bytes: number,
  { asked, listed }: { asked?: number | undefined; listed: readonly ListedPart[] },
): number {
  const least = Math.ceil(size_bytes / IMAGE_PARTS_MAX)
  const begun = Math.max(0, ...listed.map((part) => part.size_bytes))
  const usual = Math.max(usualPartBytes, Math.ceil(least / mebibyte) * mebibyte)
  const chosen = asked ?? (begun >= PART_BYTES_MIN ? begun : usual)
  if (chosen >= Math.max(PART_BYTES_MIN, least) && chosen <= PART_BYTES_MAX) return chosen
  throw usageProblem(`Parts of ${chosen} bytes do not do.`, `They have 5 MiB to 5 GiB, and there are 10,000 at most.`)
}

/** The parts of a file. Throws where it cannot become an image. */
export function planParts(size_bytes: number, part_bytes: number): FilePart[] {
  if (size_bytes === 0) throw usageProblem('The file is empty.')
  if (size_bytes > IMAGE_BYTES_MAX) throw usageProblem('The file is too large.', 'An image has 128 GiB at most.')
  return Array.from({ length: Math.ceil(size_bytes / part_bytes) }, (_, index) => {
    const start = index * part_bytes
    return { part_id: index + 1, start, length: Math.min(part_bytes, size_bytes - start) }
  })
}

/** A size as people type it: bytes, or `64MiB`, `1GiB`. */
export function readSize(text: string): number {
  const [, count, unit = ''] = /^(\d{1,12})(KiB|MiB|GiB)?$/i.exec(text) ?? []
  const factor = { '': 1, kib: 1024, mib: mebibyte, gib: 1024 * mebibyte }[unit.toLowerCase()]
  if (count === undefined || factor === undefined) throw usageProblem(`"${text}" is no size.`, 'Write 64MiB or 1GiB.')
  return Number(count) * factor
}

/** The hash of a stretch of a file; `look` sees how much was read. */
export async function hashFile(
  path: string,
  algorithm: 'md5' | 'sha256',
  { start, length }: { start: number; length: number },
  look: (bytes: number) => void = () => {},
): Promise<Buffer> {
  const hash = createHash(algorithm)
  if (length > 0) {
    for await (const chunk of readFile(path, { start, length })) {
      hash.update(chunk as Buffer)
      look((chunk as Buffer).length)
    }
  }
  return hash.digest()
}

/** Reads a stretch of a file. */
export function readFile(path: string, { start, length }: { start: number; length: number }) {
  return createReadStream(path, { start, end: start + length - 1, highWaterMark: readBytes })
}
