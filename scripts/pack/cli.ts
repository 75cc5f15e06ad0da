/** Builds the package `@bourse/cli`: the program in a few files of JavaScript, without the server and PostgreSQL. */
import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { bundle } from './bundle.ts'
import { readCommit, readVersion } from './commit.ts'
import { printManPages } from './man-pages.ts'
import { root } from './program.ts'

/** The server, which only operators need. In the package each of its modules is an error that says so. */
const ofOperators = /^@bourse\/server\//
const missingPart = `
  const message = 'This command needs the whole program: install the package \`bourse\` instead of \`@bourse/cli\`.'
  throw Object.assign(new Error(message), { name: 'StartProblem', code: 'unsupported_platform' })
`
const withoutOperators: Plugin = {
  name: 'without-operators',
  setup(build) {
    build.onResolve({ filter: ofOperators }, ({ path }) => ({ path, namespace: 'operators' }))
    build.onLoad({ filter: /./, namespace: 'operators' }, () => ({ contents: missingPart }))
  },
}

/** The program for Node 20 and newer. */
const entry = `#!/usr/bin/env node
import * as module from 'node:module'

// Some dependencies are CommonJS and load modules of Node by \`require\`.
globalThis.require = module.createRequire(import.meta.url)
module.enableCompileCache?.()
await import('../dist/bourse.js')
`

/** Builds the package in a directory, which is emptied first. */
export async function buildCli(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true })
  await mkdir(join(directory, 'bin'), { recursive: true })
  await bundleCli(join(directory, 'dist'))
  await writeFile(join(directory, 'bin/bourse.mjs'), entry)
  await chmod(join(directory, 'bin/bourse.mjs'), 0o755)
  await cp(join(root, 'packages/cli/README.md'), join(directory, 'README.md'))
  await cp(join(root, 'LICENSE'), join(directory, 'LICENSE'))
  const version = await readVersion()
  const pages = await printManPages(version)
  await mkdir(join(directory, 'man'))
  for (const [name, text] of pages) await writeFile(join(directory, 'man', name), text)
  await writeFile(
    join(directory, 'package.json'),
    `${JSON.stringify(await manifest(version, [...pages.keys()]), null, 2)}\n`,
  )
}

/** Bundles the program into a directory. Returns the paths of its sources. */
export function bundleCli(outdir: string): Promise<readonly string[]> {
  const entryPoints = { bourse: join(root, 'packages/cli/src/main.ts') }
  return bundle({ entryPoints, outdir, target: 'node20', plugins: [withoutOperators] })
}

async function manifest(version: string, pages: readonly string[]): Promise<object> {
  const commit = await readCommit()
  return {
    name: '@bourse/cli',
    version,
    description: 'The command line of Bourse, a compute marketplace.',
    license: 'Apache-2.0',
    type: 'module',
    bin: { bourse: 'bin/bourse.mjs' },
    engines: { node: '>=20' },
    man: pages.map((name) => `man/${name}`),
    files: ['bin', 'dist', 'man'],
    ...(commit === undefined ? {} : { commit }),
  }
}
