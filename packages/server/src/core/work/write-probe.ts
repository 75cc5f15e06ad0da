/**
 * Writes durably every few seconds, so that `/readyz` knows whether writes succeed without writing for each request.
 * Like an order it changes a row and adds pages. One probe runs at a time, and the limits of every transaction apply to
 * it. What real writes are answered counts too (write-health.rules.ts).
 */
import { every } from '../base/clock.ts'
import { isRefusal } from '../base/refusal.ts'
import { statement } from '../db/db.ts'
import { failureCause } from '../db/failure-causes.ts'
import { afterProbe, afterRefusal } from '../db/write-health.rules.ts'
import { systemCommand } from './command.ts'
import type { Runtime } from './runtime.ts'

const probeMilliseconds = 5_000
/**
 * The table of pages is emptied above this size: about once a day for one process. A standby that replays it cancels
 * reads of the table, and with them a dump.
 */
const pagesBytesMax = 256 * 1024 * 1024

const writeRow = statement<never>(
  'core.write_probe',
  `with old as (
     delete from write_probes
     where written_at < floor(bourse_real_now())::bigint - 86400
   )
   insert into write_probes (process, written_at, schema_version)
   values ($1, floor(bourse_real_now())::bigint, $2)
   on conflict (process) do update set written_at = excluded.written_at`,
)
// Two pages of rows that are too short to be compressed.
const addPages = statement<never>(
  'core.add_probe_pages',
  `insert into write_probe_pages (filler)
   select repeat('-', 1900)
   from generate_series(1, 8)`,
)
const selectPagesSize = statement<{ bytes: number }>(
  'core.find_size_of_probe_pages',
  `select pg_relation_size('write_probe_pages') as bytes`,
)
// Waiting for the lock would hold up the probes of other processes, behind a backup that reads the table for hours.
const lockPages = statement<never>(null, 'lock table write_probe_pages in access exclusive mode nowait')
const emptyPages = statement<never>(null, 'truncate write_probe_pages')

export type WriteProbe = {
  /** Why writes fail; undefined if the last ones succeeded or none has ended. */
  problem(): string | undefined
  /** Whether the last write succeeded; false before the first. */
  hasWritten(): boolean
  /** Probes once, unless a probe is running; resolves when it has ended. */
  run(): Promise<void>
  stop(): void
}

/** The program that writes. */
type WritingProgram = { readonly process_id: string; readonly schema_version: number }

type WriteProbeOptions = {
  /** That of the program: migrations read it. */
  readonly schema_version: number
  readonly every_milliseconds?: number
  readonly pages_bytes_max?: number
}

/** Starts probing. */
export function startWriteProbe(
  runtime: Runtime,
  { schema_version, every_milliseconds = probeMilliseconds, pages_bytes_max = pagesBytesMax }: WriteProbeOptions,
): WriteProbe {
  const { writes } = runtime.services
  const process_id = runtime.random.bytes(12).toString('base64url')
  let problem: string | undefined
  let hasWritten = false
  let running: Promise<void> | undefined
  const probe = async () => {
    const beganAt = writes.now()
    try {
      const bytes = await writePages(runtime, { process_id, schema_version })
      problem = undefined
      hasWritten = true
      writes.health = afterProbe(writes.health, beganAt)
      if (bytes > pages_bytes_max) await empty(runtime)
    } catch (error) {
      const cause = causeOf(error)
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
  const refused = () => {
    const { broken } = writes.health
    return broken && `writes are refused: ${broken.cause}`
  }
  return {
    problem: () => problem ?? refused(),
    hasWritten: () => hasWritten && writes.health.broken === undefined,
    run,
    stop: every(every_milliseconds, () => void run()),
  }
}

/** Records that a request or a step of due work could not write. */
export function recordRefusedWrite({ services: { writes } }: Runtime, error: unknown): void {
  writes.health = afterRefusal(writes.health, failureCause(error), writes.now())
}

/** Writes a row and pages; returns the size of all pages. */
function writePages(runtime: Runtime, { process_id, schema_version }: WritingProgram): Promise<number> {
  return systemCommand(runtime, async ({ db }) => {
    const [size] = await Promise.all([
      db.row(selectPagesSize),
      db.run(writeRow, [process_id, schema_version]),
      db.run(addPages),
    ])
    return size?.bytes ?? 0
  })
}

/** Empties the table of pages, unless another process uses it. Whether writes succeed is the next probe's to find. */
async function empty(runtime: Runtime): Promise<void> {
  try {
    await systemCommand(runtime, async ({ db }) => {
      await db.run(lockPages)
      await db.run(emptyPages)
    })
  } catch (error) {
    if (!isRefusal(error, 'unavailable')) throw error
  }
}

function causeOf(error: unknown): unknown {
  return isRefusal(error) ? (error.cause ?? error) : error
}
