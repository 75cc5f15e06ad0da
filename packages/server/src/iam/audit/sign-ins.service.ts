/** Records sign-ins of people in the audit trail. Whatever lets people in calls this. */
import type { AuditActor } from '@bourse/api/iam/audit-entries.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { RequestSender } from '../../core/http/transfer.ts'
import type { NewAuditEntry } from '../../core/work/audit-log.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { findUserName } from './sign-ins.store.ts'

/** A sign-in that succeeded or failed. One of an unknown account is not recorded: nobody could read it. */
type RecordedSignIn = {
  readonly account_id: string
  /** The person; undefined where somebody failed of whom only the account is known. */
  readonly user_id: Id<'user'> | undefined
  /** How: a word such as `sign_in_by_link`, which the trail shows as the operation. */
  readonly way: string
  readonly sender: RequestSender
  /** Why it failed: a code of the contract. Undefined: it succeeded. */
  readonly code?: string
}

/**
 * Records a sign-in. One that succeeded is written with the transaction of `ctx`. One that failed is queued, so it is
 * recorded although its transaction may be rolled back; `ctx` may then be that of a query.
 */
export async function recordSignIn(ctx: Ctx, signIn: RecordedSignIn): Promise<void> {
  const { code } = signIn
  const entry = entryOf(ctx, signIn, signIn.user_id && (await findUserName(ctx.db, signIn.user_id)))
  if (code === undefined) return ctx.record(entry)
  ctx.services.audit_queue.add({ ...entry, outcome: 'refused', code })
  ctx.leaveUnrecorded('refused')
}

/** How somebody tried to come in. */
type FailedSignIn = Pick<RecordedSignIn, 'way' | 'sender'>

/**
 * Records that somebody did not come in as a user. Nothing is recorded of an unknown one; it takes as long, so that the
 * time of a response does not tell who is known.
 */
export async function recordFailedSignIn(
  ctx: Ctx,
  user: { readonly account_id: string; readonly user_id: Id<'user'> } | undefined,
  { way, sender }: FailedSignIn,
): Promise<undefined> {
  ctx.leaveUnrecorded('refused')
  const name = await findUserName(ctx.db, user?.user_id ?? 'usr_nobody')
  if (!user) return
  const { account_id, user_id } = user
  const entry = entryOf(ctx, { account_id, user_id, way, sender }, name)
  ctx.services.audit_queue.add({ ...entry, outcome: 'refused', code: 'authentication_error' })
}

/** Records what somebody did beside the database, with a command of this program. Nobody knows who. */
export function recordLocalAct(ctx: Ctx, account_id: string, operation: string): void {
  ctx.record({ ...emptyEntry(ctx), account_id, operation })
}

function entryOf(
  ctx: Ctx,
  { account_id, user_id, way, sender }: RecordedSignIn,
  name: string | undefined,
): NewAuditEntry {
  const { address, device: user_agent } = sender
  const entry = { ...emptyEntry(ctx), account_id, operation: way, address, user_agent }
  if (user_id === undefined) return entry
  const actor = { type: 'user', id: user_id, name: name ?? null } as const
  return { ...entry, actor, targets: [{ type: 'user', id: user_id }] }
}

/** A person as an entry shows it, also one that was deleted. */
export async function actorOf({ db }: Ctx, id: Id<'user'>): Promise<AuditActor> {
  return { type: 'user', id, name: (await findUserName(db, id)) ?? null }
}

/** An entry of which nothing is known but the request. */
export function emptyEntry({ request_id }: Ctx): Omit<NewAuditEntry, 'account_id' | 'operation'> {
  return {
    actor: { type: 'system', id: null, name: null },
    targets: [],
    outcome: 'done',
    code: null,
    changes: [],
    on_behalf_of: null,
    address: null,
    user_agent: null,
    request_id,
  }
}
