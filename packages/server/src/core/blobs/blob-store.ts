/**
 * The store of image bytes: files in a directory, which the servers serve themselves, or an S3-compatible store, which
 * clients access directly. Not this file's work: images and their owners (images area).
 */

import { createFileStore, type FileStore } from './file-store.ts'
import type { ObjectStore, ObjectStoreOptions } from './object-store.ts'
import type { StoreOwner } from './store-owner.ts'

/** The store of a server. */
export type BlobStore = FileStore | ObjectStore

/** The configuration of the store. */
export type BlobStoreOptions = { readonly kind: 'files'; readonly directory: string } | ObjectStoreOptions

/** Opens the store. */
export async function openBlobStore(options: BlobStoreOptions, owner: StoreOwner): Promise<BlobStore> {
  if (options.kind === 'files') return createFileStore(options.directory, owner)
  // Imported only where it is used: 22 MB of code.
  const { createObjectStore } = await import('./object-store.ts')
  return createObjectStore(options, owner)
}
