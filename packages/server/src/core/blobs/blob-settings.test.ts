import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, test } from 'vitest'
import { isStartProblem } from '../base/start-problem.ts'
import { readBlobSettings, readBlobStoreOptions } from './blob-settings.ts'

const directory = await mkdtemp(join(tmpdir(), 'bourse-blobs-'))
afterAll(() => rm(directory, { recursive: true }))

const alone = { data_directory: '/data', replicas: 1 }
const s3 = {
  BOURSE_IMAGE_STORE: 's3://images/eu/one',
  BOURSE_S3_ENDPOINT: 'https://s3.example',
  BOURSE_S3_CREDENTIALS_FILE: join(directory, 'credentials.json'),
}
const secret = 'not-to-be-seen'
const credentials = JSON.stringify({ access_key_id: 'id', secret_access_key: secret })

function isBad(error: unknown): boolean {
  return isStartProblem(error, 'bad_configuration')
}

test('images are stored in the data directory, or in the configured directory', () => {
  assert.deepEqual(readBlobSettings({}, alone), { kind: 'files', directory: '/data/images' })
  assert.deepEqual(readBlobSettings({ BOURSE_IMAGE_STORE: '/mnt/x' }, alone), { kind: 'files', directory: '/mnt/x' })
  const shared = readBlobSettings({ BOURSE_IMAGE_STORE: '/mnt/x' }, { ...alone, replicas: 3 })
  assert.equal(shared.kind, 'files')
})

test('several replicas need a shared store', () => {
  assert.throws(() => readBlobSettings({}, { ...alone, replicas: 2 }), isBad)
})

test('an object store is named by bucket, prefix, endpoint, region and a file of credentials', () => {
  const settings = readBlobSettings(s3, alone)
  const { BOURSE_S3_CREDENTIALS_FILE: credentials_file, BOURSE_S3_ENDPOINT: endpoint } = s3
  const place = { kind: 'objects', endpoint, bucket: 'images', credentials_file }
  assert.deepEqual(settings, { ...place, region: 'us-east-1', prefix: 'eu/one/' })
  const other = readBlobSettings({ ...s3, BOURSE_IMAGE_STORE: 's3://images', BOURSE_S3_REGION: 'eu-north-1' }, alone)
  assert.deepEqual(other, { ...place, region: 'eu-north-1', prefix: '' })
})

test('an incomplete configuration of an object store is refused', () => {
  for (const wrong of [
    { BOURSE_IMAGE_STORE: 's3://' },
    { BOURSE_IMAGE_STORE: 's3://UPPER/x' },
    { BOURSE_S3_ENDPOINT: undefined },
    { BOURSE_S3_ENDPOINT: 'ftp://s3.example' },
    { BOURSE_S3_CREDENTIALS_FILE: undefined },
  ]) {
    assert.throws(() => readBlobSettings({ ...s3, ...wrong }, alone), isBad, JSON.stringify(wrong))
  }
})

test('credentials come from a private file, and are not printed', async () => {
  const settings = readBlobSettings(s3, alone)
  await assert.rejects(readBlobStoreOptions(settings), isBad)
  const file = s3.BOURSE_S3_CREDENTIALS_FILE
  await writeFile(file, credentials, { mode: 0o644 })
  await assert.rejects(readBlobStoreOptions(settings), (error) => isStartProblem(error, 'keys_unsafe'))
  await chmod(file, 0o600)
  const options = await readBlobStoreOptions(settings)
  assert.ok(options.kind === 'objects')
  assert.equal(options.credentials.reveal().secret_access_key, secret)
  assert.ok(!inspect(options).includes(secret) && !JSON.stringify(options).includes(secret))
  await writeFile(file, `${credentials.slice(0, -1)}`)
  await assert.rejects(readBlobStoreOptions(settings), (error) => {
    return isStartProblem(error, 'keys_invalid') && !error.message.includes(secret)
  })
})
