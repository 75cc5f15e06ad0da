import type { Id, Kind } from '@bourse/api/kit/ids.ts'
import type { Permission } from '@bourse/api/kit/permissions.ts'
import type { Log } from '../base/log.ts'
import type { Random } from '../base/random.ts'
import type { RefusalData } from '../base/refusal.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Db } from '../db/db.ts'
import type { ServerKeys } from '../keys/server-keys.ts'
import type { Lock, RowLock } from './locks.ts'
import type { Services } from './services.ts'

/** Who is written down as having done something. */
export type Actor = { readonly type: 'token'; readonly id: Id<'token'> } | { readonly type: 'system' }

/** The API token behind a request. Its rights are judged by iam; core only carries them. */
export type Caller = {
  readonly token_id: Id<'token'>
  readonly account_id: string
  readonly workspace_id: Id<'workspace'>
  readonly is_frozen: boolean
  readonly is_platform: boolean
  readonly rights: unknown
}

/** The host behind a request of its agent. */
export type AgentCaller = { readonly host_id: Id<'host'> }

/** A line of the account's event log, before it has its place in it. */
export type NewEvent = {
  readonly account_id: string
  /** The workspace of the target, null for events of the account itself. */
  readonly workspace_id: Id<'workspace'> | null
  readonly action: string
  readonly target_type: string
  readonly target_id: string
  /** Who did it, where that is not the command's own actor: each request of a batch has its own. */
  readonly actor?: Actor
}

/** A right that a command asked for; judged again before a stored answer is shown to a later caller. */
export type AskedRight = { readonly permission: Permission; readonly workspace_id: Id<'workspace'> | null }

/** Something that refers to a resource. */
export type Referrer = { readonly kind: Kind; readonly id: string; readonly account_id: string }

/** A question about referrers: what refers to a resource of a kind, or which automations work on a pool. */
export type ReferrerQuestion = Kind | 'automations_of_pool'

/** Everything that is not pure, for one command or query. */
export type Ctx = {
  readonly db: Db
  /** The business clock in whole Unix seconds, drawn once. */
  readonly now: number
  readonly caller: Caller | undefined
  readonly actor: Actor
  readonly request_id: string
  readonly log: Log
  readonly random: Random
  readonly keys: ServerKeys
  /** The URL under which callers reach the server, without a slash at its end. */
  readonly public_url: () => string
  /** What this server keeps in memory. */
  readonly services: Services
  /** Where the bytes of images lie. It knows nothing of transactions: act on it before one, or at its end. */
  readonly blobs: BlobStore
  /** The rights asked for so far. */
  readonly asked: AskedRight[]
  newId<K extends Kind>(kind: K): Id<K>
  /** Appends to the event log when the command commits. */
  emit(event: NewEvent): void
  /** Wakes a reconciler's key at a time (at once, when none is given); the earliest wish wins. */
  due(kind: string, key: string, at?: number): void
  /** Says that something changed, to whoever keeps things that follow from it; the areas to the right subscribe. */
  wake(topic: string, key: string): void
  /** Forgets a deadline. */
  clearDue(kind: string, key: string): void
  /** Tries a part of the work: when it is refused, nothing of that part stays and the refusal comes back as data. */
  attempt<T>(work: () => Promise<T>): Promise<{ readonly done: T } | { readonly refusal: RefusalData }>
  /** Runs when the transaction has ended: after its commit, or after it came to nothing. For caches of the database. */
  onEnd(run: (isCommitted: boolean) => void): void
  /**
   * Leaves a write for the flight of the COMMIT, before events and due rows: for what nobody waits for and nothing that
   * is read later in the work shows.
   */
  last(write: () => Promise<unknown>): void
  /** Takes row locks of one rank, in id order; gives the ids that were found. Ranks may only rise within a command. */
  lock(lock: Lock, ids: readonly string[]): Promise<string[]>
  /** Takes row locks like `lock` and gives the rows, as they are once locked. */
  lockRows<R>(lock: RowLock<R>, ids: readonly string[]): Promise<R[]>
  /** Who still refers to a resource, asked of the areas to the right. */
  referrers(question: ReferrerQuestion, id: string, limit: number): Promise<Referrer[]>
}

/** The caller of a request; system work has none. */
export function callerOf(ctx: Ctx): Caller {
  if (!ctx.caller) throw new Error('This is asked of a request, and there is none.')
  return ctx.caller
}
