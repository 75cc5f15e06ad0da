import assert from 'node:assert/strict'
import { appendFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { test } from 'vitest'
import { qcow2Of } from '../../api/test/image-fixtures.ts'
import { statement } from '../../server/src/core/db/db.ts'
import { beginImage, bytesOf, etagOf, sendPart, sha256Of } from '../../server/test/support/fixtures/images.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { runnerFor } from './run-here.ts'
import { newDirectory } from './sandbox-process.ts'

const stored = newDirectory()
const server = await startTestServer({ image_store: { kind: 'files', directory: stored } })
const { token } = await server.account()
const me = { server, token }
const bourse = runnerFor({ BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token })
const directory = newDirectory()
const mebibyte = 2 ** 20
const bytes = bytesOf(11 * mebibyte, 'image')
const partSize = ['--part-size', '5MiB']
let files = 0

async function newFile(content: Buffer = bytes): Promise<string> {
  files += 1
  const path = join(directory, `disk-${files}.img`)
  await writeFile(path, content)
  return path
}

async function partsOf(id: string): Promise<{ part_id: number; size_bytes: number; uploaded_at: number }[]> {
  return (await server.call('list_image_parts', { params: { id }, token })).data
}

async function imageNamed(name: string) {
  const { data } = await server.call('list_images', { query: { limit: 200 }, token })
  return data.find((image) => image.name === name)
}

test('a file is uploaded in parts and downloaded unchanged', async () => {
  const path = await newFile()
  const { code, out, err } = await bourse('images', 'upload', path, ...partSize, '--json')
  assert.equal(code, 0, err)
  const image = JSON.parse(out)
  const { name, state, sha256, size_bytes } = image
  assert.deepEqual([name, state, sha256, size_bytes], ['disk-1', 'completed', sha256Of(bytes), bytes.length])
  assert.equal((await partsOf(image.id)).length, 3)
  assert.match(err, /Uploading: 100 % \(11\.0 of 11\.0 MiB/)
  const target = join(directory, 'back.img')
  const back = await bourse('images', 'download', 'disk-1', target)
  assert.equal(back.code, 0, back.err)
  assert.ok((await readFile(target)).equals(bytes))
  assert.ok(!(await readdir(directory)).includes('back.img.part'))
})

test('an interrupted upload is resumed: only missing or different parts are sent', async () => {
  const path = await newFile()
  const { id } = await beginImage(me, { name: basename(path, '.img') })
  await sendPart(me, id, 1, bytes.subarray(0, 5 * mebibyte))
  await sendPart(me, id, 2, bytesOf(5 * mebibyte, 'another'))
  const before = await partsOf(id)
  await server.advance(100)
  const { code, err } = await bourse('images', 'upload', path)
  assert.equal(code, 0, err)
  assert.match(err, new RegExp(`Resuming ${id}`))
  const [first, second, third] = await partsOf(id)
  assert.deepEqual(first, before[0])
  assert.ok((second?.uploaded_at ?? 0) >= (before[1]?.uploaded_at ?? 0) + 100)
  assert.equal(third?.size_bytes, mebibyte)
  const again = await bourse('images', 'upload', path)
  assert.equal(again.code, 5, 'the name is that of a whole image now')
  assert.equal((await bourse('images', 'upload', path, '--resume', id)).code, 2)
})

test('the options of an upload set its name and workspace, and resume a given image', async () => {
  const path = await newFile(bytesOf(1000))
  await server.call('create_workspace', { token, body: { name: 'lab' } })
  const named = await bourse('images', 'upload', path, '--name', 'mine', '--workspace', 'lab', '-o', 'id')
  assert.equal(named.code, 0, named.err)
  const image = await server.call('get_image', { params: { id: named.out.trim() }, token })
  assert.deepEqual([image.name, image.workspace.name], ['mine', 'lab'])
  const inLab = runnerFor({ BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token, BOURSE_WORKSPACE: 'lab' })
  for (const [words, workspace] of [
    [['--name', 'set'], 'lab'],
    [['--name', 'own', '--workspace', 'default'], 'default'],
  ] as const) {
    const made = await inLab('images', 'upload', path, ...words, '--json')
    assert.equal(JSON.parse(made.out).workspace.name, workspace, made.err)
  }
  const { id } = await beginImage(me)
  const resumed = await bourse('images', 'upload', path, '--resume', id, '--json')
  assert.deepEqual([resumed.code, JSON.parse(resumed.out).id], [0, id])
})

test('parts of another file are not mixed with this one', async () => {
  const path = await newFile(bytesOf(1000))
  const { id } = await beginImage(me)
  await sendPart(me, id, 3, bytesOf(2000))
  const { code, err } = await bourse('images', 'upload', path, '--resume', id)
  assert.equal(code, 2)
  assert.match(err, /parts of another file/)
})

test('a file that cannot be uploaded is refused before the upload begins', async () => {
  const count = (await server.call('list_images', { query: { limit: 200 }, token })).data.length
  const [empty, file, text] = [await newFile(Buffer.alloc(0)), await newFile(), await newFile(Buffer.from('abc'))]
  const qcow2 = await newFile(qcow2Of((head) => void head.writeBigUInt64BE(1024n, 8)))
  for (const words of [
    [empty],
    [directory],
    [join(directory, 'absent.img')],
    [text],
    [qcow2, '--force'],
    [file, '--parallel', '0'],
    [file, '--part-size', 'large'],
    [file, '--part-size', '1MiB'],
  ]) {
    assert.equal((await bourse('images', 'upload', ...words)).code, 2, words.join(' '))
  }
  assert.equal((await server.call('list_images', { query: { limit: 200 }, token })).data.length, count)
})

test('a file that is no disk image is named, and --force uploads it as a raw disk', async () => {
  const text = await newFile(Buffer.from('abc'))
  const { code, err } = await bourse('images', 'upload', text)
  assert.equal(code, 2)
  assert.match(err, /a file of 3 bytes, not a disk image/)
  assert.match(err, /--force/)
  const disk = await newFile(Buffer.concat([Buffer.from('KDMV'), Buffer.alloc(1000)]))
  assert.match((await bourse('images', 'upload', disk)).err, new RegExp(`qemu-img convert -f vmdk -O qcow2 ${disk}`))
  const forced = await bourse('images', 'upload', text, '--force', '--json')
  assert.equal(forced.code, 0, forced.err)
  const { state, format, virtual_size_bytes } = JSON.parse(forced.out)
  assert.deepEqual([state, format, virtual_size_bytes], ['completed', 'raw', 3])
  const backed = await bourse(
    'images',
    'upload',
    await newFile(qcow2Of((head) => void head.writeUInt32BE(9, 16))),
    '--force',
  )
  assert.equal(backed.code, 2)
  assert.match(backed.err, /backing file/)
  assert.doesNotMatch(backed.err, /--force/)
})

test('an upload says that a disk without a boot sector does not start from a BIOS', async () => {
  const disk = Buffer.alloc(mebibyte)
  disk.writeUInt32LE(128, 1024)
  disk.writeUInt32LE(1024, 1028)
  disk.writeUInt16LE(0xef53, 1080)
  const { code, err } = await bourse('images', 'upload', await newFile(disk))
  assert.equal(code, 0, err)
  assert.match(err, /has an ext2, ext3 or ext4 file system, but no boot sector/)
  assert.doesNotMatch((await bourse('images', 'upload', await newFile())).err, /boot sector/)
})

test('a refusal of the store is reported like one of the API', async () => {
  const poor = await server.account()
  await server.call('put_account_limit', {
    params: { account: poor.id, name: 'image_bytes' },
    body: { value: mebibyte },
  })
  const run = runnerFor({ BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: poor.token })
  const { code, err } = await run('images', 'upload', await newFile())
  assert.equal(code, 8, err)
  assert.match(err, /image_bytes/)
})

test('an upload ends when the server has verified it, and fails where the server received something else', async () => {
  const large = bytesOf(40 * mebibyte, 'large')
  const upload = async (path: string) => bourse('images', 'upload', path, '--json', '--part-size', '64MiB')
  const { code, out, err } = await upload(await newFile(large))
  assert.equal(code, 0, err)
  assert.match(err, /verifies the image/)
  assert.equal(JSON.parse(out).state, 'completed')
  const path = await newFile(bytesOf(1000, 'one'))
  const { id } = await beginImage(me, { name: basename(path, '.img') })
  await sendPart(me, id, 1, bytesOf(1000, 'two'))
  // The part in the store is taken for that of the file, as after a damage on the disk of the store.
  const md5 = etagOf(bytesOf(1000, 'one')).replaceAll('"', '')
  await server.inside?.runtime.database.asOwner((db) =>
    db.run(statement(null, `update image_parts set etag = '"${md5}"' where image_id = '${id}'`)),
  )
  const failed = await upload(path)
  assert.equal(failed.code, 1)
  assert.match(failed.err, /Upload it again/)
})

test('a download with a wrong checksum is removed and reported', async () => {
  const { id } = await beginImage(me, { name: 'forged' })
  await sendPart(me, id, 1, bytesOf(5000))
  await server.call('complete_image', { params: { id }, token, body: { sha256: sha256Of(bytesOf(5000)) } })
  const [file] = (await readdir(stored, { recursive: true })).filter((name) => name.includes(`${id}/`))
  await writeFile(join(stored, file as string), bytesOf(5000, 'damaged'))
  const target = join(directory, 'forged.img')
  const { code, err } = await bourse('images', 'download', 'forged', target)
  assert.equal(code, 1)
  assert.match(err, /does not have the checksum/)
  const left = (await readdir(directory)).filter((name) => name.startsWith('forged'))
  assert.deepEqual(left, [])
})

test('a download is resumed, replaces files only on request, and restarts if the partial file differs', async () => {
  const target = join(directory, 'again.img')
  await writeFile(`${target}.part`, bytes.subarray(0, 3 * mebibyte))
  assert.equal((await bourse('images', 'download', 'disk-1', target)).code, 0)
  assert.ok((await readFile(target)).equals(bytes))
  assert.equal((await bourse('images', 'download', 'disk-1', target)).code, 2)
  await truncate(target, 5)
  assert.equal((await bourse('images', 'download', 'disk-1', target, '--force')).code, 0)
  assert.ok((await readFile(target)).equals(bytes))
  // Longer than the image, so it belongs to another one.
  await rm(target)
  await writeFile(`${target}.part`, bytes)
  await appendFile(`${target}.part`, 'more')
  assert.equal((await bourse('images', 'download', 'disk-1', target)).code, 0)
  assert.equal((await stat(target)).size, bytes.length)
  assert.equal((await bourse('images', 'download', 'absent', join(directory, 'x'))).code, 4)
})

test('an image without bytes is not downloaded', async () => {
  await server.call('create_ready_image', { token, body: { name: 'ready' } })
  assert.equal((await bourse('images', 'download', 'ready', join(directory, 'ready.img'))).code, 5)
  assert.equal((await imageNamed('ready')).state, 'completed')
})
