import type { Ctx } from '../core/work/ctx.ts'
import { isLow, type MoneyBalance } from './money.rules.ts'

/** Emits that the balance of an account has become low, and notes whether it is. */
export function announceLow(ctx: Ctx, balance: MoneyBalance): void {
  const { account_id, is_low: wasLow } = balance
  balance.is_low = isLow(balance)
  if (!balance.is_low || wasLow) return
  const target = { action: 'account.balance_low', target_type: 'account', target_id: account_id }
  ctx.emit({ account_id, workspace_id: null, ...target, actor: { type: 'system' } })
}
