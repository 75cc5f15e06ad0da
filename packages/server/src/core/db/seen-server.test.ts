import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { openLog } from '../base/log.ts'
import { openSeenServers } from './seen-server.ts'

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

test('where the file cannot be written, the server is kept in memory, and the log says so', async () => {
  const file = join(directory, 'file')
  await writeFile(file, '')
  const lines: string[] = []
  const log = openLog('warn', { write: (line) => void lines.push(line) })
  const seen = openSeenServers(join(file, 'server.json'), log)
  seen.note(server)
  assert.deepEqual(seen.newest(), server)
  assert.match(lines.join(), /could not be kept in/)
})
