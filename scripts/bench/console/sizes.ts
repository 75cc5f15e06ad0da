// What the pages of the console load, from the manifest of the build, in kilobytes as they are sent: scripts and styles
// as brotli.
import { globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { consoleFolder } from '../../console/config.ts'

type Chunk = {
  readonly file: string
  readonly css?: string[]
  readonly assets?: string[]
  readonly imports?: string[]
}
type Manifest = Readonly<Record<string, Chunk>>

/** What the home of buyers loads, with the frame. */
export function firstLoad(): number {
  return kilobytes(filesOf(readManifest(), ['index.html', 'src/overview/home-page.tsx']))
}

/** The most that one page loads besides the frame. */
export function largestRoute(): number {
  const manifest = readManifest()
  const frame = filesOf(manifest, ['index.html'])
  const sizes = pageEntries(consoleFolder, manifest).map((page) => {
    return kilobytes([...filesOf(manifest, [page])].filter((file) => !frame.has(file)))
  })
  return Math.max(...sizes)
}

/**
 * The modules of all pages in the manifest of the build. They come from the tables of pages of which the router is made
 * (`src/AREA/pages.ts`), so no page is left out, whatever its folder or name. Throws if one has no module in the build.
 */
export function pageEntries(folder: string, manifest: Readonly<Record<string, unknown>>): string[] {
  const found: string[] = []
  for (const table of globSync('src/*/pages.ts', { cwd: folder }).toSorted()) {
    const text = readFileSync(join(folder, table), 'utf8')
    const modules = [...text.matchAll(/import\('(\.[^']+)'\)/g)].map(([, path]) => join(dirname(table), path as string))
    const pages = text.match(/\bpath: '/g)?.length ?? 0
    if (modules.length !== pages) throw new Error(`${table} has ${pages} pages and loads ${modules.length} modules.`)
    found.push(...modules)
  }
  for (const name of found) if (!(name in manifest)) throw new Error(`The build has no page ${name}.`)
  return found
}

function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(consoleFolder, 'dist/.vite/manifest.json'), 'utf8'))
}

/** The files of entries and of all that they import at once. */
function filesOf(manifest: Manifest, entries: readonly string[]): Set<string> {
  const files = new Set<string>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const css of chunk.css ?? []) files.add(css)
    for (const font of chunk.assets?.filter(isUsualFont) ?? []) files.add(font)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const entry of entries) visit(entry)
  return files
}

/**
 * A font that every page needs. The one of accented letters is loaded where a page has such a letter, and the one of
 * code where it shows some: the board sets its in the font of the system.
 */
function isUsualFont(file: string): boolean {
  return file.endsWith('.woff2') && !file.includes('-accented') && !file.includes('jetbrains-mono')
}

/** Fonts are compressed by themselves. */
function kilobytes(files: Iterable<string>): number {
  const sent = [...files].map((file) => (file.endsWith('.woff2') ? file : `${file}.br`))
  return sent.reduce((sum, file) => sum + statSync(join(consoleFolder, 'dist', file)).size, 0) / 1_000
}
