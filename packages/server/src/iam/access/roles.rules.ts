/** The built-in roles, in the shape of custom roles. */
import { type BuiltInRoleName, builtInRoles, type RoleActions } from '@bourse/api/iam/built-in-roles.ts'
import type { Policy } from '@bourse/api/iam/roles.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { AssignedRole } from './permissions.rules.ts'

/** A built-in or custom role that can be granted. */
export type UsableRole = { readonly id: Id<'role'>; readonly name: string; readonly policy: Policy }

/** A grant with the policy of its role; null for a built-in role. */
export type PrincipalGrant = {
  readonly workspace_id: Id<'workspace'> | null
  readonly role_id: Id<'role'>
  readonly policy: Policy | null
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
