import {
  approvePendingCredit,
  createPendingCredit,
  getPendingCredit,
  listPendingCredits,
  refusePendingCredit,
} from '@bourse/api/billing/pending-credits.ts'
import { handle } from '../core/http/routes.ts'
import * as credits from './pending-credits.service.ts'

export const pendingCreditRoutes = [
  handle(createPendingCredit, (ctx, { params, body }) => credits.createPendingCredit(ctx, params.account, body)),
  handle(listPendingCredits, (ctx, { query }) => credits.listPendingCredits(ctx, query)),
  handle(getPendingCredit, (ctx, { params }) => credits.getPendingCredit(ctx, params.id)),
  handle(approvePendingCredit, (ctx, { params }) => credits.approvePendingCredit(ctx, params.id)),
  handle(refusePendingCredit, (ctx, { params }) => credits.refusePendingCredit(ctx, params.id)),
]
