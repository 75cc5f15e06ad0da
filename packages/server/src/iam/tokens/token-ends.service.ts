/**
 * The end of tokens and sessions, alone or with all that descends from them. A token descends from the one that made
 * it; what a session makes descends from the session, and from those in which that one was let in.
 */
import type { deleteToken as deleteContract } from '@bourse/api/iam/tokens.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { refuse } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import {
  listGrantsByPrincipal,
  refuseBeyondRights,
  refusePrincipalBeyondRights,
  refuseWithoutAdmin,
  removeGrantsOf,
} from '../access/grants.service.ts'
import {
  allow,
  hasPermission,
  refuseNotFound,
  requireRecentSignIn,
  requireUnfrozen,
  rightsOfCaller,
} from '../access/permissions.service.ts'
import { returnLimit } from '../names/limit-usage.service.ts'
import { releaseName } from '../names/names.service.ts'
import { lockAccount } from '../names/owners.service.ts'
import { forgetTokens } from './ended-tokens.service.ts'
import { sessionIdOf } from './origins.rules.ts'
import { endSessions, listOpenSessions } from './sessions.service.ts'
import { endSshKeysOf, endSshKeysOpenedBy } from './ssh-key-ends.service.ts'
import { type DescentRoots, type DescentRow, listDescent, removeTokens } from './token-ends.store.ts'
import { findBeyondLimits, unlimited } from './token-limits.rules.ts'
import { isOwnToken, loadToken, requireMaker } from './tokens.service.ts'
import { endWaysInOpenedBy } from './ways-in.service.ts'

/**
 * Deletes a token and its grants, or ends a session; with `cascade` also all that descends from it. Every token may
 * delete itself, and a person their own sessions; in a frozen account a session ends itself alone. Refuses
 * `last_admin`, and `forbidden` if one of the tokens holds a right that the caller lacks.
 */
export async function deleteToken(
  ctx: Ctx,
  id: Id<'token'>,
  { cascade = false }: Input<typeof deleteContract>['query'],
): Promise<void> {
  const row = await loadToken(ctx, id)
  if (!isOwnToken(ctx, row)) await allow(ctx, 'token:delete', row)
  const isSigningOut = row.kind === 'session' && id === ctx.caller?.token_id && !cascade
  if (!isSigningOut) requireUnfrozen(ctx)
  const { account_id } = row
  await lockAccount(ctx, account_id)
  const session_ids = cascade && row.kind === 'session' ? [sessionIdOf(row)] : []
  await endDescent(ctx, account_id, { ids: [id], is_whole: cascade, session_ids })
}

/**
 * Ends the sessions of a user with all that descends from them, as each of them does with `cascade`. Requires the lock
 * of the account. Whoever may end sessions of the user needs no further right for these, but those of all other tokens.
 */
export async function endSessionsWithDescent(
  ctx: Ctx,
  { account_id, user_id }: { readonly account_id: string; readonly user_id: Id<'user'> },
): Promise<void> {
  const open = await listOpenSessions(ctx, user_id)
  const ids = open.map(({ id }) => id)
  if (ids.length > 0)
    await endDescent(ctx, account_id, { ids, is_whole: true, session_ids: open.map(sessionIdOf) }, ids)
}

/**
 * Ends tokens with what descends from them. Read under the lock of the account: what a token makes until then is found,
 * and later it makes nothing. `allowed` are those that the caller may end whatever its rights.
 */
async function endDescent(
  ctx: Ctx,
  account_id: string,
  roots: DescentRoots,
  allowed: readonly string[] = [],
): Promise<void> {
  const descent = await listDescent(ctx.db, roots)
  const live = descent.filter(({ is_deleted }) => !is_deleted)
  if (!live.some((token) => roots.ids.includes(token.id))) refuseNotFound()
  const others = live.filter(({ id }) => !allowed.includes(id))
  await refuseEndBeyondRights(ctx, account_id, others)
  const idsOf = (kind: DescentRow['kind']) => live.filter((token) => token.kind === kind).map((token) => token.id)
  const ids = idsOf('service')
  await endSessions(ctx, idsOf('session'))
  await endSshKeysOf(ctx, ids)
  const shutOut = roots.is_whole ? await endWaysIn(ctx, account_id, descent, roots.session_ids) : []
  await removeGrantsOf(ctx, account_id, ids)
  await removeTokens(ctx.db, ids, ctx.now)
  forgetTokens(ctx, ids)
  await releaseName(ctx, ...ids)
  await returnLimit(ctx, account_id, 'tokens', ids.length)
  for (const userId of shutOut) await refuseWithoutAdmin(ctx, account_id, userId)
}

/**
 * Ends what else lets somebody in and descends from the same. Whoever takes ways in away needs the right to, as for
 * each one (people/identities.service.ts). Returns the users that had them.
 */
async function endWaysIn(
  ctx: Ctx,
  account_id: string,
  descent: readonly DescentRow[],
  session_ids: readonly string[],
): Promise<Id<'user'>[]> {
  const openers = { token_ids: descent.map(({ id }) => id), session_ids }
  await endSshKeysOpenedBy(ctx, openers)
  const shutOut = await endWaysInOpenedBy(ctx, openers)
  if (shutOut.length === 0) return []
  requireRecentSignIn(ctx)
  const person = rightsOfCaller(callerOf(ctx)).user_id
  const others = shutOut.filter((userId) => userId !== person)
  if (others.length > 0 && !hasPermission(ctx, 'user:write', null)) {
    refuse('forbidden', 'This ends sign-in methods of other users, and you lack the permission user:write.')
  }
  for (const principal_id of others) await refusePrincipalBeyondRights(ctx, { account_id, principal_id })
  return shutOut
}

/** Whoever ends a token ends its rights, so only a caller that holds them all may. */
async function refuseEndBeyondRights(ctx: Ctx, account_id: string, tokens: readonly DescentRow[]): Promise<void> {
  const others = tokens.filter((token) => !isOwnToken(ctx, token))
  if (!others.every(({ workspace_id }) => hasPermission(ctx, 'token:delete', workspace_id))) {
    refuse('forbidden', 'This token made tokens in a workspace where you lack the permission token:delete.')
  }
  const maker = (await requireMaker(ctx)) ?? unlimited
  if (others.some((token) => findBeyondLimits(maker, token))) {
    refuse('forbidden', 'Your token is limited, so it cannot delete one that is limited less.')
  }
  const ids = others.map(({ id }) => id)
  refuseBeyondRights(ctx, [...(await listGrantsByPrincipal(ctx, account_id, ids)).values()].flat())
}
