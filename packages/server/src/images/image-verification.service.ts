/**
 * Verifies images: computes the digest of the bytes in the store and compares it with the one that was sent. Until
 * then an image cannot be used, so nobody can name the digest of bytes that they do not have. Few bytes are hashed
 * within the request that completes the upload; more on a thread, one image at a time in each process. Which server
 * verifies an image is a claim in its row, which lapses when that server dies.
 */
import type { Image } from '@bourse/api/images/images.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { every } from '../core/base/clock.ts'
import { type BlobDigest, type DigestSource, readDigest, readDigestInThread } from '../core/blobs/digest.ts'
import { systemCommand, systemOrigin } from '../core/work/command.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { query } from '../core/work/query.ts'
import type { Runtime } from '../core/work/runtime.ts'
import { forgetUpload, listParts } from './image-bytes.service.ts'
import { claimUnverified, putClaim, type Unverified } from './image-verification.store.ts'
import { findImage, lockImage, updateProgress } from './images.service.ts'

/** The most bytes that are hashed within a request: some hundredths of a second. */
const bytesInRequestMax = 32 * 2 ** 20
const claimSeconds = 60
const extendMilliseconds = 20_000
/** How often a server looks for images whose claim has lapsed. */
const searchMilliseconds = 30_000

declare module '../core/work/services.ts' {
  interface Services {
    readonly image_verification: ImageVerification
  }
}

/** Wakes the background verification of this server, if it runs one. */
type ImageVerification = { wake: () => void }

/** Creates the member of a server's services. */
export function createImageVerification(): ImageVerification {
  return { wake: () => {} }
}

/** Verifies an image at once if it has few bytes, else in the background. Returns when it needs no more waiting. */
export async function beginVerification(runtime: Runtime, { id, size_bytes }: Image): Promise<void> {
  if (size_bytes === null || size_bytes > bytesInRequestMax) return runtime.services.image_verification.wake()
  const claimed = await claimUnverified(runtime.database.reader, claimSeconds, id)
  if (!claimed) return
  await verify(runtime, claimed, readDigest).catch((error) => postpone(runtime, claimed, error))
}

/** Verifies all images that nobody verifies. Returns their number. */
export async function verifyPending(runtime: Runtime, signal: AbortSignal): Promise<number> {
  const { reader } = runtime.database
  for (let verified = 0; ; verified++) {
    const claimed = signal.aborted ? undefined : await claimUnverified(reader, claimSeconds, null)
    if (!claimed) return verified
    const stop = every(extendMilliseconds, () => {
      void putClaim(reader, claimed.image_id, claimSeconds).catch(() => {})
    })
    try {
      await verify(runtime, claimed, (source) => readDigestInThread(source, signal))
    } catch (error) {
      await postpone(runtime, claimed, signal.aborted ? undefined : error)
    } finally {
      stop()
    }
  }
}

/** Verifies in the background from now on. Returns a function that stops it. */
export function startImageVerification(runtime: Runtime): () => Promise<void> {
  const { image_verification } = runtime.services
  const stopped = new AbortController()
  let running: Promise<unknown> = Promise.resolve()
  let isQueued = false
  const work = async () => {
    isQueued = false
    if (stopped.signal.aborted) return
    await verifyPending(runtime, stopped.signal).catch((error: Error) => {
      runtime.log.warn({ err: error }, 'Images could not be verified. The next attempt is within a minute.')
    })
  }
  image_verification.wake = () => {
    if (isQueued) return
    isQueued = true
    running = running.then(work)
  }
  image_verification.wake()
  const stopSearching = every(searchMilliseconds, () => image_verification.wake())
  return async () => {
    stopSearching()
    image_verification.wake = () => {}
    stopped.abort(new Error('The server stops.'))
    await running
  }
}

async function verify(
  runtime: Runtime,
  { image_id }: Unverified,
  read: (source: DigestSource) => Promise<BlobDigest>,
): Promise<void> {
  const digest = await read(await sourceOf(runtime, image_id))
  await systemCommand(runtime, (ctx) => endVerification(ctx, image_id as Id<'image'>, digest))
}

async function sourceOf(runtime: Runtime, image_id: string): Promise<DigestSource> {
  const { blobs } = runtime
  if (blobs.kind === 'objects') return blobs.digestSource(image_id)
  const parts = await query(runtime, systemOrigin, (ctx) => listParts(ctx, image_id))
  return blobs.digestSource(parts.map(({ file }) => ({ image_id, file })))
}

/** Completes the image if its bytes are those that were announced; else it fails, and its bytes are released. */
async function endVerification(ctx: Ctx, id: Id<'image'>, { sha256, size_bytes }: BlobDigest): Promise<void> {
  if (!(await findImage(ctx, id))) return
  const row = await lockImage(ctx, id)
  if (row.state !== 'verifying') return
  if (row.sha256 === sha256 && row.size_bytes === size_bytes) {
    await updateProgress(ctx, row, { state: 'completed' })
    return
  }
  await updateProgress(ctx, row, { state: 'failed', failure_reason: 'digest_mismatch' })
  await forgetUpload(ctx, row)
}

/** Leaves an image to a later attempt. A server that stops gives its claim back at once. */
async function postpone({ database, log }: Runtime, { image_id }: Unverified, error: unknown): Promise<void> {
  if (error) log.warn({ image_id, err: error }, 'An image could not be verified. The next attempt is in a minute.')
  await putClaim(database.reader, image_id, error ? claimSeconds : 0).catch(() => {})
}
