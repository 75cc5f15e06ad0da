import type {
  checkPermissions as checkContract,
  getPermissions as getContract,
  Permissions,
} from '@bourse/api/iam/permissions.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import { refuse } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { pickSummary, summaries } from '../names/names.service.ts'
import { listPrincipalGrants, principalOf } from './grants.service.ts'
import { decide, listVerbs, type Rights, rightsOf } from './permissions.rules.ts'
import { chooseWorkspace, hasPermission, rightsOfCaller } from './permissions.service.ts'
import { assignedRoles } from './roles.rules.ts'

/** Whether the caller has all of the given permissions. */
export async function checkPermissions(ctx: Ctx, body: Input<typeof checkContract>['body']) {
  const caller = callerOf(ctx)
  const workspace_id = body.workspace === undefined ? null : await chooseWorkspace(ctx, body.workspace)
  const rights = rightsOfCaller(caller)
  const { is_frozen } = caller
  const allowed = body.actions.every(
    (permission) => decide(rights, { permission, workspace_id, is_frozen }) === 'allowed',
  )
  return { object: 'permission_check' as const, allowed }
}

/** The effective permissions of the caller, or of another user or token of the account. */
export async function getPermissions(ctx: Ctx, query: Input<typeof getContract>['query']): Promise<Permissions> {
  const caller = callerOf(ctx)
  const { principal_type, principal_id } = query
  if ((principal_type === undefined) !== (principal_id === undefined)) {
    const missing = principal_type === undefined ? 'principal_type' : 'principal_id'
    refuse('required', 'Give principal_type and principal_id together, or neither.', missing)
  }
  const own: string[] = [caller.token_id, principalOf(caller)]
  if (principal_id === undefined || own.includes(principal_id)) return present(ctx, rightsOfCaller(caller))
  // 403 even if the caller sees no grants: the request does not name a resource, so 404 does not apply.
  if (!hasPermission(ctx, 'grant:read', null)) refuse('forbidden', 'This needs the permission grant:read.')
  if (!principal_id.startsWith(principal_type === 'user' ? 'usr_' : 'tokn_')) {
    refuse('invalid_value', 'The id is not of this type.', 'principal_id')
  }
  const grants = await listPrincipalGrants(ctx, caller.account_id, principal_id)
  return present(ctx, rightsOf(assignedRoles(grants), caller))
}

async function present(ctx: Ctx, rights: Rights): Promise<Permissions> {
  const ids = [...rights.workspaces.keys()].sort()
  const found = await summaries(ctx, ids)
  const workspaces = ids
    .filter((id) => found.has(id))
    .map((id) => ({ workspace: pickSummary(found, 'workspace', id), actions: listVerbs(rights, id) }))
  return { object: 'permissions', account: listVerbs(rights, null), workspaces } as Permissions
}
