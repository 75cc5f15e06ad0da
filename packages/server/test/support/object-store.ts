/**
 * An S3 server for tests, in this process: s3rver stores objects and verifies signatures. This file adds the parts of
 * multipart uploads that it lacks: listing uploads and parts in pages, aborting an upload, and the errors
 * NoSuchUpload, InvalidPart, InvalidPartOrder and EntityTooSmall.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const require = createRequire(import.meta.url)
const S3rver = require('@20minutes/s3rver') as new (options: object) => StoreApp
const S3Error = require('@20minutes/s3rver/lib/models/error') as new (code: string, message: string) => Error
const accounts = require('@20minutes/s3rver/lib/models/account') as { DUMMY_ACCOUNT: StoreAccount }
const authentication = require('@20minutes/s3rver/lib/middleware/authentication') as () => Middleware

type StoreContext = {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  params: Record<string, string>
  state: Record<string, unknown>
  status: number
  type: string
  body: unknown
}
type Middleware = (context: StoreContext, next: () => Promise<void>) => Promise<void>
type StoreAccount = { createKeyPair(access_key_id: string, secret_access_key: string): void }
type NamedPart = { number: number; etag: string }
type Store = {
  getResourcePath(bucket: string, key: string | undefined, resource: string): string
  putPart(bucket: string, upload: string, part: string, content: unknown): Promise<object>
  putObjectMultipart(bucket: string, upload: string, parts: NamedPart[]): Promise<object>
}
type StoreApp = {
  middleware: Middleware[]
  store: Store
  allowMismatchedSignatures: boolean
  run(): Promise<{ port: number }>
  close(): Promise<void>
}

export type TestObjectStore = AsyncDisposable & {
  readonly endpoint: string
  readonly credentials: { readonly access_key_id: string; readonly secret_access_key: string }
}

const credentials = { access_key_id: 'test', secret_access_key: 'test-secret' }
accounts.DUMMY_ACCOUNT.createKeyPair(credentials.access_key_id, credentials.secret_access_key)
/** Real stores have pages of 1000. Small pages let tests reach the next page with few entries. */
const pageSize = 2
const partBytesAtLeast = 5 * 2 ** 20

/** Starts an S3 server on a free port. Its data is deleted on dispose. */
export async function startTestObjectStore(): Promise<TestObjectStore> {
  const directory = await mkdtemp(join(tmpdir(), 'bourse-objects-'))
  const app = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, vhostBuckets: false })
  checkParts(app.store)
  app.middleware.unshift(verifySignatures(app), partRoutes(app.store))
  const { port } = await app.run()
  return {
    endpoint: `http://127.0.0.1:${port}`,
    credentials,
    [Symbol.asyncDispose]: async () => {
      await app.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/**
 * Verifies the signature of every request. s3rver accepts unsigned requests, and checks `/bucket` where the client
 * signs `/bucket/`. So this middleware makes the check, and s3rver itself allows mismatched signatures.
 */
function verifySignatures(app: StoreApp): Middleware {
  const verify = authentication()
  return async (context, next) => {
    const isSigned = 'authorization' in context.headers || 'X-Amz-Signature' in context.query
    if (!isSigned) throw new S3Error('AccessDenied', 'Access Denied')
    const [, bucket = '', ...key] = decodeURIComponent(context.path).split('/')
    const isBucketAlone = key.join('/') === '' && context.path.endsWith('/')
    context.params = { bucket: isBucketAlone ? `${bucket}/` : bucket, key: key.join('/') }
    app.allowMismatchedSignatures = false
    // The call verifies before its first await.
    const verified = verify(context, async () => {})
    app.allowMismatchedSignatures = true
    await verified
    context.params.bucket = bucket
    await next()
  }
}

/** Handles the three operations that s3rver does not support. */
function partRoutes(store: Store): Middleware {
  return (context, next) => (routeOf(context, store) ?? next)()
}

function routeOf(context: StoreContext, store: Store): (() => Promise<void>) | undefined {
  const { method, query } = context
  if (method === 'GET' && 'uploads' in query) return () => listUploads(context, store)
  if (method === 'GET' && 'uploadId' in query) return () => listParts(context, store)
  if (method === 'DELETE' && 'uploadId' in query) return () => abortUpload(context, store)
  return undefined
}

async function listUploads(context: StoreContext, store: Store): Promise<void> {
  const { params, query } = context
  const root = uploadsOf(store, params.bucket as string)
  const names = await readdir(root).catch(() => [])
  const all = await Promise.all(
    names.map(async (id) => {
      const path = join(root, id, 'key')
      return { id, key: await readFile(path, 'utf8'), begun_at: (await stat(path)).mtime }
    }),
  )
  const place = ({ key, id }: { key: string; id: string }) => `${key}\n${id}`
  const after = place({ key: query['key-marker'] ?? '', id: query['upload-id-marker'] ?? '' })
  const wanted = all
    .filter(({ key }) => key.startsWith(query.prefix ?? ''))
    .filter((upload) => place(upload) > after)
    .sort((a, b) => (place(a) < place(b) ? -1 : 1))
  const page = wanted.slice(0, pageSize)
  const last = page.at(-1)
  const entries = page.map(
    ({ key, id, begun_at }) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun_at.toISOString()}</Initiated></Upload>`,
  )
  const markers = [
    `<NextKeyMarker>${last?.key ?? ''}</NextKeyMarker>`,
    `<NextUploadIdMarker>${last?.id ?? ''}</NextUploadIdMarker>`,
  ]
  answerList(context, 'ListMultipartUploadsResult', [...entries, ...markers], wanted.length > page.length)
}

async function listParts(context: StoreContext, store: Store): Promise<void> {
  const { params, query } = context
  const upload = requireUpload(store, params.bucket as string, query.uploadId as string)
  const after = Number(query['part-number-marker'] ?? 0)
  const numbers = (await readdir(upload)).filter((name) => /^\d+$/.test(name)).map(Number)
  const wanted = numbers.filter((number) => number > after).sort((a, b) => a - b)
  const page = wanted.slice(0, pageSize)
  const entries = await Promise.all(
    page.map(async (number) => {
      const { size, etag, mtime } = await readPart(upload, number)
      const named = `<PartNumber>${number}</PartNumber><ETag>&quot;${etag}&quot;</ETag>`
      return `<Part>${named}<Size>${size}</Size><LastModified>${mtime.toISOString()}</LastModified></Part>`
    }),
  )
  const marker = `<NextPartNumberMarker>${page.at(-1) ?? 0}</NextPartNumberMarker>`
  answerList(context, 'ListPartsResult', [...entries, marker], wanted.length > page.length)
}

async function abortUpload(context: StoreContext, store: Store): Promise<void> {
  const upload = requireUpload(store, context.params.bucket as string, context.query.uploadId as string)
  await rm(upload, { recursive: true })
  context.status = 204
}

function answerList(context: StoreContext, root: string, entries: readonly string[], isTruncated: boolean): void {
  context.type = 'application/xml'
  context.body = `<${root}>${entries.join('')}<IsTruncated>${isTruncated}</IsTruncated></${root}>`
}

/** Adds refusals of S3: parts of an unknown upload, and completions that do not match the uploaded parts. */
function checkParts(store: Store): void {
  const { putPart, putObjectMultipart } = store
  store.putPart = async (bucket, upload, part, content) => {
    requireUpload(store, bucket, upload)
    return putPart.call(store, bucket, upload, part, content)
  }
  store.putObjectMultipart = async (bucket, upload, parts) => {
    const directory = requireUpload(store, bucket, upload)
    for (const [index, { number, etag }] of parts.entries()) {
      const kept = await readPart(directory, number).catch(() => undefined)
      if (kept?.etag !== etag) throw new S3Error('InvalidPart', 'One or more of the parts could not be found.')
      if (number <= (parts[index - 1]?.number ?? 0))
        throw new S3Error('InvalidPartOrder', 'The parts are not in ascending order.')
      if (kept.size < partBytesAtLeast && index < parts.length - 1)
        throw new S3Error('EntityTooSmall', 'A part that is not the last one is too small.')
    }
    return putObjectMultipart.call(store, bucket, upload, parts)
  }
}

async function readPart(upload: string, number: number): Promise<{ size: number; etag: string; mtime: Date }> {
  const path = join(upload, String(number))
  const [{ size, mtime }, etag] = await Promise.all([stat(path), readFile(`${path}.md5`, 'utf8')])
  return { size, etag, mtime }
}

function uploadsOf(store: Store, bucket: string): string {
  return store.getResourcePath(bucket, undefined, 'uploads')
}

/** The directory of an open upload. */
function requireUpload(store: Store, bucket: string, upload: string): string {
  const directory = join(uploadsOf(store, bucket), upload)
  if (!existsSync(join(directory, 'key'))) throw new S3Error('NoSuchUpload', 'The upload does not exist.')
  return directory
}
