import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { openLog } from '../base/log.ts'
import { createFileStore } from './file-store.ts'

const directory = await mkdtemp(join(tmpdir(), 'bourse-files-'))
afterAll(() => rm(directory, { recursive: true }))
const store = createFileStore(directory, { installation_id: 'one', log: openLog('silent') })
const ignore = () => {}

async function* chunks(...all: (Buffer | Error)[]): AsyncGenerator<Buffer> {
  for (const one of all) {
    if (one instanceof Error) throw one
    yield one
  }
}

async function read(...args: Parameters<typeof store.read>): Promise<string> {
  const found: Buffer[] = []
  for await (const chunk of store.read(...args)) found.push(chunk)
  return Buffer.concat(found).toString()
}

test('files are written once, observed while they are written, and read in sequence', async () => {
  const seen: string[] = []
  const write = (file: string, ...words: string[]) =>
    store.write({ image_id: 'a', file }, chunks(...words.map((word) => Buffer.from(word))), (chunk) => {
      seen.push(String(chunk))
    })
  assert.equal(await write('1', 'one', 'two'), 6)
  assert.equal(await write('2'), 0)
  assert.equal(await write('3', 'three'), 5)
  assert.deepEqual(seen, ['one', 'two', 'three'])
  await assert.rejects(write('1', 'again'), { code: 'EEXIST' })
  const files = [6, 0, 5].map((size_bytes, index) => ({ image_id: 'a', file: String(index + 1), size_bytes }))
  assert.equal(await read(files, { start: 0, length: 11 }), 'onetwothree')
  for (let start = 0; start < 11; start++) {
    for (let length = 0; start + length <= 11; length++) {
      assert.equal(await read(files, { start, length }), 'onetwothree'.slice(start, start + length))
    }
  }
  assert.deepEqual(await store.listImages(), ['a'])
  assert.deepEqual((await store.listFiles('a')).sort(), ['1', '2', '3'])
})

test('a file that is shorter than its recorded size fails the read', async () => {
  await store.write({ image_id: 'short', file: '1' }, chunks(Buffer.from('abc')), ignore)
  await assert.rejects(read([{ image_id: 'short', file: '1', size_bytes: 4 }], { start: 0, length: 4 }), /shorter/)
})

test('zeros read back as zeros and use no space', async () => {
  const bytes = Buffer.alloc(3 * 2 ** 20)
  bytes.write('middle', 2 ** 20)
  const cuts = [bytes.subarray(0, 1_000_001), bytes.subarray(1_000_001, 2_000_003), bytes.subarray(2_000_003)]
  await store.write({ image_id: 'zeros', file: '1' }, chunks(...cuts), ignore)
  const path = join(directory, 'one', 'zeros', '1')
  assert.ok((await readFile(path)).equals(bytes))
  assert.ok((await stat(path)).blocks * 512 < 1.5 * 2 ** 20)
})

test('an interrupted write leaves no file', async () => {
  const place = { image_id: 'broken', file: '1' }
  await assert.rejects(store.write(place, chunks(Buffer.from('a'), new Error('gone')), ignore), /gone/)
  assert.deepEqual(await store.listFiles('broken'), [])
  await store.tidyUp('broken')
  await store.tidyUp('broken')
  assert.ok(!(await store.listImages()).includes('broken'))
  await store.remove(place)
})

test('a directory that is not empty is kept', async () => {
  await store.write({ image_id: 'kept', file: '1' }, chunks(Buffer.from('a')), ignore)
  await store.tidyUp('kept')
  assert.deepEqual(await store.listFiles('kept'), ['1'])
})

test('installations in one directory do not see each other', async () => {
  const other = createFileStore(directory, { installation_id: 'two', log: openLog('silent') })
  assert.deepEqual(await other.listImages(), [])
  await other.write({ image_id: 'a', file: '9' }, chunks(Buffer.from('x')), ignore)
  assert.ok(!(await store.listFiles('a')).includes('9'))
  assert.deepEqual((await readdir(directory)).sort(), ['one', 'two'])
})
