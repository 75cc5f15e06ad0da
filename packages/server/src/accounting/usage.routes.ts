import { exportUsage } from '@bourse/api/billing/exports.ts'
import { getStatement } from '@bourse/api/billing/statements.ts'
import { listUsage } from '@bourse/api/billing/usage.ts'
import { handle, handleDownload } from '../core/http/routes.ts'
import { exportUsage as exportLines } from './exports.service.ts'
import * as statements from './statements.service.ts'
import * as usage from './usage.service.ts'

export const usageRoutes = [
  handle(listUsage, (ctx, { query }) => usage.listUsage(ctx, query)),
  handleDownload(exportUsage, exportLines),
  handle(getStatement, (ctx, { params }) => statements.getStatement(ctx, params.month)),
]
