import type { Balance, putBalanceThreshold as thresholdContract } from '@bourse/api/billing/billing.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import { refuse } from '../core/base/refusal.ts'
import { type Ctx, callerOf } from '../core/work/ctx.ts'
import { hasPermission } from '../iam/access/permissions.service.ts'
import { readAmount } from './budgets.service.ts'
import { openMoneyLedger, withLowAt } from './money.rules.ts'
import { lockAccountBalance, presentBalance, saveMoney } from './money.service.ts'

/** Sets the available amount at which the balance of the caller's account is low. Null: none. */
export async function putBalanceThreshold(
  ctx: Ctx,
  { low_at_dollars }: Input<typeof thresholdContract>['body'],
): Promise<Balance> {
  // Without an id in the path there is nothing to hide, so a missing right is 403 and not 404.
  if (!hasPermission(ctx, 'billing:write', null)) refuse('forbidden', 'This needs the permission billing:write.')
  const lowAtMicros = low_at_dollars === null ? null : readAmount(low_at_dollars, 'low_at_dollars')
  const { account_id } = callerOf(ctx)
  const balances = (await lockAccountBalance(ctx, account_id)).map((row) => withLowAt(row, lowAtMicros))
  const ledger = openMoneyLedger(balances, [])
  ledger.touched.add(account_id)
  await saveMoney(ctx, ledger)
  const [saved] = ledger.balances.values()
  if (!saved) throw new Error('The balance that was locked is missing.')
  return presentBalance({ ...saved, updated_at: ctx.now })
}
