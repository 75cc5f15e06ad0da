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
import { lockAccount } from '../names/owners.service.ts'
import { findUserPlace as findOne, type UserPlaceRow } from './user-places.store.ts'

/** The user of a read. Refuses `not_found`, and `forbidden` unless the caller is the user or may read users. */
export async function loadUserToRead(ctx: Ctx, ref: Ref<'user'>): Promise<UserPlaceRow> {
  const user = await loadUser(ctx, ref)
  if (personOf(callerOf(ctx)) !== user.user_id) await allow(ctx, 'user:read', null)
  return user
}

/**
 * The user of a change, with the lock of its account, as a role that the user gets meanwhile counts. Refuses
 * `not_found`, and `forbidden` unless the caller is the user or may change users and has every right of this one.
 */
export async function lockUserToWrite(ctx: Ctx, ref: Ref<'user'>): Promise<UserPlaceRow> {
  const { account_id, user_id } = await loadUser(ctx, ref)
  if (personOf(callerOf(ctx)) === user_id) requireUnfrozen(ctx)
  else await allow(ctx, 'user:write', null)
  await lockAccount(ctx, account_id)
  await refusePrincipalBeyondRights(ctx, { account_id, principal_id: user_id })
  return (await findOne(ctx.db, user_id)) ?? refuseNotFound()
}

async function loadUser(ctx: Ctx, ref: Ref<'user'>): Promise<UserPlaceRow> {
  const user = await findOne(ctx.db, await idToLoad(ctx, 'user', ref))
  return user?.account_id === callerOf(ctx).account_id ? user : refuseNotFound()
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
