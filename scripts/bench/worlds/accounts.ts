// Accounts of a benchmark, made by the services of the server.

import type { Id } from '@bourse/api/kit/ids.ts'
import { systemCommand } from '../../../packages/server/src/core/work/command.ts'
import type { Runtime } from '../../../packages/server/src/core/work/runtime.ts'
import { createAdminToken, makeAccount } from '../../../packages/server/src/iam/accounts/accounts.service.ts'

/** An account with an admin token. */
export type MadeAccount = { readonly id: string; readonly workspace_id: Id<'workspace'>; readonly token: string }

type AccountFields = Omit<Parameters<typeof makeAccount>[1], 'id'>

/** Creates an account, by default one that is trusted. */
export function makeBenchAccount(
  runtime: Runtime,
  id: string,
  fields: AccountFields = { trust_level: 'trusted' },
): Promise<MadeAccount> {
  return systemCommand(runtime, async (ctx) => {
    const { workspace_id } = await makeAccount(ctx, { id, ...fields })
    const { token } = await createAdminToken(ctx, { account_id: id, workspace_id, name: 'bench' })
    return { id, workspace_id, token }
  })
}

/** Creates the account that administers the platform. */
export function makeOperator(runtime: Runtime): Promise<MadeAccount> {
  return makeBenchAccount(runtime, 'operator', { trust_level: 'partner', is_platform: true })
}
