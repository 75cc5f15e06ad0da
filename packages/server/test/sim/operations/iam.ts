/** Workspaces, users, roles, grants and tokens. */

import {
  anyActor,
  anyName,
  type CallPlan,
  defined,
  maybe,
  maybeKey,
  pickResource,
  recording,
  refTo,
  removal,
  type SimActor,
  type SimContext,
  type SimOperation,
} from '../context.ts'
import type { Resource } from '../inventory.ts'

const verbs = { instance: ['*'], firewall: ['read', 'write'], event: ['list'], secret: ['read'] }

/** A change of the name, or an empty change. */
function rename(context: SimContext, kind: 'workspace' | 'user', base: string): CallPlan | undefined {
  const actor = anyActor(context)
  const resource = pickResource(context, actor, kind)
  if (!resource) return undefined
  const op = kind === 'workspace' ? 'update_workspace' : 'update_user'
  const body = defined({ name: maybe(context, 80, () => anyName(context, base)) })
  return {
    op,
    actor,
    body,
    params: { id: context.inventory.ref(resource, context.choices) },
    touches: [resource],
    record: recording(context, { ...actor, id: resource.account }, kind),
  }
}

function createWorkspace(context: SimContext): CallPlan {
  const actor = anyActor(context)
  const body = defined({ name: maybe(context, 80, () => anyName(context, 'space', 4)) })
  return { op: 'create_workspace', actor, body, key: maybeKey(context), record: recording(context, actor, 'workspace') }
}

function createUser(context: SimContext): CallPlan {
  const actor = anyActor(context)
  const email = `${anyName(context, 'someone', 9)}@example.org`
  const body = defined({ email, name: maybe(context, 70, () => anyName(context, 'user')), first_name: 'Some' })
  return { op: 'create_user', actor, body, key: maybeKey(context), record: recording(context, actor, 'user') }
}

function policyFor({ choices }: SimContext) {
  const actions = choices.chance(40) ? verbs : { [choices.pick(['pool', 'image', 'deployment'])]: ['*'] }
  return { api_version: 'roles/v1', rules: [{ effect: 'allow', actions }] }
}

function createRole(context: SimContext): CallPlan {
  const actor = anyActor(context)
  const body = { name: anyName(context, 'role'), policy: policyFor(context) }
  return { op: 'create_role', actor, body, key: maybeKey(context), record: recording(context, actor, 'role') }
}

function updateRole(context: SimContext): CallPlan | undefined {
  const actor = anyActor(context)
  const role = pickResource(context, actor, 'role')
  const isBuiltIn = context.choices.chance(10)
  if (!role && !isBuiltIn) return undefined
  const body = defined({
    name: maybe(context, 50, () => anyName(context, 'role')),
    policy: maybe(context, 50, () => policyFor(context)),
  })
  if (isBuiltIn || !role) return { op: 'update_role', actor, body, params: { id: 'role_operator' } }
  return {
    op: 'update_role',
    actor,
    body,
    params: { id: role.id },
    touches: [role],
    record: recording(context, { ...actor, id: role.account }, 'role'),
  }
}

function deleteRole(context: SimContext): CallPlan | undefined {
  if (context.choices.chance(10)) return { op: 'delete_role', actor: anyActor(context), params: { id: 'role_viewer' } }
  return removal(context, 'delete_role', 'role')
}

function anyRole(context: SimContext, actor: SimActor): string {
  const own = refTo(context, actor, 'role')
  return own && context.choices.chance(50) ? own : context.choices.pick(['role_viewer', 'role_operator', 'role_admin'])
}

function createGrant(context: SimContext): CallPlan | undefined {
  const actor = anyActor(context)
  const principal_type = context.choices.pick(['token', 'user'])
  const principal = pickResource(context, actor, principal_type as 'token' | 'user')
  if (!principal) return undefined
  // With a second admin the first one could be removed, and with it the token that the harness reads with.
  const drawn = anyRole(context, actor)
  const role = drawn === 'role_admin' && !actor.isDisposable ? 'role_viewer' : drawn
  const workspace = maybe(context, 50, () => refTo(context, actor, 'workspace'))
  const body = defined({ principal_type, principal_id: principal.id, role, workspace })
  return { op: 'create_grant', actor, body, key: maybeKey(context), record: recording(context, actor, 'grant') }
}

function createToken(context: SimContext): CallPlan {
  const actor = anyActor(context)
  const roles = context.choices.chance(60) ? [anyRole(context, actor)] : undefined
  const workspace = maybe(context, 40, () => refTo(context, actor, 'workspace'))
  const name = maybe(context, 60, () => anyName(context, 'token'))
  const expires_at = maybe(context, 40, () => (context.choices.chance(50) ? null : context.now + 3600))
  const keep = recording(context, actor, 'token')
  const record = (body: any) => {
    keep(body)
    actor.tokens.set(body.id, body.token)
  }
  const body = defined({ name, workspace, roles, expires_at })
  return { op: 'create_token', actor, body, key: maybeKey(context), record }
}

function deleteToken(context: SimContext): CallPlan | undefined {
  const actor = anyActor(context)
  const plan = removal(context, 'delete_token', 'token', { actor })
  const record = (body: any) => {
    plan?.record?.(body)
    actor.tokens.delete(plan?.params?.id ?? '')
  }
  return plan && { ...plan, record }
}

/** The only admin of an account removes its token or its grant. */
function resign(context: SimContext): CallPlan | undefined {
  const actor = context.choices.pick(context.actors.filter(({ isDisposable }) => !isDisposable))
  if (context.choices.chance(50)) return { op: 'delete_token', actor, params: { id: actor.token_id } }
  const query = `principal_id=${actor.token_id}&role=role_admin`
  return {
    op: 'list_grants',
    actor,
    query,
    next: ({ body }) => {
      const grant = body?.data?.find(({ workspace }: any) => workspace === null)
      return grant && { op: 'delete_grant', actor, params: { id: grant.id } }
    },
  }
}

/** A user becomes an admin beside the only admin token, which tries to go. A token that equals an admin ends it. */
function inherit(context: SimContext): CallPlan | undefined {
  const { inventory } = context
  const actor = context.actors.find(({ isDisposable, tokens }) => isDisposable && tokens.size === 0)
  if (!actor) return undefined
  const policy = { api_version: 'roles/v1', rules: [{ effect: 'allow', actions: { '*': ['*'] } }] }
  const on = (kind: Resource['kind']) => (body: any) =>
    void inventory.record(kind, body, { account: actor.id, now: context.now })
  const grant = (principal: object, role: string, next?: CallPlan['next']): CallPlan => ({
    op: 'create_grant',
    actor,
    body: { ...principal, role },
    record: on('grant'),
    ...(next ? { next } : {}),
  })
  const asUser = (user: string, porter: { id: string; token: string }): CallPlan =>
    grant({ principal_type: 'user', principal_id: user }, 'role_admin', () => ({
      op: 'list_grants',
      actor,
      query: `principal_id=${actor.token_id}`,
      next: ({ body }) => ({
        op: 'delete_grant',
        actor,
        params: { id: body?.data?.[0]?.id ?? 'grnt_0' },
        next: () => ({ op: 'delete_user', actor, token: porter.token, params: { id: user } }),
      }),
    }))
  const hire = (role: string): CallPlan => ({
    op: 'create_token',
    actor,
    body: {},
    record: on('token'),
    next: ({ body: porter }) =>
      porter &&
      grant({ principal_type: 'token', principal_id: porter.id }, role, () => ({
        op: 'create_user',
        actor,
        body: { email: 'heir@example.org' },
        record: on('user'),
        next: ({ body: user }) => user && asUser(user.id, porter),
      })),
  })
  return {
    op: 'create_role',
    actor,
    body: { name: 'porter', policy },
    record: on('role'),
    next: ({ body }) => body && hire(body.id),
  }
}

function checkPermissions(context: SimContext): CallPlan {
  const actor = anyActor(context)
  const workspace = maybe(context, 70, () => refTo(context, actor, 'workspace'))
  return { op: 'check_permissions', actor, body: defined({ actions: ['instance:create'], workspace }) }
}

export const iamOperations: readonly SimOperation[] = [
  { name: 'create workspace', weight: 5, plan: createWorkspace },
  { name: 'rename workspace', weight: 4, plan: (context) => rename(context, 'workspace', 'space') },
  { name: 'delete workspace', weight: 4, plan: (context) => removal(context, 'delete_workspace', 'workspace') },
  { name: 'create user', weight: 5, plan: createUser },
  { name: 'rename user', weight: 3, plan: (context) => rename(context, 'user', 'user') },
  { name: 'delete user', weight: 2, plan: (context) => removal(context, 'delete_user', 'user') },
  { name: 'create role', weight: 5, plan: createRole },
  { name: 'change role', weight: 4, plan: updateRole },
  { name: 'delete role', weight: 3, plan: deleteRole },
  { name: 'create grant', weight: 6, plan: createGrant },
  { name: 'delete grant', weight: 3, plan: (context) => removal(context, 'delete_grant', 'grant') },
  { name: 'create token', weight: 5, plan: createToken },
  { name: 'delete token', weight: 3, plan: deleteToken },
  { name: 'resign', weight: 2, plan: resign },
  { name: 'inherit', weight: 5, plan: inherit },
  { name: 'check permissions', weight: 2, plan: checkPermissions },
]
