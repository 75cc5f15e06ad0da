/**
 * Rows of the operator's ledger export: every trade and every posting adds up to zero
 * (docs/concepts/platform-money.md, "Ledger of all accounts").
 */
import { printDollars } from '@bourse/text/money.ts'
import type { Column, ExportRow } from '../exports/columns.rules.ts'

/** The money of a fill: what the buyer pays, and what of it the seller and the operator get. */
export type LedgerTrade = {
  readonly id: string
  readonly sku_id: string
  readonly filled_at: number
  readonly value_micros: bigint
  readonly fee_micros: bigint
  readonly buyer_id: string
  readonly buy_order_id: string
  readonly buyer_workspace_id: string
  readonly seller_id: string
  readonly sell_order_id: string
  readonly seller_workspace_id: string
}

/** What the operator posted to an account. */
export type LedgerPosting = {
  readonly id: string
  readonly account_id: string
  readonly type: string
  readonly amount_micros: bigint
  readonly description: string | null
  readonly created_at: number
  /** The user or token that posted it; null for the system. */
  readonly made_by: string | null
  /** The second operator of a posting that needed two. */
  readonly approved_by: string | null
}

export const ledgerColumns: readonly Column[] = [
  { name: 'created_at', type: 'seconds' },
  { name: 'book', type: 'text' },
  { name: 'account', type: 'text' },
  { name: 'type', type: 'text' },
  { name: 'amount_dollars', type: 'decimal' },
  { name: 'fee_dollars', type: 'decimal' },
  { name: 'sku', type: 'text' },
  { name: 'order', type: 'text' },
  { name: 'fill', type: 'text' },
  { name: 'transaction', type: 'text' },
  { name: 'workspace', type: 'text' },
  { name: 'description', type: 'text' },
  { name: 'made_by', type: 'text' },
  { name: 'approved_by', type: 'text' },
]

/** The rows of a fill. Without a fee there is no row of fees. */
export function tradeRows(trade: LedgerTrade): ExportRow[] {
  const { value_micros, fee_micros } = trade
  const common = { created_at: String(trade.filled_at), sku: trade.sku_id, fill: trade.id, fee_dollars: none }
  const fee_dollars = printDollars(fee_micros)
  const rows: ExportRow[] = [
    {
      ...common,
      book: 'account',
      account: trade.buyer_id,
      type: 'buy_fill',
      amount_dollars: printDollars(-value_micros),
      order: trade.buy_order_id,
      workspace: trade.buyer_workspace_id,
    },
    {
      ...common,
      book: 'account',
      account: trade.seller_id,
      type: 'sell_fill',
      amount_dollars: printDollars(value_micros - fee_micros),
      fee_dollars,
      order: trade.sell_order_id,
      workspace: trade.seller_workspace_id,
    },
  ]
  const fee = { ...common, book: 'fees', type: 'sell_fill', amount_dollars: fee_dollars, order: trade.sell_order_id }
  return fee_micros === 0n ? rows : [...rows, fee]
}

/** The rows of a posting: what the account got, and where it came from. */
export function postingRows(posting: LedgerPosting): ExportRow[] {
  const { id, account_id, type, amount_micros, description, created_at, made_by, approved_by } = posting
  const common = {
    created_at: String(created_at),
    type,
    fee_dollars: none,
    transaction: id,
    description,
    made_by,
    approved_by,
  }
  return [
    { ...common, book: 'account', account: account_id, amount_dollars: printDollars(amount_micros) },
    { ...common, book: 'funding', amount_dollars: printDollars(-amount_micros) },
  ]
}

const none = '0.000000'
