import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import { defineLock } from '../../core/work/locks.ts'
import { type PropertyValueRow, type SeenSkuRow, skuColumns } from './skus.rules.ts'

const seenProperties = "s.properties || coalesce(o.properties, '{}') as properties"
const seenColumns = `${skuColumns.replace('s.properties', seenProperties)},
     s.listed or o.sku_id is not null or h.sku_id is not null as is_visible`
const seenBy = `select ${seenColumns}
   from skus s
   left join sku_overrides o on o.sku_id = s.id and o.account_id = $1
   left join sku_holdings h on h.sku_id = s.id and h.account_id = $1`

const selectSeen = statement<SeenSkuRow>(
  'market.find_seen_sku',
  `${seenBy}
   where s.id = $2`,
)
const selectAllSeen = statement<SeenSkuRow>(
  'market.list_seen_skus',
  `${seenBy}
   order by s.created_at, s.id`,
)
const selectAliases = statement<{ id: Id<'sku'>; alias: string }>(
  'market.list_sku_aliases',
  `select id, alias
   from skus
   where id = any($1)`,
)
const selectValues = statement<PropertyValueRow>(
  'market.list_property_values',
  `select property, name, display_name, description, documentation_link, deprecated_at, deprecation_info
   from sku_property_values
   order by property, name`,
)
const insertMissingHoldings = statement<{ account_id: string }>(
  'market.insert_sku_holdings',
  `insert into sku_holdings (account_id, sku_id)
   select a, $2
   from unnest($1::text[]) as a
   order by a
   on conflict do nothing
   returning account_id`,
)

/** Held by commands that create something on SKUs that are not retired. */
export const skuShareLock = defineLock(
  'sku.share',
  'books',
  `select id
   from skus
   where id = any($1) and deleted_at is null
   order by id
   for key share`,
)

/** A SKU, retired or not, with the properties that hold for an account. */
export function findSeenSku(db: Db, account_id: string, id: string): Promise<SeenSkuRow | undefined> {
  return db.row(selectSeen, [account_id, id])
}

/** All SKUs by age, with the properties that hold for an account. */
export function listSeenSkus(db: Db, account_id: string): Promise<SeenSkuRow[]> {
  return db.rows(selectAllSeen, [account_id])
}

/** The aliases of some SKUs. */
export function listAliases(db: Db, ids: readonly string[]): Promise<{ id: Id<'sku'>; alias: string }[]> {
  return db.rows(selectAliases, [ids])
}

/** The catalog: every value of every enumerated property. */
export function listPropertyValues(db: Db): Promise<PropertyValueRow[]> {
  return db.rows(selectValues)
}

/** Records that accounts hold allocation of a SKU; returns those for which it is new. */
export async function insertHoldings(db: Db, account_ids: readonly string[], sku_id: string): Promise<string[]> {
  return (await db.rows(insertMissingHoldings, [account_ids, sku_id])).map(({ account_id }) => account_id)
}
