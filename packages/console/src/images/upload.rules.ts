/** How an upload stands: what is left to send, how fast it goes, how long it takes. Pure. */

import type { FilePart, ListedPart, PartsProblem } from '@bourse/api/images/image-parts.rules.ts'
import { hasForeignParts, isPartsProblem, partBytesFor, partsOf } from '@bourse/api/images/image-parts.rules.ts'

/** The parts of a file, or why it cannot be the image that was begun. */
export function planUpload(sizeBytes: number, listed: readonly ListedPart[]): readonly FilePart[] | PartsProblem {
  const partBytes = partBytesFor(sizeBytes, { listed })
  if (isPartsProblem(partBytes)) return partBytes
  const parts = partsOf(sizeBytes, partBytes)
  if (isPartsProblem(parts) || !hasForeignParts(parts, listed)) return parts
  const remedy = 'Choose the file that was uploaded before, or delete the image and begin again.'
  return { message: 'What was uploaded before is of another, larger file.', remedy }
}

/** The parts that the server may have already: those it lists with the length that the file gives them. */
export function partsToCompare(parts: readonly FilePart[], listed: readonly ListedPart[]): readonly FilePart[] {
  const sizes = new Map(listed.map(({ part_id, size_bytes }) => [part_id, size_bytes]))
  return parts.filter(({ part_id, length }) => sizes.get(part_id) === length)
}

/** Whether a part of the server has this MD5, in hexadecimal digits. */
export function isSamePart({ etag }: Pick<ListedPart, 'etag'>, md5: string): boolean {
  return etag.replaceAll('"', '').toLowerCase() === md5
}

/** A point of an upload: how many bytes had been sent at a moment, in milliseconds. */
export type UploadSample = { readonly at: number; readonly bytes: number }

/** Milliseconds that the speed is measured over: long enough that a slow part does not make it jump. */
const measuredFor = 10_000

/** The samples with another one, without those that are too old to count. */
export function withSample(samples: readonly UploadSample[], next: UploadSample): readonly UploadSample[] {
  const kept = samples.filter(({ at }) => next.at - at <= measuredFor)
  return [...(kept.length > 0 ? kept : samples.slice(-1)), next]
}

/** Bytes a second over the samples; undefined while there are too few. */
export function speedOf(samples: readonly UploadSample[]): number | undefined {
  const [first] = samples
  const last = samples.at(-1)
  if (first === undefined || last === undefined || last.at - first.at < 500) return undefined
  return Math.max(0, ((last.bytes - first.bytes) * 1000) / (last.at - first.at))
}

/** Seconds until the rest is sent; undefined while the speed is not known. */
export function secondsLeft(restBytes: number, speed: number | undefined): number | undefined {
  return speed === undefined || speed <= 0 ? undefined : Math.ceil(restBytes / speed)
}

/** A whole percentage that is 100 only when all is there. */
export function percentOf(bytes: number, sizeBytes: number): number {
  return sizeBytes === 0 ? 0 : Math.min(100, Math.floor((bytes * 100) / sizeBytes))
}

/** Milliseconds before another attempt: doubled each time, ten seconds at most. */
export function pauseBefore(attempt: number): number {
  return Math.min(10_000, 500 * 2 ** (attempt - 1))
}

/** Whether an answer to a part may be different the next time: 403 is a URL that has expired. Zero: no answer came. */
export function mayRetry(status: number): boolean {
  return [0, 403, 408, 429, 500, 502, 503, 504].includes(status)
}

/** The URL of a part as the page reaches it: that of this server by the address at which the page was opened. */
export function reachableUrl(url: string, origin: string): string {
  const { pathname, search } = new URL(url)
  return pathname.startsWith('/image_data/') ? origin + pathname + search : url
}
