/**
 * Entries of the audit trail that no transaction writes: of refused requests, whose transaction is rolled back. They
 * are written soon after, many at once, so a refusal takes no longer. The queue is bounded. What does not fit is
 * counted and logged, never lost in silence.
 */
import type { Later } from '../base/clock.ts'
import { isRefusal } from '../base/refusal.ts'
import type { NewAuditEntry } from '../work/audit-log.ts'
import { systemCommand } from '../work/command.ts'
import type { Runtime } from '../work/runtime.ts'

/** The queue of one server. */
type EntryQueue = {
  add(entry: NewAuditEntry): void
  /** Writes from now on what is added. Returns a function that writes the rest and stops. */
  start(runtime: Runtime, later: Later): () => Promise<void>
  readonly counts: { lost: number }
}

declare module '../work/services.ts' {
  interface Services {
    /** Entries of the audit trail that wait to be written: refusals, which have no transaction of their own. */
    readonly audit_queue: EntryQueue
  }
}

const waitingMax = 10_000
const atOnceMax = 500
const lingerMilliseconds = 250
const retryMilliseconds = 2_000

/** Creates an empty queue. */
export function createEntryQueue(max = waitingMax): EntryQueue {
  const counts = { lost: 0 }
  const waiting: NewAuditEntry[] = []
  let schedule = () => {}
  let reportLoss = () => {}
  return {
    counts,
    add: (entry) => {
      if (waiting.length >= max) {
        if (counts.lost++ % max === 0) reportLoss()
        return
      }
      waiting.push(entry)
      if (waiting.length === 1) schedule()
    },
    start: (runtime, later) => {
      let writing: Promise<unknown> = Promise.resolve()
      const writeLater = (milliseconds: number) =>
        void later(milliseconds, () => {
          writing = writing.then(writeWaiting)
          return writing
        })
      const writeWaiting = async (): Promise<void> => {
        const isDone = await writeAll(runtime, waiting, counts)
        if (waiting.length > 0) writeLater(isDone ? 0 : retryMilliseconds)
      }
      schedule = () => writeLater(lingerMilliseconds)
      reportLoss = () =>
        runtime.log.error({ max }, 'Audit entries of refused requests were lost: more arrive than are written.')
      if (waiting.length > 0) schedule()
      return async () => {
        schedule = () => {}
        await writing
        await writeAll(runtime, waiting, counts)
      }
    },
  }
}

/** Writes what waits, in the order in which it was added. False where the database could not. */
async function writeAll(runtime: Runtime, waiting: NewAuditEntry[], counts: { lost: number }): Promise<boolean> {
  while (waiting.length > 0) {
    const batch = waiting.slice(0, atOnceMax)
    try {
      await write(runtime, batch)
    } catch (err) {
      if (isRefusal(err, 'unavailable')) return false
      // One of them cannot be written, which is a bug. The others must not wait for it.
      for (const entry of batch) {
        await write(runtime, [entry]).catch((error) => {
          counts.lost += 1
          runtime.log.error({ err: error, operation: entry.operation }, 'An audit entry could not be written.')
        })
      }
    }
    waiting.splice(0, batch.length)
  }
  return true
}

function write(runtime: Runtime, entries: readonly NewAuditEntry[]): Promise<void> {
  return systemCommand(runtime, async (ctx) => {
    for (const entry of entries) ctx.record(entry)
  })
}
