import { type Db, statement } from '../../core/db/db.ts'
import { defineLock } from '../../core/work/locks.ts'
import { type AccountRow, accountColumns } from './owners.rules.ts'

// `for no key update` lets other commands insert rows that refer to the account.
export const accountLock = defineLock(
  'account',
  'accounts',
  `select id
   from accounts
   where id = any($1)
   order by id
   for no key update`,
)

// `for key share` conflicts only with the deletion of the workspace, not with commands that create resources in it.
export const workspaceShareLock = defineLock(
  'workspace',
  'parents',
  `select id
   from workspaces
   where id = any($1) and deleted_at is null
   order by id
   for key share`,
)

const findAccountById = statement<AccountRow>(
  'iam.find_account',
  `select ${accountColumns}
   from accounts a
   where a.id = $1`,
)

const findAccountOfWorkspace = statement<{ account_id: string }>(
  'iam.find_workspace_account',
  `select account_id
   from workspaces
   where id = $1 and deleted_at is null`,
)

/** An account by its id. */
export function findAccount(db: Db, id: string): Promise<AccountRow | undefined> {
  return db.row(findAccountById, [id])
}

/** The account of a workspace; undefined if the workspace does not exist. */
export async function findWorkspaceAccount(db: Db, id: string): Promise<string | undefined> {
  return (await db.row(findAccountOfWorkspace, [id]))?.account_id
}
