/** Listing and loading, for all kinds of resources that belong to a workspace. */
import type { Id, PathKind, Ref } from '@bourse/api/kit/ids.ts'
import type { Permission, PermissionResource, PermissionVerb } from '@bourse/api/kit/permissions.ts'
import type { Db } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type Conditions, conditions, type Page, type PageQuery, pageResponse } from '../../core/work/page.ts'
import { idToLoad, resolveFilter } from '../names/names.service.ts'
import { allow, onlyVisible, refuseNotFound, visibleWorkspaces } from './permissions.service.ts'

/** Kinds that have paths and permissions under one name. */
type OwnedKind = PathKind & PermissionResource

type OwnedQuery<K extends PathKind> = PageQuery & { workspace?: Ref<'workspace'>; id?: Ref<K>[] }

/** The parameters of {@link listOwned} that differ by kind. */
type OwnedList<K extends PathKind, Q, Row, Shown> = {
  readonly query: Q & OwnedQuery<K>
  /** The alias of the table in the statement of `list`. */
  readonly alias: string
  /** Further filters: the required value of each column. An array means any of its values. */
  readonly filters?: Readonly<Record<string, unknown>>
  list(ctx: Ctx, query: Q & OwnedQuery<K>, where: Conditions): Promise<Page<Row>>
  present(ctx: Ctx, rows: readonly Row[]): Promise<Shown[]>
}

/** A page of the resources of a kind that the caller may list. */
export async function listOwned<K extends OwnedKind, Q, Row, Shown>(
  ctx: Ctx,
  kind: K,
  { query, alias, filters = {}, list, present }: OwnedList<K, Q, Row, Shown>,
) {
  const visible = await visibleWorkspaces(ctx, permissionOn(kind, 'list'), query.workspace)
  const where = onlyVisible(ctx, conditions(), alias, visible)
  where.addIf(`${alias}.id = any($)`, await resolveFilter(ctx, kind, query.id))
  for (const [column, value] of Object.entries(filters)) {
    where.checkIf(`${alias}.${column} = ${Array.isArray(value) ? 'any($)' : '$'}`, value)
  }
  const page = await list(ctx, query, where)
  return pageResponse(page, await present(ctx, page.rows))
}

/** Loads a resource and checks that the caller has the right `verb` on it. Refuses `not_found` and `forbidden`. */
export async function loadAndAllow<
  K extends OwnedKind,
  Row extends { account_id: string; workspace_id: Id<'workspace'> },
>(
  ctx: Ctx,
  kind: K,
  { ref, verb, find }: { ref: Ref<K>; verb: PermissionVerb; find(db: Db, id: string): Promise<Row | undefined> },
): Promise<Row> {
  const id = await idToLoad(ctx, kind, ref)
  const row = await find(ctx.db, id)
  if (!row) refuseNotFound()
  await allow(ctx, permissionOn(kind, verb), row)
  return row
}

function permissionOn(kind: OwnedKind, verb: PermissionVerb): Permission {
  return `${kind}:${verb}` as Permission
}
