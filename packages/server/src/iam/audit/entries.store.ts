import type { AuditEntry } from '@bourse/api/iam/audit-entries.ts'
import { entryOf, type StoredEntry } from '../../core/work/audit-log.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type Conditions, type Page, type PageQuery, readPage } from '../../core/work/page.ts'

/** A page of the trail, newest first. */
export async function listEntries(
  ctx: Ctx,
  { query, where, list }: { query: PageQuery; where: Conditions; list: string },
): Promise<Page<AuditEntry>> {
  const page = await readPage<StoredEntry>(ctx, {
    prefix: 'audtc',
    list,
    query,
    select:
      'select e.account_id, e.occurred_at, e.id, e.operation, e.actor_id, e.outcome, e.target_ids, e.body ' +
      'from audit_entries e',
    where,
    sort: {
      columns: ['e.occurred_at', 'e.id'],
      direction: 'falling',
      keys: (row) => [row.occurred_at, row.id],
    },
  })
  return { ...page, rows: page.rows.map(entryOf) }
}
