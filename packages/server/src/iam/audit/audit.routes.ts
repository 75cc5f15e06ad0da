import { listAllAuditEntries, listAuditEntries } from '@bourse/api/iam/audit-entries.ts'
import { handle } from '../../core/http/routes.ts'
import * as entries from './entries.service.ts'

/** The routes of the audit trail. */
export const auditRoutes = [
  handle(listAuditEntries, (ctx, { query }) => entries.listAuditEntries(ctx, query)),
  handle(listAllAuditEntries, (ctx, { query }) => entries.listAllAuditEntries(ctx, query)),
]
