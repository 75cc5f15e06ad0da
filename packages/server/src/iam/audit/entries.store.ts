import type { AuditEntry } from '@bourse/api/iam/audit-entries.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type Conditions, type Page, type PageQuery, readPage } from '../../core/work/page.ts'

type EntryRow = { readonly occurred_at: number; readonly id: string; readonly body: string }

/** A page of the trail, newest first. */
export async function listEntries(
  ctx: Ctx,
  { query, where, list }: { query: PageQuery; where: Conditions; list: string },
): Promise<Page<AuditEntry>> {
  const page = await readPage<EntryRow>(ctx, {
    prefix: 'audtc',
    list,
    query,
    select: 'select e.occurred_at, e.id, e.body from audit_entries e',
    where,
    sort: {
      columns: ['e.occurred_at', 'e.id'],
      direction: 'falling',
      keys: (row) => [row.occurred_at, row.id],
    },
  })
  return { ...page, rows: page.rows.map(({ body }) => JSON.parse(body) as AuditEntry) }
}
