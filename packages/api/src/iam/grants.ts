import { endpoint } from '../kit/endpoint.ts'
import {
  constant,
  createdAt,
  here,
  id,
  idOrPath,
  nullable,
  object,
  ofThis,
  oneOf,
  optional,
  pageOf,
  pageParameters,
  repeated,
  resource,
  type Static,
  text,
} from '../kit/schema.ts'
import { principal, roleSummary, workspaceSummary } from '../kit/summaries.ts'

const area = 'grants'

/** The kinds of principals that can have a role. */
export const principalTypes = ['user', 'token'] as const

/** Whether a user or a token has a role. */
export const principalType = oneOf(principalTypes, {
  description: 'Whether a user or a token has the role.',
})

/** The id of a user or of a token. */
export const principalIdText = (description: string) =>
  text({
    max: 32,
    pattern: '^(?:usr|tokn)_[0-9a-zA-Z_-]{1,21}$',
    form: 'an id that begins with `usr_` or `tokn_`',
    description,
  })
const principalId = principalIdText('Id of the user or token that has the role.')

export const grant = resource('Grant', 'A role of a user or token, in one workspace or in the whole account.', {
  object: constant('grant'),
  id: id('grant'),
  principal_type: principalType,
  principal_id: principalId,
  workspace: nullable(here(workspaceSummary, 'Where the role counts. `null`: in the whole account.')),
  role: roleSummary,
  provider: nullable(
    text({
      max: 32,
      description: 'The sign-in provider whose groups give and remove it. `null`: it is not from a provider.',
    }),
  ),
  created_at: createdAt,
  created_by: principal,
})
export type Grant = Static<typeof grant>

const params = { id: id('grant') }

export const createGrant = endpoint({
  name: 'create_grant',
  method: 'POST',
  path: '/preview/v2/grants',
  area,
  summary: 'Create a grant',
  description:
    'Gives a role to a user or a token. Without `workspace` the role holds in all workspaces of the account, also ' +
    'future ones, and for resources of the account itself, such as users and billing. Grants add up: no grant takes ' +
    'away what another grant gives. Nobody can grant a permission or a scope that they lack.',
  body: object({
    principal_type: principalType,
    principal_id: principalId,
    role: idOrPath('role'),
    workspace: optional(
      idOrPath('workspace', { description: 'Workspace in which the role counts. Default: the whole account.' }),
    ),
  }),
  response: grant,
  access: 'grant:create',
  trust: { limited: 'none', recent_sign_in: 'always', trail: 'entry' },
  idempotent: true,
  errors: ['forbidden', 'insufficient_user_authentication', 'grant_exists', 'reference_not_found', 'limit_exceeded'],
})

export const listGrants = endpoint({
  name: 'list_grants',
  method: 'GET',
  path: '/preview/v2/grants',
  area,
  summary: 'List grants',
  description: 'Newest first. Without the permission to list grants, only your own are shown.',
  query: {
    ...pageParameters('grntc'),
    workspace: optional(idOrPath('workspace', ofThis('workspace'))),
    principal_id: repeated(principalId, {
      description: 'Only grants of this user or token: its id. May be repeated; any may match.',
    }),
    role: optional(idOrPath('role', ofThis('role'))),
  },
  response: pageOf(grant, 'grntc'),
  access: 'grant:list',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'mutually_exclusive'],
})

export const getGrant = endpoint({
  name: 'get_grant',
  method: 'GET',
  path: '/preview/v2/grants/:id',
  area,
  summary: 'Get a grant',
  description: 'Shows who holds which role, and where. Your own grants are always readable.',
  params,
  response: grant,
  access: 'grant:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const deleteGrant = endpoint({
  name: 'delete_grant',
  method: 'DELETE',
  path: '/preview/v2/grants/:id',
  area,
  summary: 'Delete a grant',
  description:
    'Takes the role away, on every replica within a second; other grants of the same user or token stay. This needs ' +
    'every permission that the grant gives. The last grant of `admin` for the whole account cannot be deleted.',
  params,
  access: 'grant:delete',
  trust: { limited: 'none', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  errors: ['forbidden', 'not_found', 'last_admin'],
})

export const operations = [createGrant, listGrants, getGrant, deleteGrant] as const
