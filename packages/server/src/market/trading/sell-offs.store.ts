import { type Db, statement } from '../../core/db/db.ts'
import { type OrderRow, orderColumns } from './trading.rules.ts'

const selectSome = statement<OrderRow>(
  'market.list_some_orders',
  `select ${orderColumns}
   from orders o
   where o.id = any($1)`,
)

/** Some orders by their ids. */
export function listSomeOrders(db: Db, ids: readonly string[]): Promise<OrderRow[]> {
  return db.rows(selectSome, [ids])
}
