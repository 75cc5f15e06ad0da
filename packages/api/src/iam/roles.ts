import { endpoint } from '../kit/endpoint.ts'
import { permissionResources, permissionVerbs } from '../kit/permissions.ts'
import {
  array,
  constant,
  createdAt,
  id,
  idOrPath,
  name,
  newName,
  object,
  oneOf,
  onlyThis,
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
  updatedAt,
} from '../kit/schema.ts'
import type { RoleActions } from './built-in-roles.ts'

const area = 'roles'

// Every defect of a policy is one `invalid_policy`, so every part of its schema has that code.
const invalid = { code: 'invalid_policy', code_always: true }

/** Verbs by kind of resource, `*` for all; no empty lists. */
function actions(): TUnsafe<RoleActions> {
  const members = Object.fromEntries(
    ['*', ...permissionResources].map((kind) => {
      const description = kind === '*' ? 'Verbs on all kinds of resources.' : `Verbs on the kind \`${kind}\`.`
      const verbs = array(oneOf(['*', ...permissionVerbs], invalid), { min: 1, max: 6, ...invalid, description })
      return [kind, optional(verbs)]
    }),
  )
  return schemaOf<RoleActions>(
    object(members, {
      ...invalid,
      min_properties: 1,
      description: 'The verbs that it allows, by kind of resource. `*` stands for all.',
    }),
  )
}

const rule = object(
  { effect: oneOf(['allow'], { ...invalid, description: 'Rules only allow.' }), actions: actions() },
  invalid,
)

/** The rules of a role. Everything that no rule allows is denied. */
export const policy = object(
  {
    api_version: oneOf(['roles/v1'], { ...invalid, description: 'Version of the policy format.' }),
    description: optional(text({ max: 255, ...invalid, description: 'A note for people.' })),
    rules: array(rule, { min: 1, max: 50, ...invalid, description: 'What the role allows. The rules add up.' }),
  },
  {
    ...invalid,
    description:
      'Rules of the role: which verbs it allows on which kinds of resource. A new policy replaces the old one.',
  },
)
export type Policy = Static<typeof policy>

export const role = resource('Role', 'A named set of permissions.', {
  object: constant('role'),
  id: id('role'),
  resource_path: path('role'),
  name: name({ description: 'Name, unique in the account.' }),
  role_type: oneOf(['built_in', 'custom'], {
    description: '`built_in`: every account has it, and nobody can change it.',
  }),
  policy,
  created_at: createdAt,
  updated_at: updatedAt,
})
export type Role = Static<typeof role>

const params = { id: idOrPath('role') }

export const listRoles = endpoint({
  name: 'list_roles',
  method: 'GET',
  path: '/preview/v2/roles',
  area,
  summary: 'List roles',
  description: 'Shows the built-in roles first, then the roles of your account, newest first.',
  query: { ...pageParameters('rolec'), id: repeated(idOrPath('role', onlyThis)) },
  response: pageOf(role, 'rolec'),
  access: 'role:list',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const createRole = endpoint({
  name: 'create_role',
  method: 'POST',
  path: '/preview/v2/roles',
  area,
  summary: 'Create a role',
  description:
    'Creates a named set of permissions, which nobody holds yet: `create_grant` gives it. The policy may only name ' +
    'permissions that the caller has for the whole account.',
  body: object({ name: name({ description: 'Name of the role, unique in the account.' }), policy }),
  response: role,
  access: 'role:create',
  trust: { limited: 'none', recent_sign_in: 'always', trail: 'entry' },
  scope: 'account',
  idempotent: true,
  errors: ['insufficient_user_authentication', 'invalid_policy', 'forbidden', 'name_taken', 'limit_exceeded'],
})

export const getRole = endpoint({
  name: 'get_role',
  method: 'GET',
  path: '/preview/v2/roles/:id',
  area,
  summary: 'Get a role',
  description:
    'Shows the name and the policy of a built-in role or of a role of your account. `list_grants` with `role` shows ' +
    'who holds it.',
  params,
  response: role,
  access: 'role:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

export const updateRole = endpoint({
  name: 'update_role',
  method: 'PUT',
  path: '/preview/v2/roles/:id',
  area,
  summary: 'Change a role',
  description:
    'Replaces the name or the policy of a role of your account; existing grants follow within a second. A new policy ' +
    'needs every permission that the old and the new policy give. Built-in roles cannot change.',
  params,
  body: object({ name: optional(newName()), policy: optional(policy) }),
  response: role,
  access: 'role:write',
  trust: { limited: 'none', recent_sign_in: 'always', trail: 'entry' },
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
  summary: 'Delete a role',
  description:
    'Deletes a role of your account that no grant gives; otherwise it is refused with `in_use`. `list_grants` with ' +
    '`role` finds the grants. Built-in roles stay.',
  params,
  access: 'role:delete',
  trust: { limited: 'none', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  scope: 'account',
  errors: ['forbidden', 'not_found', 'in_use', 'built_in_role'],
})

export const operations = [listRoles, createRole, getRole, updateRole, deleteRole] as const
