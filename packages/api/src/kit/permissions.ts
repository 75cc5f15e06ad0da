/** The kinds of resources of permissions. */
export const permissionResources = [
  'workspace',
  'user',
  'role',
  'grant',
  'token',
  'image',
  'instance_template',
  'instance',
  'secret',
  'pool',
  'pool_transfer',
  'order',
  'procurement',
  'deployment',
  'firewall',
  'subnet',
  'infiniband_partition',
  'billing',
  'event',
  'audit',
  'webhook',
  'host',
  'platform',
] as const

/** The verbs of permissions. */
export const permissionVerbs = ['create', 'read', 'list', 'write', 'delete'] as const

export type PermissionResource = (typeof permissionResources)[number]
export type PermissionVerb = (typeof permissionVerbs)[number]
/** One permission: `firewall:delete`. */
export type Permission = `${PermissionResource}:${PermissionVerb}`

/** Kinds whose permissions exist for the whole account only. `workspace:create` is account-wide too. */
export const accountWideResources: readonly PermissionResource[] = [
  'user',
  'role',
  'billing',
  'audit',
  'webhook',
  'platform',
]

/** Splits a permission into kind and verb. */
export function splitPermission(permission: Permission): { resource: PermissionResource; verb: PermissionVerb } {
  const [resource, verb] = permission.split(':') as [PermissionResource, PermissionVerb]
  return { resource, verb }
}
