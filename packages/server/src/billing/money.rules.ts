/**
 * The ledger in memory: double entry, in whole micro-dollars. A money book is opened over the balances of accounts that
 * the caller has locked. Every movement is checked against the balances and recorded as ledger legs, transactions and
 * holds, which the service stores at once. The value of an order and the fee of a fill are decided in prices.rules.
 */

import { comparedMoney } from '@bourse/text/formats/short.ts'
import { printDollars } from '@bourse/text/money.ts'
import type { RefusalData } from '../core/base/refusal.ts'
import { atTime, type BudgetRow, countsFor, refuseByBudget, withRecent } from './budgets.rules.ts'

/** The balance of an account. `credit` may fall to minus the credit limit; `held` is reserved for open buys. */
export type MoneyBalance = {
  readonly account_id: string
  credit_micros: bigint
  held_micros: bigint
  credit_limit_micros: bigint
  /** The available amount at which the balance is low; null: none. */
  low_at_micros: bigint | null
  /** Whether that was announced, and the amount has not recovered since. */
  is_low: boolean
}

/** A row of the ledger. The operator's books `fees` and `funding` have no account and no running balance. */
export type LedgerLeg = {
  readonly cause_kind: 'admission' | 'fill' | 'release' | 'posting'
  readonly cause_id: string
  readonly part: number
  readonly leg: number
  readonly account_id: string | null
  readonly book: 'credit' | 'held' | 'fees' | 'funding'
  readonly amount_micros: bigint
  readonly balance_after_micros: bigint | null
}

/** A movement as its account sees it. */
export type MoneyTransaction = {
  readonly account_id: string
  readonly type: 'buy_fill' | 'sell_fill' | 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment'
  readonly amount_micros: bigint
  readonly balance_after_micros: bigint
  readonly fee_micros: bigint
  readonly order_id: string | null
  readonly fill_id: string | null
  readonly workspace_id: string | null
  readonly description: string | null
  /** The id of a posting, which is also its cause in the ledger. Other transactions get an id when they are stored. */
  readonly posting_id?: string
}

/** Money held for one order. */
export type MoneyHold = {
  readonly order_id: string
  readonly account_id: string
  readonly workspace_id: string
  amount_micros: bigint
}

/** The balances and holds of one command, and the movements that it made. */
export type MoneyLedger = {
  readonly balances: Map<string, MoneyBalance>
  readonly holds: Map<string, MoneyHold>
  /** The accounts whose balance changed. */
  readonly touched: Set<string>
  readonly legs: LedgerLeg[]
  readonly transactions: MoneyTransaction[]
  /** The budgets of the accounts, by account, in the periods of this time. */
  readonly budgets: Map<string, BudgetRow[]>
  readonly touched_budgets: Set<BudgetRow>
  readonly now: number
}

/** The money of one trade. */
export type MoneyFill = {
  readonly fill_id: string
  readonly buyer: { readonly account_id: string; readonly order_id: string; readonly workspace_id: string }
  readonly seller: { readonly account_id: string; readonly order_id: string; readonly workspace_id: string }
  /** What the seller gets, before the fee. */
  readonly value_micros: bigint
  /** What the buyer gets back: what the hold no longer needs, less the value. */
  readonly saved_micros: bigint
  /** Paid by the seller out of the value. */
  readonly fee_micros: bigint
}

/** Opens a money book over locked balances and the holds of orders that may change. */
export function openMoneyLedger(
  balances: Iterable<MoneyBalance>,
  holds: Iterable<MoneyHold>,
  { budgets = [], now = 0 }: { readonly budgets?: readonly BudgetRow[]; readonly now?: number } = {},
): MoneyLedger {
  const current = budgets.map((budget) => atTime(budget, now))
  return {
    budgets: Map.groupBy(current, ({ account_id }) => account_id),
    touched_budgets: new Set(),
    now,
    balances: new Map([...balances].map((balance) => [balance.account_id, { ...balance }])),
    holds: new Map([...holds].map((hold) => [hold.order_id, { ...hold }])),
    touched: new Set(),
    legs: [],
    transactions: [],
  }
}

/** What an account can spend: credit plus credit limit. Held money is not part of the credit. */
export function availableMicros({ credit_micros, credit_limit_micros }: MoneyBalance): bigint {
  return credit_micros + credit_limit_micros
}

/**
 * Whether the balance of an account is low: its available amount has fallen to the threshold, and has not risen a tenth
 * above it since. So an amount that moves around the threshold is announced once.
 */
export function isLow(balance: MoneyBalance): boolean {
  const { low_at_micros, is_low } = balance
  if (low_at_micros === null) return false
  const available = availableMicros(balance)
  return available <= low_at_micros || (is_low && 10n * available < 11n * low_at_micros)
}

/** A balance with a threshold. Whether it is low is decided anew if the threshold is another one. */
export function withLowAt<T extends MoneyBalance>(balance: T, low_at_micros: bigint | null): T {
  return { ...balance, low_at_micros, is_low: balance.is_low && balance.low_at_micros === low_at_micros }
}

/**
 * Holds money for an order. Refuses payment_required with the missing amount, and budget_exceeded; then nothing moves.
 */
export function holdMoney(ledger: MoneyLedger, hold: MoneyHold): RefusalData | undefined {
  const refusal = refuseHold(ledger, hold, 0n)
  if (refusal) return refusal
  ledger.holds.set(hold.order_id, { ...hold })
  transfer(ledger, { kind: 'admission', id: hold.order_id }, [
    { account_id: hold.account_id, book: 'credit', amount_micros: -hold.amount_micros },
    { account_id: hold.account_id, book: 'held', amount_micros: hold.amount_micros },
  ])
  countInBudgets(ledger, hold, { held_micros: hold.amount_micros, spent_micros: 0n })
  return undefined
}

/** Refuses a hold as {@link holdMoney} does, if another one of the same workspace, of `freedMicros`, were released. */
export function refuseHold(ledger: MoneyLedger, hold: MoneyHold, freedMicros: bigint): RefusalData | undefined {
  const balance = balanceOf(ledger, hold.account_id)
  const available = availableMicros(balance) + freedMicros
  if (hold.amount_micros > available) {
    const amounts = [hold.amount_micros, available, hold.amount_micros - available].map(printDollars)
    const [needed, there, missing] = comparedMoney(...amounts)
    const message = `This needs ${needed}, and ${there} is available: ${missing} is missing.`
    return { code: 'payment_required', message }
  }
  const budgets = budgetsOf(ledger, hold).map((budget) => ({
    ...budget,
    held_micros: budget.held_micros - freedMicros,
  }))
  return refuseByBudget(budgets, hold.amount_micros)
}

/**
 * Settles a fill: the buyer pays out of its hold and gets back what it saved; the seller gets the value less the fee.
 */
export function settleFill(ledger: MoneyLedger, fill: MoneyFill): void {
  const { buyer, seller, value_micros, saved_micros, fee_micros } = fill
  const hold = ledger.holds.get(buyer.order_id)
  if (!hold || hold.amount_micros < value_micros + saved_micros) {
    throw new Error(`The hold of ${buyer.order_id} does not cover the fill ${fill.fill_id}.`)
  }
  hold.amount_micros -= value_micros + saved_micros
  countInBudgets(ledger, hold, { held_micros: -(value_micros + saved_micros), spent_micros: value_micros })
  transfer(ledger, { kind: 'fill', id: fill.fill_id }, [
    { account_id: buyer.account_id, book: 'held', amount_micros: -(value_micros + saved_micros) },
    { account_id: buyer.account_id, book: 'credit', amount_micros: saved_micros },
    { account_id: seller.account_id, book: 'credit', amount_micros: value_micros },
    { account_id: seller.account_id, book: 'credit', amount_micros: -fee_micros },
    { account_id: null, book: 'fees', amount_micros: fee_micros },
  ])
  const common = { fill_id: fill.fill_id, description: null }
  recordTransaction(ledger, {
    ...common,
    ...partyOf(buyer),
    type: 'buy_fill',
    amount_micros: -value_micros,
    fee_micros: 0n,
  })
  recordTransaction(ledger, {
    ...common,
    ...partyOf(seller),
    type: 'sell_fill',
    amount_micros: value_micros - fee_micros,
    fee_micros,
  })
}

/** Releases a part of the hold of an order. `part` distinguishes the releases of one order in the ledger. */
export function releaseMoney(
  ledger: MoneyLedger,
  order_id: string,
  { amount_micros, part }: { amount_micros: bigint; part: number },
): void {
  const hold = ledger.holds.get(order_id)
  if (!hold || amount_micros > hold.amount_micros) throw new Error(`The release of ${order_id} exceeds its hold.`)
  if (amount_micros === 0n) return
  hold.amount_micros -= amount_micros
  countInBudgets(ledger, hold, { held_micros: -amount_micros, spent_micros: 0n })
  transfer(ledger, { kind: 'release', id: order_id, part }, [
    { account_id: hold.account_id, book: 'held', amount_micros: -amount_micros },
    { account_id: hold.account_id, book: 'credit', amount_micros },
  ])
}

/** Posts an amount to an account. Refuses insufficient_funds where a negative amount exceeds what is available. */
export function postMoney(
  ledger: MoneyLedger,
  posting: Pick<MoneyTransaction, 'account_id' | 'type' | 'amount_micros' | 'description'> & { readonly id: string },
): RefusalData | undefined {
  const { id, ...transaction } = posting
  const balance = balanceOf(ledger, posting.account_id)
  const after = availableMicros(balance) + posting.amount_micros
  if (posting.amount_micros < 0n && after < 0n) {
    const available = printDollars(availableMicros(balance))
    return { code: 'insufficient_funds', field: 'amount_dollars', message: `Only ${available} dollars are available.` }
  }
  transfer(ledger, { kind: 'posting', id }, [
    { account_id: null, book: 'funding', amount_micros: -posting.amount_micros },
    { account_id: posting.account_id, book: 'credit', amount_micros: posting.amount_micros },
  ])
  const none = { fee_micros: 0n, order_id: null, fill_id: null, workspace_id: null }
  recordTransaction(ledger, { ...transaction, ...none, posting_id: id })
  return undefined
}

function budgetsOf({ budgets }: MoneyLedger, { account_id, workspace_id }: MoneyHold): BudgetRow[] {
  return (budgets.get(account_id) ?? []).filter((budget) => countsFor(budget, workspace_id))
}

/** Counts what moved out of a hold. A transaction can be older than the period that another one has begun. */
function countInBudgets(
  ledger: MoneyLedger,
  hold: MoneyHold,
  moved: { readonly held_micros: bigint; readonly spent_micros: bigint },
): void {
  for (const budget of budgetsOf(ledger, hold)) {
    budget.held_micros += moved.held_micros
    if (ledger.now >= budget.period_start) budget.spent_micros += moved.spent_micros
    if (moved.spent_micros > 0n) budget.recent = withRecent(budget.recent, ledger.now, moved.spent_micros)
    ledger.touched_budgets.add(budget)
  }
}

type Cause = { readonly kind: LedgerLeg['cause_kind']; readonly id: string; readonly part?: number }
type Leg = Pick<LedgerLeg, 'account_id' | 'book' | 'amount_micros'>

function transfer(ledger: MoneyLedger, cause: Cause, legs: readonly Leg[]): void {
  const moved = legs.filter(({ amount_micros }) => amount_micros !== 0n)
  if (moved.reduce((sum, { amount_micros }) => sum + amount_micros, 0n) !== 0n) {
    throw new Error(`The transfer of ${cause.kind} ${cause.id} does not add to zero.`)
  }
  for (const [leg, { account_id, book: side, amount_micros }] of moved.entries()) {
    if (account_id !== null) ledger.touched.add(account_id)
    const balance_after_micros = account_id === null ? null : move(balanceOf(ledger, account_id), side, amount_micros)
    const place = { cause_kind: cause.kind, cause_id: cause.id, part: cause.part ?? 0, leg }
    ledger.legs.push({ ...place, account_id, book: side, amount_micros, balance_after_micros })
  }
}

function move(balance: MoneyBalance, side: LedgerLeg['book'], amount_micros: bigint): bigint {
  if (side === 'held') {
    balance.held_micros += amount_micros
    if (balance.held_micros < 0n) throw new Error(`The held balance of ${balance.account_id} would fall below zero.`)
    return balance.held_micros
  }
  balance.credit_micros += amount_micros
  if (balance.credit_micros < -balance.credit_limit_micros) {
    throw new Error(`${balance.account_id} would fall below its credit limit.`)
  }
  return balance.credit_micros
}

function recordTransaction(ledger: MoneyLedger, transaction: Omit<MoneyTransaction, 'balance_after_micros'>): void {
  const { credit_micros, held_micros } = balanceOf(ledger, transaction.account_id)
  ledger.transactions.push({ ...transaction, balance_after_micros: credit_micros + held_micros })
}

function partyOf({ account_id, order_id, workspace_id }: MoneyFill['buyer']) {
  return { account_id, order_id, workspace_id }
}

function balanceOf(ledger: MoneyLedger, account_id: string): MoneyBalance {
  const balance = ledger.balances.get(account_id)
  if (!balance) throw new Error(`The balance of ${account_id} is not in the money book.`)
  return balance
}
