import { endpoint } from '../kit/endpoint.ts'
import {
  constant,
  createdAt,
  givenName,
  id,
  idOrPath,
  name,
  newName,
  object,
  onlyThis,
  optional,
  pageOf,
  pageParameters,
  path,
  repeated,
  resource,
  type Static,
} from '../kit/schema.ts'

const area = 'workspaces'

export const workspace = resource(
  'Workspace',
  'A container of resources. Names are unique and permissions are granted per workspace.',
  {
    object: constant('workspace'),
    id: id('workspace'),
    resource_path: path('workspace'),
    name: name({ description: 'Name, unique in the account.' }),
    created_at: createdAt,
  },
)
export type Workspace = Static<typeof workspace>

const params = { id: idOrPath('workspace') }

export const createWorkspace = endpoint({
  name: 'create_workspace',
  method: 'POST',
  path: '/v2/workspaces',
  area,
  summary: 'Create a workspace',
  description:
    'Creates an empty workspace with a default firewall. Grants for the whole account hold in it at once; other ' +
    'users and tokens need a grant, by `create_grant`.',
  body: object({ name: optional(givenName()) }),
  response: workspace,
  access: 'workspace:create',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
  scope: 'account',
  idempotent: true,
  errors: ['forbidden', 'name_taken', 'limit_exceeded'],
})

export const listWorkspaces = endpoint({
  name: 'list_workspaces',
  method: 'GET',
  path: '/v2/workspaces',
  area,
  summary: 'List workspaces',
  description: 'Newest first. Workspaces in which you may not list workspaces are left out.',
  query: { ...pageParameters('wkspc'), id: repeated(idOrPath('workspace', onlyThis)) },
  response: pageOf(workspace, 'wkspc'),
  access: 'workspace:list',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getWorkspace = endpoint({
  name: 'get_workspace',
  method: 'GET',
  path: '/v2/workspaces/:id',
  area,
  summary: 'Get a workspace',
  description:
    'Shows the name and the path of a workspace. Lists of resources, such as `list_pools`, take it as a filter.',
  params,
  response: workspace,
  access: 'workspace:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const updateWorkspace = endpoint({
  name: 'update_workspace',
  method: 'PATCH',
  path: '/v2/workspaces/:id',
  area,
  summary: 'Rename a workspace',
  description:
    'The paths of the workspace and of everything in it change at once, and the old paths are no longer valid. Ids ' +
    'stay the same.',
  params,
  body: object({ name: optional(newName()) }),
  response: workspace,
  access: 'workspace:write',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
  errors: ['forbidden', 'not_found', 'name_taken'],
})

export const deleteWorkspace = endpoint({
  name: 'delete_workspace',
  method: 'DELETE',
  path: '/v2/workspaces/:id',
  area,
  summary: 'Delete a workspace',
  description:
    'Only an empty workspace can be deleted; its default firewall does not count. The last workspace of an account ' +
    'cannot be deleted. The grants in the workspace end, and so do the sessions whose home it is. The caller needs ' +
    'every permission that these grants give, and every right of the users of these sessions.',
  params,
  access: 'workspace:delete',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  errors: ['forbidden', 'not_found', 'not_empty', 'last_workspace'],
})

export const operations = [createWorkspace, listWorkspaces, getWorkspace, updateWorkspace, deleteWorkspace] as const
