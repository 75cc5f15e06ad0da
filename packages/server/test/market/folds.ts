/** Runs the folds of usage and the closing of months in a test's server, which sweeps would run later. */
import { closeMonth, findAccountsToClose } from '../../src/accounting/statements/closed-statements.service.ts'
import { findAccountsBehind, foldAccount } from '../../src/accounting/usage/usage-fold.service.ts'
import { command, systemOrigin } from '../../src/core/work/command.ts'
import type { Ctx } from '../../src/core/work/ctx.ts'
import { query } from '../../src/core/work/query.ts'
import type { Runtime } from '../../src/core/work/runtime.ts'

type FoldWork = { find(ctx: Ctx): Promise<string[]>; step(ctx: Ctx, accountId: string): Promise<unknown> }

/** Folds everything of all accounts. */
export function foldUsage(runtime: Runtime): Promise<void> {
  return runAll(runtime, { find: findAccountsBehind, step: foldAccount })
}

/** Stores the statements of all closed months of all accounts that have a fold. */
export function closeMonths(runtime: Runtime): Promise<void> {
  return runAll(runtime, { find: findAccountsToClose, step: closeMonth })
}

async function runAll(runtime: Runtime, { find, step }: FoldWork): Promise<void> {
  const behind = () => query(runtime, systemOrigin, find)
  for (let accounts = await behind(); accounts.length > 0; accounts = await behind()) {
    for (const accountId of accounts) await command(runtime, systemOrigin, (ctx) => step(ctx, accountId))
  }
}
