import type { listRevenue as listContract, Revenue } from '@bourse/api/billing/platform-ledger.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import { printDollars } from '@bourse/text/money.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { allow } from '../../iam/access/permissions.service.ts'
import { monthOf, monthsBetween } from '../statements/statements.rules.ts'
import { listRevenue as listRows, type RevenueRow } from './revenue.store.ts'

const monthsMax = 24

/** Lists what the operator earned and what was traded, by month and SKU. Sums of days are kept as trades happen. */
export async function listRevenue(ctx: Ctx, { from, to = from }: Input<typeof listContract>['query']) {
  await allow(ctx, 'platform:read', null)
  if (from > to) refuse('invalid_range', 'The first month must not follow the last one.', 'to')
  const first = monthOf(from)
  const last = monthOf(to)
  if (monthsBetween(first, last) >= monthsMax) {
    refuse('range_too_long', `The range may have at most ${monthsMax} months.`, 'to')
  }
  const rows = await listRows(ctx.db, first.start, last.end)
  return { object: 'list' as const, data: rows.map(presentRevenue), has_more: false }
}

function presentRevenue(row: RevenueRow): Revenue {
  return {
    object: 'revenue',
    month: row.month,
    sku: row.sku_id as Revenue['sku'],
    fees_dollars: printDollars(row.fee_micros),
    volume_dollars: printDollars(row.value_micros),
    node_minutes: row.node_minutes,
    fill_count: row.fill_count,
  }
}
