import type { Log } from '../base/log.ts'
import type { Random } from '../base/random.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Database } from '../db/db.ts'
import type { ServerKeys } from '../keys/server-keys.ts'
import type { Tracing } from '../trace/spans.ts'
import type { Ctx, Referrer, ReferrerQuestion } from './ctx.ts'
import type { Services } from './services.ts'

/** Points in a command at which the simulation may kill, disconnect or pause a replica. */
export type Failpoint = 'before_claim' | 'after_claim' | 'after_work' | 'before_commit' | 'after_commit'

/** Only a sandbox has sandbox control. */
export type Mode = 'sandbox' | 'production'

/** What all commands of one running server share. */
export type Runtime = {
  readonly database: Database
  readonly random: Random
  readonly keys: ServerKeys
  /** The in-memory services of this server. */
  readonly services: Services
  /** The store of image bytes. */
  readonly blobs: BlobStore
  readonly mode: Mode
  /** The URL under which callers reach the server, without a slash at its end. */
  readonly public_url: () => string
  readonly log: Log
  /** Undefined where traces are off. */
  readonly tracing?: Tracing | undefined
  readonly referrers: (ctx: Ctx, target: ReferrerQuestion, id: string, limit: number) => Promise<Referrer[]>
  /** The kinds of reconcilers that each topic wakes. */
  readonly topics: ReadonlyMap<string, readonly string[]>
  /** Called after a commit that made work due. */
  readonly kick: () => void
  /** Pauses this process's reconcilers while some work runs. That work may run due work itself. */
  readonly suspendReconcilers: <T>(work: (drain: (as: Runtime) => Promise<number>) => Promise<T>) => Promise<T>
  /** Generates reproducible ids. Set while a scenario is loaded. */
  readonly mint?: (prefix: string) => string
  /**
   * Commits do not wait for the disk, so a power cut may lose the newest of them. Set while a scenario is loaded: a
   * sandbox whose loading was interrupted is wiped anyway.
   */
  readonly commits_lazily?: boolean
  /** Set by the simulation only. The request id distinguishes the command from concurrent ones. */
  readonly failpoint?: (name: Failpoint, requestId: string) => Promise<void> | void
}
