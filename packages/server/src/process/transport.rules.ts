/** What responses say of the way to this server. Pure. */
import { isLoopbackHost } from '@bourse/api/kit/loopback.ts'

type Transport = { readonly public_url?: string | undefined; readonly hsts_seconds?: number | undefined }

const noHeaders: readonly string[] = []

/**
 * The header by which browsers use only https for this host, if its public URL is one of https: the first request of a
 * person who types the name would otherwise go out unencrypted. Never for loopback, whose name other programs share. It
 * does not speak for subdomains, which may belong to others.
 */
export function transportHeaders({ public_url, hsts_seconds = 0 }: Transport): readonly string[] {
  if (hsts_seconds === 0 || public_url === undefined || !URL.canParse(public_url)) return noHeaders
  const { protocol, hostname } = new URL(public_url)
  if (protocol !== 'https:' || isLoopbackHost(hostname)) return noHeaders
  return ['Strict-Transport-Security', `max-age=${hsts_seconds}`]
}
