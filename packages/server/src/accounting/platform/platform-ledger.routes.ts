import { exportLedger, listRevenue } from '@bourse/api/billing/platform-ledger.ts'
import { handle, handleDownload } from '../../core/http/routes.ts'
import * as ledger from './ledger-export.service.ts'
import * as revenue from './revenue.service.ts'

export const platformLedgerRoutes = [
  handle(listRevenue, (ctx, { query }) => revenue.listRevenue(ctx, query)),
  handleDownload(exportLedger, ledger.exportLedger),
]
