/**
 * Reads the configuration of the image store: `BOURSE_IMAGE_STORE` is a directory, or `s3://bucket/prefix` with an
 * endpoint and credentials. An invalid configuration stops the start. Not this file's work: the store (blob-store.ts).
 */
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { hide } from '../base/secret.ts'
import { startProblem } from '../base/start-problem.ts'
import type { BlobStoreOptions } from './blob-store.ts'
import { imageStoreSettings } from './image-store-settings.ts'

/** The configuration from the environment, with the path of the credentials file instead of the credentials. */
export type BlobSettings =
  | { readonly kind: 'files'; readonly directory: string }
  | {
      readonly kind: 'objects'
      readonly endpoint: string
      readonly region: string
      readonly bucket: string
      readonly prefix: string
      readonly credentials_file: string
    }

/** Environment variables. */
export type BlobVariables = Readonly<Record<string, string | undefined>>

/** Reads the configuration. The default is files in the data directory, which several replicas do not share. */
export function readBlobSettings(
  variables: BlobVariables,
  { data_directory, replicas }: { data_directory: string; replicas: number },
): BlobSettings {
  const place = variables.BOURSE_IMAGE_STORE
  if (place?.startsWith('s3://')) return readObjectSettings('BOURSE_IMAGE_STORE', place, variables)
  if (place) return { kind: 'files', directory: resolve(place) }
  if (replicas === 1) return { kind: 'files', directory: join(data_directory, 'images') }
  throw bad('Set BOURSE_IMAGE_STORE to a shared directory or s3://bucket/prefix: all replicas need the same images.')
}

/** Reads the credentials of an object store. Throws where their file is missing, not private or invalid. */
export async function readBlobStoreOptions(settings: BlobSettings): Promise<BlobStoreOptions> {
  if (settings.kind === 'files') return settings
  const { credentials_file: path, ...place } = settings
  const [text, mode] = await Promise.all([readFile(path, 'utf8'), stat(path).then((found) => found.mode)]).catch(() => {
    throw bad(`BOURSE_S3_CREDENTIALS_FILE names ${path}, which cannot be read.`)
  })
  if ((mode & 0o007) !== 0) {
    throw startProblem(
      'keys_unsafe',
      `The credentials in ${path} are accessible to every user. Run \`chmod 600\` on it.`,
    )
  }
  return { ...place, credentials: hide(readCredentials(text, path)) }
}

/** Reads a place in an object store, and the settings of the store. `what` names the place in messages. */
export function readObjectSettings(what: string, place: string, variables: BlobVariables): BlobSettings {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(place) ?? []
  if (bucket === undefined) throw bad(`${what} must be a directory or s3://bucket/prefix.`)
  const endpoint = variables.BOURSE_S3_ENDPOINT ?? ''
  if (!URL.canParse(endpoint) || !/^https?:\/\//.test(endpoint)) {
    throw bad('Set BOURSE_S3_ENDPOINT: the http or https URL of the object store for clients and this server.')
  }
  const credentials_file = variables.BOURSE_S3_CREDENTIALS_FILE
  if (!credentials_file) {
    throw bad('Set BOURSE_S3_CREDENTIALS_FILE: a JSON file with access_key_id and secret_access_key.')
  }
  const prefix = path === '' || path.endsWith('/') ? path : `${path}/`
  return {
    kind: 'objects',
    endpoint,
    region: variables.BOURSE_S3_REGION || imageStoreSettings.BOURSE_S3_REGION.fallback,
    bucket,
    prefix,
    credentials_file: resolve(credentials_file),
  }
}

function readCredentials(text: string, path: string): { access_key_id: string; secret_access_key: string } {
  try {
    const { access_key_id, secret_access_key } = JSON.parse(text) as Record<string, unknown>
    if (typeof access_key_id === 'string' && typeof secret_access_key === 'string') {
      return { access_key_id, secret_access_key }
    }
  } catch {
    // Falls through, because the parser's message would quote the file.
  }
  throw startProblem('keys_invalid', `${path} must contain a JSON object with access_key_id and secret_access_key.`)
}

function bad(message: string): Error {
  return startProblem('bad_configuration', message)
}
