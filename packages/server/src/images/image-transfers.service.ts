/**
 * Transfers the bytes of images that are stored in files. The row of a part is written before its file, and is marked
 * as uploaded only when the complete file is on the disk. An interrupted transfer leaves a row that is still arriving.
 */
import { createHash } from 'node:crypto'
import { partBytesMax } from '@bourse/api/images/image-parts.rules.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { isRefusal, Refusal, refuse, throwIfRefused } from '../core/base/refusal.ts'
import type { FileStore } from '../core/blobs/file-store.ts'
import type { TransferRequest, TransferResponse } from '../core/http/transfer.ts'
import { systemCommand, systemOrigin } from '../core/work/command.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { query } from '../core/work/query.ts'
import type { Runtime } from '../core/work/runtime.ts'
import { refuseNotFound } from '../iam/access/permissions.service.ts'
import { returnLimit, takeLimit } from '../iam/names/limit-usage.service.ts'
import { recordForeignUse } from '../iam/tokens/tokens.service.ts'
import { dropArriving, listParts, removeAfterCommit } from './image-bytes.service.ts'
import { type Arrival, findArrival, insertArrival, removeArrival, replacePart } from './image-transfers.store.ts'
import { readRange, refuseInState, sizeOf } from './image-uploads.rules.ts'
import { requireRight, requireSigned, type SignedRequest } from './image-urls.service.ts'
import { findImage, lockImage } from './images.service.ts'

/** Receives a part. */
export async function takePart(runtime: Runtime, transfer: TransferRequest): Promise<TransferResponse> {
  const signed = await requireSigned(runtime, 'PUT', transfer)
  const { image_id, part_id } = signed
  const size_bytes = readLength(transfer)
  const file = `${part_id}-${runtime.random.bytes(12).toString('hex')}`
  const arrival: Arrival = { image_id: image_id as Id<'image'>, part_id, file, size_bytes }
  const begin = () => systemCommand(runtime, (ctx) => beginArrival(ctx, arrival, signed))
  await recordingForeignUse(runtime, transfer, { signed, operation: 'create_image_part' }, begin)
  try {
    const etag = await keep(filesOf(runtime), arrival, transfer)
    await systemCommand(runtime, (ctx) => endArrival(ctx, arrival, etag))
    return { status: 200, headers: ['ETag', etag] }
  } catch (error) {
    await abandonArrival(runtime, arrival).catch((failure) => {
      runtime.log.warn({ image_id, err: failure }, 'An incomplete part could not be removed; the sweep removes it.')
    })
    throw error
  }
}

/** Sends an image, or a range of it. */
export async function giveImage(runtime: Runtime, transfer: TransferRequest): Promise<TransferResponse> {
  const signed = await requireSigned(runtime, 'GET', transfer)
  const { image_id } = signed
  const find = () =>
    query(runtime, systemOrigin, async (ctx) => {
      const [row, parts] = await Promise.all([findImage(ctx, image_id), listParts(ctx, image_id)])
      if (!row || refuseInState(row.state, 'download')) refuseNotFound()
      await requireRight(ctx, row, { ...signed, verb: 'read' })
      return { row, parts }
    })
  const { row, parts } = await recordingForeignUse(runtime, transfer, { signed, operation: 'get_image_download' }, find)
  const size_bytes = sizeOf(parts)
  const range = readRange(transfer.headers.range, size_bytes)
  const { start, length } = range ?? { start: 0, length: size_bytes }
  const files = parts.map((part) => ({ image_id, file: part.file, size_bytes: part.size_bytes }))
  const headers = ['Accept-Ranges', 'bytes', 'Cache-Control', 'private, no-store', 'ETag', `"${row.sha256}"`]
  if (range) headers.push('Content-Range', `bytes ${start}-${start + length - 1}/${size_bytes}`)
  const open = () => filesOf(runtime).read(files, { start, length })
  return { status: range ? 206 : 200, headers, content: { size_bytes: length, open } }
}

/** The use of a URL, and the operation that the URL was requested by. */
type UrlUse = { readonly signed: SignedRequest; readonly operation: 'create_image_part' | 'get_image_download' }

/**
 * Does what a URL is for. Where the network is refused, this counts and is recorded, as the edge does it for requests
 * with the token itself.
 */
async function recordingForeignUse<T>(
  runtime: Runtime,
  { request_id, sender, refuseAddress }: TransferRequest,
  { signed: { image_id, holder }, operation }: UrlUse,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (holder === 'host' || !isRefusal(error, 'network_not_allowed')) throw error
    const refusal = refuseAddress(holder)
    if (refusal.retry_after_seconds === undefined) {
      const use = { operation, targets: [{ type: 'image', id: image_id }], sender }
      await query(runtime, { ...systemOrigin, request_id }, (ctx) => recordForeignUse(ctx, holder, use))
    }
    throw new Refusal(refusal)
  }
}

function filesOf({ blobs }: Runtime): FileStore {
  if (blobs.kind !== 'files') throw new Error('Images are kept in an object store.')
  return blobs
}

function readLength({ headers }: TransferRequest): number {
  const text = headers['content-length']
  if (text === undefined) refuse('required', 'This header is required.', 'Content-Length')
  const size_bytes = Number(text)
  if (size_bytes > partBytesMax) refuse('body_too_large', `A part must not exceed ${partBytesMax} bytes.`, null)
  return size_bytes
}

/** Writes a part to its file. Returns its ETag. */
async function keep(
  files: FileStore,
  { image_id, file }: Arrival,
  { bytes, headers }: TransferRequest,
): Promise<string> {
  const hash = createHash('md5')
  await files.write({ image_id, file }, bytes(), (chunk) => void hash.update(chunk))
  const digest = hash.digest()
  const wanted = headers['content-md5']
  if (wanted !== undefined && wanted !== digest.toString('base64')) {
    refuse('invalid_value', 'The part does not match this digest. Upload it again.', 'Content-MD5')
  }
  return `"${digest.toString('hex')}"`
}

async function beginArrival(ctx: Ctx, arrival: Arrival, signed: SignedRequest): Promise<void> {
  const { image_id, part_id, size_bytes } = arrival
  const known = (await findImage(ctx, image_id)) ?? noLonger()
  if (refuseInState(known.state, 'upload')) noLonger()
  await requireRight(ctx, known, { ...signed, verb: 'write' })
  await takeLimit(ctx, known.account_id, 'image_bytes', size_bytes)
  const row = await lockImage(ctx, known.id)
  throwIfRefused(refuseInState(row.state, 'upload'))
  // Of two uploads of the same part the later one counts; usually the earlier one was interrupted.
  await dropArriving(ctx, row, part_id)
  await insertArrival(ctx.db, arrival, ctx.now)
}

async function endArrival(ctx: Ctx, arrival: Arrival, etag: string): Promise<void> {
  const { image_id } = arrival
  const known = (await findImage(ctx, image_id)) ?? noLonger()
  const row = await lockImage(ctx, known.id)
  if (refuseInState(row.state, 'upload') || !(await findArrival(ctx.db, arrival))) noLonger()
  const former = await replacePart(ctx.db, arrival, etag, ctx.now)
  if (!former) return
  await returnLimit(ctx, row.account_id, 'image_bytes', former.size_bytes)
  removeAfterCommit(ctx, { image_id, files: [former.file] })
}

/** Removes a part that did not arrive. It stays if it was recorded as uploaded although the commit seemed to fail. */
async function abandonArrival(runtime: Runtime, arrival: Arrival): Promise<void> {
  const { image_id, file } = arrival
  await systemCommand(runtime, async (ctx) => {
    const known = await findImage(ctx, image_id)
    if (known) await lockImage(ctx, known.id)
    const abandoned = await removeArrival(ctx.db, arrival)
    if (abandoned && known) await returnLimit(ctx, known.account_id, 'image_bytes', abandoned.size_bytes)
    const parts = await listParts(ctx, image_id)
    if (!parts.some((part) => part.file === file)) removeAfterCommit(ctx, { image_id, files: [file] })
  })
}

function noLonger(): never {
  refuse('invalid_state', 'The upload has ended: the image was completed or deleted, or it failed.')
}
