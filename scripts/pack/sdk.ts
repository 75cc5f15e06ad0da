/** Builds the package `@bourse/sdk` as it is published: JavaScript and declarations, without dependencies. */

import { globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { root, runProgram } from './program.ts'

/** Builds the package in a directory, which is emptied first. */
export async function buildSdk(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true })
  const built = join(directory, 'dist')
  await mkdir(built, { recursive: true })
  const sources = await mkdtemp(join(tmpdir(), 'bourse-sdk-'))
  try {
    const project = await collectSources(sources)
    await runProgram(join(root, 'node_modules/.bin/tsc'), ['-p', project, '--outDir', built])
  } finally {
    await rm(sources, { recursive: true, force: true })
  }
  for (const path of globSync('**/*.d.ts', { cwd: built })) await nameJavaScript(join(built, path))
  await cp(join(root, 'packages/sdk/README.md'), join(directory, 'README.md'))
  await cp(join(root, 'LICENSE'), join(directory, 'LICENSE'))
  await writeFile(join(directory, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`)
}

/**
 * Copies the sources of the SDK with those of packages/text in a folder beside them, so that all imports are relative.
 * The compiler writes only what the SDK uses. Returns the path of the project.
 */
async function collectSources(place: string): Promise<string> {
  const src = join(place, 'src')
  const isProgram = (path: string) => !path.endsWith('.test.ts')
  await cp(join(root, 'packages/sdk/src'), src, { recursive: true, filter: isProgram })
  await cp(join(root, 'packages/text/src'), join(src, 'text'), { recursive: true, filter: isProgram })
  for (const path of globSync('**/*.ts', { cwd: src, exclude: ['text/**'] })) {
    const up = relative(dirname(path), 'text') || '.'
    const own = await readFile(join(src, path), 'utf8')
    const text = own.replaceAll(/'@bourse\/text\/([^']+)'/g, `'${up.startsWith('.') ? up : `./${up}`}/$1'`)
    if (text !== own) await writeFile(join(src, path), text)
  }
  await cp(join(root, 'packages/sdk/package.json'), join(place, 'package.json'))
  const project = join(place, 'tsconfig.json')
  const options = JSON.parse(await readFile(join(root, 'packages/sdk/tsconfig.build.json'), 'utf8'))
  await writeFile(project, JSON.stringify({ ...options, extends: join(root, 'tsconfig.json') }))
  return project
}

async function manifest(): Promise<object> {
  const source = JSON.parse(await readFile(join(root, 'packages/sdk/package.json'), 'utf8'))
  const { private: _, exports: __, dependencies: ___, ...rest } = source
  const entry = { types: './dist/sdk.d.ts', default: './dist/sdk.js' }
  return { ...rest, types: entry.types, exports: { '.': entry, './package.json': './package.json' }, files: ['dist'] }
}

/** The compiler leaves `.ts` in the imports of declarations. */
async function nameJavaScript(path: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replaceAll(/((?:from|import\() ?['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'))
}
