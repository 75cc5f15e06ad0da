import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { bytesOf } from '../../server/test/support/fixtures/images.ts'
import { runnerFor } from './run-here.ts'
import { newDirectory, type RunningSandbox, startSandbox } from './sandbox-process.ts'

const mebibyte = 2 ** 20

async function call({ url, token }: RunningSandbox, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
  const response = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  return (await response.json()) as any
}

async function filesOf(dataDirectory: string, imageId: string): Promise<string[]> {
  const root = join(dataDirectory, 'images')
  const [installation = ''] = await readdir(root).catch(() => [])
  return readdir(join(root, installation, imageId)).catch(() => [])
}

/** Waits until an image has as many files. */
async function hasFiles(dataDirectory: string, imageId: string, count: number): Promise<void> {
  const look = async () => {
    const files = await filesOf(dataDirectory, imageId)
    assert.equal(files.length, count, files.join())
    return true
  }
  await eventually(`the image has ${count} files`, look)
}

test('an upload continues after the server was killed in the middle of a part', async () => {
  const dataDirectory = newDirectory()
  const path = join(newDirectory(), 'disk.img')
  const bytes = bytesOf(13 * mebibyte, 'crash')
  await writeFile(path, bytes)
  const first = await startSandbox(dataDirectory)
  const { id } = await call(first, 'POST', '/v2/images', { name: 'disk' })
  const { url } = await call(first, 'POST', `/v2/images/${id}/parts`, { part_id: 1 })
  const sent = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes.subarray(0, 6 * mebibyte)) })
  assert.equal(sent.status, 200)
  const { url: second } = await call(first, 'POST', `/v2/images/${id}/parts`, { part_id: 2 })
  const half = request(second, { method: 'PUT', headers: { 'content-length': 6 * mebibyte } })
  half.on('error', () => {})
  half.write(bytes.subarray(6 * mebibyte, 8 * mebibyte))
  await hasFiles(dataDirectory, id, 2)
  await first.stop('SIGKILL')
  half.destroy()
  assert.equal((await filesOf(dataDirectory, id)).length, 2)

  const again = await startSandbox(dataDirectory)
  const bourse = runnerFor({ BOURSE_BASE_URL: again.url, BOURSE_API_TOKEN: again.token })
  const before = (await call(again, 'GET', `/v2/images/${id}/parts`)).data
  assert.deepEqual(
    before.map(({ part_id }: { part_id: number }) => part_id),
    [1],
  )
  const { code, err } = await bourse('images', 'upload', path, '--part-size', '6MiB')
  assert.equal(code, 0, err)
  const parts = (await call(again, 'GET', `/v2/images/${id}/parts`)).data
  assert.equal(parts.length, 3)
  assert.deepEqual(parts[0], before[0])
  const target = `${path}.back`
  assert.equal((await bourse('images', 'download', id, target)).code, 0)
  assert.ok((await readFile(target)).equals(bytes))
  await hasFiles(dataDirectory, id, 3)
  const { used } = await call(again, 'GET', '/preview/v2/limits/image_bytes')
  assert.equal(used, bytes.length)
  assert.equal(await again.stop(), 0)
})
