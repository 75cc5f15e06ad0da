import type { AuditActor } from '@bourse/api/iam/audit-entries.ts'
import type { Id, IdKind } from '@bourse/api/kit/ids.ts'
import type { Permission } from '@bourse/api/kit/permissions.ts'
import type { Log } from '../base/log.ts'
import type { Network } from '../base/networks.rules.ts'
import type { Random } from '../base/random.ts'
import type { RefusalData } from '../base/refusal.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Db } from '../db/db.ts'
import type { ServerKeys } from '../keys/server-keys.ts'
import type { NewAuditEntry, Unrecorded } from './audit-log.ts'
import type { Lock, RowLock } from './locks.ts'
import type { Services } from './services.ts'

/** The author of an event. */
export type Actor = { readonly type: 'token'; readonly id: Id<'token'> } | { readonly type: 'system' }

/** What a token is limited to, besides its rights. Null: not limited. */
export type CallerLimits = {
  /** The networks that its requests may come from. */
  readonly networks: readonly Network[] | null
  /** Ids and patterns of paths of the resources that it may act on. */
  readonly resources: readonly string[] | null
}

/** The API token of a request. Only iam interprets its rights; core passes them on. */
export type Caller = {
  readonly token_id: Id<'token'>
  readonly account_id: string
  readonly workspace_id: Id<'workspace'>
  readonly is_frozen: boolean
  readonly is_platform: boolean
  readonly rights: unknown
  /** Absent where the token is not limited. */
  readonly limits?: CallerLimits
  /** Who it is, for the audit trail: the token of a program, or the person who signed in. */
  readonly principal: AuditActor
}

/** The host whose agent sent a request. */
export type AgentCaller = { readonly host_id: Id<'host'> }

/** An event of the account's log, before it has a position. */
export type NewEvent = {
  readonly account_id: string
  /** The workspace of the target; null for events of the account itself. */
  readonly workspace_id: Id<'workspace'> | null
  readonly action: string
  readonly target_type: string
  readonly target_id: string
  /** Further members, which stand before the cursor: facts that never change. */
  readonly members?: Readonly<Record<string, unknown>>
  /** The author, where it is not the command's own actor: each request of a batch has its own. */
  readonly actor?: Actor
}

/** A permission that a command checked. It is checked again before a later caller sees the stored response. */
export type AskedRight = { readonly permission: Permission; readonly workspace_id: Id<'workspace'> | null }

/** A resource that refers to another one. */
export type Referrer = { readonly kind: IdKind; readonly id: string; readonly account_id: string }

/**
 * A question about referrers: which resources refer to one of this kind, which automations use a pool, which hosts of
 * others than the operator supply a SKU, and which machines keep a deleted SSH key or are losing it.
 */
export type ReferrerQuestion =
  | IdKind
  | 'automations_of_pool'
  | 'partner_hosts_of_sku'
  | 'machines_keeping_ssh_key'
  | 'machines_losing_ssh_key'

/** All effects and all input other than arguments that one command or query may use. */
export type Ctx = {
  readonly db: Db
  /** The business clock in whole Unix seconds, read once. */
  readonly now: number
  readonly caller: Caller | undefined
  readonly actor: Actor
  readonly request_id: string
  readonly log: Log
  readonly random: Random
  readonly keys: ServerKeys
  /** The URL under which callers reach the server, without a slash at its end. */
  readonly public_url: () => string
  /** The in-memory services of this server. */
  readonly services: Services
  /** The store of image bytes. It is not transactional: write to it before a transaction, or after its end. */
  readonly blobs: BlobStore
  /** The permissions checked so far. */
  readonly asked: AskedRight[]
  newId<K extends IdKind>(kind: K): Id<K>
  /** Appends to the event log when the command commits. */
  emit(event: NewEvent): void
  /** Appends to the audit trail when the command commits. Requests of the API record themselves (core/audit). */
  record(entry: NewAuditEntry): void
  /** Lets the command commit without an entry of the audit trail. */
  leaveUnrecorded(reason: Unrecorded): void
  /** Schedules a reconciler's key for a time, now by default. The earliest time given for a key holds. */
  schedule(kind: string, key: string, at?: number): void
  /** Schedules the key for every reconciler that subscribes to the topic. Areas to the right subscribe. */
  publish(topic: string, key: string): void
  /** Removes a deadline. */
  unschedule(kind: string, key: string): void
  /** Runs a part of the work in a savepoint. Where the part is refused, it is rolled back and the refusal returned. */
  attempt<T>(work: () => Promise<T>): Promise<{ readonly done: T } | { readonly refusal: RefusalData }>
  /** Registers a function to run after the transaction commits or rolls back. For caches of the database. */
  onFinish(run: (isCommitted: boolean) => void): void
  /**
   * Defers a write to the round trip of the COMMIT, before events and due rows. For writes that need no lock another
   * command waits for, and that no later read of the work depends on.
   */
  deferWrite(write: () => Promise<unknown>): void
  /** Takes row locks of one rank, in id order; returns the ids found. Ranks may only rise within a command. */
  lock(lock: Lock, ids: readonly string[]): Promise<string[]>
  /** Takes row locks like `lock`; returns the rows as they are after locking. */
  lockRows<R>(lock: RowLock<R>, ids: readonly string[]): Promise<R[]>
  /** Finds what still refers to a resource in the areas to the right. */
  referrers(target: ReferrerQuestion, id: string, limit: number): Promise<Referrer[]>
}

/** The caller of a request. System work has none. */
export function callerOf(ctx: Ctx): Caller {
  if (!ctx.caller) throw new Error('This ctx has no caller.')
  return ctx.caller
}
