import { createBudget, deleteBudget, getBudget, listBudgets, updateBudget } from '@bourse/api/billing/budgets.ts'
import { handle } from '../core/http/routes.ts'
import * as budgets from './budgets.service.ts'

export const budgetRoutes = [
  handle(createBudget, (ctx, { body }) => budgets.createBudget(ctx, body)),
  handle(listBudgets, (ctx, { query }) => budgets.listBudgets(ctx, query)),
  handle(getBudget, (ctx, { params }) => budgets.getBudget(ctx, params.id)),
  handle(updateBudget, (ctx, { params, body }) => budgets.updateBudget(ctx, params.id, body)),
  handle(deleteBudget, (ctx, { params }) => budgets.deleteBudget(ctx, params.id)),
]
