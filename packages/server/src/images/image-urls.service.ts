/** The URLs for the bytes of images: those of the object store, or signed URLs of this server. */
import { URL_LIFE_SECONDS } from '@bourse/api/images/image-uploads.ts'
import { refuse } from '../core/base/refusal.ts'
import type { Transfer } from '../core/http/transfer.ts'
import { deriveSecret, isSecretOf } from '../core/keys/derived-secret.ts'
import type { Ctx } from '../core/work/ctx.ts'
import type { Runtime } from '../core/work/runtime.ts'
import { findUpload } from './image-bytes.service.ts'

/** The paths at which this server transfers bytes. */
export const partPath = '/image_data/:image/parts/:part'
export const contentPath = '/image_data/:image'

/** A URL and its expiry. */
export type SignedUrl = { readonly url: string; readonly expires_at: number }

/** The upload URL of a part. `upload` is the name of the upload in the object store. */
export async function partUrl(
  { blobs, keys, now, public_url }: Pick<Ctx, 'blobs' | 'keys' | 'now' | 'public_url'>,
  { image_id, part_id, upload }: { image_id: string; part_id: number; upload: string | null },
): Promise<SignedUrl> {
  const expires_at = now + URL_LIFE_SECONDS
  if (blobs.kind === 'files') {
    const path = `/image_data/${image_id}/parts/${part_id}`
    return { url: public_url() + signed(keys, 'PUT', path, expires_at), expires_at }
  }
  if (upload === null) throw new Error('The upload has no name in the object store.')
  return { url: await blobs.partUrl({ image_id, upload }, part_id, URL_LIFE_SECONDS), expires_at }
}

/** The download URL of an image; undefined if it was created complete, without an upload, and so has no bytes. */
export async function contentUrl(ctx: Ctx, image_id: string): Promise<SignedUrl | undefined> {
  const { blobs, keys, now, public_url } = ctx
  if (!(await findUpload(ctx, image_id))) return undefined
  const expires_at = now + URL_LIFE_SECONDS
  if (blobs.kind === 'objects') return { url: await blobs.contentUrl(image_id, URL_LIFE_SECONDS), expires_at }
  return { url: public_url() + signed(keys, 'GET', `/image_data/${image_id}`, expires_at), expires_at }
}

/** Refuses a transfer whose URL was not signed for exactly this request, or has expired. */
export async function requireSigned(
  { keys, services }: Runtime,
  method: 'GET' | 'PUT',
  { params, query }: Pick<Transfer, 'params' | 'query'>,
): Promise<{ image_id: string; part_id: number; now: number }> {
  const { image = '', part } = params
  const path = `/image_data/${image}${part === undefined ? '' : `/parts/${part}`}`
  const [, expires_at, key_id, secret = ''] =
    /^expires_at=(\d{1,15})&key_id=(\d{1,5})&signature=([0-9a-f]{64})$/.exec(query) ?? []
  const facts = factsOf(method, path, Number(expires_at))
  const isOurs = isSecretOf(keys.master, facts, { key_id: Number(key_id), secret })
  const { now } = await services.readSnapshot()
  if (!isOurs || now >= Number(expires_at)) {
    refuse('forbidden', 'This URL is not valid for this request, or it has expired. Request a new one.')
  }
  return { image_id: image, part_id: Number(part ?? 0), now }
}

function signed(keys: Ctx['keys'], method: string, path: string, expires_at: number): string {
  const { key_id } = keys.master.current
  const signature = deriveSecret(keys.master, factsOf(method, path, expires_at), key_id)
  return `${path}?expires_at=${expires_at}&key_id=${key_id}&signature=${signature}`
}

function factsOf(method: string, path: string, expires_at: number) {
  return { purpose: 'image URL', facts: [method, path, expires_at] }
}
