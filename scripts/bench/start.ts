// Measures the time of `bourse start` in an empty directory and in one that it has used before, against what it cannot
// start without: PostgreSQL alone, made or started by the same files, and a Node that does nothing. And the memory
// after the start.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBundledPostgres } from '../../packages/server/src/core/postgres/bundled-postgres.ts'
import { bench } from './bench.ts'
import { freePort } from './prism.ts'
import { atMost, type BenchRow, median, rowOf } from './row.ts'

const program = join(import.meta.dirname, '../../packages/cli/bin/bourse.mjs')

/** Memory is read from /proc. */
const hasMemory = existsSync('/proc/self/smaps_rollup')

/** Seconds until it is ready, and megabytes. */
export const startBench = bench({
  rows: ['start_first', 'start_again', ...(hasMemory ? ['resident_mb'] : [])],
  sizes: { usual: { rounds: 5 }, tiny: { rounds: 1 } },
  measure: async function* ({ rounds }) {
    const measured: StartRound[] = []
    for (let round = 0; round < rounds; round++) measured.push(await measureRound())
    const of = <T>(figure: (round: StartRound) => T) => measured.map(figure)
    yield startRow(
      'start_first',
      1.6,
      of(({ first }) => first),
    )
    yield startRow(
      'start_again',
      1.4,
      of(({ again }) => again),
    )
    if (hasMemory)
      yield atMost(
        'resident_mb',
        of(({ megabytes }) => megabytes),
        200,
      )
  },
})

/** Seconds of the program and of what it cannot start without. */
type StartTimes = readonly [ours: number, bare: number]
type StartRound = { readonly first: StartTimes; readonly again: StartTimes; readonly megabytes: number }

async function measureRound(): Promise<StartRound> {
  await using stack = new AsyncDisposableStack()
  const directory = async () => {
    const made = await mkdtemp(join(tmpdir(), 'bourse-bench-start-'))
    for (const own of [made, `${made}-compiled`]) stack.defer(() => rm(own, { recursive: true, force: true }))
    return made
  }
  const [own, bare] = [await directory(), await directory()]
  const { seconds, megabytes } = await start(own)
  const first = [seconds, await startBare(bare)] as const
  const again = [(await start(own)).seconds, await startBare(bare)] as const
  return { first, again, megabytes }
}

function startRow(name: string, goal: number, times: readonly StartTimes[]): BenchRow {
  return rowOf({
    name,
    ours: median(times.map(([ours]) => ours)),
    against: median(times.map(([, bare]) => bare)),
    better: 'less',
    goal,
    rounds: times.map(([ours, bare]) => ours / bare),
  })
}

/** Seconds of a bare Node, and until PostgreSQL accepts connections. In an empty directory it is made first. */
async function startBare(data_directory: string): Promise<number> {
  const began = performance.now()
  execFileSync(process.execPath, ['-e', '0'])
  await using _ = await startBundledPostgres({ data_directory, log: () => {} })
  return (performance.now() - began) / 1000
}

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
    // It prints nothing before it is ready.
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
