/** Runs the folds of usage in a test's server, which a sweep would run later. */
import { findAccountsBehind, foldAccount } from '../../src/accounting/usage-fold.service.ts'
import { command, systemOrigin } from '../../src/core/work/command.ts'
import { query } from '../../src/core/work/query.ts'
import type { Runtime } from '../../src/core/work/runtime.ts'

/** Folds everything of all accounts. */
export async function foldUsage(runtime: Runtime): Promise<void> {
  for (let accounts = await behind(runtime); accounts.length > 0; accounts = await behind(runtime)) {
    for (const account_id of accounts) await command(runtime, systemOrigin, (ctx) => foldAccount(ctx, account_id))
  }
}

function behind(runtime: Runtime): Promise<string[]> {
  return query(runtime, systemOrigin, findAccountsBehind)
}
