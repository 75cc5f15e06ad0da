import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../core/db/db.ts'
import { jsonRows } from '../core/db/json-rows.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { defineRowLock } from '../core/work/locks.ts'
import {
  type Conditions,
  type ListFilters,
  type ListSpec,
  newestFirst,
  type Page,
  type PageQuery,
  readPage,
} from '../core/work/page.ts'
import type { LedgerLeg, MoneyBalance, MoneyHold, MoneyTransaction } from './money.rules.ts'

export type BalanceRow = MoneyBalance & { updated_at: number }
export type TransactionRow = Omit<MoneyTransaction, 'posting_id'> & { id: Id<'transaction'>; created_at: number }
export type HoldRow = MoneyHold & { id: Id<'hold'>; created_at: number }

const balanceColumns = `m.account_id, m.credit_micros::numeric as credit_micros, m.held_micros::numeric as held_micros,
  m.credit_limit_micros::numeric as credit_limit_micros, m.low_at_micros::numeric as low_at_micros, m.is_low,
  m.updated_at`
const transactionColumns = `t.id, t.account_id, t.type, t.amount_micros::numeric as amount_micros,
  t.balance_after_micros::numeric as balance_after_micros, t.fee_micros::numeric as fee_micros, t.order_id, t.fill_id,
  t.workspace_id, t.description, t.created_at`
const holdColumns = `h.id, h.order_id, h.account_id, h.workspace_id, h.amount_micros::numeric as amount_micros,
  h.created_at`

const balanceShape = `account_id text, credit_micros bigint, held_micros bigint, credit_limit_micros bigint,
     low_at_micros bigint, is_low boolean`
const legShape = `n bigint, cause_kind text, cause_id text, part bigint, leg integer, account_id text, book text,
     amount_micros bigint, balance_after_micros bigint`
const transactionShape = `n bigint, id text, account_id text, type text, amount_micros bigint,
     balance_after_micros bigint, fee_micros bigint, order_id text, fill_id text, workspace_id text, description text`
const holdShape = 'id text, order_id text, account_id text, workspace_id text, amount_micros bigint'

const insertMissing = statement<never>(
  'billing.open_accounts',
  `insert into money_accounts (account_id, updated_at)
   select a, $2
   from unnest($1::text[]) as a
   order by a
   on conflict do nothing`,
)
const selectBalances = statement<BalanceRow>(
  'billing.list_balances',
  `select ${balanceColumns}
   from money_accounts m
   where m.account_id = any($1)`,
)
const updateBalances = statement<never>(
  'billing.update_balances',
  `update money_accounts m
   set credit_micros = b.credit_micros, held_micros = b.held_micros, credit_limit_micros = b.credit_limit_micros,
     low_at_micros = b.low_at_micros, is_low = b.is_low, updated_at = $2
   from jsonb_to_recordset($1::jsonb) as b(${balanceShape})
   where m.account_id = b.account_id`,
)
// The caller holds the lock of the account, so no row of its ledger is inserted between the read and the insert.
const insertLimit = statement<never>(
  'billing.insert_limit',
  `insert into credit_limits (account_id, after_ledger_id, credit_limit_micros)
   select $1, coalesce(max(id), 0), $2
   from ledger
   where account_id = $1`,
)
// The order gives the legs rising ids, which the audits rely on.
const insertLegs = statement<never>(
  'billing.insert_legs',
  `insert into ledger (cause_kind, cause_id, part, leg, account_id, book, amount_micros, balance_after_micros,
     created_at)
   select l.cause_kind, l.cause_id, l.part, l.leg, l.account_id, l.book, l.amount_micros, l.balance_after_micros, $2
   from jsonb_to_recordset($1::jsonb) as l(${legShape})
   order by l.n`,
)
// The order gives the transactions of an account rising positions, the order in which they are listed.
const insertTransactions = statement<never>(
  'billing.insert_transactions',
  `insert into ledger_transactions (id, account_id, type, amount_micros, balance_after_micros, fee_micros, order_id,
     fill_id, workspace_id, description, created_at)
   select t.id, t.account_id, t.type, t.amount_micros, t.balance_after_micros, t.fee_micros, t.order_id, t.fill_id,
     t.workspace_id, t.description, $2
   from jsonb_to_recordset($1::jsonb) as t(${transactionShape})
   order by t.n`,
)
const insertMaker = statement<never>(
  'billing.insert_posting_maker',
  `insert into posting_makers (transaction_id, token_id, user_id, approved_by_token_id, approved_by_user_id)
   values ($1, $2, $3, $4, $5)`,
)
// By the index of postings: an account has few in a day, and many fills.
const sumAlone = statement<{ micros: bigint }>(
  'billing.sum_credited_alone',
  `select coalesce(sum(t.amount_micros), 0)::numeric as micros
   from ledger_transactions t
   join posting_makers p on p.transaction_id = t.id
   where t.account_id = $1 and t.created_at > $2 and t.fill_id is null and t.amount_micros > 0
     and p.approved_by_token_id is null and p.approved_by_user_id is null`,
)
const upsertHolds = statement<never>(
  'billing.put_holds',
  `insert into holds (id, order_id, account_id, workspace_id, amount_micros, created_at)
   select h.id, h.order_id, h.account_id, h.workspace_id, h.amount_micros, $2
   from jsonb_to_recordset($1::jsonb) as h(${holdShape})
   order by h.order_id
   on conflict (order_id) do update set amount_micros = excluded.amount_micros`,
)
const removeHolds = statement<never>(
  'billing.remove_holds',
  `delete from holds
   where order_id = any($1)`,
)

const lockText = `select ${balanceColumns}
   from money_accounts m
   where m.account_id = any($1)
   order by m.account_id
   for no key update`

/** Held by commands that move money of accounts. */
export const moneyLock = defineRowLock<BalanceRow>('account.money', 'accounts', lockText)

/** The same lock for accounts that become known late. It skips rows that are locked instead of waiting for them. */
export const lateMoneyLock = defineRowLock<BalanceRow>('account.money.late', 'accounts', `${lockText} skip locked`)

/** Records the credit limit of an account from this point of its ledger on. */
export function recordCreditLimit(db: Db, accountId: string, creditLimitMicros: bigint): Promise<number> {
  return db.run(insertLimit, [accountId, creditLimitMicros])
}

/** Inserts the rows of accounts that never had money. */
export async function openAccounts(ctx: Ctx, accountIds: readonly string[]): Promise<void> {
  await ctx.db.run(insertMissing, [accountIds, ctx.now])
}

/** The balances of some accounts. An account that never had money has no row. */
export function listBalances(db: Db, accountIds: readonly string[]): Promise<BalanceRow[]> {
  return db.rows(selectBalances, [accountIds])
}

export async function putBalances(ctx: Ctx, balances: readonly MoneyBalance[]): Promise<void> {
  await ctx.db.run(updateBalances, [jsonRows(balances), ctx.now])
}

export async function insertLedger(ctx: Ctx, legs: readonly LedgerLeg[]): Promise<void> {
  await ctx.db.run(insertLegs, [jsonRows(legs.map((leg, n) => ({ ...leg, n }))), ctx.now])
}

export async function insertLedgerTransactions(ctx: Ctx, rows: readonly TransactionRow[]): Promise<void> {
  await ctx.db.run(insertTransactions, [jsonRows(rows.map((row, n) => ({ ...row, n }))), ctx.now])
}

/** Who posts or approves: the token, and its user if it is a session. */
export type PostingOperator = { readonly token_id: string; readonly user_id: string | null }

/** What operators have credited to an account since a time without a second one. What they took away does not count. */
export async function sumCreditedAlone(db: Db, accountId: string, since: number): Promise<bigint> {
  return (await db.row(sumAlone, [accountId, since]))?.micros ?? 0n
}

/** Records who posted an amount, and who approved that if it needed two: the user of a session, otherwise the token. */
export function recordMaker(
  db: Db,
  transactionId: string,
  maker: PostingOperator,
  approver?: PostingOperator,
): Promise<number> {
  return db.run(insertMaker, [transactionId, ...columnsOf(maker), ...columnsOf(approver)])
}

function columnsOf(maker: PostingOperator | undefined): [string | null, string | null] {
  if (maker === undefined) return [null, null]
  return maker.user_id === null ? [maker.token_id, null] : [null, maker.user_id]
}

export async function putHolds(ctx: Ctx, holds: readonly (MoneyHold & { id: string })[]): Promise<void> {
  await ctx.db.run(upsertHolds, [jsonRows(holds), ctx.now])
}

export async function removeHoldsOfOrders(db: Db, orderIds: readonly string[]): Promise<void> {
  await db.run(removeHolds, [orderIds])
}

type ListedTransaction = TransactionRow & { readonly position: number }

// Within a second, positions are the order of the ledger. Ids of two servers have none.
const newestInLedger: ListSpec<ListedTransaction>['sort'] = {
  columns: ['t.created_at', 't.position'],
  direction: 'falling',
  keys: ({ created_at, position }) => [created_at, position],
}

/** A page of transactions; `where` selects them. */
export function listTransactions(ctx: Ctx, query: PageQuery, list: ListFilters): Promise<Page<ListedTransaction>> {
  const select = `select ${transactionColumns}, t.position from ledger_transactions t`
  const spec = { prefix: 'txc', list: 'ledger_transactions', query, select, ...list, sort: newestInLedger }
  return readPage<ListedTransaction>(ctx, spec)
}

/** A page of holds; `where` selects them. */
export function listHolds(ctx: Ctx, query: PageQuery, where: Conditions): Promise<Page<HoldRow>> {
  const select = `select ${holdColumns} from holds h`
  return readPage<HoldRow>(ctx, { prefix: 'holdc', query, select, where, sort: newestFirst('h') })
}
