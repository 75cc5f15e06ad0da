import { type Db, statement } from '../../core/db/db.ts'
import type { LedgerPosting, LedgerTrade } from './ledger-rows.rules.ts'

/** A place in a list by time and id. */
export type TimePlace = { readonly at: number; readonly id: string }

type LedgerPage = { readonly after: TimePlace; readonly to: number; readonly limit: number }

const selectSkus = statement<{ sku_id: string }>(
  'accounting.list_traded_skus',
  `select s.id as sku_id
   from skus s
   where exists (
     select
     from price_buckets b
     where b.sku_id = s.id and b.seconds = 86400 and b.start_at >= $1 and b.start_at < $2
   )
   order by s.id`,
)
const selectTrades = statement<LedgerTrade>(
  'accounting.list_trades',
  `select f.id, f.sku_id, f.filled_at, f.value_micros::numeric as value_micros, f.fee_micros::numeric as fee_micros,
     b.account_id as buyer_id, b.id as buy_order_id, b.workspace_id as buyer_workspace_id,
     s.account_id as seller_id, s.id as sell_order_id, s.workspace_id as seller_workspace_id
   from fills f
   join orders b on b.id = f.buy_order_id
   join orders s on s.id = f.sell_order_id
   where f.sku_id = $1 and (f.filled_at, f.id) > ($2, $3) and f.filled_at < $4
   order by f.filled_at, f.id
   limit $5`,
)
const selectPostings = statement<LedgerPosting>(
  'accounting.list_postings',
  `select t.id, t.account_id, t.type, t.amount_micros::numeric as amount_micros, t.description, t.created_at,
     coalesce(m.user_id, m.token_id) as made_by,
     coalesce(m.approved_by_user_id, m.approved_by_token_id) as approved_by
   from ledger_transactions t
   left join posting_makers m on m.transaction_id = t.id
   where t.fill_id is null and (t.created_at, t.id) > ($1, $2) and t.created_at < $3
   order by t.created_at, t.id
   limit $4`,
)

/** The SKUs that were traded from the beginning of a day on, before another moment. */
export async function listTradedSkus(db: Db, from: number, to: number): Promise<string[]> {
  return (await db.rows(selectSkus, [from, to])).map(({ sku_id }) => sku_id)
}

/** The next fills of a SKU, oldest first. */
export function listTrades(db: Db, skuId: string, { after, to, limit }: LedgerPage): Promise<LedgerTrade[]> {
  return db.rows(selectTrades, [skuId, after.at, after.id, to, limit])
}

/** The next postings to all accounts, oldest first. */
export function listPostings(db: Db, { after, to, limit }: LedgerPage): Promise<LedgerPosting[]> {
  return db.rows(selectPostings, [after.at, after.id, to, limit])
}
