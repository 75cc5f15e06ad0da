import type { createGrant as createContract, Grant, listGrants as listContract } from '@bourse/api/iam/grants.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Permission } from '@bourse/api/kit/permissions.ts'
import { recentSignInSeconds } from '@bourse/api/trust.ts'
import { refuse } from '../../core/base/refusal.ts'
import { type Caller, type Ctx, callerOf } from '../../core/work/ctx.ts'
import { emptyPage, pageResponse } from '../../core/work/page.ts'
import { creatorOf, presentCreator } from '../names/creators.rules.ts'
import { returnLimit, takeLimit } from '../names/limit-usage.service.ts'
import { idToLoad, pickSummary, type Summary, summaries } from '../names/names.service.ts'
import { lockAccount, lockWorkspaceShared } from '../names/owners.service.ts'
import {
  findGrant,
  findOtherAdmins,
  type GrantRow,
  insertGrant,
  isPrincipal,
  listDatedGrants,
  listGrantsOf,
  listHeldRoles,
  listProviderGrants,
  listRolesIn,
  listGrants as listRows,
  removeGrants,
  removeGrantsIn as removeInWorkspace,
} from './grants.store.ts'
import { scopesOf } from './permissions.rules.ts'
import {
  allow,
  chooseWorkspace,
  isOwnWorkspace,
  makerOf,
  refuseNotFound,
  rightsOfCaller,
} from './permissions.service.ts'
import { adminRole, findBuiltInRole, type PrincipalGrant, platformRightSince, policyOf } from './roles.rules.ts'
import { findLackingRight, findUsableRole, refuseRightsBeyondOwn } from './roles.service.ts'

declare module '../../core/work/services.ts' {
  interface Services {
    /** The issuers of the providers by which users of an account come in. */
    readonly sign_in_issuers: (account_id: string) => readonly string[]
    /** Carries out a change of the rights of users, and ends what others let in who lack a right that it gives. */
    readonly changeRights: <T>(
      ctx: Ctx,
      users: { readonly account_id: string; readonly user_ids: readonly Id<'user'>[] },
      change: () => Promise<T>,
    ) => Promise<T>
  }
}

/** The principal, role and scope of a new grant. `workspace_id` is null for the whole account. */
type RoleAssignment = Pick<GrantRow, 'account_id' | 'principal_id' | 'role_id' | 'workspace_id'> & {
  /** The sign-in provider whose groups give it. */
  readonly provider?: string
}

/** Grants a role to a user or token. Refuses `forbidden` if the role gives a right that the caller lacks. */
export async function createGrant(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<Grant> {
  const { account_id } = callerOf(ctx)
  const workspace_id = body.workspace === undefined ? null : await chooseWorkspace(ctx, body.workspace)
  await allow(ctx, 'grant:create', workspace_id)
  await lockAccount(ctx, account_id)
  const role = await findUsableRole(ctx, account_id, body.role, 'role')
  refuseRightsBeyondOwn(ctx, role.policy, workspace_id)
  const fits = body.principal_id.startsWith(body.principal_type === 'user' ? 'usr_' : 'tokn_')
  if (!fits || !(await isPrincipal(ctx.db, account_id, body.principal_id))) {
    refuse('reference_not_found', `There is no such ${body.principal_type}.`, 'principal_id')
  }
  const principal_id = body.principal_id as Id<'user'> | Id<'token'>
  const user_ids = [principal_id].filter(isUser)
  const id = await ctx.services.changeRights(ctx, { account_id, user_ids }, () =>
    assignRole(ctx, { account_id, principal_id, role_id: role.id, workspace_id }),
  )
  const row = (await findGrant(ctx.db, id)) as GrantRow
  return presentGrant(row, await summaries(ctx, [workspace_id]))
}

function isUser(id: string): id is Id<'user'> {
  return id.startsWith('usr_')
}

/** Grants a role, without permission checks. Requires the account's lock. Returns the id of the grant. */
export async function assignRole(ctx: Ctx, grant: RoleAssignment): Promise<Id<'grant'>> {
  await takeLimit(ctx, grant.account_id, 'grants')
  if (grant.workspace_id !== null) await lockWorkspaceShared(ctx, grant.workspace_id)
  return writeGrant(ctx, grant)
}

/** Inserts a grant. The caller has locked the account and the workspace and taken the limit. Returns its id. */
export async function writeGrant(ctx: Ctx, grant: RoleAssignment): Promise<Id<'grant'>> {
  const id = ctx.newId('grant')
  const { provider = null } = grant
  const row = { ...grant, ...creatorOf(makerOf(ctx), grant.account_id), id, created_at: ctx.now, provider }
  if (!(await insertGrant(ctx.db, row))) refuse('grant_exists', 'The principal already has this role in this scope.')
  return id
}

/** Lists the grants that the caller may list, including its own. */
export async function listGrants(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const caller = callerOf(ctx)
  const { account_id } = caller
  const workspace_id = query.workspace && (await idToLoad(ctx, 'workspace', query.workspace))
  const role_id = query.role && (await idToLoad(ctx, 'role', query.role))
  if (workspace_id && !(await isOwnWorkspace(ctx, caller, workspace_id))) {
    return pageResponse(emptyPage(), [])
  }
  const visible = caller.limits?.resources ? [] : scopesOf(rightsOfCaller(caller), 'grant:list')
  const page = await listRows(ctx, { account_id, visible, own: principalOf(caller), workspace_id, role_id, query })
  const found = await summaries(
    ctx,
    page.rows.map((row) => row.workspace_id),
  )
  return pageResponse(
    page,
    page.rows.map((row) => presentGrant(row, found)),
  )
}

/** Reads one grant. */
export async function getGrant(ctx: Ctx, id: Id<'grant'>): Promise<Grant> {
  const row = await loadGrant(ctx, id)
  if (row.principal_id !== principalOf(callerOf(ctx))) await allow(ctx, 'grant:read', row.workspace_id)
  return presentGrant(row, await summaries(ctx, [row.workspace_id]))
}

/** Deletes a grant. Refuses `last_admin`, and `forbidden` if it gives a right that the caller lacks. */
export async function deleteGrant(ctx: Ctx, id: Id<'grant'>): Promise<void> {
  const { account_id, workspace_id, role_id } = await loadGrant(ctx, id)
  await allow(ctx, 'grant:delete', workspace_id)
  await lockAccount(ctx, account_id)
  const { policy } = await findUsableRole(ctx, account_id, role_id, 'role')
  refuseBeyondRights(ctx, [{ workspace_id, role_id, policy }])
  if ((await endGrants(ctx, account_id, [id])) === 0) refuseNotFound()
}

/** Deletes the grants of users or tokens. Requires the account's lock. Refuses `last_admin`. */
export async function removeGrantsOf(ctx: Ctx, account_id: string, principals: readonly string[]): Promise<void> {
  await endGrants(ctx, account_id, await listGrantsOf(ctx.db, principals))
}

/** The role of a group at a provider. `workspace_id` is null for the whole account. */
export type GroupRole = Pick<GrantRow, 'role_id' | 'workspace_id'>

/** A grant that groups give. */
export type GroupGrant = GroupRole & Pick<GrantRow, 'id'>

/** A user at a provider. */
type GroupMember = { readonly account_id: string; readonly user_id: Id<'user'>; readonly provider: string }

/** What groups have changed, and the codes of what was refused. */
export type GroupOutcome = {
  readonly given: readonly GroupGrant[]
  readonly ended: readonly GroupGrant[]
  readonly refused: readonly string[]
}

/**
 * Sets the grants that the groups of a user at a provider give, without permission checks. Leaves all others as they
 * are, and adds none that the user has already. What is refused stays as it is: the sign-in goes on. Requires the
 * account's lock.
 */
export function setGroupGrants(ctx: Ctx, member: GroupMember, wanted: readonly GroupRole[]): Promise<GroupOutcome> {
  const { account_id, user_id } = member
  return ctx.services.changeRights(ctx, { account_id, user_ids: [user_id] }, () => replaceGroups(ctx, member, wanted))
}

async function replaceGroups(
  ctx: Ctx,
  { account_id, user_id, provider }: GroupMember,
  wanted: readonly GroupRole[],
): Promise<GroupOutcome> {
  const present = await listProviderGrants(ctx.db, user_id, provider)
  const isSame = (one: GroupRole) => (other: GroupRole) =>
    one.role_id === other.role_id && one.workspace_id === other.workspace_id
  const [given, ended, refused]: [GroupGrant[], GroupGrant[], string[]] = [[], [], []]
  const attempt = async (work: () => Promise<GroupGrant>, done: GroupGrant[]) => {
    const outcome = await ctx.attempt(work)
    if ('done' in outcome) done.push(outcome.done)
    else if (outcome.refusal.code !== 'grant_exists') refused.push(outcome.refusal.code)
  }
  // The new ones first: an admin whose role moves to another group stays one.
  for (const role of wanted.filter((one) => !present.some(isSame(one)))) {
    const grant = { account_id, principal_id: user_id, provider, ...role }
    await attempt(async () => ({ ...role, id: await assignRole(ctx, grant) }), given)
  }
  for (const grant of present.filter((one) => !wanted.some(isSame(one)))) {
    await attempt(async () => {
      await endGrants(ctx, account_id, [grant.id])
      return grant
    }, ended)
  }
  return { given, ended, refused }
}

/**
 * Refuses `last_admin` if a user was an admin of the whole account and no admin is left who can come in for longer than
 * minutes. For the removal of a way in, after it. Requires the account's lock.
 */
export async function refuseWithoutAdmin(ctx: Ctx, account_id: string, userId: string): Promise<void> {
  const held = await listPrincipalGrants(ctx, account_id, userId)
  if (!held.some(({ role_id, workspace_id }) => role_id === adminRole && workspace_id === null)) return
  if (!(await hasLastingAdmin(ctx, account_id))) refuseLastAdmin()
}

/** Whether an account has an admin who can come in for longer than minutes: by a token, a passkey or an identity. */
export async function hasLastingAdmin(ctx: Ctx, account_id: string): Promise<boolean> {
  return (await findAdmins(ctx, account_id, [])).lasts
}

/** Refuses `forbidden` unless the caller holds what the grants of others in a workspace give. */
export async function refuseGrantsInBeyondRights(ctx: Ctx, workspace_id: string): Promise<void> {
  const own = ctx.caller && principalOf(ctx.caller)
  const grants = await listRolesIn(ctx.db, workspace_id)
  refuseBeyondRights(
    ctx,
    grants.filter(({ principal_id }) => principal_id !== own),
  )
}

/** Deletes the grants in a workspace that is being deleted. Requires the account's lock. */
export async function removeGrantsIn(ctx: Ctx, account_id: string, workspace_id: string): Promise<void> {
  await returnLimit(ctx, account_id, 'grants', await removeInWorkspace(ctx.db, workspace_id))
}

/** The roles granted to a user or token. A session has those of its user. */
export function listPrincipalGrants({ db }: Ctx, account_id: string, principal_id: string): Promise<PrincipalGrant[]> {
  return listHeldRoles(db, account_id, [principal_id])
}

/**
 * Refuses `forbidden` unless the caller holds every right of a user or token. For all that acts on it: whoever ends,
 * removes or lets in somebody with more rights would take these, or take them away.
 */
export async function refusePrincipalBeyondRights(
  ctx: Ctx,
  { account_id, principal_id }: { readonly account_id: string; readonly principal_id: string },
): Promise<void> {
  // The rights of a caller are up to a second old, and nobody is kept from acting on itself.
  if (ctx.caller && principalOf(ctx.caller) === principal_id) return
  refuseBeyondRights(ctx, await listPrincipalGrants(ctx, account_id, principal_id))
}

/** Refuses `forbidden` unless the caller holds every right that some grants give. */
export function refuseBeyondRights(ctx: Ctx, grants: readonly PrincipalGrant[]): void {
  for (const grant of grants) {
    const rules = policyOf(grant)
    const lacking = rules && findLackingRight(ctx, rules, grant.workspace_id)
    if (lacking) refuse('forbidden', `This acts on somebody with a permission that you do not have: ${lacking}.`)
  }
}

/** The roles granted to some users and tokens, by id. Leaves out those without. A session has those of its user. */
export async function listGrantsByPrincipal(
  { db }: Ctx,
  account_id: string,
  ids: readonly string[],
): Promise<Map<string, PrincipalGrant[]>> {
  return Map.groupBy(await listHeldRoles(db, account_id, ids), ({ holder_id }) => holder_id)
}

/** Since when the caller, an operator, has had a right. Now, if it has just lost it. */
export async function rightOfCallerSince(ctx: Ctx, permission: Permission): Promise<number> {
  const caller = callerOf(ctx)
  return (
    platformRightSince(await listDatedGrants(ctx.db, caller.account_id, principalOf(caller)), permission) ?? ctx.now
  )
}

/** The principal of a caller: the user of a session, otherwise the token. */
export function principalOf(caller: Caller): Id<'user'> | Id<'token'> {
  return rightsOfCaller(caller).user_id ?? caller.token_id
}

async function endGrants(ctx: Ctx, account_id: string, ids: readonly string[]): Promise<number> {
  const admins = await findAdmins(ctx, account_id, ids)
  if (admins.goes && !admins.stays) refuseLastAdmin()
  const ended = await removeGrants(ctx.db, ids)
  await returnLimit(ctx, account_id, 'grants', ended)
  return ended
}

function findAdmins(ctx: Ctx, account_id: string, removed: readonly string[]) {
  const { now, services } = ctx
  const times = { now, signed_in_after: now - recentSignInSeconds }
  const issuers = services.sign_in_issuers(account_id)
  return findOtherAdmins(ctx.db, { account_id, role_id: adminRole, removed, issuers, ...times })
}

function refuseLastAdmin(): never {
  refuse('last_admin', 'The account would have no admin left: no token, and no user with a way in.')
}

async function loadGrant(ctx: Ctx, id: Id<'grant'>): Promise<GrantRow> {
  const row = await findGrant(ctx.db, id)
  return row?.account_id === callerOf(ctx).account_id ? row : refuseNotFound()
}

function presentGrant(row: GrantRow, found: ReadonlyMap<string, Summary>): Grant {
  const { id, principal_id, workspace_id, role_id, role_name, provider, created_at } = row
  const name = findBuiltInRole(role_id)?.name ?? (role_name as string)
  return {
    object: 'grant',
    id,
    principal_type: principal_id.startsWith('usr_') ? 'user' : 'token',
    principal_id,
    workspace: workspace_id === null ? null : pickSummary(found, 'workspace', workspace_id),
    role: { object: 'role', id: role_id, name },
    provider,
    created_at,
    created_by: presentCreator(row),
  }
}
