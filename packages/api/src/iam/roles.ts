import { endpoint } from '../kit/endpoint.ts'
import { permissionResources, permissionVerbs } from '../kit/permissions.ts'
import {
  array,
  constant,
  id,
  idOrPath,
  name,
  object,
  oneOf,
  optional,
  pageOf,
  pageParameters,
  path,
  repeated,
  resource,
  type Static,
  schemaOf,
  type TUnsafe,
  text,
  timestamp,
} from '../kit/schema.ts'
import type { RoleActions } from './built-in-roles.ts'

const area = 'roles'

// Every defect of a policy is one `invalid_policy`, so every part of its schema has that code.
const invalid = { code: 'invalid_policy', code_always: true }

/** Verbs by kind of resource, `*` for all; no empty lists. */
function actions(): TUnsafe<RoleActions> {
  const verbs = array(oneOf(['*', ...permissionVerbs], invalid), { min: 1, max: 6, ...invalid })
  const members = Object.fromEntries(['*', ...permissionResources].map((kind) => [kind, optional(verbs)]))
  return schemaOf<RoleActions>(object(members, { ...invalid, min_properties: 1, description: 'Verbs by resource.' }))
}

const rule = object({ effect: oneOf(['allow'], invalid), actions: actions() }, invalid)

/** The rules of a role. Everything that no rule allows is denied. */
export const policy = object(
  {
    api_version: oneOf(['roles/v1'], invalid),
    description: optional(text({ max: 255, ...invalid })),
    rules: array(rule, { min: 1, max: 50, ...invalid }),
  },
  invalid,
)
export type Policy = Static<typeof policy>

/** A named set of permissions. */
export const role = resource('Role', {
  object: constant('role'),
  id: id('role'),
  resource_path: path('role'),
  name: name(),
  role_type: oneOf(['built_in', 'custom']),
  policy,
  created_at: timestamp(),
  updated_at: timestamp(),
})
export type Role = Static<typeof role>

const params = { id: idOrPath('role') }

export const listRoles = endpoint({
  name: 'list_roles',
  method: 'GET',
  path: '/preview/v2/roles',
  area,
  summary: 'List roles: the built-in ones first, then your own, newest first.',
  query: { ...pageParameters('rolec'), id: repeated(idOrPath('role')) },
  response: pageOf(role, 'rolec'),
  access: 'role:list',
  scope: 'account',
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const createRole = endpoint({
  name: 'create_role',
  method: 'POST',
  path: '/preview/v2/roles',
  area,
  summary: 'Create a role. Nobody may write rights into it that they lack.',
  body: object({ name: name(), policy }),
  response: role,
  access: 'role:create',
  scope: 'account',
  idempotent: true,
  errors: ['insufficient_user_authentication', 'invalid_policy', 'forbidden', 'name_taken', 'limit_exceeded'],
})

export const getRole = endpoint({
  name: 'get_role',
  method: 'GET',
  path: '/preview/v2/roles/:id',
  area,
  summary: 'Read one role.',
  params,
  response: role,
  access: 'role:read',
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

export const updateRole = endpoint({
  name: 'update_role',
  method: 'PUT',
  path: '/preview/v2/roles/:id',
  area,
  summary: 'Change a role of your own; existing grants follow at once.',
  params,
  body: object({ name: optional(name()), policy: optional(policy) }),
  response: role,
  access: 'role:write',
  scope: 'account',
  errors: [
    'invalid_policy',
    'forbidden',
    'insufficient_user_authentication',
    'not_found',
    'name_taken',
    'built_in_role',
  ],
})

export const deleteRole = endpoint({
  name: 'delete_role',
  method: 'DELETE',
  path: '/preview/v2/roles/:id',
  area,
  summary: 'Delete a role of your own that nobody holds.',
  params,
  access: 'role:delete',
  scope: 'account',
  errors: ['forbidden', 'not_found', 'in_use', 'built_in_role'],
})

export const operations = [listRoles, createRole, getRole, updateRole, deleteRole] as const
