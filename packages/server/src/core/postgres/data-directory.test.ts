import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { isStartProblem } from '../base/start-problem.ts'
import { dataDirectoryHolder, lockDataDirectory, lockFile } from './data-directory.ts'
import { processIdentity } from './process-identity.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-lock-'))
afterAll(() => rm(root, { recursive: true, force: true }))
let made = 0
const fresh = () => join(root, `data-${made++}`)
const mode = (path: string) => statSync(path).mode & 0o7777
const heldBy = (pid: number) => (error: unknown) =>
  isStartProblem(error, 'data_directory_held') && error.message.includes(`(pid ${pid})`)

function leaveLock(directory: string, text: string): void {
  mkdirSync(directory, { mode: 0o700 })
  writeFileSync(join(directory, lockFile), text)
}

test('a missing data directory is created for its user only', async () => {
  const directory = join(fresh(), 'deeper', 'still')
  await using lock = await lockDataDirectory(directory)
  assert.equal(lock.path, directory)
  assert.equal(mode(directory), 0o700)
  assert.equal(mode(join(directory, lockFile)), 0o600)
})

test('an empty directory becomes private, except for the search permission of the PostgreSQL user', async () => {
  const directory = fresh()
  mkdirSync(directory)
  chmodSync(directory, 0o777)
  await (await lockDataDirectory(directory))[Symbol.asyncDispose]()
  assert.equal(mode(directory), 0o710)
  chmodSync(directory, 0o700)
  await (await lockDataDirectory(directory))[Symbol.asyncDispose]()
  assert.equal(mode(directory), 0o700)
})

test('a directory that is open to others and contains other files is refused and unchanged', async () => {
  const directory = fresh()
  mkdirSync(directory)
  chmodSync(directory, 0o755)
  writeFileSync(join(directory, 'letters.txt'), 'dear')
  await assert.rejects(lockDataDirectory(directory), (error) => isStartProblem(error, 'data_directory_unsafe'))
  assert.equal(mode(directory), 0o755)
})

test('a locked data directory is refused with the pid of its holder, and is free after the release', async () => {
  const directory = fresh()
  {
    await using _lock = await lockDataDirectory(directory)
    assert.deepEqual(await dataDirectoryHolder(directory), { pid: process.pid })
    await assert.rejects(lockDataDirectory(directory), heldBy(process.pid))
    assert.ok(existsSync(join(directory, lockFile)), 'the refused one took nothing away')
  }
  assert.deepEqual(readdirSync(directory), [])
  assert.equal(await dataDirectoryHolder(directory), undefined)
  await (await lockDataDirectory(directory))[Symbol.asyncDispose]()
})

test('the lock of a killed process is taken over', async () => {
  const directory = fresh()
  const script = `const { lockDataDirectory } = await import(process.argv[1])
    await lockDataDirectory(process.argv[2]); console.log('held'); setInterval(() => {}, 1000)`
  const module = join(import.meta.dirname, 'data-directory.ts')
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script, module, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')
  await assert.rejects(lockDataDirectory(directory), heldBy(holder.pid ?? 0))
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  await using _lock = await lockDataDirectory(directory)
  assert.deepEqual(readdirSync(directory), [lockFile])
})

test('a process that reuses the number of a dead holder does not block the start', async () => {
  const directory = fresh()
  leaveLock(directory, JSON.stringify({ pid: process.pid, started: 'another boot:12', nonce: '0123456789abcdef' }))
  await using _lock = await lockDataDirectory(directory)
  assert.equal(JSON.parse(readFileSync(join(directory, lockFile), 'utf8')).started, processIdentity(process.pid))
})

test('an incomplete lock file, as after a power failure, does not block the start', async () => {
  for (const text of ['', '{"pid": 1', 'null', '{"pid":1,"started":"x","nonce":"../../etc"}']) {
    const directory = fresh()
    leaveLock(directory, text)
    await using _lock = await lockDataDirectory(directory)
    assert.deepEqual(readdirSync(directory), [lockFile])
  }
})

test('exactly one of many concurrent processes takes over a stale lock', async () => {
  for (let round = 0; round < 30; round++) {
    const directory = fresh()
    leaveLock(directory, JSON.stringify({ pid: 1, started: 'dead', nonce: '0123456789abcdef' }))
    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => lockDataDirectory(directory)))
    const won = tries.filter((result) => result.status === 'fulfilled')
    assert.equal(won.length, 1, `round ${round}`)
    for (const result of tries) {
      if (result.status === 'rejected') assert.ok(heldBy(process.pid)(result.reason), String(result.reason))
    }
    await won[0]?.value[Symbol.asyncDispose]()
    assert.deepEqual(readdirSync(directory), [])
  }
})
