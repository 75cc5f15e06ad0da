/** The package `bourse` as an operator installs it: from a tarball, globally, run in any folder. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createClient } from '@bourse/sdk'
import { afterAll, beforeAll, test } from 'vitest'
import { packOperators } from '../../../../scripts/pack/packages.ts'
import { runProgram } from '../../../../scripts/pack/program.ts'
import { publicKeyOf } from '../../../../scripts/pack/sums.ts'
import { tools } from '../../../../scripts/pack/tools.ts'
import { eventually } from '../../../../test/eventually.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { createEmptyDatabase } from '../../../server/test/support/database.ts'
import { shownBlocks } from '../shown-blocks.ts'
import { withoutRoots } from './debian-root.ts'

const place = await mkdtemp(join(tmpdir(), 'bourse-operators-'))
const elsewhere = join(place, 'elsewhere')
const installed = join(place, 'lib/node_modules/bourse')
const program = join(place, 'bin/bourse')
/** The key of the release. */
const key = join(place, 'release-key')
const node20 = join(tools, 'node_modules/node-20/bin')
// Relative, as people write it.
const env = { PATH: process.env.PATH ?? '', HOME: place, BOURSE_DATA_DIR: './sandbox', BOURSE_PORT: '0' }
const noSystemd = withoutRoots('systemd-analyze', 'systemd-sysusers', 'setpriv')
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
  await runProgram('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  const tarball = await packOperators(place, key)
  // What `npm ci` has just brought is in the cache, and a registry that does not answer must not hold the test up.
  const words = ['install', '--global', '--prefix', place, '--no-audit', '--prefer-offline', '--fetch-timeout=60000']
  await runProgram('npm', [...words, '--silent', tarball], { cwd: place })
  const begin = performance.now()
  sandbox = spawn(program, ['start'], { cwd: elsewhere, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  const ready = new Promise<void>((resolve) => {
    sandbox?.stdout?.on('data', (part) => {
      printed += part
      if (printed.includes('Stop it with')) resolve()
    })
  })
  await Promise.race([ready, once(sandbox, 'close')])
  console.log(`ready ${((performance.now() - begin) / 1000).toFixed(1)} s after it was installed`)
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
  const shown = JSON.parse(await bourse('version', '--json'))
  const migrations = await readdir(join(installed, 'migrations'))
  assert.deepEqual([shown.commit, shown.schema], [own, migrations.length - 1])
})

test('the operator rolls out the agent that came with the server, signed by the key of the release', async () => {
  const guide = await readFile(join(installed, 'docs/guides/hosts.md'), 'utf8')
  const [, line = ''] = /^cd \/usr\/lib\/bourse && bourse (.+)$/m.exec(guide) ?? []
  assert.match(line, /^platform agent-bundles add /)
  const settings = await readFile(join(elsewhere, 'sandbox/sandbox.env'), 'utf8')
  const [, token = ''] = /^BOURSE_PLATFORM_TOKEN=(.+)$/m.exec(settings) ?? []
  const asOperator = { ...env, BOURSE_BASE_URL: url, BOURSE_API_TOKEN: token }
  const run = async (...words: string[]) =>
    JSON.parse(await runProgram(program, [...words, '--json'], { cwd: installed, env: asOperator }))
  const bundle = await run(...line.split(' '))
  const { version, commit } = await run('version')
  assert.deepEqual([bundle.version, bundle.commit, bundle.signer], [version, commit, await publicKeyOf(key)])
  // It is the one that hosts get when they enrol.
  const served = Buffer.from(await (await fetch(`${url}/agent/v1/bundle.tgz`)).arrayBuffer())
  const rolledOut = Buffer.from(await (await fetch(`${url}/agent/v1/bundles/${bundle.sha256}`)).arrayBuffer())
  assert.ok(served.equals(rolledOut))
  const rollout = await run('platform', 'agent-rollouts', 'create', version)
  assert.equal(rollout.agent_version, version)
})

test('npx starts a sandbox in an empty folder, as the guide shows', async () => {
  const empty = join(place, 'empty')
  await mkdir(empty)
  const [tarball = ''] = (await readdir(place)).filter((name) => name.endsWith('.tgz'))
  const [[line = ''] = []] = shownBlocks('docs/guides/install.md', '## npm')
  const command = line.replace(/\S+\.tgz/, join(place, tarball)).replace('--yes', '--yes --prefer-offline --quiet')
  // Archives come from the cache that the installation has filled. What npx installs goes into a folder of the test.
  const cache = join(place, 'cache')
  await mkdir(cache)
  const filled = (await runProgram('npm', ['config', 'get', 'cache'])).trim()
  await symlink(join(filled, '_cacache'), join(cache, '_cacache'))
  const PATH = `${dirname(process.execPath)}:${env.PATH}`
  const own = { ...env, PATH, npm_config_cache: cache, BOURSE_DATA_DIR: join(empty, 'data') }
  // A group of its own: npx, a shell and the program.
  const child = spawn('sh', ['-c', command], {
    cwd: empty,
    env: own,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const closed = once(child, 'close')
  let printed = ''
  child.stdout.on('data', (part) => (printed += part))
  try {
    await eventually('it is ready', () => {
      if (child.exitCode !== null) throw new Error(printed)
      return printed.includes('Stop it with')
    })
    const address = /Address +(\S+)/.exec(printed)?.[1] ?? ''
    assert.equal((await fetch(`${address}/readyz`)).status, 200)
  } finally {
    if (child.exitCode === null) process.kill(-(child.pid as number), 'SIGTERM')
    await closed
  }
})

test('it prints the units of systemd, and installs them as root, as the guide shows', leftOut(noSystemd), async () => {
  const [[print = '', install = ''] = []] = shownBlocks('docs/guides/install.md', '## systemd')
  const system = join(place, 'system')
  await mkdir(system)
  const words = (line: string) => [...line.split(' ').slice(1), '--root', system]
  assert.match(await bourse(...words(print)), /^# create .*bourse-server@\.service\n[\s\S]*^Type=notify$/m)
  assert.deepEqual(await readdir(system), [])
  const rows = JSON.parse(await bourse(...words(install), '--json')).data as { action: string; path: string }[]
  assert.deepEqual(new Set(rows.map(({ action }) => action)), new Set(['create']))
  const units = rows.map(({ path }) => join(system, path)).filter((path) => path.endsWith('.service'))
  assert.equal(await runProgram('systemd-analyze', ['verify', '--man=no', ...units]), '')
  const [server = '', agent = ''] = units
  // In tenths. The agent gives devices and networks to machines, and has to stay without a mount namespace.
  for (const [unit, threshold] of [
    [server, 30],
    [agent, 75],
  ] as const) {
    await runProgram('systemd-analyze', ['security', '--offline=true', `--threshold=${threshold}`, unit])
  }
  assert.match(await readFile(join(system, 'etc/passwd'), 'utf8'), /^bourse:/m)
  await appendFile(server, '# changed\n')
  const again = JSON.parse(await bourse(...words(install), '--json')).data as { action: string; path: string }[]
  const changed = again.filter(({ action }) => action !== 'unchanged')
  assert.deepEqual(
    changed.map(({ action, path }) => [action, join(system, path)]),
    [['keep', server]],
  )
  assert.match(await readFile(server, 'utf8'), /# changed\n$/)
})

test('units are not installed by others than root, nor without systemd', leftOut(noSystemd), async () => {
  const words = ['install', 'systemd', '--yes', '--root', join(place, 'nowhere')]
  const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
  const [first = '', ...rest] = [...nobody, program, ...words]
  await assert.rejects(runProgram(first, rest, { cwd: place, env }), /Error: Only root can install units\./)
  const bare = { ...env, PATH: dirname(process.execPath) }
  await assert.rejects(
    runProgram(process.execPath, [program, ...words], { cwd: place, env: bare }),
    /systemd-sysusers is missing\.\s+Install systemd/,
  )
  assert.deepEqual(
    (await readdir(place)).filter((name) => name === 'nowhere'),
    [],
  )
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
