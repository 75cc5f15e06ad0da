/** What ids are called, as far as the caller may see them. Areas to the right answer for their own kinds. */
import type { ShownName } from '@bourse/api/iam/names.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Permission, type PermissionResource, permissionResources } from '@bourse/api/kit/permissions.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { listOwned, withinLimits } from '../names/names.service.ts'
import { hasPermission } from './permissions.service.ts'

/** Reads the names of those of some ids that the caller may see. Ids of other kinds are left out. */
export type ReadNames = (ctx: Ctx, ids: readonly string[]) => Promise<readonly Omit<ShownName, 'object'>[]>

declare module '../../core/work/services.ts' {
  interface Services {
    /** Read names of kinds that areas to the right of this one name themselves. */
    readonly name_readers: readonly ReadNames[]
  }
}

/** Lists the names of some ids. */
export async function listShownNames(ctx: Ctx, { ids = [] }: { ids?: readonly string[] }) {
  const wanted = [...new Set(ids)]
  const open = await withinLimits(ctx, wanted)
  const given = wanted.filter((id) => open.has(id))
  const found = await Promise.all([readOwnNames, ...ctx.services.name_readers].map((read) => read(ctx, given)))
  return {
    object: 'list' as const,
    data: found.flat().map((name): ShownName => ({ object: 'name', ...name })),
    has_more: false,
  }
}

const readOwnNames: ReadNames = async (ctx, ids) => {
  const { account_id } = callerOf(ctx)
  const rows = await listOwned(ctx, ids, account_id)
  return rows
    .filter(({ kind, workspace_id }) => isResource(kind) && mayReadOrList(ctx, kind, workspace_id))
    .map(({ id, kind, name }) => ({ id, type: kind, name }))
}

/** Whether the caller could read or list a resource of a kind there, which both show its name. */
export function mayReadOrList(ctx: Ctx, kind: PermissionResource, workspaceId: Id<'workspace'> | null): boolean {
  return (['read', 'list'] as const).some((verb) => hasPermission(ctx, `${kind}:${verb}` as Permission, workspaceId))
}

function isResource(kind: string): kind is PermissionResource {
  return (permissionResources as readonly string[]).includes(kind)
}
