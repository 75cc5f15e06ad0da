import { builtInRoles } from '@bourse/api/iam/built-in-roles.ts'
import { type Id, kinds, type Ref } from '@bourse/api/kit/ids.ts'
import { type Permission, splitPermission } from '@bourse/api/kit/permissions.ts'
import { refuse, throwIfRefused } from '../../core/base/refusal.ts'
import type { Caller, Ctx } from '../../core/work/ctx.ts'
import type { Conditions } from '../../core/work/page.ts'
import { idToLoad, withinLimits } from '../names/names.service.ts'
import { findWorkspaceAccount } from '../names/owners.service.ts'
import { likePatterns } from '../names/resource-limits.rules.ts'
import { type AccessDecision, decide, hasAnyRight, type Rights, rightsOf, scopesOf } from './permissions.rules.ts'
import { refuseOldSignIn } from './trust.rules.ts'

/** The rights of a caller. `own_workspaces` caches workspaces that belong to its account. */
export type CallerRights = Rights & {
  readonly own_workspaces: Set<string>
  /** The user, if the caller is a session. */
  readonly user_id: Id<'user'> | null
  /** When that user signed in. */
  readonly authenticated_at: number | null
}

/** Where a right is required: in a workspace, in the workspace of a resource, or, for null, in the whole account. */
type PermissionPlace =
  | Id<'workspace'>
  | {
      readonly account_id: string
      readonly workspace_id: Id<'workspace'>
      /** The id of the resource. A token that is limited to resources may do nothing to one without. */
      readonly id?: string
    }
  | null

/** Where a caller may list a kind: in its whole account, or in some workspaces. */
type Visible = 'all' | Id<'workspace'>[]

/** The rights that the gate stored in a caller. */
export function rightsOfCaller(caller: Caller): CallerRights {
  return caller.rights as CallerRights
}

/** A caller of the same account that may do everything there, for reads on behalf of the server. */
export function withAllRights(caller: Caller): Caller {
  const all = rightsOf([{ workspace_id: null, actions: [builtInRoles.admin.actions] }], caller)
  return { ...caller, rights: { ...rightsOfCaller(caller), ...all } }
}

/** The caller to record as the creator of a resource; undefined for system work. */
export function makerOf({ caller }: Ctx): (Caller & { user_id: Id<'user'> | null }) | undefined {
  return caller && { ...caller, user_id: rightsOfCaller(caller).user_id }
}

/**
 * Refuses unless the caller has a right at a place. 404 if the caller has no verb on the kind there or the workspace
 * belongs to another account; 403 if the verb is missing or the account is frozen. `create` and `list` do not name a
 * resource, so they are never 404. Pass the row of a resource instead of its workspace: this saves a look-up, so absent
 * and foreign resources take the same time. System work may do everything.
 */
export async function allow(ctx: Ctx, permission: Permission, place: PermissionPlace): Promise<void> {
  const { caller } = ctx
  if (!caller) return
  const workspace_id = place === null || typeof place === 'string' ? place : place.workspace_id
  ctx.asked.push({ permission, workspace_id })
  if (place !== null && !(await isOwnPlace(ctx, caller, place))) refuseNotFound()
  if (caller.limits?.resources) await refuseBeyondLimits(ctx, permission, place)
  refuseUnlessAllowed(decideFor(caller, permission, workspace_id), permission, caller)
}

/**
 * Refuses what a token that is limited to resources may not do. A resource that it may not act on appears to be absent.
 * A new resource is checked when it gets its name; one of a kind without names is made in a resource, which counts.
 */
async function refuseBeyondLimits(ctx: Ctx, permission: Permission, place: PermissionPlace): Promise<void> {
  const { resource, verb } = splitPermission(permission)
  const id = place !== null && typeof place === 'object' ? place.id : undefined
  if (id !== undefined) {
    if ((await withinLimits(ctx, [id])).has(id)) return
    if (verb !== 'create') refuseNotFound()
  }
  if (id === undefined && verb === 'create' && isNamedKind(resource)) return
  refuse('forbidden', `This token is limited to resources, and ${permission} is not needed for one of them here.`)
}

function isNamedKind(resource: string): boolean {
  if (resource === 'token') return true
  // The hosts of a permit are named by themselves, when it is used.
  if (resource === 'host') return false
  return ((kinds as Readonly<Record<string, { path_segments: number }>>)[resource]?.path_segments ?? 0) > 0
}

/**
 * Refuses a session whose user signed in too long ago. For requests that need it by what they ask, and for pages: the
 * pipeline refuses those of operations that always do (packages/api/src/trust.ts).
 */
export function requireRecentSignIn({ caller, now }: Pick<Ctx, 'caller' | 'now'>): void {
  throwIfRefused(caller && refuseOldSignIn(rightsOfCaller(caller), now))
}

/** Refuses a caller of a frozen account, for what people do for themselves without a right: all but to sign out. */
export function requireUnfrozen({ caller }: Pick<Ctx, 'caller'>): void {
  if (caller?.is_frozen) refuse('forbidden', 'The account is frozen, so it may only read and sign out.')
}

/** Whether the caller has a right. The workspace must belong to the caller's account; this is not checked. */
export function hasPermission(ctx: Ctx, permission: Permission, workspace_id: Id<'workspace'> | null): boolean {
  const { caller } = ctx
  if (!caller) return true
  if (caller.limits?.resources && workspace_id === null) return false
  return decideFor(caller, permission, workspace_id) === 'allowed'
}

/** Checks the rights that a command required again, before its stored response is replayed. */
export function recheckRights(
  ctx: Pick<Ctx, 'caller'>,
  asked: readonly { permission: Permission; workspace_id: Id<'workspace'> | null }[],
) {
  const { caller } = ctx
  if (!caller) return
  for (const { permission, workspace_id } of asked) {
    refuseUnlessAllowed(decideFor(caller, permission, workspace_id), permission, caller)
  }
}

/**
 * Where the caller may list a kind. Refuses `forbidden` if that is nowhere. A filter narrows it to one workspace, or to
 * none if the workspace is unknown, of another account or not visible to the caller.
 */
export async function visibleWorkspaces(ctx: Ctx, permission: Permission, filter?: Ref<'workspace'>): Promise<Visible> {
  const { caller } = ctx
  const visible = caller ? (scopesOf(rightsOfCaller(caller), permission) as Visible) : 'all'
  if (visible.length === 0) refuseForbidden(permission)
  if (filter === undefined) return visible
  const id = await idToLoad(ctx, 'workspace', filter)
  if (caller && !(await isOwnWorkspace(ctx, caller, id))) return []
  return visible === 'all' || visible.includes(id) ? [id] : []
}

/**
 * Where a caller may list a kind, for lists that return nothing instead of refusing: for a token that is limited to
 * resources, nowhere.
 */
export function listScopes(caller: Caller, permission: Permission): Visible {
  if (caller.limits?.resources) return []
  return scopesOf(rightsOfCaller(caller), permission) as Visible
}

/**
 * Narrows a list to the caller's account, the visible workspaces and the resources to which its token is limited. The
 * table `alias` has the columns of all three.
 */
export function onlyVisible(ctx: Ctx, where: Conditions, alias: string, visible: Visible): Conditions {
  where.addIf(`${alias}.account_id = $`, ctx.caller?.account_id)
  onlyWithinLimits(ctx, where, alias)
  return visible === 'all' ? where : where.check(`${alias}.workspace_id = any($)`, visible)
}

/** Narrows a list to the resources to which the caller's token is limited. */
export function onlyWithinLimits({ caller }: Ctx, where: Conditions, alias: string): Conditions {
  const limit = caller?.limits?.resources
  if (!limit) return where
  const named = `select from names ln
     left join names lw on lw.id = ln.workspace_id
     where ln.id = ${alias}.id and ln.deleted_at is null
       and 'svc:' || ln.kind || ':' || ln.account_id || ':' || coalesce(lw.name || ':', '') || ln.name like any($)`
  return where.check(`${alias}.id = any($) or exists (${named})`, limit, likePatterns(limit))
}

/**
 * The workspace of a new resource: `ref`, or by default the caller's own. Refuses `reference_not_found` if it is
 * unknown, of another account, or the caller has no right in it. Takes no lock.
 */
export async function chooseWorkspace(ctx: Ctx, ref: Ref<'workspace'> | undefined): Promise<Id<'workspace'>> {
  const { caller } = ctx
  if (ref === undefined) {
    if (caller) return caller.workspace_id
    refuse('required', 'Specify a workspace.', 'workspace')
  }
  const id = await idToLoad(ctx, 'workspace', ref)
  const isVisible = caller && (await isOwnWorkspace(ctx, caller, id)) && hasAnyRight(rightsOfCaller(caller), id)
  if (caller && !isVisible) refuse('reference_not_found', 'There is no such workspace.', 'workspace')
  return id
}

/**
 * Whether a request may refer to a resource: it belongs to the caller's account, and the caller has some right in its
 * workspace. Otherwise the response is as if it did not exist. System work may refer to any resource.
 */
export function mayName(
  { caller }: Ctx,
  { account_id, workspace_id }: { account_id: string; workspace_id: Id<'workspace'> },
): boolean {
  return !caller || (account_id === caller.account_id && hasAnyRight(rightsOfCaller(caller), workspace_id))
}

/** Refuses `not_found`. */
export function refuseNotFound(): never {
  refuse('not_found', 'No resource has this id or path.')
}

function decideFor(caller: Caller, permission: Permission, workspace_id: string | null): AccessDecision {
  return decide(rightsOfCaller(caller), { permission, workspace_id, is_frozen: caller.is_frozen })
}

function refuseUnlessAllowed(decision: AccessDecision, permission: Permission, caller: Caller): void {
  if (decision === 'allowed') return
  const { resource, verb } = splitPermission(permission)
  const namesNothing = (verb === 'create' || verb === 'list') && resource !== 'platform'
  if (decision === 'invisible' && !namesNothing) refuseNotFound()
  if (decision === 'forbidden' && caller.is_frozen && verb !== 'read' && verb !== 'list') {
    refuse('forbidden', `This needs the permission ${permission}, and the account is frozen, so it may only read.`)
  }
  refuseForbidden(permission)
}

function refuseForbidden(permission: Permission): never {
  refuse('forbidden', `This needs the permission ${permission}.`)
}

async function isOwnPlace(ctx: Ctx, caller: Caller, place: NonNullable<PermissionPlace>): Promise<boolean> {
  if (typeof place === 'string') return isOwnWorkspace(ctx, caller, place)
  return place.account_id === caller.account_id
}

/** Whether a workspace belongs to the caller's account. Account-wide rights hold in all of these and no others. */
export async function isOwnWorkspace(ctx: Ctx, caller: Caller, workspace_id: string): Promise<boolean> {
  if (workspace_id === caller.workspace_id) return true
  const { own_workspaces, workspaces } = rightsOfCaller(caller)
  if (workspaces.has(workspace_id) || own_workspaces.has(workspace_id)) return true
  const isOwn = (await findWorkspaceAccount(ctx, workspace_id)) === caller.account_id
  if (isOwn) own_workspaces.add(workspace_id)
  return isOwn
}
