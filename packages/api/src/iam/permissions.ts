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
import { principalIdText, principalTypes } from './grants.ts'

const area = 'permissions'

/** One existing permission, `resource:verb`. */
function permission(): TUnsafe<Permission> {
  const pattern = `^(?:${permissionResources.join('|')}):(?:${permissionVerbs.join('|')})$`
  const words = { description: 'A right, such as `firewall:delete`.', form: 'a right that exists, as `resource:verb`' }
  return schemaOf<Permission>(text({ max: 64, pattern, ...words }))
}

const verbs = array(oneOf(permissionVerbs), { max: permissionVerbs.length })
const kindsMax = { max: permissionResources.length }
const effective = record(verbs, {
  ...kindsMax,
  description: 'The allowed verbs, by kind of resource. A kind without allowed verbs is absent.',
})

export const permissions = resource(
  'Permissions',
  'The permissions of a caller or principal, from all grants together.',
  {
    object: constant('permissions'),
    account: record(verbs, { ...kindsMax, description: 'What is allowed in the whole account: verbs by kind.' }),
    workspaces: array(
      resource('WorkspacePermissions', 'What is allowed in one workspace.', {
        workspace: workspaceSummary,
        actions: effective,
      }),
      {
        max: 100_000,
        description: 'What is allowed in each workspace. Workspaces in which nothing is allowed are absent.',
      },
    ),
  },
)
export type Permissions = Static<typeof permissions>

export const checkPermissions = endpoint({
  name: 'check_permissions',
  method: 'POST',
  path: '/preview/v2/permissions/check',
  area,
  summary: 'Check permissions',
  description:
    'Says whether the caller has all of the given permissions, in one workspace or for the whole account. ' +
    '`get_permissions` lists what the caller has.',
  body: object({
    actions: array(permission(), {
      min: 1,
      max: 100,
      description: 'Permissions to check, such as `firewall:delete`.',
    }),
    workspace: optional(idOrPath('workspace', { description: 'Workspace to check. Default: the whole account.' })),
  }),
  success: 200,
  response: resource('PermissionCheck', 'The response to a check.', {
    object: constant('permission_check'),
    allowed: boolean({ description: 'Whether all of the permissions are held.' }),
  }),
  access: 'open',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  errors: ['reference_not_found'],
})

export const getPermissions = endpoint({
  name: 'get_permissions',
  method: 'GET',
  path: '/preview/v2/permissions',
  area,
  summary: 'Get effective permissions',
  description:
    'Shows what all grants of the caller allow together. With `grant:read` for the whole account it also shows what ' +
    'the grants of another user or token allow. `list_grants` shows where they come from.',
  query: {
    principal_type: optional(
      oneOf(principalTypes, {
        description: 'Whether the principal is a user or a token. Only together with its id. Default: the caller.',
      }),
    ),
    principal_id: optional(principalIdText('Whose permissions to show: the id of a user or token. Default: your own.')),
  },
  response: permissions,
  access: 'open',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['forbidden'],
})

export const operations = [checkPermissions, getPermissions] as const
