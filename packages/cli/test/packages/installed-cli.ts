/** The command line as a customer installs it: packed, installed globally without a server, run in any folder. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, test } from 'vitest'
import { packCli } from '../../../../scripts/pack/packages.ts'
import { runProgram } from '../../../../scripts/pack/program.ts'
import { atEnd } from '../../../../test/at-end.ts'
import { startTestServer } from '../../../server/test/support/server.ts'

/** An installed command line. */
export type InstalledCli = {
  /** Where it is installed. */
  readonly place: string
  /** Runs a program of a Node.js with some words, in another folder, as a customer of a test server. */
  run(node: string, program: string, ...words: string[]): Promise<string>
  /** The installed program. */
  readonly program: string
}

/** Installs it before the tests of a file, and removes it after them. */
export async function installCli(): Promise<InstalledCli> {
  const server = await startTestServer()
  const { token } = await server.account()
  const place = await mkdtemp(join(tmpdir(), 'bourse-installed-'))
  const elsewhere = join(place, 'elsewhere')
  const env = { PATH: process.env.PATH, HOME: place, BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token }
  atEnd(() => rm(place, { recursive: true, force: true }))
  beforeAll(async () => {
    await mkdir(elsewhere)
    await writeFile(join(elsewhere, 'disk.img'), Buffer.alloc(2_000_000, 7))
    const tarball = await packCli(place)
    const words = ['install', '--global', '--prefix', place, '--offline', '--no-audit', '--silent', tarball]
    await runProgram('npm', words, { cwd: place })
  })
  return {
    place,
    program: join(place, 'lib/node_modules/@bourse/cli/bin/bourse.mjs'),
    run: (node, program, ...words) => runProgram(node, [program, ...words], { cwd: elsewhere, env }),
  }
}

/** Tests that an installed command line works with a Node.js. */
export function testWith(cli: InstalledCli, { name, node }: { name: string; node: string }): void {
  const bourse = (...words: string[]) => cli.run(node, cli.program, ...words)
  test(`${name} runs it in another folder`, async () => {
    assert.match(await bourse('--help'), /^Usage: bourse/)
    assert.match(await bourse('orders', 'buy', '--help'), /--nodes/)
    const { name: made } = JSON.parse(await bourse('pools', 'create', '--name', `pool-${name.slice(-2)}`, '--json'))
    assert.ok((await bourse('pools', 'list', '-o', 'csv', '--columns', 'name')).includes(made))
    const { version } = JSON.parse(await bourse('version', '--json'))
    assert.match(version, /^\d+\.\d+\.\d+$/)
  })

  test(`${name} uploads an image that is named relative to the folder`, async () => {
    const words = ['images', 'upload', './disk.img', '--name', `image-${name.slice(-2)}`, '--force', '--json']
    const { state } = JSON.parse(await bourse(...words))
    assert.match(state, /verifying|completed/)
  })

  test(`${name} says that commands of operators need the whole program`, async () => {
    await assert.rejects(bourse('start'), /Error: This command needs the whole program: install the package `bourse`/)
  })
}
