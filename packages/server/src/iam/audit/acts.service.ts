/**
 * Records what people do at pages of this server, and what a sign-in leads to: no request of the API does it, so no
 * contract says what its entry contains. Not this file's work: sign-ins themselves (sign-ins.service.ts).
 */
import type { AuditActor, AuditTarget } from '@bourse/api/iam/audit-entries.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { changesBetween } from '../../core/audit/changes.ts'
import type { RequestSender } from '../../core/http/transfer.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { actorOf, emptyEntry } from './sign-ins.service.ts'

/** An act, by the name of the operation of the API that does the same, if there is one. */
type RecordedAct = {
  readonly operation: string
  readonly targets: readonly AuditTarget[]
  readonly sender: RequestSender
  /** What was there and is gone, or has other values in `after`. */
  readonly before?: object
  readonly after?: object
}

/** Records what the caller has done. */
export function recordOwnAct(ctx: Ctx, act: RecordedAct): void {
  const { account_id, principal } = callerOf(ctx)
  record(ctx, account_id, principal, act)
}

/** Records what a person has done who is signing in. */
export async function recordActOf(
  ctx: Ctx,
  { account_id, user_id }: { readonly account_id: string; readonly user_id: Id<'user'> },
  act: RecordedAct,
): Promise<void> {
  record(ctx, account_id, await actorOf(ctx, user_id), act)
}

/** Records what a sign-in provider has caused in an account. */
export function recordActOfProvider(
  ctx: Ctx,
  { account_id, provider }: { readonly account_id: string; readonly provider: string },
  act: RecordedAct,
): void {
  record(ctx, account_id, { type: 'system', id: null, name: `provider ${provider}` }, act)
}

function record(ctx: Ctx, account_id: string, actor: AuditActor, { sender, before, after, ...act }: RecordedAct): void {
  const { address, device: user_agent } = sender
  const changes = changesBetween(before ?? {}, after ?? {})
  ctx.record({ ...emptyEntry(ctx), ...act, account_id, actor, address, user_agent, changes })
}
