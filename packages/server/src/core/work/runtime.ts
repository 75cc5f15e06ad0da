import type { Log } from '../base/log.ts'
import type { Random } from '../base/random.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Database } from '../db/db.ts'
import type { ServerKeys } from '../keys/server-keys.ts'
import type { Ctx, Referrer, ReferrerQuestion } from './ctx.ts'
import type { Services } from './services.ts'

/** Moments of a command at which the simulation may end, cut off or pause a replica. */
export type Failpoint = 'before_claim' | 'after_claim' | 'after_work' | 'before_commit' | 'after_commit'

/** Sandbox control exists in one of them only. */
export type Mode = 'sandbox' | 'production'

/** What one running server shares among its commands. */
export type Runtime = {
  readonly database: Database
  readonly random: Random
  readonly keys: ServerKeys
  /** What this server keeps in memory. */
  readonly services: Services
  /** Where the bytes of images lie. */
  readonly blobs: BlobStore
  readonly mode: Mode
  /** The URL under which callers reach the server, without a slash at its end. */
  readonly public_url: () => string
  readonly log: Log
  readonly referrers: (ctx: Ctx, question: ReferrerQuestion, id: string, limit: number) => Promise<Referrer[]>
  /** Which reconcilers a topic wakes. */
  readonly topics: ReadonlyMap<string, readonly string[]>
  /** Called after a commit that made work due. */
  readonly kick: () => void
  /** Keeps this process's reconcilers still while something is done; that something may run what is due itself. */
  readonly hold: <T>(work: (drain: (as: Runtime) => Promise<number>) => Promise<T>) => Promise<T>
  /** Makes the ids of a world that shall be the same each time; set while a scenario is loaded. */
  readonly mint?: (prefix: string) => string
  /**
   * Commits do not wait for the disk, so a power cut may take back the newest of them; set while a scenario is loaded,
   * since a world that is not whole is wiped.
   */
  readonly commits_lazily?: boolean
  /** Set by the simulation only. The request tells the command that it is about from what runs beside it. */
  readonly failpoint?: (name: Failpoint, request_id: string) => Promise<void> | void
}
