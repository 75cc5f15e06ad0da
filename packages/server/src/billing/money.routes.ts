import {
  createAccountTransaction,
  getBalance,
  listAccountTransactions,
  listHolds,
  listTransactions,
  putBalanceThreshold,
  putCreditLimit,
} from '@bourse/api/billing/billing.ts'
import { handle } from '../core/http/routes.ts'
import { putBalanceThreshold as setThreshold } from './balance-thresholds.service.ts'
import { putCreditLimit as setLimit } from './credit-limits.service.ts'
import * as money from './money.service.ts'

export const moneyRoutes = [
  handle(getBalance, (ctx) => money.getBalance(ctx)),
  handle(putBalanceThreshold, (ctx, { body }) => setThreshold(ctx, body)),
  handle(listTransactions, (ctx, { query }) => money.listTransactions(ctx, query)),
  handle(listHolds, (ctx, { query }) => money.listHolds(ctx, query)),
  handle(listAccountTransactions, (ctx, { params, query }) =>
    money.listAccountTransactions(ctx, params.account, query),
  ),
  handle(createAccountTransaction, (ctx, { params, body }) =>
    money.createAccountTransaction(ctx, params.account, body),
  ),
  handle(putCreditLimit, (ctx, { params, body }) => setLimit(ctx, params.account, body)),
]
