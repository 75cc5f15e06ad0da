import { endpoint } from '../kit/endpoint.ts'
import { type Permission, permissionResources, permissionVerbs } from '../kit/permissions.ts'
import {
  array,
  boolean,
  constant,
  idOrPath,
  object,
  oneOf,
  optional,
  record,
  resource,
  type Static,
  schemaOf,
  type TUnsafe,
  text,
} from '../kit/schema.ts'
import { workspaceSummary } from '../kit/summaries.ts'
import { principalId, principalTypes } from './grants.ts'

const area = 'permissions'

/** One existing permission, `resource:verb`. */
function permission(): TUnsafe<Permission> {
  const pattern = `^(?:${permissionResources.join('|')}):(?:${permissionVerbs.join('|')})$`
  const words = { description: 'For example `firewall:delete`.', form: 'a right that exists, as `resource:verb`' }
  return schemaOf<Permission>(text({ max: 64, pattern, ...words }))
}

const effective = record(array(oneOf(permissionVerbs), { max: permissionVerbs.length }), {
  max: permissionResources.length,
  description: 'Verbs by resource.',
})

/** The permissions of a caller or principal, from all grants together. */
export const permissions = resource('Permissions', {
  object: constant('permissions'),
  account: effective,
  workspaces: array(resource('WorkspacePermissions', { workspace: workspaceSummary, actions: effective }), {
    max: 100_000,
  }),
})
export type Permissions = Static<typeof permissions>

export const checkPermissions = endpoint({
  name: 'check_permissions',
  method: 'POST',
  path: '/preview/v2/permissions/check',
  area,
  summary: 'Ask whether you hold all of some rights.',
  body: object({
    actions: array(permission(), { min: 1, max: 100 }),
    workspace: optional(
      idOrPath('workspace', { description: 'Workspace id or path; absent = for the whole account.' }),
    ),
  }),
  success: 200,
  response: resource('PermissionCheck', { object: constant('permission_check'), allowed: boolean() }),
  access: 'open',
  errors: ['reference_not_found'],
})

export const getPermissions = endpoint({
  name: 'get_permissions',
  method: 'GET',
  path: '/preview/v2/permissions',
  area,
  summary: 'Read the effective rights of yourself or, with `grant:read` for the whole account, of another.',
  query: {
    principal_type: optional(oneOf(principalTypes, { description: 'Together with `principal_id`, or not at all.' })),
    principal_id: optional(principalId),
  },
  response: permissions,
  access: 'open',
  scope: 'account',
  errors: ['forbidden'],
})

export const operations = [checkPermissions, getPermissions] as const
