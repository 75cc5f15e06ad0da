/** Opens the place that an operator names for backups. */
import { resolve } from 'node:path'
import { type BlobVariables, readBlobStoreOptions, readObjectSettings } from '../blobs/blob-settings.ts'
import type { BackupStore } from './backup-store.ts'
import { openDirectory } from './directory-store.ts'

/** Opens a location: a directory or s3://bucket/prefix, with the settings of the image store. */
export async function openBackupStore(location: string, variables: BlobVariables): Promise<BackupStore> {
  if (!location.startsWith('s3://')) return openDirectory(resolve(location))
  const settings = readObjectSettings('The location', location, variables)
  const options = await readBlobStoreOptions(settings)
  if (options.kind === 'files') throw new Error('A bucket was read as a directory.')
  // Imported only where it is used: 22 MB of code.
  const { openBucket } = await import('./bucket-store.ts')
  return openBucket(location, options)
}
