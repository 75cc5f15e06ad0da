import {
  type completeImage as completeContract,
  type createImage as createContract,
  type ImageDownload,
  type ImagePart,
  type ImagePartUrl,
  type createImagePart as partContract,
  uploadLifeSeconds,
} from '@bourse/api/images/image-uploads.ts'
import type { Image } from '@bourse/api/images/images.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import { Refusal, refuse, throwIfRefused } from '../core/base/refusal.ts'
import type { ObjectStore } from '../core/blobs/object-store.ts'
import type { PlainRequest } from '../core/http/request-context.ts'
import { plainCommand, systemCommand } from '../core/work/command.ts'
import { type Caller, type Ctx, callerOf } from '../core/work/ctx.ts'
import { shortListResponse } from '../core/work/page.ts'
import { query } from '../core/work/query.ts'
import type { Runtime } from '../core/work/runtime.ts'
import type { CommandOrigin } from '../core/work/writing.ts'
import { allow, chooseWorkspace } from '../iam/access/permissions.service.ts'
import { returnLimit, takeLimit } from '../iam/names/limit-usage.service.ts'
import {
  dropArriving,
  findUpload,
  forgetUpload,
  listParts,
  putUpload,
  replaceParts,
  uploadExpiry,
} from './image-bytes.service.ts'
import { inspectUpload } from './image-formats.service.ts'
import {
  chooseFormat,
  type Inspected,
  type PartRow,
  refuseInState,
  refuseParts,
  sizeOf,
  type UploadRow,
} from './image-uploads.rules.ts'
import { contentUrl, partUrl } from './image-urls.service.ts'
import { beginVerification } from './image-verification.service.ts'
import type { ImageRow } from './images.rules.ts'
import {
  addUnfinishedImage,
  findImage,
  loadImage,
  lockImage,
  presentOne,
  refuseIfPublic,
  updateProgress,
} from './images.service.ts'

/** How old a listing of parts from the object store may be when a limit is checked. */
const listingSeconds = 30
/** How often the assembly is tried if parts are uploaded again in between. */
const assemblies = 3

/** Creates an image to upload. */
export async function createImage(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<Image> {
  const { account_id } = callerOf(ctx)
  const workspace_id = await chooseWorkspace(ctx, body.workspace)
  await allow(ctx, 'image:create', workspace_id)
  return addUnfinishedImage(ctx, { account_id, workspace_id, name: body.name, state: 'started' })
}

/** Creates the upload URL of a part. */
export async function createImagePart(
  runtime: Runtime,
  { params, body }: Input<typeof partContract>,
  request: PlainRequest,
): Promise<ImagePartUrl> {
  const origin = originOf(request)
  const { blobs, keys, public_url } = runtime
  if (blobs.kind === 'objects') {
    const { id, upload, isStale } = await query(runtime, origin, (ctx) => findStale(ctx, params.id))
    const isOver = isStale && upload !== null && !(await recordParts(runtime, blobs, { image_id: id, upload }))
    if (isOver) refuse('invalid_state', 'The store takes no more parts of this image. Complete it, or delete it.')
  }
  const { part_id } = body
  const admitted = await plainCommand(runtime, origin, async (ctx) => {
    const part = await admitPart(ctx, params.id)
    // In this transaction, as the image has changed then, whatever becomes of the URL.
    request.record?.(ctx, { object: 'image_part_url', part_id })
    return part
  })
  const { id: image_id, now } = admitted
  const upload = blobs.kind === 'objects' ? (admitted.upload ?? (await nameUpload(runtime, blobs, image_id))) : null
  const holder = origin.caller.token_id
  const url = await partUrl({ blobs, keys, now, public_url }, { image_id, part_id, upload, holder })
  return { object: 'image_part_url', part_id, ...url }
}

/** Lists the uploaded parts. */
export async function listImageParts(runtime: Runtime, ref: Ref<'image'>, request: PlainRequest) {
  const { row, known, parts } = await query(runtime, originOf(request), (ctx) => readParts(ctx, ref))
  const isUnderWay = row.state === 'uploading' && runtime.blobs.kind === 'objects' && known?.upload
  const listed = isUnderWay ? await (runtime.blobs as ObjectStore).listParts(isUnderWayOf(row, known)) : undefined
  return shortListResponse((listed ?? parts).map(presentPart))
}

/**
 * Completes the upload of an image. The image can be used once the server has found the digest that was sent in its
 * bytes: for few bytes in this response, for more in the background.
 */
export async function completeImage(
  runtime: Runtime,
  { params, body }: Input<typeof completeContract>,
  request: PlainRequest,
): Promise<Image> {
  const origin = originOf(request)
  if (runtime.blobs.kind === 'objects') await assemble(runtime, runtime.blobs, origin, params.id)
  const upload = await query(runtime, origin, (ctx) => findWhole(ctx, params.id))
  const inspected = upload && (await inspectUpload(runtime, upload))
  const image = await plainCommand(runtime, origin, async (ctx) => {
    const finished = await finishUpload(ctx, params.id, body, inspected)
    request.record?.(ctx, finished)
    return finished
  })
  if (image.state !== 'verifying') return image
  await beginVerification(runtime, image)
  return query(runtime, origin, async (ctx) => presentOne(ctx, await loadImage(ctx, image.id)))
}

/** Fails an upload that was not continued for 24 hours. Returns when that is due if it is in the future. */
export async function expireUpload(ctx: Ctx, id: Id<'image'>): Promise<number | undefined> {
  if (!(await findImage(ctx, id))) return undefined
  const row = await lockImage(ctx, id)
  const upload = await findUpload(ctx, row.id)
  if (!upload || refuseInState(row.state, 'upload')) return undefined
  const endsAt = upload.part_url_at + uploadLifeSeconds
  if (endsAt > ctx.now) return endsAt
  await updateProgress(ctx, row, { state: 'failed', failure_reason: 'upload_expired' })
  await forgetUpload(ctx, row)
  return undefined
}

/** Creates the download URL of an image. */
export async function getImageDownload(ctx: Ctx, ref: Ref<'image'>): Promise<ImageDownload> {
  const row = await loadImage(ctx, ref)
  if (!row.is_public) await allow(ctx, 'image:read', row)
  throwIfRefused(refuseInState(row.state, 'download'))
  const signed = await contentUrl(ctx, row)
  if (!signed) refuse('invalid_state', 'This image was created without an upload, so there is nothing to download.')
  const { sha256, size_bytes } = row
  if (sha256 === null || size_bytes === null) throw new Error(`Image ${row.id} is complete but has no digest.`)
  return { object: 'image_download', ...signed, sha256, size_bytes }
}

function originOf({ caller, request_id }: PlainRequest): CommandOrigin & { caller: Caller } {
  if (!caller) throw new Error('This operation requires a token.')
  return { caller, actor: { type: 'token', id: caller.token_id }, request_id }
}

async function loadOwn(ctx: Ctx, ref: Ref<'image'>): Promise<ImageRow> {
  const row = await loadImage(ctx, ref)
  refuseIfPublic(row)
  await allow(ctx, 'image:write', row)
  return row
}

async function admitPart(
  ctx: Ctx,
  ref: Ref<'image'>,
): Promise<{ id: Id<'image'>; now: number; upload: string | null }> {
  const known = await loadOwn(ctx, ref)
  throwIfRefused(refuseInState(known.state, 'upload'))
  // A part needs room for one byte at least. Its size is taken from the limit when it arrives.
  await takeLimit(ctx, known.account_id, 'image_bytes', 1)
  const row = await lockImage(ctx, known.id)
  throwIfRefused(refuseInState(row.state, 'upload'))
  const upload = await loadUpload(ctx, row.id)
  await returnLimit(ctx, row.account_id, 'image_bytes', 1)
  if (row.state === 'started') await updateProgress(ctx, row, { state: 'uploading' })
  await putUpload(ctx, { ...upload, part_url_at: ctx.now })
  ctx.schedule(uploadExpiry, row.id, ctx.now + uploadLifeSeconds)
  return { id: row.id, now: ctx.now, upload: upload.upload }
}

/** The parts of an upload; undefined if `finishUpload` refuses it without looking at its bytes. */
async function findWhole(ctx: Ctx, ref: Ref<'image'>) {
  const { id, state } = await loadOwn(ctx, ref)
  if (refuseInState(state, 'upload')) return undefined
  const parts = await listParts(ctx, id)
  return refuseParts(parts) ? undefined : { id, parts }
}

async function finishUpload(
  ctx: Ctx,
  ref: Ref<'image'>,
  { sha256, accept_unknown_format = false }: Input<typeof completeContract>['body'],
  inspected: Inspected | undefined,
): Promise<Image> {
  const known = await loadOwn(ctx, ref)
  const row = await lockImage(ctx, known.id)
  if (['verifying', 'completed'].includes(row.state) && row.sha256 === sha256) return presentOne(ctx, row)
  throwIfRefused(refuseInState(row.state, 'upload'))
  const parts = await listParts(ctx, row.id)
  throwIfRefused(refuseParts(parts))
  const facts = chooseFormat(inspected, parts, accept_unknown_format)
  if ('code' in facts) throw new Refusal(facts)
  await dropArriving(ctx, row, null)
  ctx.unschedule(uploadExpiry, row.id)
  const content = { sha256, size_bytes: sizeOf(parts), ...facts }
  return presentOne(ctx, await updateProgress(ctx, row, { state: 'verifying', ...content }))
}

async function readParts(ctx: Ctx, ref: Ref<'image'>) {
  const row = await loadImage(ctx, ref)
  if (!row.is_public) await allow(ctx, 'image:read', row)
  const [known, parts] = await Promise.all([findUpload(ctx, row.id), listParts(ctx, row.id)])
  return { row, known, parts }
}

function presentPart({ part_id, size_bytes, etag, uploaded_at }: Omit<PartRow, 'file'>): ImagePart {
  return { object: 'image_part', part_id, size_bytes, etag, uploaded_at }
}

/** The upload of an image, or a new one for an image that has no upload row. */
async function loadUpload(ctx: Ctx, image_id: Id<'image'>): Promise<UploadRow> {
  return (await findUpload(ctx, image_id)) ?? { image_id, upload: null, part_url_at: ctx.now, parts_seen_at: 0 }
}

// The functions below call an object store over the network, so they run outside of transactions.

type NamedUpload = { readonly image_id: Id<'image'>; readonly upload: string }

async function findStale(ctx: Ctx, ref: Ref<'image'>) {
  const { id } = await loadOwn(ctx, ref)
  const known = await findUpload(ctx, id)
  return { id, upload: known?.upload ?? null, isStale: (known?.parts_seen_at ?? 0) + listingSeconds <= ctx.now }
}

function isUnderWayOf({ id }: ImageRow, known: UploadRow | undefined): NamedUpload {
  return { image_id: id, upload: known?.upload as string }
}

/** Begins the upload in the store. Of two concurrent calls the later one aborts its own upload again. */
async function nameUpload(runtime: Runtime, blobs: ObjectStore, image_id: Id<'image'>): Promise<string> {
  const made = await blobs.begin(image_id)
  const kept = await systemCommand(runtime, async (ctx) => {
    const row = await lockImage(ctx, image_id)
    const known = await loadUpload(ctx, row.id)
    if (known.upload === null) await putUpload(ctx, { ...known, upload: made })
    return known.upload ?? made
  })
  if (kept !== made) await blobs.abort({ image_id, upload: made })
  return kept
}

/** Lists the parts in the store and records them and their use of the limit. Returns them. */
async function recordParts(runtime: Runtime, blobs: ObjectStore, named: NamedUpload): Promise<PartRow[] | undefined> {
  const listed = (await blobs.listParts(named))?.map((part) => ({ ...part, file: String(part.part_id) }))
  if (listed) await systemCommand(runtime, (ctx) => writeListing(ctx, named.image_id, listed))
  return listed
}

async function writeListing(ctx: Ctx, image_id: Id<'image'>, listed: readonly PartRow[]): Promise<void> {
  const known = await loadImage(ctx, image_id)
  const expected = sizeOf(await listParts(ctx, image_id))
  const taken = Math.max(0, sizeOf(listed) - expected)
  await takeLimit(ctx, known.account_id, 'image_bytes', taken)
  const row = await lockImage(ctx, image_id)
  throwIfRefused(refuseInState(row.state, 'upload'))
  const added = await replaceParts(ctx, image_id, listed)
  // Another listing may have been recorded between the read and the lock.
  await returnLimit(ctx, row.account_id, 'image_bytes', taken - added)
  const upload = await loadUpload(ctx, image_id)
  await putUpload(ctx, { ...upload, parts_seen_at: ctx.now })
}

/** Lets the next request for a part ask the store, which has no upload any more, whatever comes of the completion. */
async function expectNoParts(ctx: Ctx, image_id: Id<'image'>): Promise<void> {
  const row = await lockImage(ctx, image_id)
  await putUpload(ctx, { ...(await loadUpload(ctx, row.id)), parts_seen_at: 0 })
}

/**
 * Assembles the parts in the store. The parts are recorded first, so that after a crash in between the rows match the
 * assembled object.
 */
async function assemble(runtime: Runtime, blobs: ObjectStore, origin: CommandOrigin, ref: Ref<'image'>): Promise<void> {
  const { row, upload } = await query(runtime, origin, async (ctx) => {
    const row = await loadOwn(ctx, ref)
    return { row, upload: (await findUpload(ctx, row.id))?.upload ?? null }
  })
  if (refuseInState(row.state, 'upload') || upload === null) return
  const named = { image_id: row.id, upload }
  for (let left = assemblies; left > 0; left--) {
    const parts = await recordParts(runtime, blobs, named)
    // An earlier call that was interrupted has already assembled the object.
    if (parts === undefined && (await blobs.sizeOf(row.id)) !== undefined) return
    throwIfRefused(refuseParts(parts ?? []))
    if (await blobs.assemble(named, parts ?? [])) return systemCommand(runtime, (ctx) => expectNoParts(ctx, row.id))
  }
  refuse('invalid_state', 'Parts of this image are still being uploaded.')
}
