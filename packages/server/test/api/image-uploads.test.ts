import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { diskBytes, qcow2Bytes, qcow2Of } from '../../../api/test/image-fixtures.ts'
import { platformAccount } from '../support/access.ts'
import {
  askForPart,
  beginImage,
  bytesOf,
  etagOf,
  put,
  sendPart,
  sha256Of,
  uploadImage,
} from '../support/fixtures/images.ts'
import { assertNameRule, assertRights, refusalOf } from '../support/resources.ts'
import { startTestServer, type TestAccount } from '../support/server.ts'

const server = await startTestServer()
const platform = await platformAccount(server)
const account = await server.account()
const { token } = account
const me = { server, token }
const path = '/v2/images'
const mebibyte = 2 ** 20
const [first, second, last] = [bytesOf(5 * mebibyte, 'a'), bytesOf(5 * mebibyte, 'b'), bytesOf(1000, 'c')]

function read(id: string, by = token) {
  return server.call('get_image', { params: { id }, token: by })
}

function complete(id: string, sha256: string, by = token) {
  return server.attempt('complete_image', { params: { id }, token: by, body: { sha256 } })
}

async function partsOf(id: string, by = token) {
  const list = await server.call('list_image_parts', { params: { id }, token: by })
  assert.deepEqual([list.object, list.has_more], ['list', false])
  return list.data
}

/** Waits until the used bytes of an account are what is meant. */
function usedOnce(what: string, by: { token: string }, isMeant: (bytes: number) => boolean): Promise<true> {
  return eventually(what, async () => {
    const bytes = await usedBy(by)
    assert.ok(isMeant(bytes), `${bytes} bytes are used.`)
    return true
  })
}

async function usedBy(by: { token: string }): Promise<number> {
  return (await server.call('get_limit', { params: { name: 'image_bytes' }, token: by.token })).used
}

async function fetchImage(id: string, headers: Record<string, string> = {}, by = token) {
  const { url } = await server.call('get_image_download', { params: { id }, token: by })
  const response = await fetch(url, { headers })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** A new account, so that no other test uses its limit. */
async function lone(imageBytes?: number): Promise<TestAccount & { server: typeof server }> {
  const made = await server.account()
  if (imageBytes !== undefined)
    await server.call('put_account_limit', {
      params: { account: made.id, name: 'image_bytes' },
      body: { value: imageBytes },
    })
  return { ...made, server }
}

/** Starts to send a part. The test sends the rest. */
async function beginSending(url: string, length: number, head: Buffer): Promise<ClientRequest> {
  const request = httpRequest(url, { method: 'PUT', headers: { 'content-length': length } })
  request.on('error', () => {})
  request.write(head)
  await once(request, 'socket')
  return request
}

async function answerTo(request: ClientRequest) {
  const [response] = await once(request, 'response')
  const body = await text(response)
  return { status: response.statusCode, headers: response.headers, body: body ? JSON.parse(body) : undefined }
}

test('create_image creates an image in state started, without parts', async () => {
  const image = await server.attempt('create_image', { token, body: { name: 'base' } })
  assert.equal(image.status, 201)
  const { name, state, sha256, size_bytes, is_public } = image.body
  assert.deepEqual([name, state, sha256, size_bytes, is_public], ['base', 'started', null, null, false])
  assert.deepEqual(await read(image.body.id), image.body)
  assert.deepEqual(await partsOf(image.body.id), [])
  await assertNameRule({ server, token, path }, 'POST', {})
})

test('an idempotency key makes create_image create one image', async () => {
  const headers = { 'idempotency-key': 'one-image' }
  const [once_, again] = [
    await server.call('create_image', { token, headers, body: {} }),
    await server.call('create_image', { token, headers, body: {} }),
  ]
  assert.deepEqual(again, once_)
})

test('an image uploaded in parts is downloaded unchanged, as a whole and in ranges', async () => {
  const image = await uploadImage(me, [first, second, last], { name: 'whole' })
  const whole = Buffer.concat([first, second, last])
  assert.deepEqual([image.state, image.size_bytes, image.sha256], ['completed', whole.length, sha256Of(whole)])
  assert.deepEqual(await read(image.id), image)
  const got = await fetchImage(image.id)
  assert.equal(got.status, 200)
  assert.equal(got.headers.get('content-length'), String(whole.length))
  assert.ok(got.bytes.equals(whole))
  for (const [range, from, to] of [
    ['bytes=0-0', 0, 1],
    [`bytes=${first.length - 2}-${first.length + 1}`, first.length - 2, first.length + 2],
    [`bytes=${whole.length - 5}-`, whole.length - 5, whole.length],
    ['bytes=-7', whole.length - 7, whole.length],
    [`bytes=10-${whole.length * 2}`, 10, whole.length],
  ] as const) {
    const part = await fetchImage(image.id, { range })
    assert.equal(part.status, 206, range)
    assert.equal(part.headers.get('content-range'), `bytes ${from}-${to - 1}/${whole.length}`)
    assert.ok(part.bytes.equals(whole.subarray(from, to)), range)
  }
  for (const range of ['bytes=5-2', `bytes=${whole.length}-`, 'bytes=0-1,4-5', 'lines=1-2']) {
    assert.equal((await fetchImage(image.id, { range })).status, 200, range)
  }
})

test('create_image_part, list_image_parts and complete_image take an image from started to completed', async () => {
  const { id } = await beginImage(me)
  const asked = await server.attempt('create_image_part', { params: { id }, token, body: { part_id: 2 } })
  assert.deepEqual([asked.status, asked.body.object, asked.body.part_id], [200, 'image_part_url', 2])
  assert.equal(asked.headers.get('cache-control'), 'no-store')
  const { now } = await server.call('get_clock')
  assert.ok(Math.abs(asked.body.expires_at - now - 3600) <= 2)
  assert.equal((await read(id)).state, 'uploading')
  const response = await put(asked.body.url, last)
  assert.deepEqual([response.status, response.headers.get('etag'), response.text], [200, etagOf(last), ''])
  await sendPart(me, id, 1, first)
  const parts = await partsOf(id)
  assert.deepEqual(
    parts.map(({ object, part_id, size_bytes, etag }: Record<string, unknown>) => [object, part_id, size_bytes, etag]),
    [
      ['image_part', 1, first.length, etagOf(first)],
      ['image_part', 2, last.length, etagOf(last)],
    ],
  )
  const done = await complete(id, sha256Of(first, last))
  assert.deepEqual([done.status, done.body.state, done.body.size_bytes], [200, 'completed', first.length + last.length])
  assert.deepEqual(await partsOf(id), parts)
})

test('a part that is sent again replaces the earlier one and counts once', async () => {
  const own = await lone()
  const { id } = await beginImage(own)
  await sendPart(own, id, 1, first)
  assert.equal(await usedBy(own), first.length)
  const etag = await sendPart(own, id, 1, last)
  assert.equal(etag, etagOf(last))
  assert.equal(await usedBy(own), last.length)
  await complete(id, sha256Of(last), own.token)
  assert.ok((await fetchImage(id, {}, own.token)).bytes.equals(last))
})

test('complete_image requires all parts from 1 on, and each except the last has at least 5 MiB', async () => {
  const { id } = await beginImage(me)
  const sum = sha256Of(first, last)
  assert.deepEqual(refusalOf(await complete(id, sum)), [422, 'parts_missing', null])
  await sendPart(me, id, 2, last)
  assert.deepEqual(refusalOf(await complete(id, sum)), [422, 'parts_missing', null])
  await sendPart(me, id, 1, last)
  assert.deepEqual(refusalOf(await complete(id, sum)), [422, 'part_too_small', null])
  await sendPart(me, id, 1, first)
  await sendPart(me, id, 4, last)
  assert.deepEqual(refusalOf(await complete(id, sum)), [422, 'parts_missing', null])
  assert.equal((await read(id)).state, 'uploading')
  for (const wrong of ['', sum.toUpperCase(), sum.slice(1), `${sum}0`]) {
    assert.equal((await complete(id, wrong)).status, 400, wrong)
  }
  for (const part_id of [0, 10_001, -1]) {
    const response = await server.attempt('create_image_part', { params: { id }, token, body: { part_id } })
    assert.deepEqual(refusalOf(response), [400, 'out_of_range', 'part_id'])
  }
})

test('complete_image can be repeated with the same checksum only, and a completed image accepts no parts', async () => {
  const { id } = await beginImage(me)
  const { url } = await askForPart(me, id, 1)
  await put(url, last)
  const { body: image } = await complete(id, sha256Of(last))
  assert.deepEqual((await complete(id, sha256Of(last))).body, image)
  assert.deepEqual(refusalOf(await complete(id, sha256Of(first))), [409, 'invalid_state', null])
  const late = await put(url, bytesOf(1000, 'other'))
  assert.deepEqual(refusalOf(late), [409, 'invalid_state', null])
  const more = await server.attempt('create_image_part', { params: { id }, token, body: { part_id: 1 } })
  assert.deepEqual(refusalOf(more), [409, 'invalid_state', null])
  assert.ok((await fetchImage(id)).bytes.equals(last))
  await server.call('revoke_image', { params: { id }, token })
  assert.deepEqual(refusalOf(await complete(id, sha256Of(last))), [409, 'invalid_state', null])
})

test('complete_image shows the format of the image and the size of its disk', async () => {
  const raw = await uploadImage(me, [first, last])
  const size_bytes = first.length + last.length
  assert.deepEqual([raw.format, raw.size_bytes, raw.virtual_size_bytes], ['raw', size_bytes, size_bytes])
  const file = qcow2Of().subarray(0, 1000)
  const qcow2 = await uploadImage(me, [Buffer.concat([qcow2Of(), Buffer.alloc(qcow2Bytes - qcow2Of().length)])])
  assert.deepEqual([qcow2.format, qcow2.size_bytes, qcow2.virtual_size_bytes], ['qcow2', qcow2Bytes, diskBytes])
  const { id } = await beginImage(me)
  await sendPart(me, id, 1, file)
  assert.deepEqual(refusalOf(await complete(id, sha256Of(file))), [422, 'image_refused', null], 'it is cut off')
  const begun = await read(id)
  assert.deepEqual([begun.state, begun.format, begun.virtual_size_bytes], ['uploading', null, null])
})

test('bytes that are no disk image are refused, and become a raw disk if the caller accepts that', async () => {
  const own = await lone()
  const text = Buffer.from('abc')
  const { id } = await beginImage(own)
  await sendPart(own, id, 1, text)
  const refused = await complete(id, sha256Of(text), own.token)
  assert.deepEqual(refusalOf(refused), [422, 'image_format_unknown', 'accept_unknown_format'])
  assert.match(refused.body.error.message, /3 bytes/)
  assert.equal((await read(id, own.token)).state, 'uploading')
  assert.equal(await usedBy(own), text.length)
  const body = { sha256: sha256Of(text), accept_unknown_format: true }
  const image = await server.call('complete_image', { params: { id }, token: own.token, body })
  assert.deepEqual([image.state, image.format, image.virtual_size_bytes], ['completed', 'raw', text.length])
  assert.ok((await fetchImage(id, {}, own.token)).bytes.equals(text))
  const repeated = await complete(id, sha256Of(text), own.token)
  assert.deepEqual(repeated.body, image)
})

test('a qcow2 file that refers to another file is refused even if the caller accepts any format', async () => {
  for (const change of [
    (bytes: Buffer) => bytes.writeBigUInt64BE(1024n, 8),
    (bytes: Buffer) => bytes.writeBigUInt64BE(4n, 72),
  ]) {
    const file = Buffer.concat([qcow2Of((bytes) => void change(bytes)), Buffer.alloc(2 ** 18)])
    const { id } = await beginImage(me)
    await sendPart(me, id, 1, file)
    for (const accept_unknown_format of [false, true]) {
      const body = { sha256: sha256Of(file), accept_unknown_format }
      const response = await server.attempt('complete_image', { params: { id }, token, body })
      assert.deepEqual(refusalOf(response), [422, 'image_refused', null])
      assert.match(response.body.error.message, /qemu-img convert/)
    }
    // The part can be replaced by that of a usable image.
    await sendPart(me, id, 1, last)
    assert.equal((await complete(id, sha256Of(last))).body.state, 'completed')
  }
})

test('the first part of an image can be replaced by one that is a disk', async () => {
  const parts = [Buffer.alloc(5 * mebibyte, 'a'), Buffer.from('the end')]
  const { id } = await beginImage(me)
  for (const [index, bytes] of parts.entries()) await sendPart(me, id, index + 1, bytes)
  const response = await complete(id, sha256Of(...parts))
  assert.deepEqual(refusalOf(response), [422, 'image_format_unknown', 'accept_unknown_format'])
  await sendPart(me, id, 1, first)
  const { body } = await complete(id, sha256Of(first, parts[1] as Buffer))
  assert.deepEqual([body.state, body.virtual_size_bytes], ['completed', first.length + 7])
})

test('an image whose bytes do not have the digest that was sent fails, and its bytes are released', async () => {
  const own = await lone()
  const { id } = await beginImage(own)
  await sendPart(own, id, 1, last)
  const { status, body } = await complete(id, sha256Of(first), own.token)
  assert.deepEqual([status, body.state, body.failure_reason], [200, 'failed', 'digest_mismatch'])
  assert.equal(await usedBy(own), 0)
  assert.deepEqual(await partsOf(id, own.token), [])
  assert.deepEqual(refusalOf(await complete(id, sha256Of(last), own.token)), [409, 'invalid_state', null])
  const download = await server.attempt('get_image_download', { params: { id }, token: own.token })
  assert.deepEqual(refusalOf(download), [409, 'invalid_state', null])
})

test('who knows the digest of another image cannot complete an image with it', async () => {
  const victim = await lone()
  const secret = await uploadImage(victim, [bytesOf(5000, 'secret')])
  const { id } = await beginImage(me)
  await sendPart(me, id, 1, bytesOf(5000, 'guess'))
  assert.equal((await complete(id, secret.sha256)).body.state, 'failed')
  const body = { name: 'stolen', image: id }
  const response = await server.attempt('create_instance_template', { token, body })
  assert.deepEqual(refusalOf(response), [422, 'image_not_available', 'image'])
})

test('a large image is verified in the background, and cannot be used before', async () => {
  const large = bytesOf(40 * mebibyte, 'large')
  for (const [sent, state] of [
    [large, 'completed'],
    [last, 'failed'],
  ] as const) {
    const { id } = await beginImage(me)
    await sendPart(me, id, 1, large)
    const { status, body } = await complete(id, sha256Of(sent))
    assert.deepEqual([status, body.state, body.size_bytes], [200, 'verifying', large.length])
    const responses = [
      await server.attempt('get_image_download', { params: { id }, token }),
      await server.attempt('revoke_image', { params: { id }, token }),
    ]
    if ((await read(id)).state === 'verifying')
      for (const response of responses) assert.deepEqual(refusalOf(response), [409, 'invalid_state', null])
    await eventually('the image is verified', async () => {
      assert.notEqual((await read(id)).state, 'verifying')
      return true
    })
    // The verification may end before the request: then a completed image is revoked. One that fails never is.
    const isRevoked = state === 'completed' && responses[1]?.status === 200
    assert.equal((await read(id)).state, isRevoked ? 'revoked' : state)
  }
})

test('a signed URL is valid for one image, one part, one method and one hour', async () => {
  const [{ id }, other] = [await beginImage(me), await beginImage(me)]
  const { url } = await askForPart(me, id, 1)
  await askForPart(me, other.id, 1)
  const forbidden = [403, 'forbidden', undefined]
  const signature = url.slice(-10)
  for (const wrong of [
    url.replace('/parts/1?', '/parts/2?'),
    url.replace(id, other.id),
    url.replace('/parts/1', ''),
    url.replace(/expires_at=(\d+)/, (_: string, at: string) => `expires_at=${Number(at) + 1}`),
    url.replace(signature, [...signature].reverse().join('')),
    url.replace(/key_id=\d+/, 'key_id=9'),
    url.replace(/\?.*/, ''),
    `${url}&more=1`,
  ]) {
    const isContent = !wrong.includes('/parts/')
    const response = await put(wrong, last)
    // A whole image cannot be sent: this path supports only downloads.
    assert.deepEqual(refusalOf(response), isContent ? [405, 'method_not_allowed', null] : forbidden, wrong)
  }
  assert.equal((await fetch(url)).status, 405)
  await server.advance(3600)
  assert.deepEqual(refusalOf(await put(url, last)), forbidden)
  assert.deepEqual(await partsOf(id), [])
  const { url: fresh } = await askForPart(me, id, 1)
  assert.equal((await put(fresh, last)).status, 200)
})

test('a download URL is valid for one image and one hour', async () => {
  const [image, other] = [await uploadImage(me, [last]), await uploadImage(me, [last])]
  const { url, ...shown } = await server.call('get_image_download', { params: { id: image.id }, token })
  const { expires_at: _, ...rest } = shown
  assert.deepEqual(rest, { object: 'image_download', sha256: image.sha256, size_bytes: last.length })
  assert.equal((await fetch(url.replace(image.id, other.id))).status, 403)
  assert.equal((await fetch(url, { method: 'HEAD' })).headers.get('content-length'), String(last.length))
  await server.advance(3600)
  assert.equal((await fetch(url)).status, 403)
})

test('a part whose content does not match its checksum is refused', async () => {
  const own = await lone()
  const { id } = await beginImage(own)
  const { url } = await askForPart(own, id, 1)
  const wrong = await put(url, last, {
    'content-md5': Buffer.from(etagOf(first).slice(1, -1), 'hex').toString('base64'),
  })
  assert.deepEqual(refusalOf(wrong), [400, 'invalid_value', 'Content-MD5'])
  assert.equal(await usedBy(own), 0)
  const right = { 'content-md5': Buffer.from(etagOf(last).slice(1, -1), 'hex').toString('base64') }
  assert.equal((await put(url, last, right)).status, 200)
})

test('a part needs a content length, and above 5 GiB it is refused before its body is read', async () => {
  const { id } = await beginImage(me)
  const { url } = await askForPart(me, id, 1)
  const chunked = httpRequest(url, { method: 'PUT', headers: { 'transfer-encoding': 'chunked' } })
  chunked.end('some bytes')
  assert.deepEqual(refusalOf((await answerTo(chunked)) as never), [400, 'required', 'Content-Length'])
  const large = await beginSending(url, 5 * 2 ** 30 + 1, last)
  assert.deepEqual(refusalOf((await answerTo(large)) as never), [413, 'body_too_large', null])
  large.destroy()
  assert.deepEqual(await partsOf(id), [])
})

test('an interrupted part is not kept, and its share of the limit is free again', async () => {
  const own = await lone()
  const { id } = await beginImage(own)
  const { url } = await askForPart(own, id, 1)
  const request = await beginSending(url, first.length, first.subarray(0, 100_000))
  await usedOnce('the part takes its share', own, (bytes) => bytes > 0)
  request.destroy()
  await usedOnce('the share is free again', own, (bytes) => bytes === 0)
  assert.deepEqual((await server.call('list_image_parts', { params: { id }, token: own.token })).data, [])
  assert.equal((await put(url, first)).status, 200)
  assert.equal(await usedBy(own), first.length)
})

test('of two concurrent uploads of one part the later one is kept', async () => {
  const own = await lone()
  const { id } = await beginImage(own)
  const { url } = await askForPart(own, id, 1)
  const early = await beginSending(url, first.length, first.subarray(0, 100_000))
  await usedOnce('the early part takes its share', own, (bytes) => bytes > 0)
  assert.equal((await put(url, second)).status, 200)
  early.end(first.subarray(100_000))
  assert.deepEqual(refusalOf((await answerTo(early)) as never), [409, 'invalid_state', null])
  await complete(id, sha256Of(second), own.token)
  assert.ok((await fetchImage(id, {}, own.token)).bytes.equals(second))
  assert.equal(await usedBy(own), second.length)
})

for (const [end, finish] of Object.entries({
  completed: (id: string) => complete(id, sha256Of(first)),
  deleted: (id: string) => server.attempt('delete_image', { params: { id }, token }),
})) {
  test(`a part that is still being sent when its image is ${end} is refused`, async () => {
    const { id } = await beginImage(me)
    await sendPart(me, id, 1, first)
    const { url } = await askForPart(me, id, 2)
    const before = await usedBy(me)
    const request = await beginSending(url, second.length, second.subarray(0, 100_000))
    await usedOnce('the part takes its share', me, (bytes) => bytes !== before)
    assert.ok((await finish(id)).status < 300)
    request.end(second.subarray(100_000))
    assert.deepEqual(refusalOf((await answerTo(request)) as never), [409, 'invalid_state', null])
    assert.ok((await usedBy(me)) <= before)
    if (end === 'completed') assert.ok((await fetchImage(id)).bytes.equals(first))
  })
}

test('only a completed image can be revoked, and a revoked image can still be downloaded', async () => {
  const { id } = await beginImage(me)
  await sendPart(me, id, 1, last)
  const early = await server.attempt('revoke_image', { params: { id }, token })
  assert.deepEqual(refusalOf(early), [409, 'invalid_state', null])
  await complete(id, sha256Of(last))
  await server.call('revoke_image', { params: { id }, token })
  assert.ok((await fetchImage(id)).bytes.equals(last))
})

test('get_image_download is refused for incomplete images and for images without an upload', async () => {
  const started = await beginImage(me)
  const ready = await server.call('create_ready_image', { token, body: { name: 'ready' } })
  for (const { id } of [started, ready]) {
    const response = await server.attempt('get_image_download', { params: { id }, token })
    assert.deepEqual(refusalOf(response), [409, 'invalid_state', null])
  }
})

test('the limit image_bytes applies to received bytes, and a deletion frees them', async () => {
  const own = await lone(6 * mebibyte)
  const { id } = await beginImage(own)
  await sendPart(own, id, 1, first)
  const { url } = await askForPart(own, id, 2)
  assert.deepEqual(refusalOf(await put(url, second)), [422, 'limit_exceeded', null])
  assert.equal((await put(url, bytesOf(mebibyte))).status, 200)
  assert.equal(await usedBy(own), 6 * mebibyte)
  const full = await server.attempt('create_image_part', { params: { id }, token: own.token, body: { part_id: 3 } })
  assert.deepEqual(refusalOf(full), [422, 'limit_exceeded', null])
  await server.call('delete_image', { params: { id }, token: own.token })
  assert.equal(await usedBy(own), 0)
  await askForPart(own, (await beginImage(own)).id, 1)
})

test('the limit images applies to create_image', async () => {
  const { token: by } = await server.account({ trust_level: 'untrusted' })
  for (let count = 0; count < 2; count++) await server.call('create_image', { token: by, body: {} })
  assert.deepEqual(refusalOf(await server.attempt('create_image', { token: by, body: {} })), [
    422,
    'limit_exceeded',
    null,
  ])
})

test('an upload without activity fails after 24 hours and no longer counts against the limit', async () => {
  const own = await lone()
  const [silent, asked] = [await beginImage(own), await beginImage(own)]
  await sendPart(own, asked.id, 1, last)
  await server.advance(23 * 3600)
  const { url } = await askForPart(own, asked.id, 2)
  await server.advance(3600)
  assert.equal((await read(silent.id, own.token)).state, 'failed')
  assert.equal((await read(asked.id, own.token)).state, 'uploading')
  await server.advance(23 * 3600)
  assert.equal((await read(asked.id, own.token)).state, 'failed')
  assert.equal(await usedBy(own), 0)
  assert.deepEqual((await server.call('list_image_parts', { params: { id: asked.id }, token: own.token })).data, [])
  assert.equal((await put(url, last)).status, 403)
  for (const [action, body] of [
    ['parts', { part_id: 1 }],
    ['complete', { sha256: sha256Of(last) }],
  ] as const) {
    const response = await server.request('POST', `${path}/${asked.id}/${action}`, { token: own.token, body })
    assert.deepEqual(refusalOf(response), [409, 'invalid_state', null])
  }
  await server.call('delete_image', { params: { id: asked.id }, token: own.token })
})

test('a completed image does not expire', async () => {
  const image = await uploadImage(me, [last])
  await server.advance(2 * 86_400)
  assert.deepEqual(await read(image.id), image)
  assert.ok((await fetchImage(image.id)).bytes.equals(last))
})

test('every account can download a public image, and no account can change it', async () => {
  const { token: operator } = platform
  const by = { server, token: operator }
  const image = await uploadImage(by, [last], { workspace: `svc:workspace:${platform.id}:public` })
  assert.equal((await server.attempt('get_image_download', { params: { id: image.id }, token })).status, 404)
  await server.call('publish_public_image', { params: { id: image.id } })
  assert.ok((await fetchImage(image.id)).bytes.equals(last))
  const more = await server.attempt('create_image_part', {
    params: { id: image.id },
    token: operator,
    body: { part_id: 1 },
  })
  assert.equal(more.status, 403)
})

test('each operation of an upload needs its verb; without any verb the image is 404', async () => {
  const at = `${path}/${(await uploadImage(me, [last])).id}`
  const { id } = await beginImage(me)
  await assertRights(server, account, 'image', {
    create_image: { method: 'POST', path, body: {}, verb: 'create' },
    create_image_part: { method: 'POST', path: `${path}/${id}/parts`, body: { part_id: 1 }, verb: 'write' },
    list_image_parts: { method: 'GET', path: `${at}/parts`, verb: 'read' },
    complete_image: { method: 'POST', path: `${at}/complete`, body: { sha256: sha256Of(last) }, verb: 'write' },
    get_image_download: { method: 'GET', path: `${at}/download`, verb: 'read' },
  })
})
