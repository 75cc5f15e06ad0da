/** The command line as a customer installs it: packed, installed globally without a server, run in any folder. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { packCli } from '../../../../scripts/pack/packages.ts'
import { runProgram } from '../../../../scripts/pack/program.ts'
import { tools } from '../../../../scripts/pack/tools.ts'
import { startTestServer } from '../../../server/test/support/server.ts'

const server = await startTestServer()
const { token } = await server.account()
const place = await mkdtemp(join(tmpdir(), 'bourse-installed-'))
const elsewhere = join(place, 'elsewhere')
const program = join(place, 'lib/node_modules/@bourse/cli/bin/bourse.mjs')
const env = { PATH: process.env.PATH, HOME: place, BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token }
after(() => rm(place, { recursive: true, force: true }))

before(async () => {
  await mkdir(elsewhere)
  const tarball = await packCli(place)
  const words = ['install', '--global', '--prefix', place, '--offline', '--no-audit', '--silent', tarball]
  await runProgram('npm', words, { cwd: place })
})

const nodes = { 'Node 24': process.execPath, 'Node 20': join(tools, 'node_modules/node-20/bin/node') }

for (const [name, node] of Object.entries(nodes)) {
  const bourse = (...words: string[]) => runProgram(node, [program, ...words], { cwd: elsewhere, env })
  test(`${name} runs it in another folder`, async () => {
    assert.match(await bourse('--help'), /^Usage: bourse/)
    assert.match(await bourse('orders', 'buy', '--help'), /--nodes/)
    const { name: made } = JSON.parse(await bourse('pools', 'create', '--name', `pool-${name.slice(-2)}`, '--json'))
    assert.ok((await bourse('pools', 'list', '-o', 'csv', '--columns', 'name')).includes(made))
    const { version } = JSON.parse(await bourse('version', '--json'))
    assert.match(version, /^\d+\.\d+\.\d+$/)
  })

  test(`${name} uploads an image that is named relative to the folder`, async () => {
    await writeFile(join(elsewhere, 'disk.img'), Buffer.alloc(2_000_000, 7))
    const words = ['images', 'upload', './disk.img', '--name', `image-${name.slice(-2)}`, '--force', '--json']
    const { state } = JSON.parse(await bourse(...words))
    assert.match(state, /verifying|completed/)
  })

  test(`${name} says that commands of operators need the whole program`, async () => {
    await assert.rejects(bourse('start'), /Error: This command needs the whole program: install the package `bourse`/)
  })
}

test('manual pages are installed beside it', async () => {
  const pages = await readdir(join(place, 'share/man/man1'))
  assert.ok(pages.includes('bourse.1') && pages.includes('bourse-orders.1'), pages.join(' '))
})

test('what is installed has at most 15 MB and no dependency', async () => {
  const files = await readdir(join(place, 'lib/node_modules'), { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size))
  const bytes = sizes.reduce((total, size) => total + size, 0)
  assert.ok(bytes < 15_000_000, `${bytes} bytes`)
  const installed = (await readdir(join(place, 'lib/node_modules'))).filter((name) => !name.startsWith('.'))
  assert.deepEqual(installed, ['@bourse'])
})

test('a checkout under Node 20 runs on the Node 24 beside it, with its exit code', async () => {
  const checkout = join(import.meta.dirname, '../../bin/bourse.mjs')
  const bourse = (...words: string[]) => runProgram(nodes['Node 20'], [checkout, ...words], { cwd: elsewhere, env })
  assert.match(JSON.parse(await bourse('version', '--json')).node, /^v24\./)
  await assert.rejects(bourse('no-such-command'), (error: Error & { code?: number }) =>
    /unknown command/.test(error.message),
  )
})
