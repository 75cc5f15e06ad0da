/** Which user an operation on ways in is about, and who may do it: the user itself, or whoever has a right on users. */
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import { refuse } from '../../core/base/refusal.ts'
import { type Caller, type Ctx, callerOf } from '../../core/work/ctx.ts'
import { refusePrincipalBeyondRights } from '../access/grants.service.ts'
import {
  allow,
  refuseNotFound,
  requireRecentSignIn,
  requireUnfrozen,
  rightsOfCaller,
} from '../access/permissions.service.ts'
import { idToLoad } from '../names/names.service.ts'
import { findUserPlace as findOne, type UserPlaceRow } from './user-places.store.ts'

/**
 * The user of an operation. Refuses `not_found`, and `forbidden` unless the caller is the user or has the right, and
 * for a change every right of the user.
 */
export async function loadUserFor(
  ctx: Ctx,
  ref: Ref<'user'>,
  permission: 'user:read' | 'user:write',
): Promise<UserPlaceRow> {
  const user = await findOne(ctx.db, await idToLoad(ctx, 'user', ref))
  if (!user || user.account_id !== callerOf(ctx).account_id) refuseNotFound()
  const { account_id, user_id } = user
  if (personOf(callerOf(ctx)) !== user_id) {
    await allow(ctx, permission, null)
    if (permission === 'user:write') await refusePrincipalBeyondRights(ctx, { account_id, principal_id: user_id })
  } else if (permission === 'user:write') requireUnfrozen(ctx)
  return user
}

/** The caller, for what a person does for itself alone. Refuses `forbidden` to others, and asks for a new sign-in. */
export async function loadOneself(ctx: Ctx, ref?: Ref<'user'>): Promise<UserPlaceRow> {
  const person = personOf(callerOf(ctx))
  const asked = ref === undefined ? person : await idToLoad(ctx, 'user', ref)
  const user = person && asked === person ? await findOne(ctx.db, person) : undefined
  if (!user) refuse('forbidden', 'Only a person who is signed in can do this, and only for itself.')
  requireUnfrozen(ctx)
  requireRecentSignIn(ctx)
  return user
}

/** The user of a session; null for a token of a program. */
export function personOf(caller: Caller): Id<'user'> | null {
  return rightsOfCaller(caller).user_id
}

/** A user by its id, without permission checks. */
export function findUserPlace({ db }: Pick<Ctx, 'db'>, id: string): Promise<UserPlaceRow | undefined> {
  return findOne(db, id)
}

/** How a page names a user. */
export function nameOfUser({ user_name, email }: Pick<UserPlaceRow, 'user_name' | 'email'>): string {
  return email === null ? user_name : `${user_name} (${email})`
}

/** How a page names an account. */
export function nameOfAccount({ account_id, account_name }: Pick<UserPlaceRow, 'account_id' | 'account_name'>): string {
  return account_name === account_id ? account_id : `${account_name} (${account_id})`
}
