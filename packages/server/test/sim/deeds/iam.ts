/** Workspaces, users, roles, grants and tokens. */
import type { Thing } from '../book.ts'
import {
  type Actor,
  anyActor,
  anyName,
  type Deed,
  given,
  learning,
  maybe,
  maybeKey,
  meant,
  type Plan,
  refTo,
  removal,
  type Scene,
} from '../scene.ts'

const verbs = { instance: ['*'], firewall: ['read', 'write'], event: ['list'], secret: ['read'] }

/** A change of the name, or nothing. */
function rename(scene: Scene, kind: 'workspace' | 'user', base: string): Plan | undefined {
  const actor = anyActor(scene)
  const thing = meant(scene, actor, kind)
  if (!thing) return undefined
  const op = kind === 'workspace' ? 'update_workspace' : 'update_user'
  const body = given({ name: maybe(scene, 80, () => anyName(scene, base)) })
  return {
    ...{ op, actor, body, params: { id: scene.book.ref(thing, scene.choices) }, touches: [thing] },
    learn: learning(scene, { ...actor, id: thing.account }, kind),
  }
}

function createWorkspace(scene: Scene): Plan {
  const actor = anyActor(scene)
  const body = given({ name: maybe(scene, 80, () => anyName(scene, 'space', 4)) })
  return { op: 'create_workspace', actor, body, key: maybeKey(scene), learn: learning(scene, actor, 'workspace') }
}

function createUser(scene: Scene): Plan {
  const actor = anyActor(scene)
  const email = `${anyName(scene, 'someone', 9)}@example.org`
  const body = given({ email, name: maybe(scene, 70, () => anyName(scene, 'user')), first_name: 'Some' })
  return { op: 'create_user', actor, body, key: maybeKey(scene), learn: learning(scene, actor, 'user') }
}

function policyFor({ choices }: Scene) {
  const actions = choices.chance(40) ? verbs : { [choices.pick(['pool', 'image', 'deployment'])]: ['*'] }
  return { api_version: 'roles/v1', rules: [{ effect: 'allow', actions }] }
}

function createRole(scene: Scene): Plan {
  const actor = anyActor(scene)
  const body = { name: anyName(scene, 'role'), policy: policyFor(scene) }
  return { op: 'create_role', actor, body, key: maybeKey(scene), learn: learning(scene, actor, 'role') }
}

function updateRole(scene: Scene): Plan | undefined {
  const actor = anyActor(scene)
  const role = meant(scene, actor, 'role')
  const isBuiltIn = scene.choices.chance(10)
  if (!role && !isBuiltIn) return undefined
  const body = given({
    name: maybe(scene, 50, () => anyName(scene, 'role')),
    policy: maybe(scene, 50, () => policyFor(scene)),
  })
  if (isBuiltIn || !role) return { op: 'update_role', actor, body, params: { id: 'role_operator' } }
  return {
    ...{ op: 'update_role', actor, body, params: { id: role.id }, touches: [role] },
    learn: learning(scene, { ...actor, id: role.account }, 'role'),
  }
}

function deleteRole(scene: Scene): Plan | undefined {
  if (scene.choices.chance(10)) return { op: 'delete_role', actor: anyActor(scene), params: { id: 'role_viewer' } }
  return removal(scene, 'delete_role', 'role')
}

function anyRole(scene: Scene, actor: Actor): string {
  const own = refTo(scene, actor, 'role')
  return own && scene.choices.chance(50) ? own : scene.choices.pick(['role_viewer', 'role_operator', 'role_admin'])
}

function createGrant(scene: Scene): Plan | undefined {
  const actor = anyActor(scene)
  const principal_type = scene.choices.pick(['token', 'user'])
  const principal = meant(scene, actor, principal_type as 'token' | 'user')
  if (!principal) return undefined
  // An admin beside the first would let the first one go, and with it whoever reads the account's truth.
  const drawn = anyRole(scene, actor)
  const role = drawn === 'role_admin' && !actor.isDisposable ? 'role_viewer' : drawn
  const workspace = maybe(scene, 50, () => refTo(scene, actor, 'workspace'))
  const body = given({ principal_type, principal_id: principal.id, role, workspace })
  return { op: 'create_grant', actor, body, key: maybeKey(scene), learn: learning(scene, actor, 'grant') }
}

function createToken(scene: Scene): Plan {
  const actor = anyActor(scene)
  const roles = scene.choices.chance(60) ? [anyRole(scene, actor)] : undefined
  const workspace = maybe(scene, 40, () => refTo(scene, actor, 'workspace'))
  const name = maybe(scene, 60, () => anyName(scene, 'token'))
  const expires_at = maybe(scene, 40, () => (scene.choices.chance(50) ? null : scene.now + 3600))
  const keep = learning(scene, actor, 'token')
  const learn = (body: any) => {
    keep(body)
    actor.tokens.set(body.id, body.token)
  }
  const body = given({ name, workspace, roles, expires_at })
  return { op: 'create_token', actor, body, key: maybeKey(scene), learn }
}

function deleteToken(scene: Scene): Plan | undefined {
  const actor = anyActor(scene)
  const plan = removal(scene, 'delete_token', 'token', { actor })
  const learn = (body: any) => {
    plan?.learn?.(body)
    actor.tokens.delete(plan?.params?.id ?? '')
  }
  return plan && { ...plan, learn }
}

/** The only admin of an account wants to go: by its token, and by its grant. */
function resign(scene: Scene): Plan | undefined {
  const actor = scene.choices.pick(scene.actors.filter(({ isDisposable }) => !isDisposable))
  if (scene.choices.chance(50)) return { op: 'delete_token', actor, params: { id: actor.token_id } }
  const query = `principal_id=${actor.token_id}&role=role_admin`
  return {
    ...{ op: 'list_grants', actor, query },
    next: ({ body }) => {
      const grant = body?.data?.find(({ workspace }: any) => workspace === null)
      return grant && { op: 'delete_grant', actor, params: { id: grant.id } }
    },
  }
}

/** A user becomes the last admin, and somebody without that role tries to remove it. */
function inherit(scene: Scene): Plan | undefined {
  const { book } = scene
  const actor = scene.actors.find(({ isDisposable, tokens }) => isDisposable && tokens.size === 0)
  if (!actor) return undefined
  const policy = { api_version: 'roles/v1', rules: [{ effect: 'allow', actions: { user: ['*'] } }] }
  const on = (kind: Thing['kind']) => (body: any) => void book.learn(kind, body, { account: actor.id, now: scene.now })
  const grant = (principal: object, role: string, next?: Plan['next']): Plan => ({
    ...{ op: 'create_grant', actor, body: { ...principal, role }, learn: on('grant') },
    ...(next ? { next } : {}),
  })
  const asUser = (user: string, porter: { id: string; token: string }): Plan =>
    grant({ principal_type: 'user', principal_id: user }, 'role_admin', () => ({
      ...{ op: 'list_grants', actor, query: `principal_id=${actor.token_id}` },
      next: ({ body }) => ({
        ...{ op: 'delete_grant', actor, params: { id: body?.data?.[0]?.id ?? 'grnt_0' } },
        next: () => ({ op: 'delete_user', actor, token: porter.token, params: { id: user } }),
      }),
    }))
  const hire = (role: string): Plan => ({
    ...{ op: 'create_token', actor, body: {}, learn: on('token') },
    next: ({ body: porter }) =>
      porter &&
      grant({ principal_type: 'token', principal_id: porter.id }, role, () => ({
        ...{ op: 'create_user', actor, body: { email: 'heir@example.org' }, learn: on('user') },
        next: ({ body: user }) => user && asUser(user.id, porter),
      })),
  })
  return {
    ...{ op: 'create_role', actor, body: { name: 'porter', policy }, learn: on('role') },
    next: ({ body }) => body && hire(body.id),
  }
}

function checkPermissions(scene: Scene): Plan {
  const actor = anyActor(scene)
  const workspace = maybe(scene, 70, () => refTo(scene, actor, 'workspace'))
  return { op: 'check_permissions', actor, body: given({ actions: ['instance:create'], workspace }) }
}

export const iamDeeds: readonly Deed[] = [
  { name: 'create workspace', weight: 5, plan: createWorkspace },
  { name: 'rename workspace', weight: 4, plan: (scene) => rename(scene, 'workspace', 'space') },
  { name: 'delete workspace', weight: 4, plan: (scene) => removal(scene, 'delete_workspace', 'workspace') },
  { name: 'create user', weight: 5, plan: createUser },
  { name: 'rename user', weight: 3, plan: (scene) => rename(scene, 'user', 'user') },
  { name: 'delete user', weight: 2, plan: (scene) => removal(scene, 'delete_user', 'user') },
  { name: 'create role', weight: 5, plan: createRole },
  { name: 'change role', weight: 4, plan: updateRole },
  { name: 'delete role', weight: 3, plan: deleteRole },
  { name: 'create grant', weight: 6, plan: createGrant },
  { name: 'delete grant', weight: 3, plan: (scene) => removal(scene, 'delete_grant', 'grant') },
  { name: 'create token', weight: 5, plan: createToken },
  { name: 'delete token', weight: 3, plan: deleteToken },
  { name: 'resign', weight: 2, plan: resign },
  { name: 'inherit', weight: 5, plan: inherit },
  { name: 'check permissions', weight: 2, plan: checkPermissions },
]
