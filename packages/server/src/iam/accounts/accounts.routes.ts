import { getAccount } from '@bourse/api/iam/account.ts'
import {
  createAccountSignInLink,
  createAccountUser,
  deleteAccountLimit,
  listAccountLimits,
  putAccountLimit,
} from '@bourse/api/iam/accounts.ts'
import { handle, handleRuntime } from '../../core/http/routes.ts'
import * as accounts from './accounts.service.ts'
import * as limits from './limits.service.ts'
import * as users from './users.service.ts'

export const accountRoutes = [
  handleRuntime(getAccount, (runtime, _input, request) => accounts.getAccount(runtime, request)),
  handle(listAccountLimits, (ctx, { params }) => limits.listAccountLimits(ctx, params.account)),
  handle(putAccountLimit, (ctx, input) => limits.putAccountLimit(ctx, input)),
  handle(deleteAccountLimit, (ctx, { params }) => limits.deleteAccountLimit(ctx, params)),
  handle(createAccountUser, (ctx, input) => users.createAccountUser(ctx, input)),
  handle(createAccountSignInLink, (ctx, input) => users.createAccountSignInLink(ctx, input)),
]
