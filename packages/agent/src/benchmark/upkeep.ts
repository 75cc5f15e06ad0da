/**
 * Measures this host by the script of its operator, and reports the figures: once a week, and when the script changes,
 * while no machine runs. Nothing of a customer is disturbed, and nothing of a customer disturbs the figures.
 */

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { benchmarkEveryDays, type HostBenchmark } from '@bourse/api/fleet/benchmarks.ts'
import { pause } from '@bourse/text/time/pause.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { monotonic, nowSeconds } from '../clock.ts'
import { readIfThere, writeWhole } from '../files.ts'
import { figuresLine } from './figures.rules.ts'
import { runScript } from './script.ts'

/** What the upkeep of a benchmark needs. */
type BenchmarkOptions = {
  readonly directory: string
  readonly script: string
  readonly report: (benchmark: HostBenchmark, signal: AbortSignal) => Promise<void>
  readonly log: (message: string, fields: object) => void
  /** Where the script runs. The default is the host itself; a machine in a free slot could take its place. */
  readonly run?: typeof runScript
}

/** Keeps the figures of a host up to date. */
type BenchmarkUpkeep = {
  /** Measures and reports what is due. `isIdle`: whether no machine is on this host. */
  step(isIdle: () => boolean, signal: AbortSignal): Promise<void>
}

type KeptBenchmark = HostBenchmark & { readonly script_sha256: string }

const keptFile = 'benchmark.json'
/** How often it looks whether a measurement is due, and when again after a failure. */
const lookMilliseconds = 60_000
const retryMilliseconds = 3_600_000
const watchMilliseconds = 1_000

/** Opens the upkeep. After a start of the agent it reports again what was measured before. */
export function openBenchmark({ directory, script, report, log, run = runScript }: BenchmarkOptions): BenchmarkUpkeep {
  const path = join(directory, keptFile)
  let next = 0
  let reported: number | undefined
  return {
    step: async (isIdle, signal) => {
      if (monotonic() < next) return
      next = monotonic() + lookMilliseconds
      try {
        const script_sha256 = createHash('sha256')
          .update(await readFile(script))
          .digest('hex')
        let kept = await readKept(path)
        if (isDue(kept, script_sha256)) {
          if (!isIdle()) return
          const figures = await runWhile(isIdle, signal, (until) => run(script, until))
          if (!figures) return
          kept = { script_sha256, measured_at: nowSeconds(), figures }
          await writeWhole(path, `${JSON.stringify(kept)}\n`)
          log('The benchmark of this host has ended.', { figures: figuresLine(figures) })
        }
        if (kept && kept.measured_at !== reported) {
          const { measured_at, figures } = kept
          await report({ measured_at, figures }, signal)
          reported = measured_at
        }
      } catch (error) {
        next = monotonic() + retryMilliseconds
        if (!signal.aborted) log('The benchmark of this host failed.', { error: (error as Error).message })
      }
    },
  }
}

function isDue(kept: KeptBenchmark | undefined, script_sha256: string): boolean {
  if (kept?.script_sha256 !== script_sha256) return true
  return nowSeconds() - kept.measured_at >= benchmarkEveryDays * daySeconds
}

/** Runs work until this host is no longer idle. Undefined: it was ended for that. */
async function runWhile<T>(
  isIdle: () => boolean,
  signal: AbortSignal,
  work: (until: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const busy = new AbortController()
  const ended = new AbortController()
  const watch = async () => {
    while (!ended.signal.aborted) {
      if (!isIdle()) busy.abort()
      await pause(watchMilliseconds, ended.signal)
    }
  }
  const watching = watch()
  try {
    return await work(AbortSignal.any([signal, busy.signal]))
  } catch (error) {
    if (busy.signal.aborted) return undefined
    throw error
  } finally {
    ended.abort()
    await watching
  }
}

/** What was measured before. A file that is damaged counts as none: it is measured again. */
async function readKept(path: string): Promise<KeptBenchmark | undefined> {
  const text = await readIfThere(path)
  try {
    return text === undefined ? undefined : (JSON.parse(text) as KeptBenchmark)
  } catch {
    return undefined
  }
}
