import { listUsage } from '@bourse/api/billing/usage.ts'
import { handle } from '../../core/http/routes.ts'
import * as usage from './usage.service.ts'

export const usageRoutes = [handle(listUsage, (ctx, { query }) => usage.listUsage(ctx, query))]
