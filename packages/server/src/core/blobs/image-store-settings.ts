/** The variables of the image store. blob-settings.ts reads them, and so does the reference. */
import type { SettingTable } from '@bourse/text/settings.ts'

const readers = ['serve', 'start']
/** What a bucket of backups needs too. */
const readersOfBuckets = [...readers, 'backup', 'restore']

/** The variables of the image store, in the order of the reference. */
export const imageStoreSettings = {
  BOURSE_IMAGE_STORE: {
    meaning:
      'Where the bytes of images are stored. Several replicas need a directory that all replicas share, or a bucket.',
    form: 'a directory, or `s3://bucket/prefix`',
    unset: 'the folder `images` of the data directory; with several replicas: required',
    readers,
  },
  BOURSE_S3_ENDPOINT: {
    meaning: 'The URL of the object store. Clients that upload and download images use it too.',
    form: 'an http or https URL',
    unset: 'with `s3://`: required',
    readers: readersOfBuckets,
  },
  BOURSE_S3_REGION: {
    meaning: 'The region of the bucket.',
    fallback: 'us-east-1',
    readers: readersOfBuckets,
  },
  BOURSE_S3_CREDENTIALS_FILE: {
    meaning: 'The file with `access_key_id` and `secret_access_key`.',
    form: 'a JSON file that other users cannot read',
    unset: 'with `s3://`: required',
    readers: readersOfBuckets,
  },
} as const satisfies SettingTable
