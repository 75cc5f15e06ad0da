/**
 * What one server keeps in memory beside its database: caches, loaders, notifiers and queues, and the functions that
 * areas give to areas on their left. Each area declares its own members by declaration merging; `createServices` in
 * assembly/services.ts makes all of them when a server starts, so a member that nothing makes does not compile. Nothing
 * is added later. Not this file's work: what a member does (the area that declares it).
 *
 * Which of the four shared mechanisms fits:
 * - loader (core/base/loader.ts): many callers each need one row by its key; it joins them into one read.
 * - snapshot reader (core/db/snapshot-reader.ts): many callers need the clock, counters or versions; it joins them into
 * one.
 * - notifier (core/base/notifier.ts): a caller waits until a key changes; it polls once for all that wait.
 * - batch queue (core/work/batch-queue.ts): many callers each write; it joins them into one transaction.
 */
import type { Db } from '../db/db.ts'
import type { FailureCounts } from '../db/failure-causes.ts'
import type { SnapshotReader } from '../db/snapshot-reader.ts'
import type { WriteHealth } from '../db/write-health.rules.ts'

/** Which of some tokens are deleted, or have ended by a business time in Unix seconds. */
export type EndedTokensAt = (now: number) => ReadonlySet<string>

/** The members of a server, typed by the areas that own them. */
export interface Services {
  /** Reads the clock, event counters and versions; callers that ask at the same time share one read. */
  readonly readSnapshot: SnapshotReader
  /** Reads callers' tokens within a transaction. The result says which of them are not accepted at a time. */
  readonly readEndedTokens: (db: Db, ids: readonly string[]) => Promise<EndedTokensAt>
  /** Records in the background that the database has lost commits (core/db/history.ts). `evidence` is a sentence. */
  readonly recordLoss: (evidence: string) => void
  /** Counts why the database could not do its work. */
  readonly failures: FailureCounts
  /** What the answers of writes say of the database, by monotonic milliseconds. */
  readonly writes: { health: WriteHealth; readonly now: () => number }
}
