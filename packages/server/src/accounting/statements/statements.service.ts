import type { Statement, StatementLine } from '@bourse/api/billing/statements.ts'
import { printDollars } from '@bourse/text/money.ts'
import { refuse } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { hasPermission, refuseNotFound } from '../../iam/access/permissions.service.ts'
import { readSums } from './closed-statements.service.ts'
import type { MonthSums } from './month-sums.service.ts'
import { changeOf, isClosed, type Month, monthOf, totalOf } from './statements.rules.ts'

/** Reads the statement of a month. */
export async function getStatement(ctx: Ctx, month: string): Promise<Statement> {
  // A month hides nothing, so a missing right is 403 and not 404.
  if (!hasPermission(ctx, 'billing:read', null)) refuse('forbidden', 'This needs the permission billing:read.')
  const { account_id } = callerOf(ctx)
  const span = monthOf(month)
  // A month that has not begun has no statement.
  if (span.start > ctx.now) refuseNotFound()
  const sums = await readSums(ctx, account_id, span)
  return present({ month, ...span, is_closed: isClosed(span, ctx.now) }, sums)
}

type StatementMonth = Month & { readonly month: string; readonly is_closed: boolean }

function present({ month, start, end, is_closed }: StatementMonth, { opening, lines }: MonthSums): Statement {
  const total = totalOf(lines)
  return {
    object: 'statement',
    month,
    period_start: start,
    period_end: end,
    state: is_closed ? 'closed' : 'open',
    opening_balance_dollars: printDollars(opening),
    closing_balance_dollars: printDollars(opening + changeOf(total)),
    ...presentSums(total),
    lines: lines.map((line): StatementLine => {
      const { sku_id, workspace_id } = line
      return {
        sku: sku_id as StatementLine['sku'],
        workspace: workspace_id as StatementLine['workspace'],
        ...presentSums(line),
      }
    }),
  }
}

function presentSums({ purchases, sales, fees, credits }: MonthSums['lines'][number]) {
  return {
    purchases_dollars: printDollars(purchases),
    sales_dollars: printDollars(sales),
    fees_dollars: printDollars(fees),
    credits_dollars: printDollars(credits),
  }
}
