/**
 * The URLs for the bytes of images: those of the object store, or signed URLs of this server. A URL of this server ends
 * with the right that it was given for: it names the token that asked for it, and when the image was revoked.
 */
import { urlLifeSeconds } from '@bourse/api/images/image-uploads.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { refuse } from '../core/base/refusal.ts'
import type { TransferRequest } from '../core/http/transfer.ts'
import { deriveSecret, isSecretOf } from '../core/keys/derived-secret.ts'
import type { Ctx } from '../core/work/ctx.ts'
import type { Runtime } from '../core/work/runtime.ts'
import { doesTokenHold, isTokenLive } from '../iam/tokens/tokens.service.ts'
import { findUpload } from './image-bytes.service.ts'
import type { ImageRow } from './images.rules.ts'

/** The paths at which this server transfers bytes. */
export const partPath = '/image_data/:image/parts/:part'
export const contentPath = '/image_data/:image'

/** Who asked for a URL: a token, or the agent of a host. */
type UrlHolder = Id<'token'> | 'host'

/** A URL that was signed for the request. `revoked_at` is that of the image when the URL was signed, or 0. */
export type SignedRequest = {
  readonly image_id: string
  readonly part_id: number
  readonly holder: UrlHolder
  readonly revoked_at: number
  /** The network address that sent the request. */
  readonly address: string
}

/** A URL and its expiry. */
type SignedUrl = { readonly url: string; readonly expires_at: number }

/** The upload URL of a part. `upload` is the name of the upload in the object store. */
export async function partUrl(
  { blobs, keys, now, public_url }: Pick<Ctx, 'blobs' | 'keys' | 'now' | 'public_url'>,
  {
    image_id,
    part_id,
    upload,
    holder,
  }: { image_id: string; part_id: number; upload: string | null; holder: Id<'token'> },
): Promise<SignedUrl> {
  const expires_at = now + urlLifeSeconds
  if (blobs.kind === 'files') {
    const path = `/image_data/${image_id}/parts/${part_id}`
    return { url: public_url() + signed(keys, { method: 'PUT', path, expires_at, holder, revoked_at: 0 }), expires_at }
  }
  if (upload === null) throw new Error('The upload has no name in the object store.')
  return { url: await blobs.partUrl({ image_id, upload }, part_id, urlLifeSeconds), expires_at }
}

/**
 * The download URL of an image, for the caller or a host; undefined if the image was created complete, without an
 * upload, and so has no bytes.
 */
export async function contentUrl(
  ctx: Ctx,
  { id: image_id, revoked_at }: Pick<ImageRow, 'id' | 'revoked_at'>,
): Promise<SignedUrl | undefined> {
  const { blobs, keys, now, public_url } = ctx
  if (!(await findUpload(ctx, image_id))) return undefined
  const expires_at = now + urlLifeSeconds
  if (blobs.kind === 'objects') return { url: await blobs.contentUrl(image_id, urlLifeSeconds), expires_at }
  const holder = ctx.caller?.token_id ?? 'host'
  const path = `/image_data/${image_id}`
  const facts = { method: 'GET', path, expires_at, holder, revoked_at: revoked_at ?? 0 } as const
  return { url: public_url() + signed(keys, facts), expires_at }
}

/**
 * Refuses a transfer whose URL has ended: the image was revoked or reinstated since, or the token that asked for the
 * URL has ended or lost its right. Refuses `network_not_allowed` if that token may not be used from the address.
 */
export async function requireRight(
  ctx: Ctx,
  row: ImageRow,
  {
    holder,
    revoked_at,
    verb,
    address,
  }: Pick<SignedRequest, 'holder' | 'revoked_at' | 'address'> & {
    verb: 'read' | 'write'
  },
): Promise<void> {
  const isSame = verb === 'write' || revoked_at === (row.revoked_at ?? 0)
  if (!(await mayHolder(ctx, row, { holder, address }, verb)) || !isSame) refuseUrl()
}

async function mayHolder(
  ctx: Ctx,
  row: ImageRow,
  { holder, address }: Pick<SignedRequest, 'holder' | 'address'>,
  verb: 'read' | 'write',
): Promise<boolean> {
  if (holder === 'host') return true
  if (!(await isTokenLive(ctx, holder, address))) return false
  return (row.is_public && verb === 'read') || doesTokenHold(ctx, holder, `image:${verb}`, row)
}

/** Refuses a transfer whose URL was not signed for exactly this request, or has expired. */
export async function requireSigned(
  { keys, services }: Runtime,
  method: 'GET' | 'PUT',
  { params, query, sender: { address } }: Pick<TransferRequest, 'params' | 'query' | 'sender'>,
): Promise<SignedRequest> {
  const { image = '', part } = params
  const path = `/image_data/${image}${part === undefined ? '' : `/parts/${part}`}`
  const found = queryPattern.exec(query)?.groups ?? {}
  const facts = {
    method,
    path,
    expires_at: Number(found.expires_at),
    holder: found.holder as UrlHolder,
    revoked_at: Number(found.revoked_at),
  }
  const { key_id, secret = '' } = found
  const isOurs = key_id !== undefined && isSecretOf(keys.master, secretOf(facts), { key_id: Number(key_id), secret })
  const { now } = await services.readSnapshot()
  if (!isOurs || now >= facts.expires_at) refuseUrl()
  const { holder, revoked_at } = facts
  return { image_id: image, part_id: Number(part ?? 0), holder, revoked_at, address }
}

/** What a URL is signed for. */
type UrlFacts = {
  readonly method: 'GET' | 'PUT'
  readonly path: string
  readonly expires_at: number
  readonly holder: UrlHolder
  readonly revoked_at: number
}

const queryPattern = new RegExp(
  [
    '^expires_at=(?<expires_at>\\d{1,15})&holder=(?<holder>tokn_[\\w-]{1,21}|host)&revoked_at=(?<revoked_at>\\d{1,15})',
    '&key_id=(?<key_id>\\d{1,5})&signature=(?<secret>[0-9a-f]{64})$',
  ].join(''),
)

function signed(keys: Ctx['keys'], facts: UrlFacts): string {
  const { key_id } = keys.master.current
  const signature = deriveSecret(keys.master, secretOf(facts), key_id)
  const { path, expires_at, holder, revoked_at } = facts
  const query = `expires_at=${expires_at}&holder=${holder}&revoked_at=${revoked_at}`
  return `${path}?${query}&key_id=${key_id}&signature=${signature}`
}

function secretOf({ method, path, expires_at, holder, revoked_at }: UrlFacts) {
  return { purpose: 'image URL', facts: [method, path, expires_at, holder, revoked_at] }
}

function refuseUrl(): never {
  refuse('forbidden', 'This URL is not valid for this request, or it has ended. Request a new one.')
}
