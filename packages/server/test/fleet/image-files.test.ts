import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { type ClientRequest, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, onTestFinished, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { openLog } from '../../src/core/base/log.ts'
import { statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { sweepImages } from '../../src/images/image-upkeep.service.ts'
import { verifyPending } from '../../src/images/image-verification.service.ts'
import { imageAudits } from '../../src/images/images.audit.ts'
import type { Server } from '../../src/server.ts'
import { askForPart, beginImage, bytesOf, put, sendPart, sha256Of, uploadImage } from '../support/fixtures/images.ts'
import { startTestServer } from '../support/server.ts'

const directory = await mkdtemp(join(tmpdir(), 'bourse-image-files-'))
// A full disk is logged. Here it is intended.
const log = openLog('silent')
const server = await startTestServer({ image_store: { kind: 'files', directory }, log })
afterAll(() => rm(directory, { recursive: true, force: true }))
const { runtime } = server.inside as Server
const { token } = await server.account()
const me = { server, token }
const mebibyte = 2 ** 20
const bytes = bytesOf(100_000)

/** Every file of the store. A directory that is removed meanwhile has none. */
async function filesIn(root = directory): Promise<string[]> {
  const found = await readdir(root, { withFileTypes: true }).catch(() => [])
  const inside = await Promise.all(
    found.map((one) => (one.isDirectory() ? filesIn(join(root, one.name)) : [join(root, one.name)])),
  )
  return inside.flat()
}

/** Files are removed after the response of a commit. Waits until there are `count` files. */
async function untilFiles(count: number, root = directory): Promise<void> {
  await eventually(`there are ${count} files`, async () => {
    const found = await filesIn(root)
    assert.equal(found.length, count, `There are: ${found.join(', ')}`)
    return true
  })
}

async function used(): Promise<number> {
  return (await server.call('get_limit', { params: { name: 'image_bytes' }, token })).used
}

async function assertSound(): Promise<void> {
  const found = await runAudit(runtime.database, imageAudits)
  assert.deepEqual(
    found.filter(({ rows }) => rows.length > 0),
    [],
  )
}

function sending(url: string, length: number): ClientRequest {
  const request = httpRequest(url, { method: 'PUT', headers: { 'content-length': length } })
  request.on('error', () => {})
  return request
}

/** Sends zeros, as fast as they are accepted. Calls `look` repeatedly meanwhile. */
async function sendZeros(request: ClientRequest, length: number, look: () => void): Promise<number> {
  const zeros = Buffer.alloc(mebibyte)
  const answered = once(request, 'response')
  for (let sent = 0; sent < length; sent += zeros.length) {
    if (!request.write(zeros)) await once(request, 'drain')
    look()
  }
  request.end()
  const [response] = await answered
  await text(response)
  return response.statusCode
}

test('replaced, interrupted, failed and deleted uploads leave no file', async () => {
  const kept = await uploadImage(me, [bytes])
  const [deleted, failed] = [await beginImage(me), await beginImage(me)]
  for (const { id } of [deleted, failed]) {
    await sendPart(me, id, 1, bytes)
    await sendPart(me, id, 1, bytesOf(1000))
    await sendPart(me, id, 2, bytes)
  }
  await untilFiles(5)
  const { url } = await askForPart(me, deleted.id, 3)
  const broken = sending(url, bytes.length)
  broken.write(bytes.subarray(0, 1000))
  await untilFiles(6)
  broken.destroy()
  await untilFiles(5)
  await server.call('delete_image', { params: { id: deleted.id }, token })
  await untilFiles(3)
  await server.advance(86_400)
  await untilFiles(1)
  await assertSound()
  await server.call('delete_image', { params: { id: kept.id }, token })
  await untilFiles(0)
  assert.equal(await used(), 0)
})

test('a sweep removes only files that no row names', async () => {
  const image = await uploadImage(me, [bytes])
  const open = await beginImage(me)
  await sendPart(me, open.id, 1, bytes)
  const { url } = await askForPart(me, open.id, 2)
  const coming = sending(url, bytes.length)
  coming.write(bytes.subarray(0, 1000))
  await untilFiles(3)
  const before = await filesIn()
  assert.equal(await sweepImages(runtime), 0)
  // The files that remain if a server is killed between the deletions of a row and its file, or if rows are wiped.
  const root = join(directory, (await readdir(directory))[0] as string)
  await mkdir(join(root, 'image_gone'))
  for (const orphan of [join(image.id, '1-orphan'), join('image_gone', '1-x'), join('image_gone', '2-x')]) {
    await appendFile(join(root, orphan), 'orphan')
  }
  assert.equal(await sweepImages(runtime), 3)
  assert.deepEqual((await filesIn()).sort(), before.sort())
  assert.ok(!(await readdir(root)).includes('image_gone'))
  const answered = once(coming, 'response')
  coming.end(bytes.subarray(1000))
  const [response] = await answered
  assert.equal(response.statusCode, 200)
  await assertSound()
  for (const { id } of [image, open]) await server.call('delete_image', { params: { id }, token })
  await untilFiles(0)
})

test('concurrent uploads and replacements of parts give correct sizes while sweeps run', async () => {
  const images = await Promise.all([beginImage(me), beginImage(me)])
  const parts = [1, 2, 3].map((part_id) => ({ part_id, url: '' }))
  const senders = images.flatMap(({ id }) =>
    parts.flatMap(({ part_id }) =>
      [0, 1, 2].map(async (turn) => {
        const { url } = await askForPart(me, id, part_id)
        const { status } = await put(url, bytesOf(5000 + turn))
        assert.ok([200, 409].includes(status), String(status))
      }),
    ),
  )
  const sweeps = Array.from({ length: 5 }, () => sweepImages(runtime))
  await Promise.all([...senders, ...sweeps])
  await assertSound()
  for (const { id } of images) {
    const { data } = await server.call('list_image_parts', { params: { id }, token })
    assert.deepEqual(
      data.map(({ part_id }) => part_id),
      [1, 2, 3],
    )
  }
  await untilFiles(6)
  for (const { id } of images) await server.call('delete_image', { params: { id }, token })
  await untilFiles(0)
})

test('an upload of 512 MiB is not kept in memory, and its empty parts take no disk space', async () => {
  const { id } = await beginImage(me)
  const { url } = await askForPart(me, id, 1)
  const length = 512 * mebibyte
  const before = process.memoryUsage.rss()
  let most = before
  const status = await sendZeros(sending(url, length), length, () => {
    most = Math.max(most, process.memoryUsage.rss())
  })
  assert.equal(status, 200)
  const grown = (most - before) / mebibyte
  // This includes the memory of the sender. A server that kept the upload in memory would need 512 MiB.
  assert.ok(grown < 200, `${grown.toFixed(0)} MiB`)
  const [file] = await filesIn()
  const { stdout } = spawnSync('du', ['-k', file as string], { encoding: 'utf8' })
  assert.ok(Number.parseInt(stdout, 10) < 1024, stdout)
  await server.call('delete_image', { params: { id }, token })
  await untilFiles(0)
})

test('a wiped sandbox leaves no file', async () => {
  await uploadImage(me, [bytes])
  await server.call('reset_sandbox', { body: { scenario: 'empty' } })
  assert.deepEqual(await filesIn(), [])
})

function mountSmall(at: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', at]).status === 0
}

test('a full disk refuses a part with the reason, and keeps nothing of it', async ({ skip }) => {
  const small = await mkdtemp(join(tmpdir(), 'bourse-small-disk-'))
  const isMounted = mountSmall(small)
  onTestFinished(async () => {
    if (isMounted) spawnSync('umount', ['-l', small])
    await rm(small, { recursive: true, force: true })
  })
  if (!isMounted) skip('only root can mount a small disk')
  const other = await startTestServer({ image_store: { kind: 'files', directory: small }, log })
  const own = { server: other, token: (await other.account()).token }
  const { id } = await beginImage(own)
  await sendPart(own, id, 1, bytesOf(6 * mebibyte))
  const { url } = await askForPart(own, id, 2)
  const response = await put(url, bytesOf(6 * mebibyte))
  assert.equal(response.status, 503)
  assert.equal(response.body.error.type, 'api_error')
  assert.match(response.body.error.message, /full/)
  assert.equal(response.headers.get('retry-after'), '5')
  const limit = () => other.call('get_limit', { params: { name: 'image_bytes' }, token: own.token })
  await eventually('the refused part does not count', async () => {
    assert.equal((await limit()).used, 6 * mebibyte)
    return true
  })
  await untilFiles(1, small)
  assert.equal((await put(url, bytesOf(mebibyte))).status, 200)
  const sha256 = sha256Of(bytesOf(6 * mebibyte), bytesOf(mebibyte))
  await other.call('complete_image', { params: { id }, token: own.token, body: { sha256 } })
})

test('an image that a killed server was verifying is verified by another one, once its claim has lapsed', async () => {
  const { signal } = new AbortController()
  const { token: by } = await server.account()
  const image = await uploadImage({ server, token: by }, [bytes])
  const leave = (seconds: number) =>
    runtime.database.asOwner(async (db) => {
      await db.run(statement(null, `update images set state = 'verifying' where id = '${image.id}'`))
      const until = `verification_until = bourse_real_now() + ${seconds}`
      await db.run(statement(null, `update image_uploads set ${until} where image_id = '${image.id}'`))
    })
  const read = () => server.call('get_image', { params: { id: image.id }, token: by })
  await leave(30)
  assert.equal(await verifyPending(runtime, signal), 0)
  assert.equal((await read()).state, 'verifying')
  await leave(-1)
  assert.equal(await verifyPending(runtime, signal), 1)
  assert.deepEqual(await read(), image)
  const [file = ''] = (await filesIn()).filter((path) => path.includes(image.id))
  await appendFile(file, 'x')
  await leave(-1)
  assert.equal(await verifyPending(runtime, signal), 1)
  const { state, failure_reason } = await read()
  assert.deepEqual([state, failure_reason], ['failed', 'digest_mismatch'])
  await eventually(`${file} is removed`, async () => !(await filesIn()).includes(file))
  await assertSound()
})

test('an image that cannot be read stays unverified, and its claim stops others for a while', async () => {
  const { token: by } = await server.account()
  const { id } = await uploadImage({ server, token: by }, [bytes])
  const set = (table: string, change: string, key: string) =>
    runtime.database.asOwner((db) => db.run(statement(null, `update ${table} set ${change} where ${key} = '${id}'`)))
  await set('images', "state = 'verifying'", 'id')
  await set('image_uploads', 'verification_until = 0', 'image_id')
  const [file = ''] = (await filesIn()).filter((path) => path.includes(id))
  await rm(file)
  assert.equal(await verifyPending(runtime, new AbortController().signal), 1)
  assert.equal(await verifyPending(runtime, new AbortController().signal), 0)
  assert.equal((await server.call('get_image', { params: { id }, token: by })).state, 'verifying')
  await server.call('delete_image', { params: { id }, token: by })
})

test('the audits of images find every corruption', async () => {
  const { token: by } = await server.account()
  const own = { server, token: by }
  const image = await uploadImage(own, [bytes])
  await assertSound()
  const at = `where image_id = '${image.id}'`
  const run = (sql: string) => runtime.database.asOwner((db) => db.run(statement(null, sql)))
  for (const [name, harm, mend] of [
    ['images.bytes', `update image_parts set size_bytes = size_bytes + 1 ${at}`, `size_bytes = size_bytes - 1`],
    ['images.whole', `update image_parts set part_id = 2 ${at}`, 'part_id = 1'],
    ['images.gone', `update images set state = 'failed' where id = '${image.id}'`, undefined],
  ] as const) {
    await run(harm)
    const found = await runAudit(runtime.database, imageAudits)
    assert.ok(
      found.some((one) => one.name === name && one.rows.length > 0),
      name,
    )
    if (mend) await run(`update image_parts set ${mend} ${at}`)
  }
})
