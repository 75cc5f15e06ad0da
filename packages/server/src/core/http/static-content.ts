/**
 * Content that stays the same while the process runs: its bytes are created once, compressed once for each encoding,
 * and identified by an entity tag, so that a client that has them gets a 304 (RFC 9110, 8.8.3 and 12.5.3).
 */
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { accepts } from '../base/accept.ts'
import type { Response } from './request-context.ts'

/** The encodings that content is compressed in. */
export type Encoding = 'br' | 'gzip'

/** Ready bytes, plain and compressed. */
export type StaticContent = {
  readonly body: Buffer
  readonly media_type: string
  readonly cache_control: string
  /** Headers besides those of caching. */
  readonly headers: readonly string[]
  readonly tag: string
  /** The bytes in an encoding, compressed on first use. */
  readonly packed: (encoding: Encoding) => Buffer
}

const encodings: readonly Encoding[] = ['br', 'gzip']
// Higher levels take seconds for a megabyte and save a tenth.
const brotliQuality = 5

/** How content is served. */
type StaticOptions = {
  /** The default makes clients revalidate on each request. */
  readonly cache_control?: string
  readonly headers?: readonly string[]
  /** The bytes in each encoding, where they are compressed already. */
  readonly packed?: Readonly<Record<Encoding, Buffer>>
}

/** Creates content from its bytes. */
export function createStaticContent(body: Buffer, media_type: string, options: StaticOptions = {}): StaticContent {
  const { cache_control = 'no-cache', headers = [] } = options
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  const kept = new Map<Encoding, Buffer>(Object.entries(options.packed ?? {}) as [Encoding, Buffer][])
  const packed = (encoding: Encoding) => {
    const bytes = kept.get(encoding) ?? pack(encoding, body)
    kept.set(encoding, bytes)
    return bytes
  }
  return { body, media_type, cache_control, headers, tag, packed }
}

/** The content in an encoding that the client accepts, or 304 where it already has that. */
export function staticResponse(content: StaticContent, headers: IncomingHttpHeaders): Response {
  const { media_type, cache_control, tag } = content
  const encoding = encodings.find((one) => accepts(headers['accept-encoding'], one))
  // Different bytes need different tags.
  const etag = encoding === undefined ? `"${tag}"` : `"${tag}-${encoding}"`
  const own = ['ETag', etag, 'Vary', 'Accept-Encoding', 'Cache-Control', cache_control, ...content.headers]
  if (names(headers['if-none-match'], etag)) return { status: 304, body: undefined, headers: own }
  if (encoding === undefined) return { status: 200, body: content.body, headers: own, media_type }
  return { status: 200, body: content.packed(encoding), headers: [...own, 'Content-Encoding', encoding], media_type }
}

function pack(encoding: Encoding, body: Buffer): Buffer {
  if (encoding === 'gzip') return gzipSync(body)
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
}

/** Whether `If-None-Match` names a tag. */
function names(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
