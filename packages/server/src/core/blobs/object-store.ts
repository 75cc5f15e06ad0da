/**
 * Bytes in an S3-compatible store. It keeps the parts of an upload and assembles them itself. Clients upload and
 * download directly, by URLs that are signed here, so the bytes never pass through this program.
 */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListPartsCommand,
  type ListPartsCommandOutput,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Log } from '../base/log.ts'
import type { Secret } from '../base/secret.ts'
import { storeUnavailable } from './blob-problem.ts'
import type { DigestSource } from './digest.ts'
import { headOf } from './head.ts'
import type { StoreOwner } from './store-owner.ts'

/** The address and credentials of an S3-compatible store. */
export type ObjectStoreOptions = {
  readonly kind: 'objects'
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** The prefix of every key: empty, or ends with a slash. */
  readonly prefix: string
  readonly credentials: Secret<{ readonly access_key_id: string; readonly secret_access_key: string }>
}

/** An open upload: the image, and the store's id of the upload. */
type ObjectUpload = { readonly image_id: string; readonly upload: string }
/** A part of an upload, as the store lists it. */
type ObjectPart = { part_id: number; size_bytes: number; etag: string; uploaded_at: number }

/** An image store in an S3-compatible store. Every call over the network may refuse with `unavailable`. */
export type ObjectStore = {
  readonly kind: 'objects'
  /** The origin of all its URLs. */
  readonly origin: string
  begin(image_id: string): Promise<string>
  partUrl(upload: ObjectUpload, part_id: number, lifeSeconds: number): Promise<string>
  /** Lists the uploaded parts by their numbers; undefined where the upload no longer exists. */
  listParts(upload: ObjectUpload): Promise<ObjectPart[] | undefined>
  /** Assembles an object; false where a part differs from the listed one. A second call does nothing. */
  assemble(upload: ObjectUpload, parts: readonly Pick<ObjectPart, 'part_id' | 'etag'>[]): Promise<boolean>
  /** The size of an object; undefined where there is none. */
  sizeOf(image_id: string): Promise<number | undefined>
  contentUrl(image_id: string, lifeSeconds: number): Promise<string>
  /** The first bytes of an object, `length` at most; undefined where there is none. */
  readHead(image_id: string, length: number): Promise<Uint8Array | undefined>
  /** Where the bytes of an object are. Valid for some minutes. */
  digestSource(image_id: string): Promise<DigestSource>
  /** Aborts an upload and removes its parts, if it exists. */
  abort(upload: ObjectUpload): Promise<void>
  removeObject(image_id: string): Promise<void>
  /** Lists the open uploads of this installation and their start times. */
  listUploads(): Promise<(ObjectUpload & { begun_at: number })[]>
  /** Lists the images that have an object, page by page. */
  listImages(): AsyncIterable<string[]>
}

/** The store checks the URL when the download begins, not while it lasts. */
const digestUrlSeconds = 300

type BucketAccess = { readonly client: S3Client; readonly bucket: string; readonly root: string; readonly log: Log }

/** Creates the client of a bucket. Sends nothing. */
export function createBucketClient({ endpoint, region, credentials }: ObjectStoreOptions): S3Client {
  const { access_key_id, secret_access_key } = credentials.reveal()
  return new S3Client({
    endpoint,
    region,
    // Self-hosted stores seldom have a host name for each bucket.
    forcePathStyle: true,
    credentials: { accessKeyId: access_key_id, secretAccessKey: secret_access_key },
    // A checksum in a signed URL would be that of an empty body, since the URL is signed without the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
  })
}

/** Creates a client of the store. Sends nothing. */
export function createObjectStore(options: ObjectStoreOptions, { installation_id, log }: StoreOwner): ObjectStore {
  const { endpoint, bucket, prefix } = options
  const client = createBucketClient(options)
  const root = `${prefix}${installation_id}/`
  const reach: BucketAccess = { client, bucket, root, log }
  const named = (image_id: string) => ({ Bucket: bucket, Key: root + image_id })
  const of = ({ image_id, upload }: ObjectUpload) => ({ ...named(image_id), UploadId: upload })
  return {
    kind: 'objects',
    origin: new URL(endpoint).origin,
    begin: async (image_id) => {
      const made = await reached(log, () => client.send(new CreateMultipartUploadCommand(named(image_id))))
      if (made.UploadId === undefined) throw new Error('The object store returned no upload id.')
      return made.UploadId
    },
    partUrl: (upload, part_id, expiresIn) =>
      getSignedUrl(client, new UploadPartCommand({ ...of(upload), PartNumber: part_id }), { expiresIn }),
    contentUrl: (image_id, expiresIn) => getSignedUrl(client, new GetObjectCommand(named(image_id)), { expiresIn }),
    readHead: (image_id, length) => orMissing(log, () => readHead(reach, named(image_id), length)),
    digestSource: async (image_id) => {
      const url = await getSignedUrl(client, new GetObjectCommand(named(image_id)), { expiresIn: digestUrlSeconds })
      return { kind: 'url', url }
    },
    listParts: (upload) => orMissing(log, () => listParts(reach, of(upload))),
    assemble: (upload, parts) => assemble(reach, of(upload), parts),
    sizeOf: (image_id) =>
      orMissing(log, async () => (await client.send(new HeadObjectCommand(named(image_id)))).ContentLength ?? 0),
    abort: async (upload) =>
      void (await orMissing(log, () => client.send(new AbortMultipartUploadCommand(of(upload))))),
    removeObject: async (image_id) => {
      await reached(log, () => client.send(new DeleteObjectCommand(named(image_id))))
    },
    listUploads: () => reached(log, () => listUploads(reach)),
    listImages: () => listImages(reach),
  }
}

type UploadName = { readonly Bucket: string; readonly Key: string; readonly UploadId: string }

async function listParts({ client }: BucketAccess, named: UploadName): Promise<ObjectPart[]> {
  const parts: ObjectPart[] = []
  // Not with the client's paginator: it continues while there is a marker, and stores return one after the last page.
  let marker: { PartNumberMarker?: string } | undefined = {}
  while (marker) {
    const page: ListPartsCommandOutput = await client.send(new ListPartsCommand({ ...named, ...marker }))
    for (const { PartNumber = 0, Size = 0, ETag = '', LastModified } of page.Parts ?? []) {
      const uploaded_at = Math.floor((LastModified?.getTime() ?? 0) / 1000)
      parts.push({ part_id: PartNumber, size_bytes: Size, etag: ETag, uploaded_at })
    }
    const { NextPartNumberMarker: PartNumberMarker } = page
    marker = page.IsTruncated && PartNumberMarker ? { PartNumberMarker } : undefined
  }
  return parts.sort((a, b) => a.part_id - b.part_id)
}

async function readHead(
  { client }: BucketAccess,
  named: Omit<UploadName, 'UploadId'>,
  length: number,
): Promise<Uint8Array> {
  const command = new GetObjectCommand({ ...named, Range: `bytes=0-${length - 1}` })
  const found = await client.send(command).catch((error) => {
    // No byte of an empty object is in the range.
    if (isCode(error, ['InvalidRange'])) return undefined
    throw error
  })
  // A store that ignores the range sends the whole object, so the length is enforced here too.
  return headOf((found?.Body ?? []) as AsyncIterable<Uint8Array>, length)
}

async function assemble(
  { client, log }: BucketAccess,
  named: UploadName,
  parts: readonly Pick<ObjectPart, 'part_id' | 'etag'>[],
): Promise<boolean> {
  const Parts = parts.map(({ part_id, etag }) => ({ PartNumber: part_id, ETag: etag }))
  const command = new CompleteMultipartUploadCommand({ ...named, MultipartUpload: { Parts } })
  return reached(log, async () => {
    try {
      await client.send(command)
      return true
    } catch (error) {
      if (isCode(error, ['InvalidPart', 'InvalidPartOrder'])) return false
      // A missing upload means that an earlier call has assembled it.
      if (isCode(error, missingCodes)) return true
      throw error
    }
  })
}

async function listUploads({ client, bucket, root }: BucketAccess): Promise<(ObjectUpload & { begun_at: number })[]> {
  const found: (ObjectUpload & { begun_at: number })[] = []
  let marker: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}
  while (marker) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: root, ...marker }),
    )
    for (const { Key = '', UploadId = '', Initiated } of page.Uploads ?? []) {
      const begun_at = Math.floor((Initiated?.getTime() ?? 0) / 1000)
      found.push({ image_id: Key.slice(root.length), upload: UploadId, begun_at })
    }
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
    marker = page.IsTruncated && KeyMarker && UploadIdMarker ? { KeyMarker, UploadIdMarker } : undefined
  }
  return found
}

async function* listImages({ client, bucket, root }: BucketAccess): AsyncGenerator<string[]> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: root })) {
    yield Contents.map(({ Key = '' }) => Key.slice(root.length))
  }
}

const missingCodes = ['NoSuchUpload', 'NoSuchKey', 'NotFound']

function isCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof S3ServiceException && codes.includes(error.name)
}

function orMissing<T>(log: Log, ask: () => Promise<T>): Promise<T | undefined> {
  return reached(log, () => ask().catch((error) => (isCode(error, missingCodes) ? undefined : Promise.reject(error))))
}

async function reached<T>(log: Log, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    log.error({ err: error }, 'A request to the object store failed.')
    throw storeUnavailable('A request to the image store failed. Try again.')
  }
}
