/** The files of backups, in a directory and in a bucket. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { test } from 'vitest'
import { startTestObjectStore } from '../../../test/support/object-store.ts'
import { hide } from '../base/secret.ts'
import { startProblem } from '../base/start-problem.ts'
import { createBucketClient } from '../blobs/object-store.ts'
import type { BackupStore } from './backup-store.ts'
import { openBucket } from './bucket-store.ts'
import { openDirectory } from './directory-store.ts'

async function makeRoot(stack: AsyncDisposableStack): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'bourse-stores-'))
  stack.defer(() => rm(root, { recursive: true, force: true }))
  return root
}

async function openTestBucket(stack: AsyncDisposableStack): Promise<BackupStore> {
  const objects = stack.use(await startTestObjectStore())
  const place = { endpoint: objects.endpoint, region: 'us-east-1', bucket: 'backups', prefix: 'of/' }
  const options = { kind: 'objects', ...place, credentials: hide(objects.credentials) } as const
  await createBucketClient(options).send(new CreateBucketCommand({ Bucket: 'backups' }))
  return openBucket('s3://backups/of', options)
}

async function* breakingOff(error: unknown): AsyncGenerator<Buffer> {
  yield Buffer.from('some')
  throw error
}

test('what breaks off the bytes is reported as it is, not as a failure of the store', async () => {
  await using stack = new AsyncDisposableStack()
  const root = await makeRoot(stack)
  for (const store of [openDirectory(root), await openTestBucket(stack)]) {
    const problem = startProblem('backup_refused', 'The connection to the database broke.')
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
    for (const error of [problem, reset]) {
      await assert.rejects(store.write('a/file', breakingOff(error)), (thrown) => thrown === error)
    }
    assert.deepEqual(await store.list('a'), [])
  }
  assert.deepEqual(await readdir(join(root, 'a')), [])
})

test('a directory can be listed while files of it are written and removed', async () => {
  await using stack = new AsyncDisposableStack()
  const store = openDirectory(await makeRoot(stack))
  let isWriting = true
  const writing = async () => {
    for (let number = 0; number < 200; number += 1) await store.writeNew(`wal/${number}`, Buffer.from('x'))
    for (let number = 0; number < 200; number += 1) if (number % 2 === 1) await store.remove(`wal/${number}`)
    isWriting = false
  }
  const listing = async () => {
    while (isWriting) await store.list('wal')
  }
  await Promise.all([writing(), listing(), listing()])
  assert.equal((await store.list('wal')).length, 100)
})
