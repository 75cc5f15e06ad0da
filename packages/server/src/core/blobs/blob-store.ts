/**
 * Where the bytes of images lie: in files of a directory that the servers themselves serve, or in an S3-compatible
 * store that clients speak to directly. Not this file's work: what an image is, and which bytes are whose (images).
 */

import { createFileStore, type FileStore } from './file-store.ts'
import type { ObjectStore, ObjectStoreOptions } from './object-store.ts'
import type { StoreOwner } from './store-owner.ts'

/** The store of a server. */
export type BlobStore = FileStore | ObjectStore

/** Which store, as the operator has it. */
export type BlobStoreOptions = { readonly kind: 'files'; readonly directory: string } | ObjectStoreOptions

/** Opens the store. */
export async function openBlobStore(options: BlobStoreOptions, owner: StoreOwner): Promise<BlobStore> {
  if (options.kind === 'files') return createFileStore(options.directory, owner)
  // 22 MB of code that most servers never need.
  const { createObjectStore } = await import('./object-store.ts')
  return createObjectStore(options, owner)
}
