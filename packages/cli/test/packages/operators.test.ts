/** The package `bourse` as an operator installs it: from a tarball, globally, run in any folder. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@bourse/sdk'
import { afterAll, beforeAll, test } from 'vitest'
import { packOperators } from '../../../../scripts/pack/packages.ts'
import { runProgram } from '../../../../scripts/pack/program.ts'
import { tools } from '../../../../scripts/pack/tools.ts'
import { createEmptyDatabase } from '../../../server/test/support/database.ts'

const place = await mkdtemp(join(tmpdir(), 'bourse-operators-'))
const elsewhere = join(place, 'elsewhere')
const installed = join(place, 'lib/node_modules/bourse')
const program = join(place, 'bin/bourse')
const node20 = join(tools, 'node_modules/node-20/bin')
// Relative, as people write it.
const env = { PATH: process.env.PATH ?? '', HOME: place, BOURSE_DATA_DIR: './sandbox', BOURSE_PORT: '0' }
let sandbox: ChildProcess | undefined
let url = ''

const bourse = (...words: string[]) => runProgram(program, words, { cwd: elsewhere, env })

afterAll(async () => {
  if (sandbox && sandbox.exitCode === null) {
    const closed = once(sandbox, 'close')
    sandbox.kill('SIGTERM')
    await closed
  }
  await rm(place, { recursive: true, force: true })
})

beforeAll(async () => {
  // Another user runs PostgreSQL where the test runs as root.
  await chmod(place, 0o755)
  await mkdir(elsewhere)
  const tarball = await packOperators(place)
  // What `npm ci` has just brought is in the cache, and a registry that does not answer must not hold the test up.
  const words = ['install', '--global', '--prefix', place, '--no-audit', '--prefer-offline', '--fetch-timeout=60000']
  await runProgram('npm', [...words, '--silent', tarball], { cwd: place })
  sandbox = spawn(program, ['start'], { cwd: elsewhere, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  const ready = new Promise<void>((resolve) => {
    sandbox?.stdout?.on('data', (part) => {
      printed += part
      if (printed.includes('Stop it with')) resolve()
    })
  })
  await Promise.race([ready, once(sandbox, 'close')])
  url = /Address +(\S+)/.exec(printed)?.[1] ?? ''
  assert.notEqual(url, '', `The sandbox did not start. It printed: ${printed}`)
})

test('it starts a sandbox in a relative folder, and the doctor finds nothing', async () => {
  assert.match(
    await readFile(join(elsewhere, 'sandbox/sandbox.env'), 'utf8'),
    new RegExp(`^BOURSE_BASE_URL=${url}$`, 'm'),
  )
  const { data } = JSON.parse(await bourse('doctor', '--json')) as { data: { status: string; name: string }[] }
  assert.ok(data.length > 20)
  assert.deepEqual(
    data.filter(({ status }) => status !== 'ok'),
    [],
  )
  assert.match(await bourse('pools', 'list'), /main/)
})

test('it serves the reference, the guides and the agent of hosts', async () => {
  for (const path of ['/docs', '/docs/guides/trading', '/docs/scalar.js', '/docs/minisearch.js', '/docs/search.json']) {
    const response = await fetch(url + path)
    assert.equal(response.status, 200, path)
    assert.ok((await response.text()).length > 500, path)
  }
  const agent = join(place, 'agent')
  await mkdir(agent)
  const archive = join(agent, 'bundle.tgz')
  await writeFile(archive, Buffer.from(await (await fetch(`${url}/agent/v1/bundle.tgz`)).arrayBuffer()))
  await runProgram('tar', ['-xzf', archive, '-C', agent])
  const node = process.execPath
  const help = await runProgram(node, [join(agent, 'packages/agent/bin/bourse.mjs'), 'agent', '--help'], {
    cwd: elsewhere,
  })
  assert.match(help, /enrol/)
  assert.match(await bourse('agent', '--help'), /enrol/)
})

test('it verifies an uploaded image, which a thread of the server does', async () => {
  await writeFile(join(elsewhere, 'disk.img'), Buffer.alloc(3_000_000, 7))
  const { id } = JSON.parse(await bourse('images', 'upload', './disk.img', '--name', 'packed', '--force', '--json'))
  const settings = await readFile(join(elsewhere, 'sandbox/sandbox.env'), 'utf8')
  const token = /^BOURSE_API_TOKEN=(.*)$/m.exec(settings)?.[1] ?? ''
  const { state } = await createClient({ baseUrl: url, token }).images.waitUntil(id, 'completed')
  assert.equal(state, 'completed')
})

test('it migrates a database of production, and says before what that does', async () => {
  await using database = await createEmptyDatabase()
  const { user, database: name, host } = database.target
  const own = { ...env, BOURSE_DATABASE_URL: `postgres://${user}@/${name}?host=${host}` }
  const migrate = async (...words: string[]) =>
    JSON.parse(await runProgram(program, ['migrate', ...words, '--json'], { cwd: elsewhere, env: own }))
  const planned = (await migrate('--plan')).data.length
  assert.ok(planned > 30)
  const { from, to } = await migrate()
  assert.deepEqual([from, to > 30], [0, true])
  assert.deepEqual((await migrate('--plan')).data, [])
})

test('its version names the commit that it was built from, wherever it is installed', async () => {
  const own = (await runProgram('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: import.meta.dirname })).trim()
  const { commit } = (await (await fetch(`${url}/version`)).json()) as { commit: string }
  assert.equal(commit, own)
})

test('under Node 20 it runs on the Node 24 that is installed with it', async () => {
  const old = { ...env, PATH: `${node20}:${env.PATH}` }
  const words = ['version', '--json']
  assert.match(JSON.parse(await runProgram(program, words, { cwd: elsewhere, env: old })).node, /^v24\./)
})

test('under Node 20 and installed without optional packages it says what to do', async () => {
  const bare = join(place, 'bare/node_modules/bourse')
  await cp(installed, bare, { recursive: true, filter: (path) => !path.startsWith(join(installed, 'node_modules')) })
  const start = runProgram(join(node20, 'node'), [join(bare, 'packages/cli/bin/bourse.mjs'), 'start'], {
    cwd: elsewhere,
    env,
  })
  await assert.rejects(start, /Bourse needs Node\.js 24\. This is 20\..*without --omit=optional/s)
})
