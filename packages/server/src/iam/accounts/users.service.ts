import type {
  createAccountUser as createAccountContract,
  createAccountSignInLink as createLinkContract,
} from '@bourse/api/iam/accounts.ts'
import type {
  createUser as createContract,
  DeletedUser,
  endUserSessions as endSessionsContract,
  listUsers as listContract,
  SignInLink,
  User,
  updateUser as updateContract,
} from '@bourse/api/iam/users.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import { type Id, type Ref, resourcePath } from '@bourse/api/kit/ids.ts'
import { shownEmailPattern } from '@bourse/api/kit/shown-names.ts'
import { refuse } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { pageResponse } from '../../core/work/page.ts'
import { assignRole, hasLastingAdmin, refusePrincipalBeyondRights, removeGrantsOf } from '../access/grants.service.ts'
import { allow, refuseNotFound, requireUnfrozen, rightsOfCaller } from '../access/permissions.service.ts'
import { adminRole } from '../access/roles.rules.ts'
import { findUsableRole } from '../access/roles.service.ts'
import { returnLimit, takeLimit } from '../names/limit-usage.service.ts'
import { claimName, idToLoad, releaseName, renameName, resolveFilter } from '../names/names.service.ts'
import { findAccount, lockAccount } from '../names/owners.service.ts'
import { endAccessOf } from '../people/device-logins.service.ts'
import { makeSignInLink } from '../people/sign-in-links.service.ts'
import { endSshKeysOfOwner } from '../ssh-keys/ssh-keys.service.ts'
import { noOrigin } from '../tokens/origins.rules.ts'
import { endSessionsWithDescent } from '../tokens/token-ends.service.ts'
import { endWaysInOf } from '../tokens/ways-in.service.ts'
import { canonicalEmail, formsOfEmail } from './emails.rules.ts'
import {
  findAdminUser as findAdmin,
  findUser,
  insertUser,
  isEmailTaken,
  listUsers as listRows,
  removeUser,
  type UserRow,
  updateUser as updateRow,
} from './users.store.ts'

/** Adds a user to the caller's account. */
export async function createUser(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<User> {
  await allow(ctx, 'user:create', null)
  return presentUser(await makeUser(ctx, callerOf(ctx).account_id, body))
}

/** Adds a user with a role for the whole account to any account, for the platform operator. */
export async function createAccountUser(ctx: Ctx, input: Input<typeof createAccountContract>): Promise<User> {
  const { account } = input.params
  await allow(ctx, 'platform:write', null)
  if (!(await findAccount(ctx, account))) refuseNotFound()
  await lockAccount(ctx, account)
  const role = await findUsableRole(ctx, account, input.body.role ?? 'role_admin', 'role')
  const user = await makeUser(ctx, account, input.body)
  await assignRole(ctx, { account_id: account, principal_id: user.id, role_id: role.id, workspace_id: null })
  return presentUser(user)
}

/** Lists the users of the account. */
export async function listUsers(ctx: Ctx, query: Input<typeof listContract>['query']) {
  await allow(ctx, 'user:list', null)
  const ids = await resolveFilter(ctx, 'user', query.id)
  const emails = query.email === undefined ? undefined : formsOfEmail(query.email)
  const page = await listRows(ctx, { account_id: ctx.caller?.account_id, ids, emails, query })
  return pageResponse(page, page.rows.map(presentUser))
}

/** Reads one user. */
export async function getUser(ctx: Ctx, ref: Ref<'user'>): Promise<User> {
  const user = await loadUser(ctx, ref)
  if (ctx.caller && rightsOfCaller(ctx.caller).user_id !== user.id) await allow(ctx, 'user:read', null)
  return presentUser(user)
}

/** Changes the names of a user. */
export async function updateUser(ctx: Ctx, { params, body }: Input<typeof updateContract>): Promise<User> {
  const { id, account_id } = await loadUser(ctx, params.id)
  await allow(ctx, 'user:write', null)
  await lockAccount(ctx, account_id)
  await refusePrincipalBeyondRights(ctx, { account_id, principal_id: id })
  const user = (await findUser(ctx.db, id)) ?? refuseNotFound()
  if (body.name !== undefined && body.name !== user.name) {
    await renameName(ctx, { id: user.id, kind: 'user', name: body.name })
  }
  const { name = user.name, first_name = user.first_name, last_name = user.last_name } = body
  const changed = { ...user, name, first_name, last_name }
  await updateRow(ctx.db, changed)
  return presentUser(changed)
}

/** Deletes a user with its grants, sessions and links. Refuses `last_admin`, and `forbidden` as for links. */
export async function deleteUser(ctx: Ctx, ref: Ref<'user'>): Promise<DeletedUser> {
  const { id } = await loadUser(ctx, ref)
  await allow(ctx, 'user:delete', null)
  const { account_id } = callerOf(ctx)
  await lockAccount(ctx, account_id)
  if (!(await findUser(ctx.db, id))) refuseNotFound()
  await refusePrincipalBeyondRights(ctx, { account_id, principal_id: id })
  await removeGrantsOf(ctx, account_id, [id])
  await endAccessOf(ctx, id)
  await endWaysInOf(ctx, id)
  const instances = await endSshKeysOfOwner(ctx, id)
  await releaseName(ctx, id)
  await removeUser(ctx.db, id, ctx.now)
  await returnLimit(ctx, account_id, 'users')
  return { object: 'deleted_user', id, instances }
}

/** Makes a link that signs a user in. Refuses `forbidden` if the user has a right that the caller lacks. */
export async function createSignInLink(ctx: Ctx, ref: Ref<'user'>): Promise<SignInLink> {
  const { id, account_id } = await loadUser(ctx, ref)
  await allow(ctx, 'user:write', null)
  await lockAccount(ctx, account_id)
  if (!(await findUser(ctx.db, id))) refuseNotFound()
  await refusePrincipalBeyondRights(ctx, { account_id, principal_id: id })
  return makeSignInLink(ctx, { account_id, user_id: id })
}

/** Ends the sessions and sign-in links of a user; with `cascade` also all that descends from the sessions. */
export async function endSessions(
  ctx: Ctx,
  ref: Ref<'user'>,
  { cascade = false }: Input<typeof endSessionsContract>['query'],
): Promise<void> {
  const { id, account_id } = await loadUser(ctx, ref)
  if (ctx.caller && rightsOfCaller(ctx.caller).user_id !== id) await allow(ctx, 'user:write', null)
  requireUnfrozen(ctx)
  await lockAccount(ctx, account_id)
  await refusePrincipalBeyondRights(ctx, { account_id, principal_id: id })
  if (cascade) await endSessionsWithDescent(ctx, { account_id, user_id: id })
  await endAccessOf(ctx, id)
}

/** A user as the account endpoint presents it; null if it is deleted. */
export async function describeUser(ctx: Ctx, id: string): Promise<User | null> {
  const row = await findUser(ctx.db, id)
  return row ? presentUser(row) : null
}

/** The first user with the admin role for its whole account; with an address, the user of that address. */
export function findAdminUser({ db }: Ctx, account_id: string, email?: string): Promise<Id<'user'> | undefined> {
  const emails = email === undefined ? undefined : formsOfEmail(email)
  return findAdmin(db, { account_id, role_id: adminRole, emails })
}

/** Creates a user with the admin role for its whole account, without permission checks. */
export async function makeAdminUser(
  ctx: Ctx,
  account_id: string,
  person: { readonly email: string; readonly name?: string },
): Promise<Id<'user'>> {
  const { id } = await makeUser(ctx, account_id, person)
  await assignRole(ctx, { account_id, principal_id: id, role_id: adminRole, workspace_id: null })
  return id
}

/** Adds a user without permission checks. An address that another user has is left out. */
export async function addUser(
  ctx: Ctx,
  account_id: string,
  { email, ...names }: Pick<UserRow, 'email' | 'first_name' | 'last_name'>,
): Promise<Id<'user'>> {
  const isFree =
    email !== null && emailPattern.test(email) && !(await isEmailTaken(ctx.db, account_id, formsOfEmail(email)))
  return (await makeUser(ctx, account_id, { ...names, email: isFree ? email : null })).id
}

/**
 * Makes a link that signs in a user of any account, for the platform operator. Refuses `invalid_state` if the account
 * has an admin who can come in. It descends from nothing, as what the platform gives to an account.
 */
export async function createAccountSignInLink(
  ctx: Ctx,
  { params: { account }, body }: Input<typeof createLinkContract>,
): Promise<SignInLink> {
  await allow(ctx, 'platform:write', null)
  if (!(await lockAccount(ctx, account))) refuseNotFound()
  const user = await findUser(ctx.db, body.user)
  if (user?.account_id !== account) refuse('reference_not_found', 'The account has no such user.', 'user')
  if (await hasLastingAdmin(ctx, account)) {
    const message = 'The account has an admin who can come in: a token, a passkey or an identity. That one makes links.'
    refuse('invalid_state', message)
  }
  // An operator's link for the own account is one like any other: whoever makes it may be the one who opens it.
  const isOwn = ctx.caller?.account_id === account
  return makeSignInLink(ctx, { account_id: account, user_id: user.id }, isOwn ? undefined : noOrigin)
}

function presentUser({ id, account_id, name, email, first_name, last_name, created_at }: UserRow): User {
  const resource_path = resourcePath('user', { account_id, name })
  return { object: 'user', id, resource_path, name, email, first_name, last_name, created_at }
}

type NewUser = Pick<Input<typeof createContract>['body'], 'name'> & {
  readonly [K in 'email' | 'first_name' | 'last_name']?: string | null | undefined
}

const emailPattern = new RegExp(shownEmailPattern)

async function makeUser(ctx: Ctx, account_id: string, body: NewUser): Promise<UserRow> {
  await takeLimit(ctx, account_id, 'users')
  const id = ctx.newId('user')
  const { first_name = null, last_name = null } = body
  const email = body.email ? canonicalEmail(body.email) : null
  if (body.email && (await isEmailTaken(ctx.db, account_id, formsOfEmail(body.email)))) refuseTaken()
  const name = await claimName(ctx, { id, kind: 'user', account_id, workspace_id: null, name: body.name })
  const user = { id, account_id, name, email, first_name, last_name, created_at: ctx.now }
  // The index refuses the one form that is written, also beside another transaction.
  if (!(await insertUser(ctx.db, user))) refuseTaken()
  return user
}

function refuseTaken(): never {
  refuse('email_taken', 'The account already has a user with this email address.', 'email')
}

async function loadUser(ctx: Ctx, ref: Ref<'user'>): Promise<UserRow> {
  const id = await idToLoad(ctx, 'user', ref)
  const user = await findUser(ctx.db, id)
  return user && (!ctx.caller || ctx.caller.account_id === user.account_id) ? user : refuseNotFound()
}
