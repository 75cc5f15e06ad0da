import type { Id } from '../kit/ids.ts'
import { type PermissionResource, type PermissionVerb, permissionVerbs } from '../kit/permissions.ts'

/** What a rule allows: verbs by kind of resource; `*` means all. */
export type RoleActions = Partial<Record<PermissionResource | '*', (PermissionVerb | '*')[]>>

/** The names of the roles that every account has. */
export type BuiltInRoleName = 'admin' | 'operator' | 'trader' | 'viewer' | 'billing'

type BuiltInRole = { readonly id: Id<'role'>; readonly description: string; readonly actions: Readonly<RoleActions> }

function on(verbs: (PermissionVerb | '*')[], resources: PermissionResource[]): RoleActions {
  return Object.fromEntries(resources.map((resource) => [resource, [...verbs]]))
}

/** The built-in roles, which are immutable: their fixed ids and the one rule of each. */
export const builtInRoles: Readonly<Record<BuiltInRoleName, BuiltInRole>> = {
  admin: { id: 'role_admin', description: 'Everything.', actions: { '*': ['*'] } },
  operator: {
    id: 'role_operator',
    description: 'Runs instances, images and networks.',
    actions: {
      ...on(
        ['*'],
        [
          'instance',
          'instance_template',
          'image',
          'deployment',
          'firewall',
          'subnet',
          'infiniband_partition',
          'secret',
          'host',
        ],
      ),
      ...on(['read', 'list', 'create', 'write'], ['pool']),
      ...on(['read', 'list'], ['workspace', 'order', 'procurement', 'pool_transfer', 'webhook']),
      ...on(['list'], ['event']),
    },
  },
  trader: {
    id: 'role_trader',
    description: 'Buys, sells and moves capacity.',
    actions: {
      ...on(['*'], ['order', 'procurement', 'pool', 'pool_transfer']),
      ...on(['read', 'list'], ['workspace', 'instance', 'deployment', 'billing']),
      ...on(['list'], ['event']),
    },
  },
  viewer: {
    id: 'role_viewer',
    description: 'Reads everything but secrets.',
    actions: {
      ...on(
        ['read', 'list'],
        [
          'workspace',
          'user',
          'role',
          'grant',
          'token',
          'image',
          'instance_template',
          'instance',
          'pool',
          'pool_transfer',
          'order',
          'procurement',
          'deployment',
          'firewall',
          'subnet',
          'infiniband_partition',
          'billing',
          'webhook',
          'host',
        ],
      ),
      ...on(['list'], ['event']),
    },
  },
  billing: {
    id: 'role_billing',
    description: 'Looks after money.',
    actions: {
      ...on(['*'], ['billing']),
      ...on(['read', 'list'], ['workspace', 'pool', 'order']),
      ...on(['list'], ['event']),
    },
  },
}

/** Expands a list of verbs. */
export function verbsOf(verbs: readonly (PermissionVerb | '*')[]): readonly PermissionVerb[] {
  return verbs.includes('*') ? permissionVerbs : verbs.filter((verb) => verb !== '*')
}
