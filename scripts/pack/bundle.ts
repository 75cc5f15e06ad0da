/** Bundles programs with esbuild: a few files of JavaScript without dependencies. */
import { build, type Plugin } from 'esbuild'
import { root } from './program.ts'

/** What is bundled, and how. */
export type BundleOptions = {
  /** Source files by the name of their result. */
  readonly entryPoints: Record<string, string>
  readonly outdir: string
  /** The oldest Node that runs it, such as node20. */
  readonly target: string
  readonly plugins: Plugin[]
  /** Modules that are found where the program is installed, or not at all. */
  readonly external?: string[]
  /** Written at the beginning of each file. */
  readonly banner?: { readonly js: string }
}

/** Bundles programs that share what they have in common. Returns the paths of the sources, from the repository. */
export async function bundle(options: BundleOptions): Promise<readonly string[]> {
  const { metafile } = await build({
    ...options,
    absWorkingDir: root,
    metafile: true,
    bundle: true,
    splitting: true,
    minify: true,
    keepNames: true,
    format: 'esm',
    platform: 'node',
    legalComments: 'eof',
    logLevel: 'error',
  })
  return Object.keys(metafile.inputs)
}
