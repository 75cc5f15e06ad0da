import { exportLedger, listPlatformUsage, listRevenue } from '@bourse/api/billing/platform-ledger.ts'
import { handle, handleDownload } from '../../core/http/routes.ts'
import * as ledger from './ledger-export.service.ts'
import * as usage from './platform-usage.service.ts'
import * as revenue from './revenue.service.ts'

export const platformLedgerRoutes = [
  handle(listRevenue, (ctx, { query }) => revenue.listRevenue(ctx, query)),
  handle(listPlatformUsage, (ctx, { query }) => usage.listPlatformUsage(ctx, query)),
  handleDownload(exportLedger, ledger.exportLedger),
]
