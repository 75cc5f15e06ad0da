/**
 * Replacements that arrive while transactions are in flight are carried out together in the next one: 16 callers pay
 * for few durable commits, and each statement for many rows.
 */
import type { Instance } from '@bourse/api/fleet/instances.ts'
import { type BatchEntry, type BatchOutcome, batchCommand } from '../../core/work/batch-command.ts'
import { type BatchQueue, createBatchQueue } from '../../core/work/batch-queue.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { holdReplaced, type Replacement, replaceInstances } from './instance-replacement.service.ts'

type Answer = (result: Instance) => { status: number; body: string }

/** The queue in which replacements of one server wait for a transaction. */
export type ReplacementQueue = BatchQueue<Replacement, Instance, { readonly runtime: Runtime; readonly answer: Answer }>

declare module '../../core/work/services.ts' {
  interface Services {
    readonly replacement_queue: ReplacementQueue
  }
}

// While the database works on one, this process makes up the next.
const runningMax = 2
// A longer one would make its first wait for its last.
const entriesMax = 32

/** Lets a replacement wait for the next transaction; gives what came of it. */
export function enqueueReplacement(
  runtime: Runtime,
  entry: BatchEntry<Replacement>,
  answer: Answer,
): Promise<BatchOutcome<Instance>> {
  return runtime.services.replacement_queue(entry, { runtime, answer })
}

/** Makes the queue of a server, empty. */
export function createReplacementQueue(): ReplacementQueue {
  return createBatchQueue({
    running_max: runningMax,
    entries_max: entriesMax,
    // Of two that replace one instance the second finds what the first has made of it.
    namesOf: ({ input }) => [input.old_id],
    run: (entries, { runtime, answer }) =>
      batchCommand(runtime, { entries, ahead: holdReplaced, work: replaceInstances, answer, part_on_wait: true }),
  })
}
