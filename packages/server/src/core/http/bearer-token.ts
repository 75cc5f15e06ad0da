import type { IncomingMessage } from 'node:http'
import type { RefusalData } from '../base/refusal.ts'
import type { RequestContext } from './request-context.ts'

/** The token of `Authorization: Bearer …`; undefined where the header is missing or repeated. */
export function bearerToken({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const header = headers.authorization
  if (header === undefined) return undefined
  let found = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 13 && name.toLowerCase() === 'authorization') found++
  }
  if (found !== 1 || !/^bearer /i.test(header)) return undefined
  return header.slice(7)
}

/**
 * The refusal of a request without valid credentials. It draws from the bucket of the address. Beyond the bucket, the
 * refusal carries a `Retry-After`, and is not logged singly.
 */
export function unauthenticated({ edge, incoming, request_id }: RequestContext, message: string): RefusalData {
  const address = incoming.socket.remoteAddress
  const verdict = edge.rate_limits.takeFailedAuthentication(address ?? 'unknown')
  const refusal: RefusalData = { code: 'authentication_error', message }
  if (!verdict.allowed) return { ...refusal, retry_after_seconds: verdict.retry_after_seconds }
  edge.runtime.log.info({ request_id, address }, 'A token was refused.')
  return refusal
}
