/** The built-in roles, in the shape of custom roles. */
import { type BuiltInRoleName, builtInRoles, type RoleActions } from '@bourse/api/iam/built-in-roles.ts'
import type { Policy } from '@bourse/api/iam/roles.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Permission } from '@bourse/api/kit/permissions.ts'
import { type AssignedRole, decide, rightsOf } from './permissions.rules.ts'

/** A built-in or custom role that can be granted. */
export type UsableRole = { readonly id: Id<'role'>; readonly name: string; readonly policy: Policy }

/** A grant with the policy of its role; null for a built-in role. */
export type PrincipalGrant = {
  readonly workspace_id: Id<'workspace'> | null
  readonly role_id: Id<'role'>
  readonly policy: Policy | null
}

/** A grant, and what tells since when it gives what it gives. */
export type DatedGrant = PrincipalGrant & {
  readonly created_at: number
  /** The provider whose groups gave it. */
  readonly provider: string | null
  /** When a custom role was last changed; null for a built-in one. */
  readonly role_updated_at: number | null
}

/** The role with every right. */
export const adminRole = builtInRoles.admin.id

const byId = new Map<string, UsableRole>(
  Object.entries(builtInRoles).map(([name, { id, description, actions }]) => {
    const policy: Policy = {
      api_version: 'roles/v1',
      description,
      rules: [{ effect: 'allow', actions: { ...actions } }],
    }
    return [id, { id, name: name as BuiltInRoleName, policy }]
  }),
)

/** A built-in role by its id; undefined for other ids. */
export function findBuiltInRole(id: string): UsableRole | undefined {
  return byId.get(id)
}

/** The policy of a granted role; undefined if the role is unknown. */
export function policyOf({ policy, role_id }: PrincipalGrant): Policy | undefined {
  return policy ?? findBuiltInRole(role_id)?.policy
}

/** The actions of each rule of a policy. */
export function actionsOf(policy: Policy): RoleActions[] {
  return policy.rules.map(({ actions }) => actions)
}

/** Converts grants for {@link rightsOf}. Leaves out unknown roles. */
export function assignedRoles(grants: readonly PrincipalGrant[]): AssignedRole[] {
  return grants.flatMap(({ workspace_id, role_id, policy }) => {
    const rules = policy ?? findBuiltInRole(role_id)?.policy
    return rules ? [{ workspace_id, actions: actionsOf(rules) }] : []
  })
}

/**
 * Since when a principal has had a right in the whole platform account by what people gave: by the oldest grant whose
 * role gives it, from the last change of that role on. The groups of a provider gave what they give always, as nobody
 * here decides on them. Undefined without the right.
 */
export function platformRightSince(grants: readonly DatedGrant[], permission: Permission): number | undefined {
  const since = grants.flatMap((grant) => {
    const rights = rightsOf(assignedRoles([grant]), { is_platform: true })
    if (decide(rights, { permission, workspace_id: null, is_frozen: false }) !== 'allowed') return []
    return [Math.max(grant.provider === null ? grant.created_at : 0, grant.role_updated_at ?? 0)]
  })
  return since.length === 0 ? undefined : Math.min(...since)
}
