/** The accounts that have traded lately, whose usage is to be folded. */
import type { RememberedValue } from '../core/db/history.ts'
import type { Ctx } from '../core/work/ctx.ts'
import type { MoneyLedger } from './money.rules.ts'

declare module '../core/work/services.ts' {
  interface Services {
    /** Accounts that traded on this server and that nobody has taken yet. */
    readonly traded_accounts: RememberedValue<Set<string>>
  }
}

/** Notes the accounts that trade in a transaction, once it is committed. */
export function noteTraders(ctx: Ctx, { transactions }: MoneyLedger): void {
  const traders = transactions.filter(({ fill_id }) => fill_id !== null).map(({ account_id }) => account_id)
  if (traders.length === 0) return
  ctx.onFinish((isCommitted) => {
    if (isCommitted) for (const accountId of traders) ctx.services.traded_accounts.current.add(accountId)
  })
}

/** The accounts that traded on this server since the last call. Those of a server that was killed are lost. */
export function takeTradedAccounts({ traded_accounts }: Ctx['services']): string[] {
  const taken = [...traded_accounts.current]
  traded_accounts.current.clear()
  return taken
}
