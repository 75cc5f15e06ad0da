import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import { type Permission, splitPermission } from '@bourse/api/kit/permissions.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { Caller, Ctx } from '../../core/work/ctx.ts'
import type { Conditions } from '../../core/work/page.ts'
import { resolveRef } from '../names/names.service.ts'
import { findWorkspaceAccount } from '../names/owners.service.ts'
import { type Decision, decide, hasAnyRight, type Rights, scopesOf } from './permissions.rules.ts'

/** What a caller's `rights` hold, besides the workspaces that are known to be its own account's. */
export type CallerRights = Rights & {
  readonly own_workspaces: Set<string>
  /** The user whose console session it is. */
  readonly user_id: Id<'user'> | null
}

/** Where a right must hold: in a workspace, in that of a resource, or in the whole account. */
export type Place = Id<'workspace'> | { readonly account_id: string; readonly workspace_id: Id<'workspace'> } | null

/** Where a caller may list something: all over its account, or in some workspaces of it. */
export type Visible = 'all' | Id<'workspace'>[]

/** The rights of a caller, as the gate put them there. */
export function rightsOfCaller(caller: Caller): CallerRights {
  return caller.rights as CallerRights
}

/** Who is written down as the maker of something; nobody where the system works. */
export function makerOf({ caller }: Ctx): (Caller & { user_id: Id<'user'> | null }) | undefined {
  return caller && { ...caller, user_id: rightsOfCaller(caller).user_id }
}

/**
 * Refuses unless the caller holds a right at a place: in the workspace of a resource, or for the whole account where it
 * is null. 404 where the caller holds no verb on the kind there or the workspace is another account's, 403 where the
 * verb is missing or the account is frozen. Making and listing name no resource, so they are never 404. Give the row of
 * a resource rather than its workspace alone: that costs no look-up, so absent and foreign take the same time. Work
 * without a caller may do all.
 */
export async function allow(ctx: Ctx, permission: Permission, place: Place): Promise<void> {
  const { caller } = ctx
  if (!caller) return
  const workspace_id = place === null || typeof place === 'string' ? place : place.workspace_id
  ctx.asked.push({ permission, workspace_id })
  if (place !== null && !(await isOwnPlace(ctx, caller, place))) refuseNotFound()
  refuseUnlessAllowed(decideFor(caller, permission, workspace_id), permission, caller)
}

/** Whether the caller holds a right; asks nothing of the workspace, which must be the caller's own account's. */
export function hasPermission(ctx: Ctx, permission: Permission, workspace_id: Id<'workspace'> | null): boolean {
  return !ctx.caller || decideFor(ctx.caller, permission, workspace_id) === 'allowed'
}

/** Checks rights again that a command asked for, before its stored answer is shown. */
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
 * Where the caller may list a kind: 403 when that is nowhere. A filter narrows it to one workspace, or to none where
 * the workspace is unknown, another account's or out of the caller's sight.
 */
export async function visibleWorkspaces(ctx: Ctx, permission: Permission, filter?: Ref<'workspace'>): Promise<Visible> {
  const { caller } = ctx
  const visible = caller ? (scopesOf(rightsOfCaller(caller), permission) as Visible) : 'all'
  if (visible.length === 0) refuseForbidden(permission)
  if (filter === undefined) return visible
  const id = await resolveRef(ctx, 'workspace', filter)
  if (id === undefined || (caller && !(await isOwnWorkspace(ctx, caller, id)))) return []
  return visible === 'all' || visible.includes(id) ? [id] : []
}

/** Where a caller may list a kind, for lists that leave out what is not visible and never refuse. */
export function listScopes(caller: Caller, permission: Permission): Visible {
  return scopesOf(rightsOfCaller(caller), permission) as Visible
}

/** Narrows a list to what is visible: the caller's account, and the workspaces. `alias` has both columns. */
export function onlyVisible(ctx: Ctx, where: Conditions, alias: string, visible: Visible): Conditions {
  where.addIf(`${alias}.account_id = $`, ctx.caller?.account_id)
  return visible === 'all' ? where : where.add(`${alias}.workspace_id = any($)`, visible)
}

/**
 * The workspace that a resource is to be made in: as named, else the caller's own. Refuses `reference_not_found` where
 * it is unknown, another account's, or the caller holds nothing there. Takes no lock.
 */
export async function chooseWorkspace(ctx: Ctx, ref: Ref<'workspace'> | undefined): Promise<Id<'workspace'>> {
  const { caller } = ctx
  if (ref === undefined) {
    if (caller) return caller.workspace_id
    refuse('required', 'Name a workspace.', 'workspace')
  }
  const id = await resolveRef(ctx, 'workspace', ref)
  const isVisible = id && caller && (await isOwnWorkspace(ctx, caller, id)) && hasAnyRight(rightsOfCaller(caller), id)
  if (id === undefined || (caller && !isVisible))
    refuse('reference_not_found', 'There is no such workspace.', 'workspace')
  return id
}

/**
 * Whether a request may name a resource: it is of the caller's account, and the caller holds some right in its
 * workspace. To all others it does not exist. System work may name anything.
 */
export function mayName(
  { caller }: Ctx,
  { account_id, workspace_id }: { account_id: string; workspace_id: Id<'workspace'> },
): boolean {
  return !caller || (account_id === caller.account_id && hasAnyRight(rightsOfCaller(caller), workspace_id))
}

/** Refuses as if there were nothing. */
export function refuseNotFound(): never {
  refuse('not_found', 'There is nothing with this id or path.')
}

function decideFor(caller: Caller, permission: Permission, workspace_id: string | null): Decision {
  return decide(rightsOfCaller(caller), { permission, workspace_id, is_frozen: caller.is_frozen })
}

function refuseUnlessAllowed(decision: Decision, permission: Permission, caller: Caller): void {
  if (decision === 'allowed') return
  const { resource, verb } = splitPermission(permission)
  const namesNothing = (verb === 'create' || verb === 'list') && resource !== 'platform'
  if (decision === 'invisible' && !namesNothing) refuseNotFound()
  if (decision === 'forbidden' && caller.is_frozen && verb !== 'read' && verb !== 'list') {
    refuse('forbidden', `This needs the permission ${permission}, and the account is frozen: it may only read.`)
  }
  refuseForbidden(permission)
}

function refuseForbidden(permission: Permission): never {
  refuse('forbidden', `This needs the permission ${permission}.`)
}

async function isOwnPlace(ctx: Ctx, caller: Caller, place: NonNullable<Place>): Promise<boolean> {
  if (typeof place === 'string') return isOwnWorkspace(ctx, caller, place)
  return place.account_id === caller.account_id
}

/** Whether a workspace is of the caller's account: account-wide rights reach all of those, and no others. */
export async function isOwnWorkspace(ctx: Ctx, caller: Caller, workspace_id: string): Promise<boolean> {
  if (workspace_id === caller.workspace_id) return true
  const { own_workspaces, workspaces } = rightsOfCaller(caller)
  if (workspaces.has(workspace_id) || own_workspaces.has(workspace_id)) return true
  const isOwn = (await findWorkspaceAccount(ctx, workspace_id)) === caller.account_id
  if (isOwn) own_workspaces.add(workspace_id)
  return isOwn
}
