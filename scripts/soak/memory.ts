/** What processes use, as the kernel and a server's page of metrics say. Sizes are MB of 2^20 bytes. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** The memory of a process as the kernel counts it. */
export type ProcessMemory = {
  readonly rss: number
  /** Its share of what it has in common with other processes, and all of its own. */
  readonly pss: number
  /** What is in no file: the heap, buffers, stacks. */
  readonly anonymous: number
  readonly files: number
}

/** What a server says of itself. A figure that the page does not have is undefined. */
export type ServerFigures = Readonly<Record<keyof typeof families, number | undefined>>

/** The processes of a PostgreSQL together. `rss` counts shared buffers once for each process. */
export type PostgresMemory = Pick<ProcessMemory, 'rss' | 'pss' | 'anonymous'> & { readonly processes: number }

const megabyte = 2 ** 20

const families = {
  heap_used: { name: 'nodejs_heap_size_used_bytes', unit: megabyte },
  heap_total: { name: 'nodejs_heap_size_total_bytes', unit: megabyte },
  external: { name: 'nodejs_external_memory_bytes', unit: megabyte },
  array_buffers: { name: 'nodejs_array_buffers_bytes', unit: megabyte },
  handles: { name: 'nodejs_active_handles', unit: 1 },
  new_space: { name: 'nodejs_heap_space_size_total_bytes{space="new"}', unit: megabyte },
  old_space: { name: 'nodejs_heap_space_size_total_bytes{space="old"}', unit: megabyte },
  books: { name: 'bourse_books_cached', unit: 1 },
} as const

/** Whether this system says what a process uses. */
export const hasProcessMemory = existsSync('/proc/self/smaps_rollup')

/** Reads the memory of a process. Undefined if it has ended. */
export async function readProcessMemory(pid: number): Promise<ProcessMemory | undefined> {
  const [text, files] = await Promise.all([readIfThere(`/proc/${pid}/smaps_rollup`), countFiles(pid)])
  if (text === undefined) return undefined
  const size = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) / 1024
  return { rss: size('Rss'), pss: size('Pss'), anonymous: size('Anonymous'), files }
}

/** Reads what the figures of a server are on its page of metrics. */
export function readServerFigures(page: string): ServerFigures {
  const read = ({ name, unit }: { readonly name: string; readonly unit: number }) => {
    const values = page.split('\n').filter((line) => line.startsWith(name) && /[ {]/.test(line.charAt(name.length)))
    if (values.length === 0) return undefined
    return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0) / unit
  }
  return Object.fromEntries(Object.entries(families).map(([key, family]) => [key, read(family)])) as ServerFigures
}

/** Reads the memory of a postmaster and its children. */
export async function readPostgresMemory(postmaster: number): Promise<PostgresMemory> {
  const children = await readIfThere(`/proc/${postmaster}/task/${postmaster}/children`)
  const pids = [postmaster, ...(children ?? '').split(' ').filter(Boolean).map(Number)]
  const found = (await Promise.all(pids.map(readProcessMemory))).filter((one) => one !== undefined)
  const sum = (key: 'rss' | 'pss' | 'anonymous') => found.reduce((total, one) => total + one[key], 0)
  return { processes: found.length, rss: sum('rss'), pss: sum('pss'), anonymous: sum('anonymous') }
}

async function countFiles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`).catch(() => [])).length
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error) => {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  })
}
