// Measures the time of `bourse start` in an empty directory, the time of later starts in the same directory, and the
// memory after the start.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bench } from './bench.ts'
import { freePort } from './prism.ts'
import type { BenchRow } from './row.ts'
import { median } from './turns.ts'

const program = join(import.meta.dirname, '../../packages/cli/bin/bourse.mjs')

/** Memory is read from /proc. */
const hasMemory = existsSync('/proc/self/smaps_rollup')

/** Seconds until it is ready, and megabytes. */
export const startBench = bench({
  rows: ['start_first_seconds', 'start_again_seconds', ...(hasMemory ? ['resident_mb'] : [])],
  sizes: { usual: { again: 3 }, tiny: { again: 1 } },
  measure: async function* ({ again }) {
    await using stack = new AsyncDisposableStack()
    const directory = await mkdtemp(join(tmpdir(), 'bourse-bench-start-'))
    stack.defer(() => rm(directory, { recursive: true, force: true }))
    stack.defer(() => rm(`${directory}-compiled`, { recursive: true, force: true }))
    const first = await start(directory)
    yield atMost('start_first_seconds', first.seconds, 4)
    if (hasMemory) yield atMost('resident_mb', first.megabytes, 300)
    const later: number[] = []
    for (let i = 0; i < again; i++) later.push((await start(directory)).seconds)
    yield atMost('start_again_seconds', median(later), 1.5)
  },
})

async function start(directory: string): Promise<{ seconds: number; megabytes: number }> {
  const port = await freePort()
  const own = { BOURSE_DATA_DIR: directory, BOURSE_PORT: String(port) }
  // A new compile cache, as on a machine that has never run the program.
  const env = { ...process.env, ...own, NODE_COMPILE_CACHE: `${directory}-compiled` }
  const began = performance.now()
  const child = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  try {
    const early = exit.then(() => {
      throw new Error('bourse start ended before it was ready.')
    })
    // The first output contains the token, which a user needs to begin.
    await Promise.race([once(child.stdout, 'data'), early])
    const seconds = (performance.now() - began) / 1000
    return { seconds, megabytes: hasMemory ? await residentMegabytes(child.pid as number) : 0 }
  } finally {
    child.kill('SIGINT')
    await exit
  }
}

/** The memory of a process and all its descendants, with shared pages counted once. */
async function residentMegabytes(pid: number): Promise<number> {
  let kilobytes = 0
  for (const own of await withDescendants(pid)) {
    // A process that has just ended has none.
    const text = await readFile(`/proc/${own}/smaps_rollup`, 'utf8').catch(() => '')
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0)
  }
  return kilobytes / 1024
}

async function withDescendants(pid: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const parent = /\) \S (\d+)/.exec(stat)?.[1]
    if (parent) parents.set(Number(name), Number(parent))
  }
  const found = [pid]
  for (const one of found) for (const [child, parent] of parents) if (parent === one) found.push(child)
  return found
}

function atMost(name: string, ours: number, goal: number): BenchRow {
  return { name, ours, against: goal, ratio: ours / goal, goal, met: ours <= goal }
}
