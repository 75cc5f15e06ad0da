/** Accounts as the platform operator sees them: those of iam with their balances. */
import type {
  AdministeredAccount,
  CreatedAccount,
  createAccount as createContract,
  listAccounts as listContract,
} from '@bourse/api/iam/accounts.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Ctx } from '../core/work/ctx.ts'
import * as accounts from '../iam/accounts/accounts.service.ts'
import { describeBalances } from './money.service.ts'

/** Creates an account with a workspace and an admin token. */
export async function createAccount(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<CreatedAccount> {
  const { token, ...account } = await accounts.createAccount(ctx, body)
  return { ...(await withBalance(ctx, account)), token }
}

/** Lists all accounts. The balances of a page are read together. */
export async function listAccounts(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const page = await accounts.listAccounts(ctx, query)
  const balances = await describeBalances(ctx, page.data)
  return { ...page, data: page.data.map((account) => withOne(account, balances)) }
}

/** An account with its balance. */
export async function withBalance(ctx: Ctx, account: accounts.PlainAccount): Promise<AdministeredAccount> {
  return withOne(account, await describeBalances(ctx, [account]))
}

type Balances = Awaited<ReturnType<typeof describeBalances>>

function withOne(account: accounts.PlainAccount, balances: Balances): AdministeredAccount {
  return { ...account, balance: balances.get(account.id) as AdministeredAccount['balance'] }
}
