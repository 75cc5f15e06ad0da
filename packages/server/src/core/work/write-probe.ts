/**
 * Writes a row durably every few seconds, so that `/readyz` knows whether writes succeed without writing for each
 * request. One probe runs at a time, and the limits of every transaction apply to it.
 */
import { every } from '../base/clock.ts'
import { isRefusal } from '../base/refusal.ts'
import { statement } from '../db/db.ts'
import { failureCause } from '../db/failure-causes.ts'
import { systemCommand } from './command.ts'
import type { Runtime } from './runtime.ts'

const probeMilliseconds = 5_000

const writeProbe = statement<never>(
  'core.write_probe',
  `with old as (
     delete from write_probes
     where written_at < floor(bourse_real_now())::bigint - 86400
   )
   insert into write_probes (process, written_at)
   values ($1, floor(bourse_real_now())::bigint)
   on conflict (process) do update set written_at = excluded.written_at`,
)

export type WriteProbe = {
  /** Why the last write failed; undefined if it succeeded or none has ended. */
  problem(): string | undefined
  /** Whether the last write succeeded; false before the first. */
  hasWritten(): boolean
  /** Probes once, unless a probe is running; resolves when it has ended. */
  run(): Promise<void>
  stop(): void
}

/** Starts probing. */
export function startWriteProbe(runtime: Runtime, every_milliseconds = probeMilliseconds): WriteProbe {
  const process_id = runtime.random.bytes(12).toString('base64url')
  let problem: string | undefined
  let hasWritten = false
  let running: Promise<void> | undefined
  const probe = async () => {
    try {
      await systemCommand(runtime, (ctx) => ctx.db.run(writeProbe, [process_id]))
      problem = undefined
      hasWritten = true
    } catch (error) {
      const cause = isRefusal(error) ? (error.cause ?? error) : error
      hasWritten = false
      problem = `a durable write failed: ${failureCause(cause)} (${(cause as Error).message})`
    }
  }
  const run = () => {
    running ??= probe().finally(() => {
      running = undefined
    })
    return running
  }
  return {
    problem: () => problem,
    hasWritten: () => hasWritten,
    run,
    stop: every(every_milliseconds, () => void run()),
  }
}
