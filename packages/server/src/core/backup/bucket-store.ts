/** Backups in an S3-compatible bucket. Files are sent in parts, so that memory does not grow with their size. */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { createBucketClient, type ObjectStoreOptions } from '../blobs/object-store.ts'
import { type BackupStore, type StoredName, storeProblem, writeFrom } from './backup-store.ts'

type BackupBucket = { readonly client: S3Client; readonly bucket: string; readonly prefix: string }

/** A store has at most 10,000 parts, so later parts are larger: 880 GB in all. */
const firstPartBytes = 16 * 2 ** 20
const partsOfOneSize = 1_000

/** Opens a prefix of a bucket. Sends nothing. */
export function openBucket(location: string, options: ObjectStoreOptions): BackupStore {
  const { bucket, prefix } = options
  const at: BackupBucket = { client: createBucketClient(options), bucket, prefix }
  const reached = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof S3ServiceException) && !('$metadata' in (error as object)) && !isNetwork(error))
        throw error
      const { name, message } = error as Error
      throw storeProblem(location, `the object store responds with ${name}: ${message}`, error)
    }
  }
  const named = (path: string) => ({ Bucket: bucket, Key: prefix + path })
  return {
    location,
    write: (path, bytes) => writeFrom(bytes, (some) => reached(() => upload(at, path, some))),
    writeNew: (path, bytes) =>
      reached(async () => {
        try {
          await at.client.send(new PutObjectCommand({ ...named(path), Body: bytes, IfNoneMatch: '*' }))
          return true
        } catch (error) {
          if (isCode(error, ['PreconditionFailed', 'ConditionalRequestConflict'])) return false
          // Stores without conditional writes. Whoever archives has looked for the name before.
          if (!isCode(error, ['NotImplemented'])) throw error
          await at.client.send(new PutObjectCommand({ ...named(path), Body: bytes }))
          return true
        }
      }),
    read: (path) =>
      reached(async () => {
        try {
          const { Body } = await at.client.send(new GetObjectCommand(named(path)))
          return Body as AsyncIterable<Buffer>
        } catch (error) {
          if (isCode(error, ['NoSuchKey', 'NotFound'])) return undefined
          throw error
        }
      }),
    list: (directory) => reached(() => list(at, directory)),
    directories: () => reached(() => listDirectories(at)),
    remove: (path) => reached(async () => void (await at.client.send(new DeleteObjectCommand(named(path))))),
  }
}

async function list({ client, bucket, prefix }: BackupBucket, directory: string): Promise<StoredName[]> {
  const found: StoredName[] = []
  const options = { Bucket: bucket, Prefix: `${prefix}${directory}/` }
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, options)) {
    for (const { Key = '', Size = 0 } of Contents) found.push({ path: Key.slice(prefix.length), size_bytes: Size })
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function listDirectories({ client, bucket, prefix }: BackupBucket): Promise<string[]> {
  const found: string[] = []
  const options = { Bucket: bucket, Prefix: prefix, Delimiter: '/' }
  for await (const { CommonPrefixes = [] } of paginateListObjectsV2({ client }, options)) {
    for (const { Prefix = '' } of CommonPrefixes) found.push(Prefix.slice(prefix.length, -1))
  }
  return found
}

async function upload(
  { client, bucket, prefix }: BackupBucket,
  path: string,
  bytes: AsyncIterable<Buffer>,
): Promise<void> {
  const named = { Bucket: bucket, Key: prefix + path }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(named))
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = []
    for await (const Body of inParts(bytes)) {
      const PartNumber = Parts.length + 1
      const { ETag } = await client.send(new UploadPartCommand({ ...named, UploadId, PartNumber, Body }))
      Parts.push({ PartNumber, ETag })
    }
    await client.send(new CompleteMultipartUploadCommand({ ...named, UploadId, MultipartUpload: { Parts } }))
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand({ ...named, UploadId })).catch(() => {})
    throw error
  }
}

async function* inParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [parts, length, count]: [Buffer[], number, number] = [[], 0, 0]
  for await (const part of bytes) {
    parts.push(part)
    length += part.length
    if (length < firstPartBytes * (1 + Math.floor(count / partsOfOneSize))) continue
    yield Buffer.concat(parts)
    count += 1
    parts = []
    length = 0
  }
  if (length > 0 || count === 0) yield Buffer.concat(parts)
}

function isCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof S3ServiceException && codes.includes(error.name)
}

function isNetwork(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}
