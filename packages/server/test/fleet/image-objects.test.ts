/**
 * Images in an S3-compatible store, which these tests start.
 */
import assert from 'node:assert/strict'
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { Id } from '@bourse/api/kit/ids.ts'
import { afterAll, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { qcow2Of } from '../../../api/test/image-fixtures.ts'
import { openLog } from '../../src/core/base/log.ts'
import { hide } from '../../src/core/base/secret.ts'
import { createObjectStore, type ObjectStore } from '../../src/core/blobs/object-store.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { sweepImages } from '../../src/images/image-upkeep.service.ts'
import { imageAudits } from '../../src/images/images.audit.ts'
import type { Server } from '../../src/server.ts'
import { askForPart, beginImage, bytesOf, put, sendPart, sha256Of, uploadImage } from '../support/fixtures/images.ts'
import { startTestObjectStore } from '../support/object-store.ts'
import { refusalOf } from '../support/resources.ts'
import { openTestServer, startTestServer, type TestServer } from '../support/server.ts'

const mebibyte = 2 ** 20
const [first, last] = [bytesOf(5 * mebibyte, 'a'), bytesOf(1000, 'b')]
const place = { region: 'us-east-1', bucket: `bourse-${process.pid}`, prefix: 'images/' }
const log = openLog('silent')

const objects = await startTestObjectStore()
const { endpoint, credentials } = objects
afterAll(() => objects[Symbol.asyncDispose]())

type ImageObjectsWorld = Awaited<ReturnType<typeof openWorld>>
const world = await openWorld()

function testInStore(name: string, run: (world: ImageObjectsWorld) => Promise<void>): void {
  test(name, () => run(world))
}

async function openWorld() {
  const client = new S3Client({
    endpoint,
    region: place.region,
    forcePathStyle: true,
    credentials: { accessKeyId: credentials.access_key_id, secretAccessKey: credentials.secret_access_key },
  })
  const Bucket = place.bucket
  await client.send(new CreateBucketCommand({ Bucket }))
  const image_store = { kind: 'objects' as const, endpoint, ...place, credentials: hide(credentials) }
  const server = await startTestServer({ image_store, log })
  const { runtime, installation_id } = server.inside as Server
  const { token } = await server.account()
  const me = { server, token }
  const keyOf = (id: string) => `${place.prefix}${installation_id}/${id}`
  const listObjects = async () =>
    ((await client.send(new ListObjectsV2Command({ Bucket }))).Contents ?? []).map(({ Key }) => Key)
  const listUploads = async () =>
    ((await client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []).map(({ UploadId }) => UploadId)
  const untilEmpty = () =>
    eventually('the store has neither objects nor uploads', async () => {
      assert.deepEqual([...(await listObjects()), ...(await listUploads())], [])
      return true
    })
  const used = async () => (await server.call('get_limit', { params: { name: 'image_bytes' }, token })).used

  async function assertSound(): Promise<void> {
    const found = await runAudit(runtime.database, imageAudits)
    assert.deepEqual(
      found.filter(({ rows }) => rows.length > 0),
      [],
    )
  }

  async function fetchImage(id: string): Promise<Buffer> {
    const { url } = await server.call('get_image_download', { params: { id }, token })
    return Buffer.from(await (await fetch(url)).arrayBuffer())
  }
  return {
    client,
    Bucket,
    image_store,
    server,
    runtime,
    installation_id,
    token,
    me,
    keyOf,
    listObjects,
    listUploads,
    untilEmpty,
    used,
    assertSound,
    fetchImage,
  }
}

testInStore(
  'an image is uploaded to the store in parts, downloaded unchanged, and removed by its deletion',
  async ({ server, token, me, keyOf, listObjects, listUploads, untilEmpty, used, assertSound, fetchImage }) => {
    const image = await uploadImage(me, [first, last])
    assert.deepEqual([image.state, image.size_bytes], ['completed', first.length + last.length])
    assert.ok((await fetchImage(image.id)).equals(Buffer.concat([first, last])))
    assert.deepEqual(await listObjects(), [keyOf(image.id)])
    assert.deepEqual(await listUploads(), [])
    assert.equal(await used(), image.size_bytes)
    const { data } = await server.call('list_image_parts', { params: { id: image.id }, token })
    assert.deepEqual(
      data.map(({ part_id, size_bytes }) => [part_id, size_bytes]),
      [
        [1, first.length],
        [2, last.length],
      ],
    )
    await assertSound()
    await server.call('delete_image', { params: { id: image.id }, token })
    await untilEmpty()
    assert.equal(await used(), 0)
  },
)

testInStore(
  'parts are listed as in the store, and checked when the image is completed',
  async ({ server, token, me, untilEmpty, fetchImage }) => {
    const { id } = await beginImage(me)
    const complete = (bytes: readonly Buffer[]) =>
      server.attempt('complete_image', { params: { id }, token, body: { sha256: sha256Of(...bytes) } })
    assert.deepEqual(refusalOf(await complete([first])), [422, 'parts_missing', null])
    await sendPart(me, id, 2, last)
    assert.deepEqual(refusalOf(await complete([first])), [422, 'parts_missing', null])
    await sendPart(me, id, 1, last)
    assert.deepEqual(refusalOf(await complete([first])), [422, 'part_too_small', null])
    await sendPart(me, id, 1, first)
    const { data } = await server.call('list_image_parts', { params: { id }, token })
    assert.deepEqual(
      data.map(({ size_bytes }) => size_bytes),
      [first.length, last.length],
    )
    const { url } = await askForPart(me, id, 3)
    const done = await complete([first, last])
    assert.equal(done.status, 200, done.text)
    assert.deepEqual((await complete([first, last])).body, done.body)
    assert.deepEqual(refusalOf(await complete([first])), [409, 'invalid_state', null])
    assert.ok((await put(url, last).catch(() => ({ status: 404 }))).status >= 400)
    assert.ok((await fetchImage(id)).equals(Buffer.concat([first, last])))
    await server.call('delete_image', { params: { id }, token })
    await untilEmpty()
  },
)

testInStore(
  'a completion that was interrupted after the store had completed succeeds on retry',
  async ({ server, runtime, token, me, untilEmpty, assertSound, fetchImage }) => {
    const { id } = await beginImage(me)
    await sendPart(me, id, 1, last)
    const { url } = await askForPart(me, id, 1)
    const upload = new URL(url).searchParams.get('uploadId') as string
    const store = runtime.blobs as ObjectStore
    const named = { image_id: id as Id<'image'>, upload }
    // The rows are written before the parts are combined. A request for another part also writes them.
    await server.advance(60)
    await server.call('create_image_part', { params: { id }, token, body: { part_id: 1 } })
    const parts = (await store.listParts(named)) ?? []
    assert.ok(await store.assemble(named, parts))
    assert.equal(await store.listParts(named), undefined)
    const body = { sha256: sha256Of(last) }
    assert.equal((await server.call('complete_image', { params: { id }, token, body })).state, 'completed')
    assert.ok((await fetchImage(id)).equals(last))
    await assertSound()
    await server.call('delete_image', { params: { id }, token })
    await untilEmpty()
  },
)

testInStore(
  'bytes that are no disk image are refused after the store has joined them, and can still be accepted or deleted',
  async ({ server, token, me, untilEmpty, assertSound, fetchImage }) => {
    const complete = (id: string, bytes: Buffer, more: object = {}) =>
      server.attempt('complete_image', { params: { id }, token, body: { sha256: sha256Of(bytes), ...more } })
    const text = Buffer.from('no disk')
    const { id } = await beginImage(me)
    await sendPart(me, id, 1, text)
    assert.deepEqual(refusalOf(await complete(id, text)), [422, 'image_format_unknown', 'accept_unknown_format'])
    const part = await server.attempt('create_image_part', { params: { id }, token, body: { part_id: 1 } })
    assert.deepEqual(refusalOf(part), [409, 'invalid_state', null])
    const { body } = await complete(id, text, { accept_unknown_format: true })
    assert.deepEqual([body.state, body.format, body.virtual_size_bytes], ['completed', 'raw', text.length])
    assert.ok((await fetchImage(id)).equals(text))
    await server.call('delete_image', { params: { id }, token })
    const unsafe = qcow2Of((bytes) => void bytes.writeBigUInt64BE(1024n, 8))
    const other = await beginImage(me)
    await sendPart(me, other.id, 1, unsafe)
    const refused = await complete(other.id, unsafe, { accept_unknown_format: true })
    assert.deepEqual(refusalOf(refused), [422, 'image_refused', null])
    await assertSound()
    await server.call('delete_image', { params: { id: other.id }, token })
    await untilEmpty()
  },
)

testInStore(
  'concurrent requests for first parts share one upload',
  async ({ server, token, me, listUploads, untilEmpty }) => {
    const { id } = await beginImage(me)
    const urls = await Promise.all([1, 2, 3].map((part_id) => askForPart(me, id, part_id)))
    const names = new Set(urls.map(({ url }) => new URL(url).searchParams.get('uploadId')))
    assert.equal(names.size, 1)
    assert.equal((await listUploads()).length, 1)
    await server.call('delete_image', { params: { id }, token })
    await untilEmpty()
  },
)

testInStore(
  'an abandoned upload is also aborted in the store',
  async ({ server, token, me, untilEmpty, assertSound }) => {
    const { id } = await beginImage(me)
    await sendPart(me, id, 1, last)
    await server.advance(86_400)
    assert.equal((await server.call('get_image', { params: { id }, token })).state, 'failed')
    await untilEmpty()
    await assertSound()
    await server.call('delete_image', { params: { id }, token })
  },
)

testInStore('the limit image_bytes is checked by what the store has', async ({ server, untilEmpty }) => {
  const poor = await server.account()
  const own = { server, token: poor.token }
  await server.call('put_account_limit', {
    params: { account: poor.id, name: 'image_bytes' },
    body: { value: mebibyte },
  })
  const { id } = await beginImage(own)
  await sendPart(own, id, 1, first)
  await server.advance(60)
  const more = await server.attempt('create_image_part', { params: { id }, token: poor.token, body: { part_id: 2 } })
  assert.deepEqual(refusalOf(more), [422, 'limit_exceeded', null])
  const body = { sha256: sha256Of(first) }
  const done = await server.attempt('complete_image', { params: { id }, token: poor.token, body })
  assert.deepEqual(refusalOf(done), [422, 'limit_exceeded', null])
  await server.call('delete_image', { params: { id }, token: poor.token })
  await untilEmpty()
})

testInStore(
  'a sweep removes only objects that no row names',
  async ({ client, Bucket, runtime, me, keyOf, listObjects, listUploads, fetchImage }) => {
    const image = await uploadImage(me, [last])
    const open = await beginImage(me)
    await sendPart(me, open.id, 1, last)
    await client.send(new PutObjectCommand({ Bucket, Key: keyOf('image_gone'), Body: 'x' }))
    // A row may name a multipart upload a moment after its start.
    await client.send(new CreateMultipartUploadCommand({ Bucket, Key: keyOf('image_new') }))
    assert.equal(await sweepImages(runtime), 1)
    assert.deepEqual(await listObjects(), [keyOf(image.id)])
    assert.equal((await listUploads()).length, 2)
    assert.ok((await fetchImage(image.id)).equals(last))
  },
)

testInStore('a store that does not answer is said to be out of order, and nothing is lost', async ({ image_store }) => {
  const away = { ...image_store, endpoint: 'http://127.0.0.1:9' }
  const lost: TestServer = await startTestServer({ image_store: away, log })
  const own = { server: lost, token: (await lost.account()).token }
  const { id } = await beginImage(own)
  const asked = await lost.attempt('create_image_part', { params: { id }, token: own.token, body: { part_id: 1 } })
  assert.equal(asked.status, 503)
  assert.equal(asked.body.error.type, 'api_error')
  assert.ok(asked.headers.has('retry-after'))
  await lost.call('delete_image', { params: { id }, token: own.token })
})

testInStore('a part whose URL was admitted is in the audit trail, also where the store then fails', async (stage) => {
  await using server = await openTestServer({ image_store: { ...stage.image_store, bucket: 'nowhere' }, log })
  const { token } = await server.account()
  const { id } = await server.call('create_image', { token, body: {} })
  const asked = await server.attempt('create_image_part', { params: { id }, token, body: { part_id: 1 } })
  assert.ok(asked.status >= 500, `${asked.status}`)
  assert.equal((await server.call('get_image', { params: { id }, token })).state, 'uploading')
  const { data } = await server.call('list_audit_entries', { query: { target: id }, token })
  assert.deepEqual(
    data.map(({ operation, outcome }) => [operation, outcome]),
    [
      ['create_image_part', 'done'],
      ['create_image', 'done'],
    ],
  )
})

testInStore('signed URLs name the place and never the secret', async ({ Bucket, image_store }) => {
  const store = createObjectStore(image_store, { installation_id: 'x', log })
  const url = new URL(await store.partUrl({ image_id: 'image_a', upload: 'u' }, 7, 3600))
  assert.equal(url.pathname, `/${Bucket}/images/x/image_a`)
  assert.deepEqual(
    ['partNumber', 'uploadId', 'X-Amz-Expires', 'X-Amz-SignedHeaders'].map((name) => url.searchParams.get(name)),
    ['7', 'u', '3600', 'host'],
  )
  assert.ok(!url.href.includes(credentials.secret_access_key))
  assert.ok(![...url.searchParams.keys()].some((name) => name.toLowerCase().includes('checksum')))
})

testInStore('a signed URL is good for the one call that was signed', async ({ server, token, me }) => {
  const { id } = await beginImage(me)
  const { url } = await askForPart(me, id, 1)
  const changed = (change: (to: URL) => void) => {
    const to = new URL(url)
    change(to)
    return to.href
  }
  const others = [
    changed((to) => to.searchParams.set('partNumber', '2')),
    changed((to) => {
      to.pathname += '0'
    }),
    changed((to) => to.searchParams.set('X-Amz-Expires', '604800')),
    changed((to) => {
      to.search = ''
    }),
  ]
  const sent = { method: 'PUT', body: new Uint8Array(last) }
  for (const other of others) assert.equal((await fetch(other, sent)).status, 403, other)
  assert.equal((await fetch(url, { method: 'DELETE' })).status, 403)
  assert.equal((await put(url, last)).status, 200)
  const body = { sha256: sha256Of(last) }
  await server.call('complete_image', { params: { id }, token, body })
  const { url: content } = await server.call('get_image_download', { params: { id }, token })
  const part = await fetch(content, { headers: { range: 'bytes=5-9' } })
  assert.equal(part.status, 206)
  assert.ok(Buffer.from(await part.arrayBuffer()).equals(last.subarray(5, 10)))
})

testInStore('lists that are longer than a page are read to their end', async ({ image_store }) => {
  const store = createObjectStore(image_store, { installation_id: 'paged', log })
  const uploads = await Promise.all(
    ['a', 'b', 'c'].map(async (image_id) => ({ image_id, upload: await store.begin(image_id) })),
  )
  const [upload] = uploads as [(typeof uploads)[number]]
  for (const part_id of [3, 1, 2]) assert.equal((await put(await store.partUrl(upload, part_id, 60), last)).status, 200)
  const parts = (await store.listParts(upload)) ?? []
  assert.deepEqual(
    parts.map(({ part_id, size_bytes }) => [part_id, size_bytes]),
    [1, 2, 3].map((part_id) => [part_id, last.length]),
  )
  const named = (await store.listUploads()).map(({ image_id, upload }) => ({ image_id, upload }))
  assert.deepEqual(
    named.toSorted((a, b) => a.image_id.localeCompare(b.image_id)),
    uploads,
  )
  for (const one of uploads) await store.abort(one)
  assert.deepEqual(await store.listUploads(), [])
  assert.equal(await store.listParts(upload), undefined)
})
