/**
 * When an image may be uploaded to, when its parts make an image, and which bytes a range of it means. Who may do it,
 * and what becomes of the bytes, is not judged here.
 */
import {
  type ImageAction,
  type ImageState,
  imageStates,
  isImageActionAllowed,
} from '@bourse/api/images/image-states.ts'
import { IMAGE_BYTES_MAX, PART_BYTES_MIN } from '@bourse/api/images/image-uploads.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { RefusalData } from '../core/base/refusal.ts'

/** What is known of an image's upload besides its parts. */
export type UploadRow = {
  image_id: Id<'image'>
  /** The object store's own name of it. */
  upload: string | null
  part_url_at: number
  /** When the object store was last asked for the parts. */
  parts_seen_at: number
}

/** A part that has arrived. */
export type PartRow = {
  part_id: number
  file: string
  size_bytes: number
  etag: string
  uploaded_at: number
}

/** Why something is not done with an image in this state: `invalid_state`. */
export function refuseInState(state: ImageState, action: ImageAction): RefusalData | undefined {
  if (isImageActionAllowed(action, state)) return undefined
  const done = { upload: 'uploaded to', download: 'downloaded' }[action as string] ?? action
  return {
    code: 'invalid_state',
    message: `An image that is ${state} cannot be ${done}. ${imageStates[state].meaning}`,
  }
}

/**
 * Why these parts, in the order of their numbers, make no image: `parts_missing`, `part_too_small` (all but the last
 * have 5 MiB, as S3 wants it) or `image_too_large`.
 */
export function refuseParts(
  parts: readonly { readonly part_id: number; readonly size_bytes: number }[],
): RefusalData | undefined {
  const hole = parts.findIndex(({ part_id }, index) => part_id !== index + 1)
  const missing = parts.length === 0 ? 1 : hole < 0 ? undefined : hole + 1
  if (missing !== undefined) return { code: 'parts_missing', message: `Part ${missing} has not arrived.` }
  const small = parts.slice(0, -1).find(({ size_bytes }) => size_bytes < PART_BYTES_MIN)
  if (small) {
    const message = `Part ${small.part_id} has ${small.size_bytes} bytes; all but the last need ${PART_BYTES_MIN}.`
    return { code: 'part_too_small', message }
  }
  const size_bytes = sizeOf(parts)
  if (size_bytes <= IMAGE_BYTES_MAX) return undefined
  return { code: 'image_too_large', message: `The parts hold ${size_bytes} bytes, ${IMAGE_BYTES_MAX} at most.` }
}

/** Bytes of some parts together. */
export function sizeOf(parts: readonly { readonly size_bytes: number }[]): number {
  return parts.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
}

/**
 * The bytes that a `Range` header means; undefined where it is to be left aside: several ranges, other units, nothing
 * of it there (RFC 9110 lets a server answer the whole then).
 */
export function readRange(
  header: string | undefined,
  size_bytes: number,
): { start: number; length: number } | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  const start = from === '' ? Math.max(0, size_bytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size_bytes : Math.min(size_bytes, Number(to) + 1)
  return start < end ? { start, length: end - start } : undefined
}
