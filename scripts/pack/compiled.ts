/** Compiles a package of TypeScript to JavaScript and declarations, together with what it uses of packages/text. */
import { globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { root, runProgram } from './program.ts'

/** A package that is published as what the compiler makes of it. */
export type CompiledPackage = {
  /** Its folder below packages/, with a README.md and a tsconfig.build.json. */
  readonly folder: string
  /** Makes the published package.json of its own. */
  readonly manifest: (own: Readonly<Record<string, unknown>>) => object
}

/** Builds a package in a directory, which is emptied first: dist, README.md, LICENSE, package.json. */
export async function buildCompiled(directory: string, { folder, manifest }: CompiledPackage): Promise<void> {
  await rm(directory, { recursive: true, force: true })
  const built = join(directory, 'dist')
  await mkdir(built, { recursive: true })
  const own = join(root, 'packages', folder)
  const sources = await mkdtemp(join(tmpdir(), `bourse-${folder}-`))
  try {
    const project = await collectSources(own, sources)
    await runProgram(join(root, 'node_modules/.bin/tsc'), ['-p', project, '--outDir', built])
  } finally {
    await rm(sources, { recursive: true, force: true })
  }
  for (const path of globSync('**/*.d.ts', { cwd: built })) await nameJavaScript(join(built, path))
  await cp(join(own, 'README.md'), join(directory, 'README.md'))
  await cp(join(root, 'LICENSE'), join(directory, 'LICENSE'))
  const source = JSON.parse(await readFile(join(own, 'package.json'), 'utf8'))
  await writeFile(join(directory, 'package.json'), `${JSON.stringify(manifest(source), null, 2)}\n`)
}

/**
 * Copies the sources of a package with those of packages/text in a folder beside them, so that all imports are
 * relative. The compiler writes only what the entries use. Returns the path of the project.
 */
async function collectSources(own: string, place: string): Promise<string> {
  const src = join(place, 'src')
  const isProgram = (path: string) => !path.endsWith('.test.ts')
  await cp(join(own, 'src'), src, { recursive: true, filter: isProgram })
  await cp(join(root, 'packages/text/src'), join(src, 'text'), { recursive: true, filter: isProgram })
  for (const path of globSync('**/*.ts', { cwd: src, exclude: ['text/**'] })) {
    const up = relative(dirname(path), 'text') || '.'
    const given = await readFile(join(src, path), 'utf8')
    const text = given.replaceAll(/'@bourse\/text\/([^']+)'/g, `'${up.startsWith('.') ? up : `./${up}`}/$1'`)
    if (text !== given) await writeFile(join(src, path), text)
  }
  await cp(join(own, 'package.json'), join(place, 'package.json'))
  const project = join(place, 'tsconfig.json')
  const options = JSON.parse(await readFile(join(own, 'tsconfig.build.json'), 'utf8'))
  await writeFile(project, JSON.stringify({ ...options, extends: join(root, 'tsconfig.json') }))
  return project
}

/** The compiler leaves `.ts` in the imports of declarations. */
async function nameJavaScript(path: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replaceAll(/((?:from|import\() ?['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'))
}
