/** Uploads of images over HTTP, like a client. */
import { createHash } from 'node:crypto'
import type { TestServer } from './server.ts'

/** The server and the token of an upload. */
export type Uploader = { readonly server: TestServer; readonly token: string }

/** Hexadecimal SHA-256. */
export function sha256Of(...bytes: readonly Buffer[]): string {
  const hash = createHash('sha256')
  for (const some of bytes) hash.update(some)
  return hash.digest('hex')
}

/** The expected ETag of a part. */
export function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`
}

/**
 * Deterministic bytes that look random. They repeat every 4096 bytes. If there is room they begin with a partition
 * table, so that they are an image.
 */
export function bytesOf(length: number, salt = ''): Buffer {
  const block = Buffer.concat(
    Array.from({ length: 64 }, (_, index) => createHash('sha512').update(`${salt} ${index}`).digest()),
  )
  const bytes = Buffer.alloc(length, block)
  return length < 1000 ? bytes : addPartition(bytes)
}

/** Writes a table with one partition, from the second sector to the end, into the first sector of a disk. */
export function addPartition(bytes: Buffer): Buffer {
  bytes.fill(0, 446, 510)
  bytes.writeUInt8(0x83, 446 + 4)
  bytes.writeUInt32LE(1, 446 + 8)
  bytes.writeUInt32LE(Math.max(1, Math.floor(bytes.length / 512) - 1), 446 + 12)
  bytes.writeUInt16BE(0x55aa, 510)
  return bytes
}

/** Creates an image. */
export function beginImage({ server, token }: Uploader, body: object = {}) {
  return server.ok('POST', '/v2/images', { token, body })
}

/** Requests the signed URL of a part. */
export async function askForPart({ server, token }: Uploader, id: string, part_id: number) {
  return server.ok('POST', `/v2/images/${id}/parts`, { token, body: { part_id } })
}

/** Sends bytes to a signed URL. */
export async function put(url: string, bytes: Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text ? JSON.parse(text) : undefined }
}

/** Requests the signed URL of a part and sends the part. */
export async function sendPart(uploader: Uploader, id: string, part_id: number, bytes: Buffer) {
  const { url } = await askForPart(uploader, id, part_id)
  const answer = await put(url, bytes)
  if (answer.status !== 200) throw new Error(`Part ${part_id} of ${id} got status ${answer.status}: ${answer.text}`)
  return answer.headers.get('etag') as string
}

/** Uploads a whole image of these parts. */
export async function uploadImage(uploader: Uploader, parts: readonly Buffer[], body: object = {}) {
  const { server, token } = uploader
  const { id } = await beginImage(uploader, body)
  for (const [index, bytes] of parts.entries()) await sendPart(uploader, id, index + 1, bytes)
  return server.ok('POST', `/v2/images/${id}/complete`, { token, body: { sha256: sha256Of(...parts) } })
}
