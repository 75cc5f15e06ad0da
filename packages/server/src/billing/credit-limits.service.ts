/** How far below zero the credit of an account may fall. */
import type { Balance } from '@bourse/api/billing/billing.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { allow } from '../iam/access/permissions.service.ts'
import { requireAccount } from '../iam/accounts/accounts.service.ts'
import { amountOf, readBalances, setCreditLimit } from './money.service.ts'
import { refuseLimitAlone } from './pending-credits.rules.ts'

/** Sets the credit limit of an account: how far below zero its credit may fall. */
export async function putCreditLimit(
  ctx: Ctx,
  account: string,
  body: { credit_limit_dollars: string },
): Promise<Balance> {
  await allow(ctx, 'platform:write', null)
  await requireAccount(ctx, account)
  const wanted = amountOf(body.credit_limit_dollars, 'credit_limit_dollars')
  return setCreditLimit(ctx, account, wanted, ({ credit_micros, credit_limit_micros: present }) => {
    if (credit_micros >= -wanted) return refuseLimitAlone({ present, wanted }, ctx.services.dual_control_micros)
    const message = 'The account already uses more credit than this limit.'
    return { code: 'insufficient_funds', message, field: 'credit_limit_dollars' }
  })
}

/** The credit limit of an account without a lock, for a request that is decided on later. */
export async function readCreditLimitMicros(ctx: Ctx, accountId: string): Promise<bigint> {
  const [balance] = await readBalances(ctx, [accountId])
  return balance?.credit_limit_micros ?? 0n
}
