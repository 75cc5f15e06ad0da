import { getAccount } from '@bourse/api/iam/account.ts'
import {
  createAccount,
  createAccountUser,
  deleteAccountLimit,
  freezeAccount,
  getAdministeredAccount,
  listAccountLimits,
  listAccounts,
  putAccountLimit,
  setTrustLevel,
  unfreezeAccount,
  updateAccount,
} from '@bourse/api/iam/accounts.ts'
import { query } from '../core/query.ts'
import { handle, handleRuntime } from '../core/routes.ts'
import { interfaceVersion, version } from '../core/version.ts'
import * as accounts from './accounts.service.ts'
import * as limits from './limits.service.ts'
import { signFirstToken } from './tokens.service.ts'
import * as users from './users.service.ts'

export const accountRoutes = [
  handleRuntime(getAccount, (runtime, _input, { caller, request_id }) =>
    query(runtime, { ...(caller ? { caller } : {}), actor: { type: 'system' }, request_id }, (ctx) =>
      accounts.getAccount(ctx, { version, interface_version: interfaceVersion, mode: runtime.mode }),
    ),
  ),
  handle(createAccount, (ctx, { body }) => accounts.createAccount(ctx, body), {
    restore: async (ctx, body) => ({ ...body, token: await signFirstToken(ctx, String(body.id)) }),
  }),
  handle(listAccounts, (ctx, { query }) => accounts.listAccounts(ctx, query)),
  handle(getAdministeredAccount, (ctx, { params }) => accounts.getAdministeredAccount(ctx, params.account)),
  handle(updateAccount, (ctx, input) => accounts.updateAccount(ctx, input)),
  handle(freezeAccount, (ctx, { params }) => accounts.freezeAccount(ctx, params.account)),
  handle(unfreezeAccount, (ctx, { params }) => accounts.unfreezeAccount(ctx, params.account)),
  handle(setTrustLevel, (ctx, input) => accounts.setTrustLevel(ctx, input)),
  handle(listAccountLimits, (ctx, { params }) => limits.listAccountLimits(ctx, params.account)),
  handle(putAccountLimit, (ctx, input) => limits.putAccountLimit(ctx, input)),
  handle(deleteAccountLimit, (ctx, { params }) => limits.deleteAccountLimit(ctx, params)),
  handle(createAccountUser, (ctx, input) => users.createAccountUser(ctx, input)),
]
