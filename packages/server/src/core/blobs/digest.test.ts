import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { atEnd } from '../../../../../test/at-end.ts'
import { type DigestSource, readDigest, readDigestInThread } from './digest.ts'

const directory = mkdtempSync(join(tmpdir(), 'bourse-digest-'))
afterAll(() => rmSync(directory, { recursive: true }))
const parts = [Buffer.alloc(300_000, 'a'), Buffer.alloc(0), Buffer.alloc(7, 'b')]
const paths = parts.map((bytes, index) => {
  const path = join(directory, String(index))
  writeFileSync(path, bytes)
  return path
})
const sha256 = createHash('sha256').update(Buffer.concat(parts)).digest('hex')
const expected = { sha256, size_bytes: 300_007 }
const never = new AbortController().signal

test('files are hashed in sequence, on this thread and on another', async () => {
  const source: DigestSource = { kind: 'files', paths }
  assert.deepEqual(await readDigest(source), expected)
  assert.deepEqual(await readDigestInThread(source, never), expected)
  const other: DigestSource = { kind: 'files', paths: paths.toReversed() }
  assert.notEqual((await readDigest(other)).sha256, sha256)
})

test('bytes behind a URL are hashed, and an error response is not taken for bytes', async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/image' ? 200 : 404
    response.end(Buffer.concat(parts))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  atEnd(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  assert.deepEqual(await readDigest({ kind: 'url', url: `${url}/image` }), expected)
  await assert.rejects(readDigest({ kind: 'url', url: `${url}/absent` }), /404/)
})

test('a missing file and an abort are errors', async () => {
  const missing: DigestSource = { kind: 'files', paths: [join(directory, 'absent')] }
  await assert.rejects(readDigest(missing), /ENOENT/)
  await assert.rejects(readDigestInThread(missing, never), /ENOENT/)
  const stopped = new AbortController()
  const reading = readDigestInThread({ kind: 'files', paths: ['/dev/zero'] }, stopped.signal)
  stopped.abort(new Error('stopped'))
  await assert.rejects(reading, /stopped/)
  await assert.rejects(readDigestInThread({ kind: 'files', paths }, stopped.signal), /stopped/)
})
