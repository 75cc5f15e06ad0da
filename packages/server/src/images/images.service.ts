import type { ImageFormat } from '@bourse/api/images/image-format.rules.ts'
import type { ImageAction } from '@bourse/api/images/image-states.ts'
import type { Image, listImages as listContract } from '@bourse/api/images/images.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import { Refusal, refuse, throwIfRefused } from '../core/base/refusal.ts'
import { refuseInUse } from '../core/http/in-use.ts'
import { type Ctx, callerOf } from '../core/work/ctx.ts'
import { among, conditions, pageResponse } from '../core/work/page.ts'
import {
  allow,
  hasPermission,
  isOwnWorkspace,
  onlyVisible,
  refuseNotFound,
  visibleWorkspaces,
} from '../iam/access/permissions.service.ts'
import { returnLimit, takeLimit } from '../iam/names/limit-usage.service.ts'
import { claimName, idToLoad, pickSummary, releaseName, resolveFilter, summaries } from '../iam/names/names.service.ts'
import { lockWorkspaceShared } from '../iam/names/owners.service.ts'
import { beginUpload, forgetUpload } from './image-bytes.service.ts'
import { contentUrl } from './image-urls.service.ts'
import { changeImage, type ImageRow } from './images.rules.ts'
import {
  findImage as findRow,
  imageLock,
  insertImage,
  launchableImageLock,
  listImages as listRows,
  removeImage,
  updateImage as updateRow,
} from './images.store.ts'

/** The columns of an image that describe its bytes. */
type ImageContent = Pick<ImageRow, 'sha256' | 'size_bytes' | 'format' | 'virtual_size_bytes'>
type ImageChangeAction = Exclude<ImageAction, 'launch' | 'delete' | 'upload' | 'download'>

/** An image that is created complete, without an upload. */
export type ReadyImage = {
  readonly account_id: string
  readonly workspace_id: Id<'workspace'>
  readonly name: string | undefined
  readonly is_public: boolean
  readonly sha256: string
  readonly size_bytes: number
  readonly format: ImageFormat
  readonly virtual_size_bytes: number
}

/** An image that is not complete. */
type UnfinishedImage = Pick<ReadyImage, 'account_id' | 'workspace_id' | 'name'> & {
  readonly state: 'started' | 'uploading' | 'failed'
}

const referrersShown = 20
/** The most references to a public image that are read to find the accounts that get an event. */
const audienceMax = 100_000

/** Lists the caller's images, or the public images of a workspace of another account, which need no right. */
export async function listImages(ctx: Ctx, query: Input<typeof listContract>['query']) {
  if (query.public) return listPublicImages(ctx, query)
  const where = conditions()
  const workspace_id = query.workspace === undefined ? undefined : await idToLoad(ctx, 'workspace', query.workspace)
  const isOwn = workspace_id !== undefined && (await isOwnWorkspace(ctx, callerOf(ctx), workspace_id))
  if (query.workspace === undefined || isOwn) {
    onlyVisible(ctx, where, 'i', await visibleWorkspaces(ctx, 'image:list', query.workspace))
  } else where.add('i.workspace_id = $', workspace_id).check('i.is_public')
  where.addIf('i.id = any($)', await resolveFilter(ctx, 'image', query.id))
  const page = await listRows(ctx, query, { where, among: among('i.state', query.state) })
  return pageResponse(page, await present(ctx, page.rows))
}

/** The images that every account may start from. Like the single public image, they need no permission. */
async function listPublicImages(ctx: Ctx, query: Input<typeof listContract>['query']) {
  if (query.workspace !== undefined) {
    refuse('mutually_exclusive', 'Give `public` or `workspace`: the operator has all public images.', 'workspace')
  }
  const where = conditions().add('i.is_public').checkIf('i.state = any($)', query.state)
  where.checkIf('i.id = any($)', await resolveFilter(ctx, 'image', query.id))
  const page = await listRows(ctx, query, { where })
  return pageResponse(page, await present(ctx, page.rows))
}

/** Reads one image. Every account may read public images. */
export async function getImage(ctx: Ctx, ref: Ref<'image'>): Promise<Image> {
  const row = await loadImage(ctx, ref)
  if (!row.is_public) await allow(ctx, 'image:read', row)
  return presentOne(ctx, row)
}

/** Revokes, reinstates or deprecates an image of the caller's own. */
export async function changeOwnImage(
  ctx: Ctx,
  ref: Ref<'image'>,
  action: ImageChangeAction,
  message?: string,
): Promise<Image> {
  const known = await loadImage(ctx, ref)
  refuseIfPublic(known)
  await allow(ctx, 'image:write', known)
  return change(ctx, known.id, action, message)
}

/** Publishes, revokes, reinstates or deprecates an image as the platform operator. */
export async function administerImage(
  ctx: Ctx,
  ref: Ref<'image'>,
  action: ImageChangeAction,
  message?: string,
): Promise<Image> {
  await allow(ctx, 'platform:write', null)
  const known = await loadImage(ctx, ref)
  const isPublishable = known.account_id === ctx.caller?.account_id && (await isPublicWorkspace(ctx, known))
  if (action === 'publish' && !known.is_public && !isPublishable) {
    refuse('invalid_state', 'Only images in the workspace `public` of the platform account can be published.')
  }
  return change(ctx, known.id, action, message)
}

/** Deletes an image that nothing refers to. */
export async function deleteImage(ctx: Ctx, ref: Ref<'image'>): Promise<void> {
  const known = await loadImage(ctx, ref)
  refuseIfPublic(known)
  await allow(ctx, 'image:delete', known)
  const row = await lockImage(ctx, known.id)
  throwIfRefused(refuseInUse('image', await ctx.referrers('image', row.id, referrersShown)))
  await removeImage(ctx, row.id)
  await releaseName(ctx, row.id)
  await returnLimit(ctx, row.account_id, 'images')
  await forgetUpload(ctx, row)
}

/** Creates a complete image without an upload, for scenarios and the sandbox. */
export function addReadyImage(ctx: Ctx, imageParams: ReadyImage): Promise<Image> {
  return addImage(ctx, { ...imageParams, state: 'completed' })
}

/** Creates an image whose upload has not begun. Scenarios also create images that are uploading or have failed. */
export function addUnfinishedImage(ctx: Ctx, imageParams: UnfinishedImage): Promise<Image> {
  const content = { sha256: null, size_bytes: null, format: null, virtual_size_bytes: null }
  return addImage(ctx, { ...imageParams, ...content, is_public: false })
}

/**
 * The image of a new instance or template, locked against revocation and deletion. 422 image_not_available if it is
 * missing, not complete, revoked, or neither public nor readable by the caller.
 */
export async function lockImageShared(ctx: Ctx, ref: Ref<'image'>, field = 'image'): Promise<ImageRow> {
  const id = await idToLoad(ctx, 'image', ref)
  const row = (await lockImagesShared(ctx, [id])).get(id)
  if (row && mayStartFrom(ctx, row)) return row
  refuse(
    'image_not_available',
    'There is no such image, or it is not complete, is revoked, or you cannot read it.',
    field,
  )
}

/**
 * Locks images against revocation and deletion, without waiting. Images that cannot be launched are left out.
 * {@link mayStartFrom} checks the rights of the caller.
 */
export async function lockImagesShared(ctx: Ctx, ids: readonly Id<'image'>[]): Promise<Map<string, ImageRow>> {
  const rows = await ctx.lockRows(launchableImageLock, ids)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Whether the caller may start instances from an image that can be launched. */
export function mayStartFrom(ctx: Ctx, row: ImageRow): boolean {
  if (row.is_public || !ctx.caller) return true
  return row.account_id === ctx.caller.account_id && hasPermission(ctx, 'image:read', row.workspace_id)
}

/** What a host needs to download and check an image; undefined if the image is deleted. */
export async function findImageForHost(ctx: Ctx, id: string) {
  const row = await findImage(ctx, id)
  if (!row) return undefined
  const signed = await contentUrl(ctx, row)
  const { sha256, size_bytes } = row
  return { id: row.id, url: signed?.url ?? null, sha256, size_bytes, expires_at: signed?.expires_at ?? null }
}

/** Refuses a change of a public image by its owner. */
export function refuseIfPublic(row: ImageRow): void {
  if (row.is_public) refuse('forbidden', 'Only the platform operator can change public images.')
}

async function isPublicWorkspace(ctx: Ctx, { workspace_id }: ImageRow): Promise<boolean> {
  return pickSummary(await summaries(ctx, [workspace_id]), 'workspace', workspace_id).name === 'public'
}

async function change(
  ctx: Ctx,
  id: Id<'image'>,
  action: ImageChangeAction,
  message: string | undefined,
): Promise<Image> {
  const row = await lockImage(ctx, id)
  const changed = changeImage(row, action, { now: ctx.now, message })
  if ('code' in changed) throw new Refusal(changed)
  const after = { ...row, ...changed.image }
  await updateRow(ctx.db, after)
  if (changed.action !== undefined) await emitChange(ctx, after, changed.action)
  return presentOne(ctx, after)
}

/** Emits an event for the account of the image; for a public image also for each account that uses it. */
async function emitChange(ctx: Ctx, image: ImageRow, action: string): Promise<void> {
  const event = { action, target_type: 'image', target_id: image.id }
  ctx.emit({ ...event, account_id: image.account_id, workspace_id: image.workspace_id })
  if (!image.is_public) return
  const users = new Set((await ctx.referrers('image', image.id, audienceMax)).map(({ account_id }) => account_id))
  users.delete(image.account_id)
  for (const account_id of [...users].sort()) ctx.emit({ ...event, account_id, workspace_id: null })
}

type NewImage = ImageContent &
  Pick<ImageRow, 'account_id' | 'workspace_id' | 'is_public' | 'state'> & { readonly name: string | undefined }

async function addImage(ctx: Ctx, { name, ...columns }: NewImage): Promise<Image> {
  const { account_id, workspace_id } = columns
  await takeLimit(ctx, account_id, 'images')
  await lockWorkspaceShared(ctx, workspace_id)
  const id = ctx.newId('image')
  await claimName(ctx, { id, kind: 'image', account_id, workspace_id, name })
  const failure_reason = columns.state === 'failed' ? 'upload_expired' : null
  const marks = { failure_reason, deprecated_at: null, deprecation_message: null, revoked_at: null } as const
  const row: ImageRow = { ...columns, ...marks, id, created_at: ctx.now }
  await insertImage(ctx.db, row)
  if (row.state !== 'completed') await beginUpload(ctx, row)
  return presentOne(ctx, row)
}

/** An image that the caller may know of: its own or a public one. The caller of this function checks rights. */
export async function loadImage(ctx: Ctx, ref: Ref<'image'>): Promise<ImageRow> {
  const id = await idToLoad(ctx, 'image', ref)
  const row = await findImage(ctx, id)
  const isVisible =
    row && (row.is_public || !ctx.caller || ctx.caller.is_platform || row.account_id === ctx.caller.account_id)
  return isVisible ? row : refuseNotFound()
}

/** An image of any account that is not deleted. */
export function findImage(ctx: Ctx, id: string): Promise<ImageRow | undefined> {
  return findRow(ctx.db, id)
}

/** Writes the progress of the upload of a locked image. Returns the changed image. */
export async function updateProgress(
  ctx: Ctx,
  row: ImageRow,
  progress: Pick<ImageRow, 'state'> & Partial<Pick<ImageRow, 'failure_reason' | keyof ImageContent>>,
): Promise<ImageRow> {
  const after = { ...row, ...progress }
  await updateRow(ctx.db, after)
  return after
}

/** Locks an image for a change. */
export async function lockImage(ctx: Ctx, id: Id<'image'>): Promise<ImageRow> {
  const [, row] = await Promise.all([ctx.lock(imageLock, [id]), findImage(ctx, id)])
  return row ?? refuseNotFound()
}

/** An image as the API shows it. */
export async function presentOne(ctx: Ctx, row: ImageRow): Promise<Image> {
  const [shown] = await present(ctx, [row])
  return shown as Image
}

async function present(ctx: Ctx, rows: readonly ImageRow[]): Promise<Image[]> {
  const names = await summaries(
    ctx,
    rows.flatMap(({ id, workspace_id }) => [id, workspace_id]),
  )
  return rows.map((row) => {
    const { name, resource_path } = pickSummary(names, 'image', row.id)
    return {
      object: 'image',
      id: row.id,
      resource_path,
      workspace: pickSummary(names, 'workspace', row.workspace_id),
      name,
      is_public: row.is_public,
      state: row.state,
      failure_reason: row.failure_reason,
      sha256: row.sha256,
      size_bytes: row.size_bytes,
      format: row.format,
      virtual_size_bytes: row.virtual_size_bytes,
      deprecated_at: row.deprecated_at,
      deprecation_message: row.deprecation_message,
      revoked_at: row.revoked_at,
      created_at: row.created_at,
    }
  })
}
