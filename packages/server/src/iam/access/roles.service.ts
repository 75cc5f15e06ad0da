import type { RoleActions } from '@bourse/api/iam/built-in-roles.ts'
import type {
  createRole as createContract,
  listRoles as listContract,
  Policy,
  Role,
  updateRole as updateContract,
} from '@bourse/api/iam/roles.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import { type Id, type Ref, resourcePath } from '@bourse/api/kit/ids.ts'
import { type Permission, permissionResources } from '@bourse/api/kit/permissions.ts'
import { refuse } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { pageResponse } from '../../core/work/page.ts'
import { returnLimit, takeLimit } from '../names/limit-usage.service.ts'
import { claimName, idToLoad, releaseName, renameName, resolveFilter } from '../names/names.service.ts'
import { findAccount, lockAccount } from '../names/owners.service.ts'
import { findLacking } from './permissions.rules.ts'
import { allow, refuseNotFound, rightsOfCaller } from './permissions.service.ts'
import { actionsOf, findBuiltInRole, type UsableRole } from './roles.rules.ts'
import {
  findRole,
  insertRole,
  isRoleAssigned,
  listRoles as listRows,
  listUsersWithRole,
  type RoleRow,
  removeRole,
  updateRole as updateRow,
} from './roles.store.ts'

/** Creates a role. Refuses `forbidden` if it gives a right that the caller lacks. */
export async function createRole(ctx: Ctx, { name, policy }: Input<typeof createContract>['body']): Promise<Role> {
  const { account_id } = callerOf(ctx)
  await allow(ctx, 'role:create', null)
  refuseRightsBeyondOwn(ctx, policy, null)
  await takeLimit(ctx, account_id, 'roles')
  const id = ctx.newId('role')
  await claimName(ctx, { id, kind: 'role', account_id, workspace_id: null, name })
  const row = { id, account_id, name, policy, created_at: ctx.now, updated_at: ctx.now }
  await insertRole(ctx.db, row)
  return presentRole(row)
}

/** Lists the built-in roles and the account's custom roles. */
export async function listRoles(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const { account_id } = callerOf(ctx)
  await allow(ctx, 'role:list', null)
  const ids = await resolveFilter(ctx, 'role', query.id)
  const page = await listRows(ctx, { account_id, ids, query })
  const builtIn = page.rows.some(({ role }) => role === null) ? await builtInRows(ctx) : undefined
  const rows = page.rows.map(({ id, role }) => role ?? builtIn?.(id)).filter((row) => row !== undefined)
  return pageResponse(page, rows.map(presentRole))
}

/** Reads one role. */
export async function getRole(ctx: Ctx, ref: Ref<'role'>): Promise<Role> {
  const row = await loadRole(ctx, ref)
  await allow(ctx, 'role:read', null)
  return presentRole(row)
}

/** Changes a custom role. The change applies to its grants at once, so nobody gives or takes a right that they lack. */
export async function updateRole(ctx: Ctx, { params, body }: Input<typeof updateContract>): Promise<Role> {
  const { id, account_id } = await loadRole(ctx, params.id)
  await allow(ctx, 'role:write', null)
  refuseBuiltIn(id)
  await lockAccount(ctx, account_id)
  const row = (await findRole(ctx.db, id)) ?? refuseNotFound()
  if (body.policy) {
    refuseRightsBeyondOwn(ctx, body.policy, null)
    refuseTakingBeyondOwn(ctx, row.policy)
  }
  if (body.name !== undefined && body.name !== row.name) {
    await renameName(ctx, { id: row.id, kind: 'role', name: body.name })
  }
  const { name = row.name, policy = row.policy } = body
  const changed = { ...row, name, policy, updated_at: ctx.now }
  const user_ids = body.policy ? await listUsersWithRole(ctx.db, id) : []
  await ctx.services.changeRights(ctx, { account_id, user_ids }, () => updateRow(ctx.db, changed))
  return presentRole(changed)
}

/** Deletes a custom role. Refuses `in_use` while it is granted. */
export async function deleteRole(ctx: Ctx, ref: Ref<'role'>): Promise<void> {
  const { id, account_id } = await loadRole(ctx, ref)
  await allow(ctx, 'role:delete', null)
  refuseBuiltIn(id)
  await lockAccount(ctx, account_id)
  if (await isRoleAssigned(ctx.db, id)) refuse('in_use', 'This role is granted. Delete its grants first.')
  if ((await removeRole(ctx.db, id)) === 0) refuseNotFound()
  await releaseName(ctx, id)
  await returnLimit(ctx, account_id, 'roles')
}

/** A role that can be granted in an account. Refuses `reference_not_found` on `field`. */
export async function findUsableRole(
  ctx: Ctx,
  account_id: string,
  ref: Ref<'role'>,
  field: string,
): Promise<UsableRole> {
  const id = await idToLoad(ctx, 'role', ref)
  const role = findBuiltInRole(id) ?? (await findRole(ctx.db, id))
  const isForeign = role && 'account_id' in role && role.account_id !== account_id
  return role && !isForeign ? role : refuse('reference_not_found', 'There is no such role.', field)
}

/** Refuses `forbidden` if a policy gives a right that the caller lacks in the scope. The message names the first. */
export function refuseRightsBeyondOwn(ctx: Ctx, policy: Policy, workspace_id: Id<'workspace'> | null): void {
  const lacking = findLackingRight(ctx, policy, workspace_id)
  if (lacking) refuse('forbidden', `You cannot grant a permission that you do not have: ${lacking}.`)
}

/** Refuses `forbidden` if a policy that another one replaces gives a right that the caller lacks. */
function refuseTakingBeyondOwn(ctx: Ctx, policy: Policy): void {
  const lacking = findLackingRight(ctx, policy, null)
  if (lacking) refuse('forbidden', `The role gives a permission that you do not have: ${lacking}.`)
}

/** The first right of a policy that the caller lacks in the scope; undefined if it has all. */
export function findLackingRight(
  { caller }: Ctx,
  policy: Policy,
  workspace_id: Id<'workspace'> | null,
): Permission | undefined {
  if (!caller) return undefined
  const { is_platform } = caller
  return findLacking(rightsOfCaller(caller), { actions: actionsOf(policy), workspace_id, is_platform })
}

function refuseBuiltIn(id: string): void {
  if (findBuiltInRole(id)) refuse('built_in_role', 'Built-in roles cannot be changed or deleted.')
}

async function loadRole(ctx: Ctx, ref: Ref<'role'>): Promise<RoleRow> {
  const id = await idToLoad(ctx, 'role', ref)
  if (findBuiltInRole(id)) return (await builtInRows(ctx))(id) as RoleRow
  const row = await findRole(ctx.db, id)
  return row?.account_id === callerOf(ctx).account_id ? row : refuseNotFound()
}

/** Finds built-in roles as rows of the caller's account, created together with it. */
async function builtInRows(ctx: Ctx): Promise<(id: string) => RoleRow | undefined> {
  const { account_id } = callerOf(ctx)
  const { created_at = 0 } = (await findAccount(ctx, account_id)) ?? {}
  return (id) => {
    const role = findBuiltInRole(id)
    return role && { ...role, account_id, created_at, updated_at: created_at }
  }
}

function presentRole({ id, account_id, name, policy, created_at, updated_at }: RoleRow): Role {
  return {
    object: 'role',
    id,
    resource_path: resourcePath('role', { account_id, name }),
    name,
    role_type: findBuiltInRole(id) ? 'built_in' : 'custom',
    policy: presentPolicy(policy),
    created_at,
    updated_at,
  }
}

/** The column is jsonb, which does not keep the order of fields. */
function presentPolicy({ api_version, description, rules }: Policy): Policy {
  return {
    api_version,
    ...(description === undefined ? {} : { description }),
    rules: rules.map(({ effect, actions }) => ({ effect, actions: inOrder(actions) })),
  }
}

function inOrder(actions: RoleActions): RoleActions {
  const resources = ['*', ...permissionResources] as const
  const locked = resources.filter((resource) => actions[resource] !== undefined)
  return Object.fromEntries(locked.map((resource) => [resource, actions[resource]]))
}
