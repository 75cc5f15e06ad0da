import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { run } from './tools.ts'

// Chooses the kernel modules and their loading order: each one after its dependencies.

/** A module: its name, and its uncompressed bytes. */
export type KernelModule = { readonly name: string; readonly content: Buffer }

/** Finds modules and their dependencies among files. `builtin` is the kernel's list of its built-in modules. */
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

/** The dependencies that a module names in its section `modinfo`. */
export function dependenciesOf(content: Buffer): string[] {
  const text = /\0depends=([\w,-]*)\0/.exec(content.toString('latin1'))?.[1] ?? ''
  return text === '' ? [] : text.split(',').map(nameOf)
}

/** File names have hyphens where the kernel's module names have underscores. */
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
