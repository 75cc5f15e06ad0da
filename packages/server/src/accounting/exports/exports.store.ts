import { type Db, statement } from '../../core/db/db.ts'

/** A transaction, and the fill that it paid. */
export type LedgerRow = {
  readonly id: string
  readonly position: number
  readonly type: string
  readonly amount_micros: bigint
  readonly balance_after_micros: bigint
  readonly fee_micros: bigint
  readonly order_id: string | null
  readonly fill_id: string | null
  readonly workspace_id: string | null
  readonly description: string | null
  readonly created_at: number
  readonly pool_id: string | null
  readonly sku_id: string | null
  readonly managed_by: string | null
  readonly price_micros: bigint | null
  readonly node_minutes: number | null
  readonly end_minute: number | null
}

/** Where a transaction stands in the order of the ledger. Ids of two servers have none within a second. */
export type LedgerRowPosition = { readonly created_at: number; readonly position: number }

/** Where a page of transactions begins, and what bounds all pages. */
type LedgerPlace = {
  readonly account_id: string
  readonly to: number
  /** The last position that belongs to the export. */
  readonly bound: number
  readonly after: LedgerRowPosition
  readonly limit: number
}

const selectLedger = statement<LedgerRow>(
  'accounting.list_charges',
  `select t.id, t.position, t.type, t.amount_micros::numeric as amount_micros,
     t.balance_after_micros::numeric as balance_after_micros, t.fee_micros::numeric as fee_micros, t.order_id,
     t.fill_id, t.workspace_id, t.description, t.created_at, o.pool_id, f.sku_id, o.managed_by,
     f.price_micros::numeric as price_micros, f.node_minutes, f.end_minute
   from ledger_transactions t
   left join fills f on f.id = t.fill_id
   left join orders o on o.id = t.order_id
   where t.account_id = $1 and (t.created_at, t.position) > ($2, $3) and t.created_at < $4 and t.position <= $5
   order by t.created_at, t.position
   limit $6`,
)
const selectBound = statement<{ position: number }>(
  'accounting.find_last_position',
  `select coalesce(max(position), 0) as position
   from ledger_transactions
   where account_id = $1`,
)
const selectPlaces = statement<{ pool_id: string; sku_id: string }>(
  'accounting.list_places',
  `select distinct pool_id, sku_id
   from usage_hours
   where account_id = $1
   order by pool_id, sku_id`,
)

/** The next transactions of an account, oldest first. */
export function listLedger(db: Db, { account_id, to, bound, after, limit }: LedgerPlace): Promise<LedgerRow[]> {
  return db.rows(selectLedger, [account_id, after.created_at, after.position, to, bound, limit])
}

/** The position of the newest transaction of an account. */
export async function findLastPosition(db: Db, accountId: string): Promise<number> {
  return ((await db.row(selectBound, [accountId])) as { position: number }).position
}

/** The pools and SKUs in which an account ever had something. */
export function listPlaces(db: Db, accountId: string): Promise<{ pool_id: string; sku_id: string }[]> {
  return db.rows(selectPlaces, [accountId])
}
