/**
 * The package as a stranger uses it: packed, installed into another project, type-checked with two compilers and both
 * module resolutions, and run by every runtime that npm has.
 */
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { packSdk } from '../../../../scripts/pack/packages.ts'
import { root, runProgram } from '../../../../scripts/pack/program.ts'
import { tools } from '../../../../scripts/pack/tools.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { startTestServer } from '../../../server/test/support/server.ts'

const server = await startTestServer()
const place = await mkdtemp(join(tmpdir(), 'bourse-outside-'))
const sdk = join(place, 'node_modules/@bourse/sdk')
afterAll(() => rm(place, { recursive: true, force: true }))

beforeAll(async () => {
  await writeFile(join(place, 'package.json'), '{ "type": "module", "private": true }')
  const tarball = await packSdk(place)
  await runProgram('npm', ['install', '--silent', '--no-audit', '--offline', tarball], { cwd: place })
  for (const name of ['@types', 'undici-types']) {
    await symlink(join(root, 'node_modules', name), join(place, 'node_modules', name))
  }
  await mkdir(join(place, 'src'))
  await cp(join(root, 'packages/sdk/examples'), join(place, 'src'), { recursive: true })
  await cp(join(import.meta.dirname, 'caller.txt'), join(place, 'src/caller.ts'))
  const readme = await readFile(join(sdk, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code as string)
  assert.ok(blocks.length >= 8, `${blocks.length} blocks of code in the README`)
  for (const [index, code] of blocks.entries()) await writeFile(join(place, `src/readme-${index}.ts`), code)
})

const compilers = { 'TypeScript 5': 'typescript/bin/tsc', 'TypeScript 7': 'typescript-7/bin/tsc' }
const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext', types: ['node'], lib: ['es2023'] },
  bundler: { module: 'esnext', moduleResolution: 'bundler', types: ['node'], lib: ['es2023', 'dom', 'dom.iterable'] },
}

for (const [compiler, path] of Object.entries(compilers)) {
  for (const [resolution, own] of Object.entries(resolutions)) {
    test(`${compiler} with ${resolution} accepts the declarations, the README and the examples`, async () => {
      const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }
      const emits = compiler === 'TypeScript 7' && resolution === 'nodenext'
      const output = emits ? { rootDir: 'src', outDir: 'built' } : { noEmit: true }
      const compilerOptions = { target: 'es2023', ...own, ...strict, ...output, skipLibCheck: false }
      const project = join(place, `${path.split('/')[0]}-${resolution}.json`)
      await writeFile(project, JSON.stringify({ compilerOptions, include: ['src'] }))
      await runProgram(process.execPath, [join(tools, 'node_modules', path), '-p', project])
    })
  }
}

test('a wrong argument is an error of the compiler', async () => {
  const wrong = `import { createClient } from '@bourse/sdk'\nawait createClient().firewalls.delete('inst_1')\n`
  await writeFile(join(place, 'wrong.ts'), wrong)
  const words = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', 'wrong.ts']
  const checked = runProgram(process.execPath, [join(tools, 'node_modules/typescript/bin/tsc'), ...words], {
    cwd: place,
  })
  await assert.rejects(checked, /inst_1.*FirewallRef/s)
})

const runtimes: Record<string, { program: string; words?: string[] }> = {
  'Node 20': { program: join(tools, 'node_modules/node-20/bin/node') },
  'Node 24': { program: process.execPath },
  Deno: { program: join(tools, 'node_modules/@deno/linux-x64-glibc/deno'), words: ['run', '-A', '--no-remote'] },
  Bun: { program: join(tools, 'node_modules/@oven/bun-linux-x64/bin/bun'), words: ['run'] },
}

for (const [name, { program, words = [] }] of Object.entries(runtimes)) {
  const skip = existsSync(program) ? false : `npm has no ${name} for this system`
  test(`the package runs in ${name}`, leftOut(skip), async () => {
    const { id, token } = await server.account({ trust_level: 'basic' })
    await server.call('set_trust_level', { params: { account: id }, body: { trust_level: 'trusted' } })
    const env = { PATH: process.env.PATH, HOME: place, BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token }
    const printed = await runProgram(program, [...words, join(place, 'built/caller.js')], { cwd: place, env })
    assert.deepEqual(JSON.parse(printed), {
      account: id,
      event: 'trust_level.updated',
      pool: 'from-outside',
      error: 'NotFoundError',
      suggestions: ['Check the id or path. Resources that you may not see appear to be absent.'],
      status: 200,
      waited: 'from-outside',
      verified: 'WebhookVerificationError',
    })
  })
}

test('the package is small, has no dependency, and imports nothing of Node', async () => {
  const manifest = JSON.parse(await readFile(join(sdk, 'package.json'), 'utf8'))
  assert.deepEqual([manifest.dependencies, manifest.private], [undefined, undefined])
  const files = globSync('dist/**/*.js', { cwd: sdk })
  assert.ok(files.length > 10)
  for (const path of files) {
    const text = await readFile(join(sdk, path), 'utf8')
    for (const [, from] of text.matchAll(/^(?:import|export) .*?from '([^']+)'/gm)) assert.match(from ?? '', /^\.\.?\//)
  }
})
