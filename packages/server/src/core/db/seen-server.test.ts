import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { openLog } from '../base/log.ts'
import { openSeenServers, recallSeenServers } from './seen-server.ts'

const directory = await mkdtemp(join(tmpdir(), 'bourse-seen-'))
afterAll(() => rm(directory, { recursive: true }))
const server = { system_identifier: '7', timeline: 2 }

test('the newest server is kept in a file, and read by the next program at its place', async () => {
  const path = join(directory, 'new', 'server.json')
  const first = openSeenServers(path)
  assert.equal(first.newest(), undefined)
  first.note({ ...server, timeline: 1 })
  first.note(server)
  assert.deepEqual(openSeenServers(path).newest(), server)
  first.note({ system_identifier: '8', timeline: 1 })
  assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), { system_identifier: '8', timeline: 1 })
  const forgetful = openSeenServers()
  forgetful.note(server)
  assert.deepEqual(forgetful.newest(), server)
})

test('a file that is no record stops the start, and names the file', async () => {
  const path = join(directory, 'broken.json')
  for (const text of ['', '{', 'null', '{"system_identifier":7,"timeline":2}', '{"system_identifier":"7"}']) {
    await writeFile(path, text)
    assert.throws(() => openSeenServers(path), { code: 'bad_configuration', message: /broken\.json does not name/ })
  }
})

test('where the file cannot be written, the log says so once, and it is written as soon as it can be', async () => {
  const file = join(directory, 'file')
  await writeFile(file, '')
  const lines: string[] = []
  const log = openLog('warn', { write: (line) => void lines.push(line) })
  const seen = openSeenServers(join(file, 'server.json'), log)
  seen.note(server)
  seen.note(server)
  assert.deepEqual(seen.newest(), server)
  assert.deepEqual([lines.length, /could not be kept in/.test(lines.join())], [1, true])
  await rm(file)
  seen.note(server)
  assert.deepEqual(openSeenServers(join(file, 'server.json')).newest(), server)
})

test('of programs that share the file, one that knows less does not replace what another one keeps', async () => {
  const path = join(directory, 'shared', 'server.json')
  const [first, second] = [openSeenServers(path), openSeenServers(path)]
  first.note({ ...server, timeline: 1 })
  second.note(server)
  first.note({ ...server, timeline: 1 })
  const late = openSeenServers(join(directory, 'shared', 'server.json'))
  assert.equal(late.newest()?.timeline, 2)
  const behind = openSeenServers(path)
  behind.note({ ...server, timeline: 1 })
  assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), server)
  behind.note({ system_identifier: '8', timeline: 1 })
  assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), { system_identifier: '8', timeline: 1 })
  assert.deepEqual(await readdir(join(directory, 'shared')), ['server.json'])
})

test('a tool reads the record and leaves it as it is', () => {
  const path = join(directory, 'tool', 'server.json')
  openSeenServers(path).note(server)
  const recalled = recallSeenServers(path)
  assert.deepEqual(recalled.newest(), server)
  recalled.note({ ...server, timeline: 3 })
  assert.equal(recalled.newest()?.timeline, 3)
  assert.deepEqual(openSeenServers(path).newest(), server)
})
