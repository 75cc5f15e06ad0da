/** Builds the package `@bourse/sdk` as it is published: JavaScript and declarations, without dependencies. */

import { globSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, runProgram } from './program.ts'

/** Builds the package in a directory, which is emptied first. */
export async function buildSdk(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true })
  const built = join(directory, 'dist')
  await mkdir(built, { recursive: true })
  const project = join(root, 'packages/sdk/tsconfig.build.json')
  await runProgram(join(root, 'node_modules/.bin/tsc'), ['-p', project, '--outDir', built])
  for (const path of globSync('**/*.d.ts', { cwd: built })) await nameJavaScript(join(built, path))
  await cp(join(root, 'packages/sdk/README.md'), join(directory, 'README.md'))
  await cp(join(root, 'LICENSE'), join(directory, 'LICENSE'))
  await writeFile(join(directory, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`)
}

async function manifest(): Promise<object> {
  const source = JSON.parse(await readFile(join(root, 'packages/sdk/package.json'), 'utf8'))
  const { private: _, exports: __, ...rest } = source
  const entry = { types: './dist/sdk.d.ts', default: './dist/sdk.js' }
  return { ...rest, types: entry.types, exports: { '.': entry, './package.json': './package.json' }, files: ['dist'] }
}

/** The compiler leaves `.ts` in the imports of declarations. */
async function nameJavaScript(path: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replaceAll(/((?:from|import\() ?['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'))
}
