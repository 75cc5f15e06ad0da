/**
 * The operator's export of the ledger. A fill commits with both of its sides, and a posting with its other side, so
 * every row has what makes it zero in the same page, whatever commits while the export runs.
 */
import type { exportLedger as exportContract } from '@bourse/api/billing/platform-ledger.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import { throwIfRefused } from '../../core/base/refusal.ts'
import type { Download, ReadPart } from '../../core/http/handlers.ts'
import { allow } from '../../iam/access/permissions.service.ts'
import type { ExportRow } from '../exports/columns.rules.ts'
import { fileOf, nameOf } from '../exports/export-files.service.ts'
import { pagesAhead } from '../exports/pages.service.ts'
import { refuseUsageRange } from '../usage/usage.rules.ts'
import { listPostings, listTradedSkus, listTrades, type TimePlace } from './ledger-export.store.ts'
import { ledgerColumns, postingRows, tradeRows } from './ledger-rows.rules.ts'

const pageLength = 2_000

/** Opens an export of what moved between all accounts and the operator. */
export async function exportLedger(
  read: ReadPart,
  { query }: { query: Input<typeof exportContract>['query'] },
): Promise<Download> {
  const now = await read(async (ctx) => {
    await allow(ctx, 'platform:read', null)
    throwIfRefused(refuseUsageRange(query, 'day'))
    return ctx.now
  })
  // What happens while the export runs could keep it from ending.
  const range = { from: query.from, to: Math.min(query.to, now + 1) }
  const content = { name: nameOf('platform-ledger', query), columns: ledgerColumns, rows: rowsOf(read, range) }
  return fileOf(query.encoding ?? 'csv', content)
}

type LedgerRange = { readonly from: number; readonly to: number }

async function* rowsOf(read: ReadPart, { from, to }: LedgerRange): AsyncGenerator<ExportRow[]> {
  // Before every id of the first second.
  const first: TimePlace = { at: from, id: '' }
  for (const skuId of await read((ctx) => listTradedSkus(ctx.db, from, to))) {
    const next = (after: TimePlace) => read((ctx) => listTrades(ctx.db, skuId, { after, to, limit: pageLength }))
    const placeOf = ({ filled_at, id }: { filled_at: number; id: string }) => ({ at: filled_at, id })
    for await (const page of pagesAhead(next, first, { length: pageLength, placeOf })) yield page.flatMap(tradeRows)
  }
  const next = (after: TimePlace) => read((ctx) => listPostings(ctx.db, { after, to, limit: pageLength }))
  const placeOf = ({ created_at, id }: { created_at: number; id: string }) => ({ at: created_at, id })
  for await (const page of pagesAhead(next, first, { length: pageLength, placeOf })) yield page.flatMap(postingRows)
}
