import type { Balance, Hold, listTransactions as listContract, Transaction } from '@bourse/api/billing/billing.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Ref } from '@bourse/api/kit/ids.ts'
import { parseDollars, printDollars } from '@bourse/text/money.ts'
import { type RefusalData, refuse, throwIfRefused } from '../core/base/refusal.ts'
import type { Db } from '../core/db/db.ts'
import { type Ctx, callerOf } from '../core/work/ctx.ts'
import { among, conditions, type PageQuery, pageResponse } from '../core/work/page.ts'
import { allow, hasPermission, makerOf } from '../iam/access/permissions.service.ts'
import { requireAccount } from '../iam/accounts/accounts.service.ts'
import { idToLoad } from '../iam/names/names.service.ts'
import { announceBudgets, readBudgets, saveBudgets } from './budget-sums.service.ts'
import type { BudgetRow } from './budgets.rules.ts'
import { announceLow } from './low-balances.service.ts'
import {
  availableMicros,
  holdMoney,
  type MoneyBalance,
  type MoneyFill,
  type MoneyHold,
  type MoneyLedger,
  openMoneyLedger,
  postMoney,
  refuseHold,
  releaseMoney,
  settleFill,
} from './money.rules.ts'
import {
  type BalanceRow,
  type HoldRow,
  insertLedger,
  insertLedgerTransactions,
  lateMoneyLock,
  listBalances,
  listHolds as listHoldRows,
  listTransactions as listTransactionRows,
  moneyLock,
  openAccounts,
  type PostingOperator,
  putBalances,
  putHolds,
  recordCreditLimit,
  recordMaker,
  removeHoldsOfOrders,
  sumCreditedAlone,
  type TransactionRow,
} from './money.store.ts'
import { aloneSeconds, refuseAlone } from './pending-credits.rules.ts'
import { noteTraders } from './traded-accounts.service.ts'

type PostingBody = {
  type: 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment'
  amount_dollars: string
  description: string
}

type PostingRequest = { type: PostingBody['type']; amount_micros: bigint; description: string }

declare module '../core/work/services.ts' {
  interface Services {
    /** The credit above which a second operator has to agree. Undefined: none needs one. */
    readonly dual_control_micros: bigint | undefined
  }
}

/** The greatest amount of one posting: far above any real sum, far below the range of a bigint. */
const postingMaxMicros = 10n ** 18n

/** Reads the balance of the caller's account. */
export async function getBalance(ctx: Ctx): Promise<Balance> {
  // Without an id in the path there is nothing to hide, so a missing right is 403 and not 404.
  if (!hasPermission(ctx, 'billing:read', null)) refuse('forbidden', 'This needs the permission billing:read.')
  return presentBalance(await readBalance(ctx, callerOf(ctx).account_id))
}

/** Lists the transactions of the caller's account. */
export async function listTransactions(ctx: Ctx, query: Input<typeof listContract>['query']) {
  await allow(ctx, 'billing:list', null)
  return listTransactionsOf(ctx, callerOf(ctx).account_id, query)
}

/** Lists the holds of open buy orders of the caller's account. */
export async function listHolds(ctx: Ctx, query: PageQuery & { workspace?: Ref<'workspace'> }) {
  await allow(ctx, 'billing:list', null)
  const where = conditions().add('h.account_id = $', callerOf(ctx).account_id)
  if (query.workspace !== undefined) {
    where.check('h.workspace_id = $', await idToLoad(ctx, 'workspace', query.workspace))
  }
  const page = await listHoldRows(ctx, query, where)
  return pageResponse(page, page.rows.map(presentHold))
}

/** Lists the transactions of any account, for the operator. */
export async function listAccountTransactions(ctx: Ctx, account: string, query: Input<typeof listContract>['query']) {
  await allow(ctx, 'platform:read', null)
  await requireAccount(ctx, account)
  return listTransactionsOf(ctx, account, query)
}

/** Posts an amount, positive or negative, to an account. */
export async function createAccountTransaction(ctx: Ctx, account: string, body: PostingBody): Promise<Transaction> {
  await allow(ctx, 'platform:write', null)
  await requireAccount(ctx, account)
  const amount_micros = amountOf(body.amount_dollars, 'amount_dollars')
  if (amount_micros === 0n) refuse('out_of_range', 'The amount must not be zero.', 'amount_dollars')
  await refuseCreditAlone(ctx, account, amount_micros)
  return postBy(
    ctx,
    account,
    { type: body.type, amount_micros, description: body.description },
    { maker: makerOf(ctx) },
  )
}

/** Refuses what one operator may not credit alone, also in several postings: read under the lock of the account. */
async function refuseCreditAlone(ctx: Ctx, account_id: string, amount: bigint): Promise<void> {
  const limitMicros = ctx.services.dual_control_micros
  if (limitMicros === undefined || amount <= 0n) return
  throwIfRefused(refuseAlone({ amount, alone: 0n }, limitMicros))
  await lockAccountBalance(ctx, account_id)
  const alone = await sumCreditedAlone(ctx.db, account_id, ctx.now - aloneSeconds)
  throwIfRefused(refuseAlone({ amount, alone }, limitMicros))
}

/** Who posts an amount, and who approved that if it needed two. Without a maker it is the system. */
type PostedBy = { readonly maker: PostingOperator | undefined; readonly approver?: PostingOperator }

/** Posts an amount to an account and records who did. The caller checks permissions. */
export async function postBy(
  ctx: Ctx,
  account_id: string,
  posting: PostingRequest,
  by: PostedBy,
): Promise<Transaction> {
  const posted = await postTo(ctx, account_id, posting)
  if (by.maker) await recordMaker(ctx.db, posted.id, by.maker, by.approver)
  return posted
}

/** Topic of `ctx.publish`: an account has more money to spend, or a budget allows more. The key is the account. */
export const fundsAdded = 'billing.funds_added'

/** Posts an amount to an account. The caller checks permissions. */
export async function postTo(ctx: Ctx, account_id: string, posting: PostingRequest): Promise<Transaction> {
  const ledger = openMoneyLedger(await lockAccountBalance(ctx, account_id), [])
  throwIfRefused(postMoney(ledger, { ...posting, account_id, id: ctx.newId('transaction') }))
  const [row] = await saveMoney(ctx, ledger)
  if (posting.amount_micros > 0n) ctx.publish(fundsAdded, account_id)
  return presentTransaction(row as TransactionRow)
}

/** Sets the credit limit of an account, unless its balance refuses it. The caller checks permissions. */
export async function setCreditLimit(
  ctx: Ctx,
  account_id: string,
  credit_limit_micros: bigint,
  refusalOf: (balance: MoneyBalance) => RefusalData | undefined,
): Promise<Balance> {
  const ledger = openMoneyLedger(await lockAccountBalance(ctx, account_id), [])
  const balance = ledger.balances.get(account_id) as MoneyBalance
  throwIfRefused(refusalOf(balance))
  if (credit_limit_micros > balance.credit_limit_micros) ctx.publish(fundsAdded, account_id)
  balance.credit_limit_micros = credit_limit_micros
  ledger.touched.add(account_id)
  await Promise.all([saveMoney(ctx, ledger), recordCreditLimit(ctx.db, account_id, credit_limit_micros)])
  return presentBalance({ ...balance, updated_at: ctx.now })
}

/** Locks the balance of an account; without its budgets, as only orders count towards them. */
export async function lockAccountBalance(ctx: Ctx, account_id: string): Promise<BalanceRow[]> {
  const [row] = await lockAllBalances(ctx, [account_id])
  const { budgets: _, ...balance } = row as SpendingRow
  return [balance]
}

/** A balance with the budgets that its holds and fills count towards. */
type SpendingRow = BalanceRow & { readonly budgets: readonly BudgetRow[] }

/** The money of several accounts while a transaction moves it. */
export type Money = {
  /** Holds money for an order; refuses payment_required and budget_exceeded. */
  hold(hold: MoneyHold): RefusalData | undefined
  /** Refuses what `hold` would refuse after a release of `freedMicros` of the same account and workspace. */
  refuseHold(hold: MoneyHold, freedMicros: bigint): RefusalData | undefined
  settle(fill: MoneyFill): void
  /** Releases a part of the hold of an order. `part` distinguishes the releases of one order. */
  release(orderId: string, release: { amount_micros: bigint; part: number }): void
  /** Adds the hold of an order that may change. */
  open(hold: MoneyHold): void
  /** Adds an account whose balance will change. */
  touch(account_id: string): void
  /** The accounts that were added and are not locked. Nothing may be saved while there are any. */
  unlocked(): string[]
  /** Emits the thresholds that budgets have reached. Before `save`, which stores that they are. */
  announce(ctx: Ctx): void
  /** Stores all movements. The statements are sent together. */
  save(ctx: Ctx): Promise<void>
}

/**
 * Locks the balances of accounts (rank `accounts`) and returns them. An account that never had money has no row and is
 * left out.
 */
export function lockBalances(
  { db, lockRows }: Pick<Ctx, 'db' | 'lockRows'>,
  accountIds: readonly string[],
): Promise<SpendingRow[]> {
  return withBudgets(db, accountIds, () => lockRows(moneyLock, accountIds))
}

/** The balances of accounts without a lock, for decisions that are replayed on locked balances. */
export function readBalances({ db }: Pick<Ctx, 'db'>, accountIds: readonly string[]): Promise<SpendingRow[]> {
  return withBudgets(db, accountIds, () => listBalances(db, accountIds))
}

/** Locks the balances of accounts (rank `accounts`), and inserts the rows that are missing. */
export async function lockAllBalances(ctx: Ctx, accountIds: readonly string[]): Promise<SpendingRow[]> {
  const wanted = [...new Set(accountIds)].sort()
  // Sent together in one round trip. Each statement sees the effects of the one before it.
  const [, balances] = await Promise.all([openAccounts(ctx, wanted), lockBalances(ctx, wanted)])
  return balances
}

/**
 * Locks the balances of accounts that become known late, outside the lock order. Accounts that another transaction
 * holds are left out, because waiting for them could deadlock. Inserts the rows of accounts that never had money.
 */
export async function lockLateBalances(ctx: Ctx, accountIds: readonly string[]): Promise<SpendingRow[]> {
  const found = await lockLate(ctx, accountIds)
  if (found.length === accountIds.length) return found
  const known = new Set(found.map(({ account_id }) => account_id))
  const missing = accountIds.filter((id) => !known.has(id)).sort()
  // A row that another transaction holds exists, so the second lock skips it as well.
  const [, more] = await Promise.all([openAccounts(ctx, missing), lockLate(ctx, missing)])
  return [...found, ...more]
}

function lockLate({ db, lockRows }: Ctx, accountIds: readonly string[]): Promise<SpendingRow[]> {
  return withBudgets(db, accountIds, () => lockRows(lateMoneyLock, accountIds))
}

/**
 * Adds the budgets of accounts to their balances. The statement is sent behind that of the balances: where it locks
 * them, the budgets are read under the lock.
 */
async function withBudgets(
  db: Db,
  accountIds: readonly string[],
  take: () => Promise<BalanceRow[]>,
): Promise<SpendingRow[]> {
  const [rows, budgets] = await Promise.all([take(), readBudgets(db, accountIds)])
  return rows.map((row) => ({ ...row, budgets: budgets.get(row.account_id) ?? [] }))
}

/** Money over locked balances. Accounts that are not among them can be added. */
export function moneyOver({ now }: Pick<Ctx, 'now'>, rows: readonly SpendingRow[]): Money {
  const balances = rows.map(({ budgets: _, ...balance }) => balance)
  const locked = new Set(balances.map(({ account_id }) => account_id))
  const ledger = openMoneyLedger(balances, [], { budgets: rows.flatMap(({ budgets }) => budgets), now })
  const touch = (account_id: string) => {
    if (!ledger.balances.has(account_id)) ledger.balances.set(account_id, noBalance(account_id))
  }
  return {
    hold: (hold) => holdMoney(ledger, hold),
    refuseHold: (hold, freedMicros) => refuseHold(ledger, hold, freedMicros),
    settle: (fill) => settleFill(ledger, fill),
    release: (orderId, release) => releaseMoney(ledger, orderId, release),
    open: (hold) => {
      if (ledger.holds.has(hold.order_id)) return
      touch(hold.account_id)
      ledger.holds.set(hold.order_id, { ...hold })
      // A locked balance includes the hold already.
      const balance = locked.has(hold.account_id) ? undefined : ledger.balances.get(hold.account_id)
      if (balance) balance.held_micros += hold.amount_micros
    },
    touch,
    announce: (ctx) => announceBudgets(ctx, ledger.touched_budgets),
    unlocked: () => [...ledger.balances.keys()].filter((account_id) => !locked.has(account_id)),
    save: async (ctx) => void (await saveMoney(ctx, ledger)),
  }
}

/** Stores the movements of a money book, and emits which balances have become low. */
export async function saveMoney(ctx: Ctx, ledger: MoneyLedger): Promise<TransactionRow[]> {
  const rows = ledger.transactions.map(({ posting_id, ...row }) => {
    return { ...row, id: (posting_id ?? ctx.newId('transaction')) as TransactionRow['id'], created_at: ctx.now }
  })
  const balances = [...ledger.balances.values()].filter(({ account_id }) => ledger.touched.has(account_id))
  const holds = [...ledger.holds.values()]
  const open = holds
    .filter(({ amount_micros }) => amount_micros > 0n)
    .map((hold) => ({ ...hold, id: ctx.newId('hold') }))
  const ended = holds.filter(({ amount_micros }) => amount_micros === 0n).map(({ order_id }) => order_id)
  noteTraders(ctx, ledger)
  for (const balance of balances) announceLow(ctx, balance)
  await Promise.all([
    putBalances(ctx, balances),
    ledger.legs.length > 0 ? insertLedger(ctx, ledger.legs) : undefined,
    rows.length > 0 ? insertLedgerTransactions(ctx, rows) : undefined,
    open.length > 0 ? putHolds(ctx, open) : undefined,
    ended.length > 0 ? removeHoldsOfOrders(ctx.db, ended) : undefined,
    saveBudgets(ctx.db, ledger.touched_budgets),
  ])
  return rows
}

/** The available money of an account without a lock, for estimates. */
export async function readAvailableMicros(ctx: Ctx, account_id: string): Promise<bigint> {
  return availableMicros(await readBalance(ctx, account_id))
}

async function readBalance(ctx: Ctx, account_id: string): Promise<BalanceRow> {
  const [row] = await listBalances(ctx.db, [account_id])
  return row ?? emptyBalance(account_id, ctx.now)
}

/** Of an account that never had money. */
function emptyBalance(account_id: string, now: number): BalanceRow {
  return { ...noBalance(account_id), updated_at: now }
}

function noBalance(account_id: string): MoneyBalance {
  const nothing = { credit_micros: 0n, held_micros: 0n, credit_limit_micros: 0n }
  return { account_id, ...nothing, low_at_micros: null, is_low: false }
}

/** The balances of accounts, as the API shows them, by account. The caller checks permissions. */
export async function describeBalances(
  ctx: Ctx,
  accounts: readonly { readonly id: string; readonly created_at: number }[],
): Promise<Map<string, Balance>> {
  const rows = await listBalances(
    ctx.db,
    accounts.map(({ id }) => id),
  )
  const byId = new Map(rows.map((row) => [row.account_id, row]))
  return new Map(
    accounts.map(({ id, created_at }) => [id, presentBalance(byId.get(id) ?? emptyBalance(id, created_at))]),
  )
}

async function listTransactionsOf(ctx: Ctx, account_id: string, query: Input<typeof listContract>['query']) {
  const where = conditions()
    .add('t.account_id = $', account_id)
    .addIf('t.order_id = $', query.order)
    .addIf('t.created_at >= $', query.created_after)
    .addIf('t.created_at <= $', query.created_before)
  if (query.workspace !== undefined) {
    where.check('t.workspace_id = $', await idToLoad(ctx, 'workspace', query.workspace))
  }
  // The transactions of an order are few, and have an index.
  if (query.order !== undefined) where.addIf('t.type = any($)', query.type)
  const types = query.order === undefined ? query.type : undefined
  const page = await listTransactionRows(ctx, query, { where, among: among('t.type', types) })
  return pageResponse(page, page.rows.map(presentTransaction))
}

/** Reads an amount of a posting or credit limit. */
export function amountOf(text: string, field: string): bigint {
  const micros = parseDollars(text)
  if (micros !== undefined && micros <= postingMaxMicros && micros >= -postingMaxMicros) return micros
  refuse('out_of_range', `An amount is at most ${printDollars(postingMaxMicros)} dollars.`, field)
}

/** A balance as the API shows it. */
export function presentBalance(row: BalanceRow): Balance {
  return {
    object: 'balance',
    available_dollars: printDollars(availableMicros(row)),
    total_dollars: printDollars(row.credit_micros + row.held_micros),
    held_dollars: printDollars(row.held_micros),
    credit_limit_dollars: printDollars(row.credit_limit_micros),
    low_at_dollars: row.low_at_micros === null ? null : printDollars(row.low_at_micros),
    is_low: row.is_low,
    updated_at: row.updated_at,
  }
}

function presentTransaction(row: TransactionRow): Transaction {
  return {
    object: 'transaction',
    id: row.id,
    type: row.type,
    amount_dollars: printDollars(row.amount_micros),
    balance_after_dollars: printDollars(row.balance_after_micros),
    fee_dollars: printDollars(row.fee_micros),
    order: row.order_id as Transaction['order'],
    fill: row.fill_id as Transaction['fill'],
    workspace: row.workspace_id as Transaction['workspace'],
    description: row.description,
    created_at: row.created_at,
  }
}

function presentHold({ id, order_id, workspace_id, amount_micros, created_at }: HoldRow): Hold {
  return {
    object: 'hold',
    id,
    order: order_id as Hold['order'],
    workspace: workspace_id as Hold['workspace'],
    amount_dollars: printDollars(amount_micros),
    created_at,
  }
}
