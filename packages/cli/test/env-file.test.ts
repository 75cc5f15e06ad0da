/** `--env-file`: variables from a file. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { startTestServer } from '../../server/test/support/server.ts'
import { runnerFor } from './run-here.ts'
import { newDirectory } from './sandbox-process.ts'

const server = await startTestServer()
const { id: account, token } = await server.account()
const directory = newDirectory()
const file = join(directory, 'bourse.env')
writeFileSync(file, `# Of a test.\n\nBOURSE_BASE_URL='${server.url}'\nexport BOURSE_API_TOKEN=${token}\n`)
const bourse = runnerFor({})
const whoami = async (run: typeof bourse, ...words: string[]) => {
  const { code, out, err } = await run('whoami', '--json', ...words)
  assert.equal(code, 0, err)
  return JSON.parse(out).account
}

test('a command takes variables from the file, wherever the option stands', async () => {
  assert.equal(await whoami(bourse, '--env-file', file), account)
  assert.equal(await whoami(bourse, `--env-file=${file}`), account)
  const before = await bourse('--env-file', file, 'whoami', '--json')
  assert.equal(JSON.parse(before.out).account, account)
  assert.notEqual((await bourse('whoami')).code, 0)
})

test('what the environment sets already stays', async () => {
  const run = runnerFor({ BOURSE_API_TOKEN: server.platform_token })
  assert.equal(await whoami(run, '--env-file', file), 'bourse')
})

test('behind -- the option belongs to another program', async () => {
  const { code, err } = await bourse('ssh', 'trainer', '--', 'run', '--env-file', '/nonexistent')
  assert.notEqual(code, 0)
  assert.match(err, /The server is not set/)
})

test('a file that cannot be read, or has a line that would be left out, is refused', async () => {
  const wrong = join(directory, 'wrong.env')
  writeFileSync(wrong, 'BOURSE_PORT=8080\nBOURSE_HOST 127.0.0.1\n')
  const long = join(directory, 'long.env')
  writeFileSync(long, '#'.repeat(300_000))
  mkdirSync(join(directory, 'folder'))
  for (const [path, expected] of [
    ['/nonexistent', /\/nonexistent cannot be read: ENOENT/],
    [wrong, /wrong\.env cannot be read: line 2 is not NAME=value/],
    [long, /long\.env is longer than \d+ bytes/],
    [join(directory, 'folder'), /folder is no file/],
  ] as const) {
    const { code, out, err } = await bourse('whoami', '--env-file', path)
    assert.deepEqual([code, out], [2, ''], path)
    assert.match(err, expected)
    const { out: json, err: failure } = await bourse('whoami', '--json', '--env-file', path)
    assert.equal(json, '')
    assert.match(JSON.parse(failure).error.message, expected)
  }
  assert.match((await bourse('whoami', '--env-file')).err, /The value of --env-file is missing/)
})
