/**
 * The account and the workspace that own a resource: their locks and what every area reads of them.
 * Not this file's work: the endpoints of accounts and workspaces (accounts.service.ts, workspaces.service.ts).
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { AccountRow } from './owners.rules.ts'
import {
  accountLock,
  findWorkspaceAccount as findAccountId,
  findAccount as findAccountRow,
  workspaceShareLock,
} from './owners.store.ts'

/** Locks an account for changes to its limits, its admins or itself (rank `accounts`). False if it does not exist. */
export async function lockAccount(ctx: Ctx, id: string): Promise<boolean> {
  return (await ctx.lock(accountLock, [id])).length > 0
}

/**
 * Prevents the deletion of a workspace until the end of the command (rank `parents`, among them by kind). Refuses
 * `reference_not_found` if it does not exist.
 */
export async function lockWorkspaceShared(ctx: Ctx, id: Id<'workspace'>): Promise<void> {
  const [locked] = await ctx.lock(workspaceShareLock, [id])
  if (locked === undefined) refuse('reference_not_found', 'There is no such workspace.', 'workspace')
}

/** An account by its id. */
export function findAccount({ db }: Pick<Ctx, 'db'>, id: string): Promise<AccountRow | undefined> {
  return findAccountRow(db, id)
}

/** Whether an account is frozen now; true if there is none. What caches say of a caller may be a second old. */
export async function isAccountFrozen(ctx: Pick<Ctx, 'db'>, id: string): Promise<boolean> {
  return (await findAccount(ctx, id))?.is_frozen ?? true
}

/** The account of a workspace; undefined if the workspace does not exist. */
export function findWorkspaceAccount({ db }: Pick<Ctx, 'db'>, id: string): Promise<string | undefined> {
  return findAccountId(db, id)
}
