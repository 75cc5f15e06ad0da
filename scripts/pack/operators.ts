/**
 * Builds the package `bourse`: the whole program for operators. Node does not run TypeScript that is installed below
 * node_modules, so server, command line and agent are bundled. What the program reads as files keeps the path that it
 * has in the repository, and PostgreSQL and Node come as optional dependencies, as in the repository.
 */
import { globSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { placeAgent } from './agent.ts'
import { bundle } from './bundle.ts'
import { readCommit } from './commit.ts'
import { root } from './program.ts'

/** Files and folders that the program reads, or that people look for. */
const copied = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'openapi.json',
  'migrations',
  'ops/systemd',
  'packages/console/dist',
  'docs/concepts',
  ...globSync('docs/images/*.svg', { cwd: root }),
  'docs/guides',
  'docs/reference',
  'docs/runbooks',
  'docs/README.md',
  'docs/errors.md',
  'docs/faq.md',
  'docs/glossary.md',
  'docs/metrics.md',
  'docs/scaling.md',
  'RELIABILITY.md',
  'docs/reliability/track-record.md',
  'docs/status.md',
  'packages/sdk/README.md',
  'packages/cli/README.md',
  'packages/cli/bin/own-node.mjs',
  'scripts/node-version.mjs',
]

/** Text of the sources that finds files of the repository, and what finds them in the package. */
const replaced: readonly (readonly [file: RegExp, from: string, to: string])[] = [
  [/db\/prepared\.ts$/, "createRequire(import.meta.url)('pg/lib/utils')", "require('pg/lib/utils')"],
  [/blobs\/digest\.ts$/, './digest-thread.ts', './digest-thread.js'],
  [/docs\/reference-script\.ts$/, './reference-script-thread.ts', './reference-script-thread.js'],
  [
    /docs\/docs-routes\.ts$/,
    "createRequire(import.meta.url).resolve('minisearch')",
    "join(import.meta.dirname, 'minisearch/dist/cjs/index.cjs')",
  ],
]

const findFilesInPackage: Plugin = {
  name: 'find-files-in-package',
  setup(build) {
    for (const [filter, from, to] of replaced) {
      build.onLoad({ filter }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        if (!text.includes(from)) throw new Error(`${path} no longer has ${from}: change scripts/pack/operators.ts`)
        return { contents: text.replace(from, to), loader: 'ts' }
      })
    }
  },
}

/** Some dependencies are CommonJS and load modules of Node by `require`. */
const banner = {
  js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
}

/** Builds the package in a directory, which is emptied first. A key signs the agent for hosts. */
export async function buildOperators(directory: string, key?: string): Promise<void> {
  await rm(directory, { recursive: true, force: true })
  const dist = join(directory, 'dist')
  const core = join(root, 'packages/server/src/core')
  await mkdir(dist, { recursive: true })
  await bundle({
    entryPoints: {
      bourse: join(root, 'packages/cli/src/main.ts'),
      health: join(root, 'packages/cli/src/health-process.ts'),
      'digest-thread': join(core, 'blobs/digest-thread.ts'),
      'reference-script-thread': join(core, 'docs/reference-script-thread.ts'),
    },
    outdir: dist,
    target: 'node24',
    plugins: [findFilesInPackage],
    external: ['pg-native'],
    banner,
  })
  for (const files of ['core/docs/browser', 'iam/pages/browser']) {
    await cp(join(root, 'packages/server/src', files), join(dist, 'browser'), { recursive: true })
  }
  await cp(join(root, 'node_modules/minisearch/dist/es/index.js'), join(dist, 'minisearch/dist/es/index.js'))
  for (const path of copied) await cp(join(root, path), join(directory, path), { recursive: true })
  const start = await readFile(join(root, 'packages/cli/bin/bourse.mjs'), 'utf8')
  const entry = start.replace('../src/main.ts', '../../../dist/bourse.js')
  if (entry === start) throw new Error('packages/cli/bin/bourse.mjs no longer loads ../src/main.ts.')
  await writeFile(join(directory, 'packages/cli/bin/bourse.mjs'), entry, { mode: 0o755 })
  await placeAgent(directory, key)
  await writeFile(join(directory, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`)
}

async function manifest(): Promise<object> {
  const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const server = JSON.parse(await readFile(join(root, 'packages/server/package.json'), 'utf8'))
  const commit = await readCommit()
  const { name, version, description, license, type } = own
  return {
    name,
    version,
    description,
    license,
    type,
    bin: { bourse: 'packages/cli/bin/bourse.mjs' },
    // Older ones start it: it looks for the Node that is installed beside it.
    engines: { node: '>=20' },
    optionalDependencies: { ...own.optionalDependencies, ...server.optionalDependencies },
    ...(commit === undefined ? {} : { commit }),
  }
}
