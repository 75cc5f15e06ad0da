/** What README.md shows. shown-commands.test.ts follows the other documents. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { newDirectory, startSandbox } from './sandbox-process.ts'
import { root, shownSession } from './shown-blocks.ts'
import { followSession } from './shown-documents.ts'

const directory = newDirectory()
const reader = { directory, sandbox: await startSandbox(directory) }

test('the printed alias runs the program that these tests run', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.equal(scripts.bourse, 'exec node packages/cli/bin/bourse.mjs')
  for (const path of ['README.md', 'docs/guides/trading.md']) {
    assert.ok(readFileSync(join(root, path), 'utf8').includes("alias bourse='npm run -s bourse --'"), path)
  }
})

test('`npx bourse` in a checkout runs its program at once, and installs nothing', async () => {
  const cache = newDirectory()
  const env = { ...process.env, npm_config_cache: cache }
  const { stdout } = await promisify(execFile)('npx', ['bourse', '--version'], { cwd: root, env })
  assert.match(stdout, /^bourse \d/)
  assert.ok(!existsSync(join(cache, '_npx')))
})

test('the session of README.md is short: at most twelve lines', () => {
  const lines = shownSession('README.md').flatMap(({ command, output }) => [command, output].join('\n').split('\n'))
  assert.ok(lines.filter((line) => line !== '').length <= 12, lines.join('\n'))
})

// Here each command is a process, as a reader types it, on the world of a new sandbox.
test('the session of README.md runs as shown', async () => {
  await followSession(reader, 'README.md')
})
