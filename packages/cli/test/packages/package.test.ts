import assert from 'node:assert/strict'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'vitest'
import { bundleCli } from '../../../../scripts/pack/cli.ts'
import { installCli, testWith } from './installed-cli.ts'

const cli = await installCli()

testWith(cli, { name: 'Node 24', node: process.execPath })

test('manual pages are installed beside it', async () => {
  const pages = await readdir(join(cli.place, 'share/man/man1'))
  assert.ok(pages.includes('bourse.1') && pages.includes('bourse-orders.1'), pages.join(' '))
})

test('it is built from no file of the server', async () => {
  const sources = await bundleCli(join(cli.place, 'bundled'))
  assert.ok(sources.includes('packages/cli/src/main.ts') && sources.includes('packages/text/src/csv.ts'))
  assert.deepEqual(
    sources.filter((path) => /packages\/server\/|node_modules\/(pg|pino|undici)\//.test(path)),
    [],
  )
})

test('what is installed has at most 15 MB and no dependency', async () => {
  const files = await readdir(join(cli.place, 'lib/node_modules'), { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size))
  const bytes = sizes.reduce((total, size) => total + size, 0)
  assert.ok(bytes < 15_000_000, `${bytes} bytes`)
  const installed = (await readdir(join(cli.place, 'lib/node_modules'))).filter((name) => !name.startsWith('.'))
  assert.deepEqual(installed, ['@bourse'])
})
