/** Bundles programs with esbuild: a few files of JavaScript without dependencies. Needs the programs of tools/. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { installTools, tools } from './tools.ts'

/** What a plugin registers. */
type EsbuildSetup = {
  onResolve(options: { filter: RegExp }, resolve: (found: { path: string }) => object): void
  onLoad(
    options: { filter: RegExp; namespace?: string },
    load: (found: { path: string }) => object | Promise<object>,
  ): void
}

/** A plugin of esbuild. */
export type BundlePlugin = { readonly name: string; readonly setup: (build: EsbuildSetup) => void }

/** What is bundled, and how. */
export type BundleOptions = {
  /** Source files by the name of their result. */
  readonly entryPoints: Readonly<Record<string, string>>
  readonly outdir: string
  /** The oldest Node that runs it, such as node20. */
  readonly target: string
  readonly plugins: readonly BundlePlugin[]
  /** Modules that are found where the program is installed, or not at all. */
  readonly external?: readonly string[]
  /** Written at the beginning of each file. */
  readonly banner?: { readonly js: string }
}

/** Bundles programs that share what they have in common. */
export async function bundle(options: BundleOptions): Promise<void> {
  await installTools()
  const { build } = createRequire(join(tools, 'package.json'))('esbuild') as {
    build(options: object): Promise<unknown>
  }
  await build({
    ...options,
    bundle: true,
    splitting: true,
    minify: true,
    keepNames: true,
    format: 'esm',
    platform: 'node',
    legalComments: 'eof',
    logLevel: 'error',
  })
}
