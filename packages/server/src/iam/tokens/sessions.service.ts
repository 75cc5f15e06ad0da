/**
 * The sessions of users, and their end. A session is a token, so it ends as tokens do (ended-tokens.service.ts).
 * Not this file's work: opening one (people/sign-in-links.service.ts).
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { refusePrincipalBeyondRights } from '../access/grants.service.ts'
import { forgetName } from '../names/names.service.ts'
import { forgetTokens } from './ended-tokens.service.ts'
import {
  insertSession,
  listOpenAmong as listOpen,
  listSessionsIn,
  listSessionsInAccount,
  listSessionsOf,
  type OpenSession,
  removeSessions,
  type SessionRow,
} from './sessions.store.ts'
import { hasEnded } from './tokens.rules.ts'

/** Ends sessions. Leaves out other tokens. */
export async function endSessions(ctx: Ctx, ids: readonly Id<'token'>[]): Promise<void> {
  if (ids.length === 0) return
  await removeSessions(ctx.db, ids)
  forgetTokens(ctx, ids)
  await forgetName(ctx, ...ids)
}

/** Ends all sessions of a user. */
export async function endSessionsOf(ctx: Ctx, userId: string): Promise<void> {
  const open = await listSessionsOf(ctx.db, userId)
  await endSessions(
    ctx,
    open.map(({ id }) => id),
  )
}

/** Ends the sessions whose home is a workspace that is being deleted. */
export async function endSessionsIn(ctx: Ctx, workspaceId: string): Promise<void> {
  const sessions = await listSessionsIn(ctx.db, workspaceId)
  await endSessions(
    ctx,
    sessions.map(({ id }) => id),
  )
}

/** Refuses `forbidden` unless the caller holds all rights of other users whose sessions `endSessionsIn` would end. */
export async function refuseSessionsInBeyondRights(
  ctx: Ctx,
  { account_id, workspace_id }: { readonly account_id: string; readonly workspace_id: string },
): Promise<void> {
  const open = (await listSessionsIn(ctx.db, workspace_id)).filter((session) => !hasEnded(session, ctx.now))
  for (const principal_id of new Set(open.map(({ user_id }) => user_id))) {
    await refusePrincipalBeyondRights(ctx, { account_id, principal_id })
  }
}

/** Ends all sessions of an account. */
export async function endSessionsInAccount(ctx: Ctx, account_id: string): Promise<void> {
  await endSessions(ctx, await listSessionsInAccount(ctx.db, account_id))
}

/** The sessions of a user, oldest first. Some may have expired. */
export function listOpenSessions({ db }: Ctx, userId: string): Promise<OpenSession[]> {
  return listSessionsOf(db, userId)
}

/** Those of some ids by which things name their sessions (origins.rules.ts) that are of open ones. */
export async function listOpenAmong({ db }: Ctx, ids: readonly string[]): Promise<Id<'token'>[]> {
  return ids.length === 0 ? [] : listOpen(db, ids)
}

/** Records what only the session has, besides its token. */
export async function recordSession(ctx: Ctx, row: SessionRow): Promise<void> {
  await insertSession(ctx.db, row)
}
