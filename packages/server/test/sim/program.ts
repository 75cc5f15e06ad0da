/** Runs many seeds on several worker threads and collects their violations and counts. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { clusterVariable, testCluster } from '../support/cluster.ts'
import { coverageSeeds } from './coverage/list.ts'
import { missingVolumes, targets } from './coverage/targets.ts'
import type { SeedOrder, SeedResult } from './seed-run.ts'

/** The seeds, their length, and how many run twice to compare their hashes. */
export type SimProgram = {
  readonly from: number
  readonly seeds: number
  readonly steps: number
  readonly twice: number
  readonly workers?: number
  /** Called with each failure. */
  readonly log?: (failure: string) => void
  /** Called with the number of finished runs. */
  readonly onRun?: (done: number) => void
}

/** The result. A failure is a command line with its violations. */
export type ProgramResult = {
  readonly counts: Readonly<Record<string, number>>
  readonly failures: readonly string[]
  /** Seeds with violations. */
  readonly failed: readonly SeedResult[]
  readonly unmet: readonly string[]
  readonly seconds: number
}

const auditEvery = 25
/** A larger young generation: with the default a sixth of a worker's time was garbage collection. */
const youngMegabytes = 192

export async function runProgram({
  from,
  seeds,
  steps,
  twice,
  workers,
  log,
  onRun,
}: SimProgram): Promise<ProgramResult> {
  const began = performance.now()
  const orders = Array.from({ length: seeds }, (_, n): SeedOrder => {
    return { seed: from + n, steps, audit_every: auditEvery, hashes: n < twice }
  })
  const again = orders.slice(0, twice)
  let done = 0
  const report = (result: SeedResult) => {
    onRun?.(++done)
    for (const failure of failureOf(result, steps)) log?.(failure)
  }
  const results = await runWorkers([...orders, ...again], workers ?? availableParallelism(), report)
  const failed = results.slice(0, seeds).filter(({ violations }) => violations.length > 0)
  const failures = failed.flatMap((result) => failureOf(result, steps))
  for (const [n, second] of results.slice(seeds).entries()) {
    const first = results[n] as SeedResult
    if (first.hash !== second.hash) failures.push(`seed ${first.seed} came to ${first.hash}, then to ${second.hash}`)
  }
  const counts = sumOf(results.slice(0, seeds))
  const unmet = failures.length === 0 ? unmetGuards(results.slice(0, seeds), counts) : []
  return { counts, failures, failed, unmet, seconds: (performance.now() - began) / 1000 }
}

/** Targets of the coverage list and volumes of random operations that the seeds did not reach. */
function unmetGuards(results: readonly SeedResult[], counts: Readonly<Record<string, number>>): string[] {
  if (results.length < coverageSeeds) return []
  const covered = new Set(results.flatMap((result) => result.covered))
  return [...targets.filter((target) => !covered.has(target)), ...missingVolumes(counts, results.length)]
}

function failureOf({ seed, options, violations }: SeedResult, steps: number): string[] {
  if (violations.length === 0) return []
  return [`npm run sim -- --seed ${seed} --steps ${steps}   options ${options}\n  ${violations.join('\n  ')}`]
}

function sumOf(results: readonly SeedResult[]): Record<string, number> {
  const sums: Record<string, number> = { seeds: results.length }
  for (const { counts } of results) {
    for (const [what, times] of Object.entries(counts)) sums[what] = (sums[what] ?? 0) + times
  }
  return sums
}

/** Distributes the orders one by one and returns the results in the same order. */
async function runWorkers(
  orders: readonly SeedOrder[],
  workers: number,
  report: (result: SeedResult) => void,
): Promise<SeedResult[]> {
  const { host } = await testCluster()
  const results: SeedResult[] = []
  let next = 0
  const worker = async () => {
    const worker = new Worker(new URL('./worker-process.ts', import.meta.url), {
      env: { ...process.env, [clusterVariable]: host },
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
    })
    try {
      for (let n = next++; n < orders.length; n = next++) {
        const result = await ask(worker, orders[n] as SeedOrder)
        results[n] = result
        report(result)
      }
    } finally {
      await worker.terminate()
    }
  }
  await Promise.all(Array.from({ length: Math.min(workers, orders.length) }, worker))
  return results
}

function ask(worker: Worker, order: SeedOrder): Promise<SeedResult> {
  return new Promise((resolve, reject) => {
    const broken = (error: Error) => reject(new Error(`The worker failed in seed ${order.seed}.`, { cause: error }))
    worker.once('message', (result: SeedResult) => {
      worker.off('error', broken)
      resolve(result)
    })
    worker.once('error', broken)
    worker.postMessage(order)
  })
}

/** The summary line: counts and violations. */
export function summaryOf({ counts, failures, unmet, seconds }: ProgramResult): string {
  const { seeds = 0, commits = 0, replayed = 0, preempted = 0 } = counts
  const injected = Object.entries(counts).filter(([what]) => what.startsWith('injected '))
  const faults = injected.reduce((sum, [, times]) => sum + times, 0)
  const happened = `${commits} commits, ${replayed} replays, ${preempted} preemptions, ${faults} faults`
  const found = `${failures.length} violations, ${unmet.length} coverage targets not met`
  return `${seeds} seeds in ${seconds.toFixed(0)} s: ${happened}; ${found}`
}
