/**
 * Replacements that arrive while a transaction runs share the next one. With 16 concurrent callers this needs few
 * commits, and each statement handles many rows.
 */
import { type Instance, replaceInstance } from '@bourse/api/fleet/instances.ts'
import { batchCommand, storedResponse } from '../../core/work/batch-command.ts'
import { type BatchQueue, createBatchQueue } from '../../core/work/batch-queue.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import type { Services } from '../../core/work/services.ts'
import { lockReplaced, type Replacement, replaceInstances } from './instance-replacement.service.ts'

/** The queue in which replacements of one server wait for a transaction. */
type ReplacementQueue = BatchQueue<Replacement, Instance>

declare module '../../core/work/services.ts' {
  interface Services {
    readonly replacement_queue: ReplacementQueue
  }
}

// While the database runs one transaction, this process prepares the next.
const runningMax = 2
// In a larger batch the first request would wait too long for the last.
const entriesMax = 32

/** The queue in which replacements wait for the next transaction. */
export function replacementQueueOf({ replacement_queue }: Services): ReplacementQueue {
  return replacement_queue
}

/** Makes the queue of a server, empty. */
export function createReplacementQueue(runtime: () => Runtime): ReplacementQueue {
  return createBatchQueue({
    running_max: runningMax,
    entries_max: entriesMax,
    // Two replacements of one instance never share a batch: the second must see the result of the first.
    namesOf: ({ input }) => [input.old_id],
    run: (entries) =>
      batchCommand(runtime(), {
        entries,
        prefetch: lockReplaced,
        work: replaceInstances,
        response: storedResponse(replaceInstance),
        splits_on_lock_timeout: true,
      }),
  })
}
