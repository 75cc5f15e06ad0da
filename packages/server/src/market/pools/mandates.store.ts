import { type Db, statement } from '../../core/db/db.ts'
import type { MandateHolder, MandatePlace, MandateRow } from './mandates.rules.ts'

const insertRow = statement<{ holder_id: MandateHolder }>(
  'market.insert_mandate',
  `insert into mandates (pool_id, sku_id, holder_id)
   values ($1, $2, $3)
   on conflict do nothing
   returning holder_id`,
)
const removeRow = statement<never>(
  'market.remove_mandate',
  `delete from mandates
   where holder_id = $1`,
)
const selectHolders = statement<MandateRow>(
  'market.list_mandates',
  `select pool_id, holder_id
   from mandates
   where sku_id = $1 and pool_id = any($2)
   order by holder_id`,
)

/** Inserts a mandate; false where the pool and SKU have one. */
export async function insertMandate(
  db: Db,
  { pool_id, sku_id, holder_id }: MandatePlace & { readonly holder_id: MandateHolder },
): Promise<boolean> {
  return (await db.row(insertRow, [pool_id, sku_id, holder_id])) !== undefined
}

export async function removeMandate(db: Db, holderId: MandateHolder): Promise<void> {
  await db.run(removeRow, [holderId])
}

/** The mandates of some pools on one SKU. */
export function listMandates(db: Db, skuId: string, poolIds: readonly string[]): Promise<MandateRow[]> {
  return poolIds.length === 0 ? Promise.resolve([]) : db.rows(selectHolders, [skuId, poolIds])
}
