import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { openImages } from './images.ts'

const directory = mkdtempSync(join(tmpdir(), 'bourse-images-'))
const secret = Buffer.from('what another account uploaded')
const sha256 = createHash('sha256').update(secret).digest('hex')
const paths: string[] = []
const store = createServer((request, response) => {
  paths.push(request.url ?? '')
  response.end(request.url === '/secret' ? secret : 'a guess')
}).listen(0, '127.0.0.1')
await once(store, 'listening')
afterAll(() => {
  store.close()
  rmSync(directory, { recursive: true })
})
const origin = `http://127.0.0.1:${(store.address() as AddressInfo).port}`
const image = { id: 'image_secret' as const, url: `${origin}/secret`, sha256, size_bytes: secret.length, expires_at: 0 }
const { signal } = new AbortController()
const mismatch = { name: 'StartFailure', reason: 'checksum_mismatch' }

test('an image with the digest of another one is downloaded itself', async () => {
  const images = openImages(directory)
  const path = await images.fetch(image, signal)
  assert.deepEqual(readFileSync(path), secret)
  const stolen = { ...image, id: 'image_stolen' as const, url: `${origin}/stolen` }
  await assert.rejects(images.fetch(stolen, signal), mismatch)
  await assert.rejects(images.fetch({ ...stolen, size_bytes: 7 }, signal), mismatch)
  assert.equal(await images.fetch(image, signal), path)
  assert.deepEqual(paths, ['/secret', '/stolen', '/stolen'])
  assert.equal(readdirSync(join(directory, 'images')).length, 1)
})

test('an image of another size than announced is refused, also if its digest matches', async () => {
  const images = openImages(directory)
  for (const size_bytes of [secret.length - 1, secret.length + 1]) {
    await assert.rejects(images.fetch({ ...image, id: 'image_sized', size_bytes }, signal), {
      ...mismatch,
      message: 'The size of the image does not match.',
    })
  }
  assert.equal(readdirSync(join(directory, 'images')).length, 1)
})
