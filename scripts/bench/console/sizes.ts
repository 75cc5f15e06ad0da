// What the pages of the console load, from the manifest of the build, in kilobytes of brotli.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { consoleFolder } from '../../console/config.ts'

type Chunk = { readonly file: string; readonly css?: string[]; readonly imports?: string[] }
type Manifest = Readonly<Record<string, Chunk>>

/** What the overview loads, with the frame. */
export function firstLoad(): number {
  return kilobytes(filesOf(readManifest(), ['index.html', 'src/overview/overview-page.tsx']))
}

/** The most that one page loads besides the frame. */
export function largestRoute(): number {
  const manifest = readManifest()
  const frame = filesOf(manifest, ['index.html'])
  const routes = Object.keys(manifest).filter((name) => /^src\/[a-z]+\/[a-z-]+-page\.tsx$/.test(name))
  const sizes = routes.map((route) => kilobytes([...filesOf(manifest, [route])].filter((file) => !frame.has(file))))
  return Math.max(...sizes)
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
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const entry of entries) visit(entry)
  return files
}

function kilobytes(files: Iterable<string>): number {
  return [...files].reduce((sum, file) => sum + statSync(join(consoleFolder, 'dist', `${file}.br`)).size, 0) / 1_000
}
