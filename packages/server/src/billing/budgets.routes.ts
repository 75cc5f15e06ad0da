import { operations } from '@bourse/api/billing/budgets.ts'
import { handleAll } from '../core/http/routes.ts'
import * as budgets from './budgets.service.ts'

export const budgetRoutes = handleAll(operations, budgets)
