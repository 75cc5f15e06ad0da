import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Tables } from '../../core/generated/tables.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { defineLock } from '../../core/work/locks.ts'
import { type Conditions, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'

/** A workspace that is not deleted. */
export type WorkspaceRow = Omit<Tables['workspaces'], 'deleted_at'> & { name: string }

/** Taken to delete a workspace. */
export const workspaceDeletionLock = defineLock(
  'workspace.deletion',
  'parents',
  `select id
   from workspaces
   where id = any($1) and deleted_at is null
   order by id
   for update`,
)

const insertOne = statement<never>(
  'iam.insert_workspace',
  `insert into workspaces (id, account_id, created_at)
   values ($1, $2, $3)`,
)

const select = `select w.id, w.account_id, n.name, w.created_at
   from workspaces w
   join names n on n.id = w.id`

const findOne = statement<WorkspaceRow>(
  'iam.find_workspace',
  `${select}
   where w.id = $1 and w.deleted_at is null`,
)

const findFirst = statement<{ id: Id<'workspace'> }>(
  'iam.find_first_workspace',
  `select id
   from workspaces
   where account_id = $1 and deleted_at is null
   order by created_at, id
   limit 1`,
)

const countOthers = statement<{ others: number }>(
  'iam.count_other_workspaces',
  `select count(*) as others
   from workspaces
   where account_id = $1 and id <> $2 and deleted_at is null`,
)

const markDeleted = statement<never>(
  'iam.remove_workspace',
  `update workspaces
   set deleted_at = $2
   where id = $1`,
)

/** Inserts a workspace. Its name is claimed separately. */
export function insertWorkspace(db: Db, row: { id: string; account_id: string; created_at: number }): Promise<number> {
  return db.run(insertOne, [row.id, row.account_id, row.created_at])
}

/** A workspace by its id. */
export function findWorkspace(db: Db, id: string): Promise<WorkspaceRow | undefined> {
  return db.row(findOne, [id])
}

/** The oldest workspace of an account. */
export async function findFirstWorkspace(db: Db, accountId: string): Promise<Id<'workspace'> | undefined> {
  return (await db.row(findFirst, [accountId]))?.id
}

/** A page of workspaces, newest first. `among` limits it to the ids in every list that is not undefined. */
export function listWorkspaces(
  ctx: Ctx,
  filter: {
    where: Conditions
    account_id: string | undefined
    among: readonly (readonly string[] | undefined)[]
    query: PageQuery
  },
): Promise<Page<WorkspaceRow>> {
  const where = filter.where.add('w.deleted_at is null').addIf('w.account_id = $', filter.account_id)
  for (const ids of filter.among) where.addIf('w.id = any($)', ids)
  return readPage<WorkspaceRow>(ctx, {
    prefix: 'wkspc',
    query: filter.query,
    select,
    where,
    sort: newestFirst('w'),
  })
}

/** Whether the account has another workspace. */
export async function hasOtherWorkspace(db: Db, accountId: string, id: string): Promise<boolean> {
  return ((await db.row(countOthers, [accountId, id]))?.others ?? 0) > 0
}

/** Marks a workspace as deleted. The row is kept because other rows refer to it. */
export function removeWorkspace(db: Db, id: string, now: number): Promise<number> {
  return db.run(markDeleted, [id, now])
}
