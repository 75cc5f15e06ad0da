/**
 * How a file becomes parts of an image. The command line and the console divide files alike, so that an upload that one
 * began can be resumed with the other.
 */

/** The largest image, in bytes: 128 GiB. */
export const imageBytesMax = 128 * 2 ** 30
/** The highest part number; the first is 1. */
export const imagePartsMax = 10_000
/** The smallest and largest size of a part, in bytes, as in S3. The last part may be smaller. */
export const partBytesMin = 5 * 2 ** 20
export const partBytesMax = 5 * 2 ** 30

/** A range of bytes of a file. */
export type FilePart = { readonly part_id: number; readonly start: number; readonly length: number }

/** A part as the server lists it. */
export type ListedPart = { readonly part_id: number; readonly size_bytes: number; readonly etag: string }

/** Why a file cannot be divided, and what to do. */
export type PartsProblem = { readonly message: string; readonly remedy?: string }

const mebibyte = 2 ** 20
const usualPartBytes = 16 * mebibyte

/** Chooses the size of the parts: the requested size, that of the existing parts, or one that limits their number. */
export function partBytesFor(
  sizeBytes: number,
  { asked, listed }: { asked?: number | undefined; listed: readonly ListedPart[] },
): number | PartsProblem {
  const least = Math.ceil(sizeBytes / imagePartsMax)
  const begun = Math.max(0, ...listed.map((part) => part.size_bytes))
  const usual = Math.max(usualPartBytes, Math.ceil(least / mebibyte) * mebibyte)
  const chosen = asked ?? (begun >= partBytesMin ? begun : usual)
  if (chosen >= Math.max(partBytesMin, least) && chosen <= partBytesMax) return chosen
  const remedy = 'Parts have 5 MiB to 5 GiB, and an image has at most 10,000 of them.'
  return { message: `The part size of ${chosen} bytes is invalid.`, remedy }
}

/** Divides a file into parts. */
export function partsOf(sizeBytes: number, partBytes: number): readonly FilePart[] | PartsProblem {
  if (sizeBytes === 0) return { message: 'The file is empty.' }
  if (sizeBytes > imageBytesMax) return { message: 'The file is too large.', remedy: 'An image has at most 128 GiB.' }
  return Array.from({ length: Math.ceil(sizeBytes / partBytes) }, (_, index) => {
    const start = index * partBytes
    return { part_id: index + 1, start, length: Math.min(partBytes, sizeBytes - start) }
  })
}

/** Whether a file cannot be divided. */
export function isPartsProblem(found: number | readonly FilePart[] | PartsProblem): found is PartsProblem {
  return typeof found === 'object' && 'message' in found
}

/** Whether the server has parts that are not of this file, divided like this: they would become part of the image. */
export function hasForeignParts(parts: readonly FilePart[], listed: readonly ListedPart[]): boolean {
  return listed.some(({ part_id }) => part_id > parts.length)
}

/** The name that a file gives its image: its own without the last extension, if that is valid. */
export function imageNameOf(file: string): string | undefined {
  const name = file.replace(/^.*[/\\]/, '').replace(/(?<=.)\.[^.]*$/, '')
  return /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,254}$/.test(name) ? name : undefined
}
