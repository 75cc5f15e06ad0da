import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { run } from './tools.ts'

// Which modules of the kernel are loaded, and in which order: each after those that it says it depends on.

/** A module: its name, and its bytes as they are loaded. */
export type KernelModule = { readonly name: string; readonly content: Buffer }

/** Finds modules and what they depend on among files; `builtin` is the kernel's own list of what it has in itself. */
export async function modulesInOrder(
  wanted: readonly string[],
  files: readonly string[],
  builtin: string,
): Promise<KernelModule[]> {
  const paths = new Map(files.filter((file) => /\.ko(\.\w+)?$/.test(file)).map((file) => [nameOf(file), file]))
  const within = new Set(builtin.split('\n').map(nameOf))
  const ordered = new Map<string, KernelModule>()
  const add = async (name: string): Promise<void> => {
    if (ordered.has(name) || within.has(name)) return
    const path = paths.get(name)
    if (path === undefined) throw new Error(`The kernel has no module ${name}.`)
    const content = await readModule(path)
    for (const needed of dependenciesOf(content)) await add(needed)
    ordered.set(name, { name, content })
  }
  for (const name of wanted) await add(name)
  return [...ordered.values()]
}

/** What a module names in its section `modinfo`. */
export function dependenciesOf(content: Buffer): string[] {
  const text = /\0depends=([\w,-]*)\0/.exec(content.toString('latin1'))?.[1] ?? ''
  return text === '' ? [] : text.split(',').map(nameOf)
}

/** Files have hyphens where the kernel's own names have underscores. */
function nameOf(path: string): string {
  return basename(path)
    .replace(/\.ko(\.\w+)?$/, '')
    .replaceAll('-', '_')
}

async function readModule(path: string): Promise<Buffer> {
  if (path.endsWith('.gz')) return gunzipSync(await readFile(path))
  if (path.endsWith('.xz')) {
    await run('xz', ['-d', path])
    return readFile(path.slice(0, -'.xz'.length))
  }
  return readFile(path)
}
