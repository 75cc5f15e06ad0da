/**
 * Evaluates permissions. A caller's rights are the union of the allow rules of its roles; everything else is denied.
 * A role granted in a workspace gives no account-wide rights, and `platform` rights exist only in the platform account.
 * Not this file's work: the caller, and the account of a workspace (permissions.service.ts).
 */
import { type RoleActions, verbsOf } from '@bourse/api/iam/built-in-roles.ts'
import {
  accountWideResources,
  type Permission,
  type PermissionResource,
  type PermissionVerb,
  permissionResources,
  permissionVerbs,
  splitPermission,
} from '@bourse/api/kit/permissions.ts'

/** One byte of verb bits for each kind of resource, in the contract's order. */
type Verbs = Uint8Array

/** The union of a caller's grants. The verbs of a workspace include those of the account. */
export type Rights = { readonly account: Verbs; readonly workspaces: ReadonlyMap<string, Verbs> }

/** A role in its scope: a workspace, or the whole account if `workspace_id` is null. */
export type AssignedRole = { readonly workspace_id: string | null; readonly actions: readonly Readonly<RoleActions>[] }

/** `invisible`: the caller has no verb on that kind in that scope. */
export type AccessDecision = 'allowed' | 'forbidden' | 'invisible'

/** A workspace. Null is the whole account. */
type Scope = string | null

const places = new Map(permissionResources.map((resource, place) => [resource, place]))
const allVerbs = 2 ** permissionVerbs.length - 1
const platformPlace = placeOf('platform')
const workspacePlace = placeOf('workspace')
const nothing: Verbs = new Uint8Array(permissionResources.length)

/** No rights at all. */
export const noRights: Rights = { account: nothing, workspaces: new Map() }

/** The union of what roles allow. */
export function rightsOf(roles: readonly AssignedRole[], { is_platform }: { is_platform: boolean }): Rights {
  const account = new Uint8Array(permissionResources.length)
  const workspaces = new Map<string, Verbs>()
  for (const { workspace_id, actions } of roles) {
    const verbs = countingVerbs(actions, workspace_id, is_platform)
    if (workspace_id === null) add(account, verbs)
    else workspaces.set(workspace_id, add(workspaces.get(workspace_id) ?? nothing.slice(), verbs))
  }
  for (const verbs of workspaces.values()) add(verbs, account)
  return { account, workspaces }
}

/** Checks one right. A frozen account may only read and list. */
export function decide(
  rights: Rights,
  { permission, workspace_id, is_frozen }: { permission: Permission; workspace_id: Scope; is_frozen: boolean },
): AccessDecision {
  const { resource, verb } = splitPermission(permission)
  const assigned = verbsIn(rights, workspace_id)[placeOf(resource)] as number
  if (assigned === 0) return 'invisible'
  if ((assigned & bitOf(verb)) === 0) return 'forbidden'
  return is_frozen && verb !== 'read' && verb !== 'list' ? 'forbidden' : 'allowed'
}

/** The scopes of a right: the whole account, or some workspaces. */
export function scopesOf(rights: Rights, permission: Permission): 'all' | string[] {
  const { resource, verb } = splitPermission(permission)
  const place = placeOf(resource)
  const isAllowed = (verbs: Verbs) => ((verbs[place] as number) & bitOf(verb)) !== 0
  if (isAllowed(rights.account)) return 'all'
  return [...rights.workspaces].filter(([, verbs]) => isAllowed(verbs)).map(([id]) => id)
}

/** Whether the caller has any right in a workspace. */
export function hasAnyRight(rights: Rights, workspaceId: string): boolean {
  return verbsIn(rights, workspaceId).some((verbs) => verbs !== 0)
}

/** The first right of a role in a scope that the grantor lacks there; undefined if the grantor has all. */
export function findLacking(
  rights: Rights,
  role: { actions: readonly Readonly<RoleActions>[]; workspace_id: Scope; is_platform: boolean },
): Permission | undefined {
  const assigned = verbsIn(rights, role.workspace_id)
  const wanted = countingVerbs(role.actions, role.workspace_id, role.is_platform)
  for (const [place, resource] of permissionResources.entries()) {
    const lacking = (wanted[place] as number) & ~(assigned[place] as number)
    const verb = permissionVerbs.find((candidate) => (lacking & bitOf(candidate)) !== 0)
    if (verb) return `${resource}:${verb}`
  }
  return undefined
}

/** The allowed verbs in a scope, by resource, in the contract's order. Leaves out kinds without a verb. */
export function listVerbs(rights: Rights, scope: Scope): Partial<Record<PermissionResource, PermissionVerb[]>> {
  const verbs = verbsIn(rights, scope)
  const entries = permissionResources
    .map(
      (resource, place) =>
        [resource, permissionVerbs.filter((verb) => (verbs[place] as number) & bitOf(verb))] as const,
    )
    .filter(([, assigned]) => assigned.length > 0)
  return Object.fromEntries(entries)
}

function verbsIn(rights: Rights, scope: Scope): Verbs {
  return (scope === null ? undefined : rights.workspaces.get(scope)) ?? rights.account
}

/** The verbs that rules allow in a scope, without rights that do not exist there. */
function countingVerbs(rules: readonly Readonly<RoleActions>[], scope: Scope, isPlatform: boolean): Verbs {
  const verbs = new Uint8Array(permissionResources.length)
  for (const actions of rules) {
    for (const [resource, listed] of Object.entries(actions)) {
      const bits = verbsOf(listed).reduce((sum, verb) => sum | bitOf(verb), 0)
      if (resource === '*') for (const place of verbs.keys()) verbs[place] = (verbs[place] as number) | bits
      else add(verbs, single(placeOf(resource as PermissionResource), bits))
    }
  }
  if (!isPlatform) verbs[platformPlace] = 0
  if (scope === null) return verbs
  for (const resource of accountWideResources) verbs[placeOf(resource)] = 0
  verbs[workspacePlace] = (verbs[workspacePlace] as number) & ~bitOf('create')
  return verbs
}

function single(place: number, bits: number): Verbs {
  const verbs = nothing.slice()
  verbs[place] = bits
  return verbs
}

function add(sum: Verbs, more: Verbs): Verbs {
  for (let place = 0; place < sum.length; place++) sum[place] = (sum[place] as number) | (more[place] as number)
  return sum
}

function placeOf(resource: PermissionResource): number {
  return places.get(resource) as number
}

function bitOf(verb: PermissionVerb): number {
  return (1 << permissionVerbs.indexOf(verb)) & allVerbs
}
