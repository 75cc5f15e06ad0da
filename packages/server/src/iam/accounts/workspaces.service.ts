import type {
  createWorkspace as createContract,
  listWorkspaces as listContract,
  updateWorkspace as updateContract,
  Workspace,
} from '@bourse/api/iam/workspaces.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import { type Id, type IdKind, type Ref, resourcePath } from '@bourse/api/kit/ids.ts'
import { Refusal, refuse } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { conditions, pageResponse } from '../../core/work/page.ts'
import { refuseGrantsInBeyondRights, removeGrantsIn } from '../access/grants.service.ts'
import { allow, onlyWithinLimits, refuseNotFound, visibleWorkspaces } from '../access/permissions.service.ts'
import { returnLimit, takeLimit } from '../names/limit-usage.service.ts'
import { claimName, idToLoad, listKindsIn, releaseName, renameName, resolveFilter } from '../names/names.service.ts'
import { findAccount, findWorkspaceAccount, lockAccount } from '../names/owners.service.ts'
import { endSessionsIn, refuseSessionsInBeyondRights } from '../tokens/sessions.service.ts'
import {
  findFirstWorkspace as findFirst,
  findWorkspace,
  hasOtherWorkspace,
  insertWorkspace,
  listWorkspaces as listRows,
  removeWorkspace,
  type WorkspaceRow,
  workspaceDeletionLock,
} from './workspaces.store.ts'

/** A workspace and its account. */
type WorkspacePlace = { readonly account_id: string; readonly workspace_id: Id<'workspace'> }

/**
 * Hooks of areas to the right. `onCreated` runs in the transaction that creates a workspace. `onRemoved` runs in the
 * transaction that deletes it, when only the account is locked.
 */
type WorkspaceHooks = {
  onCreated(ctx: Ctx, place: WorkspacePlace): Promise<void>
  onRemoved(ctx: Ctx, place: WorkspacePlace): Promise<void>
}

declare module '../../core/work/services.ts' {
  interface Services {
    /** What areas to the right do where a workspace is created or deleted. */
    readonly workspace_hooks: readonly WorkspaceHooks[]
  }
}

/** Creates a workspace in the caller's account. */
export async function createWorkspace(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<Workspace> {
  await allow(ctx, 'workspace:create', null)
  return presentWorkspace(await makeWorkspace(ctx, callerOf(ctx).account_id, body.name))
}

/** Creates a workspace and runs the hooks, without permission checks. */
export async function makeWorkspace(
  ctx: Ctx,
  account_id: string,
  requested: string | undefined,
): Promise<WorkspaceRow> {
  await takeLimit(ctx, account_id, 'workspaces')
  const id = ctx.newId('workspace')
  const name = await claimName(ctx, { id, kind: 'workspace', account_id, workspace_id: null, name: requested })
  await insertWorkspace(ctx.db, { id, account_id, created_at: ctx.now })
  for (const hooks of ctx.services.workspace_hooks) await hooks.onCreated(ctx, { account_id, workspace_id: id })
  return { id, account_id, name, created_at: ctx.now }
}

/** Lists the workspaces that the caller may list. */
export async function listWorkspaces(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const visible = await visibleWorkspaces(ctx, 'workspace:list')
  const named = await resolveFilter(ctx, 'workspace', query.id)
  const among = [named, visible === 'all' ? undefined : visible]
  const where = onlyWithinLimits(ctx, conditions(), 'w')
  const page = await listRows(ctx, { where, account_id: ctx.caller?.account_id, among, query })
  return pageResponse(page, page.rows.map(presentWorkspace))
}

/** Reads one workspace. */
export async function getWorkspace(ctx: Ctx, ref: Ref<'workspace'>): Promise<Workspace> {
  const row = await loadWorkspace(ctx, ref)
  await allow(ctx, 'workspace:read', placeOf(row))
  return presentWorkspace(row)
}

/** Renames a workspace, which changes the paths of its resources. */
export async function updateWorkspace(ctx: Ctx, { params, body }: Input<typeof updateContract>): Promise<Workspace> {
  const row = await loadWorkspace(ctx, params.id)
  await allow(ctx, 'workspace:write', placeOf(row))
  const { name = row.name } = body
  if (name !== row.name) await renameName(ctx, { id: row.id, kind: 'workspace', name })
  return presentWorkspace({ ...row, name })
}

/**
 * Deletes a workspace. Refuses `last_workspace`, `not_empty` if it still contains resources, and `forbidden` if
 * somebody would lose a grant or a session that gives a right which the caller lacks.
 */
export async function deleteWorkspace(ctx: Ctx, ref: Ref<'workspace'>): Promise<void> {
  const row = await loadWorkspace(ctx, ref)
  await allow(ctx, 'workspace:delete', placeOf(row))
  const { id, account_id } = row
  await lockAccount(ctx, account_id)
  await refuseGrantsInBeyondRights(ctx, id)
  await refuseSessionsInBeyondRights(ctx, { account_id, workspace_id: id })
  if (!(await hasOtherWorkspace(ctx.db, account_id, id))) {
    refuse('last_workspace', 'An account must have at least one workspace.')
  }
  for (const hooks of ctx.services.workspace_hooks) await hooks.onRemoved(ctx, { account_id, workspace_id: id })
  const [locked] = await ctx.lock(workspaceDeletionLock, [id])
  if (locked === undefined) refuseNotFound()
  refuseNotEmpty(await listKindsIn(ctx, id))
  await endSessionsIn(ctx, id)
  await removeGrantsIn(ctx, account_id, id)
  await removeWorkspace(ctx.db, id, ctx.now)
  await releaseName(ctx, id)
  await returnLimit(ctx, account_id, 'workspaces')
}

/** Resolves a workspace of any account. Refuses `reference_not_found` on `account` or `workspace`. */
export async function requireWorkspaceOf(
  ctx: Ctx,
  account_id: string,
  ref: Ref<'workspace'>,
): Promise<Id<'workspace'>> {
  if (!(await findAccount(ctx, account_id))) refuse('reference_not_found', 'There is no such account.', 'account')
  const id = await idToLoad(ctx, 'workspace', ref)
  const isOfAccount = (await findWorkspaceAccount(ctx, id)) === account_id
  return isOfAccount ? id : refuse('reference_not_found', 'The account has no such workspace.', 'workspace')
}

/** The oldest workspace of any account; undefined if the account does not exist. */
export function findFirstWorkspace({ db }: Ctx, account_id: string): Promise<Id<'workspace'> | undefined> {
  return findFirst(db, account_id)
}

/** The oldest workspace of any account. Refuses `reference_not_found` on `account`. */
export async function requireFirstWorkspace(ctx: Ctx, account_id: string): Promise<Id<'workspace'>> {
  const id = await findFirstWorkspace(ctx, account_id)
  return id ?? refuse('reference_not_found', 'There is no such account.', 'account')
}

function presentWorkspace({ id, account_id, name, created_at }: WorkspaceRow): Workspace {
  return { object: 'workspace', id, resource_path: resourcePath('workspace', { account_id, name }), name, created_at }
}

function placeOf({ id, account_id }: WorkspaceRow): WorkspacePlace & { id: string } {
  return { account_id, workspace_id: id, id }
}

async function loadWorkspace(ctx: Ctx, ref: Ref<'workspace'>): Promise<WorkspaceRow> {
  const id = await idToLoad(ctx, 'workspace', ref)
  const row = await findWorkspace(ctx.db, id)
  return row && (!ctx.caller || ctx.caller.account_id === row.account_id) ? row : refuseNotFound()
}

/** Refuses `not_empty` if a workspace contains named resources. The hooks have removed its default firewall. */
function refuseNotEmpty(kinds: readonly IdKind[]): void {
  if (kinds.length === 0) return
  const message = 'The workspace is not empty.'
  const details = kinds.map((kind) => ({
    field: null,
    code: 'not_empty' as const,
    message: `The workspace contains resources of the kind ${kind}.`,
  }))
  throw new Refusal({ code: 'not_empty', message, details })
}
