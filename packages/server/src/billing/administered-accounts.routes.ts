import {
  createAccount,
  freezeAccount,
  getAdministeredAccount,
  listAccounts,
  setTrustLevel,
  unfreezeAccount,
  updateAccount,
} from '@bourse/api/iam/accounts.ts'
import { handle } from '../core/http/routes.ts'
import * as accounts from '../iam/accounts/accounts.service.ts'
import { createAccount as create, listAccounts as list, withBalance } from './administered-accounts.service.ts'

export const administeredAccountRoutes = [
  handle(createAccount, (ctx, { body }) => create(ctx, body), { restore: accounts.restoreAccount }),
  handle(listAccounts, (ctx, { query }) => list(ctx, query)),
  handle(getAdministeredAccount, async (ctx, { params }) =>
    withBalance(ctx, await accounts.getAdministeredAccount(ctx, params.account)),
  ),
  handle(updateAccount, async (ctx, input) => withBalance(ctx, await accounts.updateAccount(ctx, input))),
  handle(freezeAccount, async (ctx, input) => withBalance(ctx, await accounts.freezeAccount(ctx, input))),
  handle(unfreezeAccount, async (ctx, { params }) =>
    withBalance(ctx, await accounts.unfreezeAccount(ctx, params.account)),
  ),
  handle(setTrustLevel, async (ctx, input) => withBalance(ctx, await accounts.setTrustLevel(ctx, input))),
]
