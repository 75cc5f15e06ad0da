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
import { handle, handleRuntime } from '../../core/http/routes.ts'
import * as accounts from './accounts.service.ts'
import * as limits from './limits.service.ts'
import * as users from './users.service.ts'

export const accountRoutes = [
  handleRuntime(getAccount, (runtime, _input, request) => accounts.getAccount(runtime, request)),
  handle(createAccount, (ctx, { body }) => accounts.createAccount(ctx, body), { restore: accounts.restoreAccount }),
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
