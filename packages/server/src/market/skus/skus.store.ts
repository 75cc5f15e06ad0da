import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import { defineLock } from '../../core/work/locks.ts'
import { type AccountSkuRow, type PropertyValueRow, skuColumns } from './skus.rules.ts'

/** How a SKU is called, and whether it is simulated. */
type AliasRow = { id: Id<'sku'>; alias: string; simulated: boolean }

const accountProperties = "s.properties || coalesce(o.properties, '{}') as properties"
const accountColumns = `${skuColumns.replace('s.properties', accountProperties)},
     s.listed or o.sku_id is not null or h.sku_id is not null as is_visible`
const accountSkus = `select ${accountColumns}
   from skus s
   left join sku_overrides o on o.sku_id = s.id and o.account_id = $1
   left join sku_holdings h on h.sku_id = s.id and h.account_id = $1`

const selectAccountSku = statement<AccountSkuRow>(
  'market.find_account_sku',
  `${accountSkus}
   where s.id = $2`,
)
const selectSomeSkus = statement<AccountSkuRow>(
  'market.list_some_account_skus',
  `${accountSkus}
   where s.id = any($2)`,
)
const selectAccountSkus = statement<AccountSkuRow>(
  'market.list_account_skus',
  `${accountSkus}
   order by s.created_at, s.id`,
)
const selectAliases = statement<AliasRow>(
  'market.list_sku_aliases',
  `select id, alias, simulated
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
export function findAccountSku(db: Db, accountId: string, id: string): Promise<AccountSkuRow | undefined> {
  return db.row(selectAccountSku, [accountId, id])
}

/** Some SKUs, retired or not, with the properties that hold for an account. */
export function listSomeAccountSkus(db: Db, accountId: string, ids: readonly string[]): Promise<AccountSkuRow[]> {
  return db.rows(selectSomeSkus, [accountId, ids])
}

/** All SKUs by age, with the properties that hold for an account. */
export function listAccountSkus(db: Db, accountId: string): Promise<AccountSkuRow[]> {
  return db.rows(selectAccountSkus, [accountId])
}

/** The aliases of some SKUs. */
export function listAliases(db: Db, ids: readonly string[]): Promise<AliasRow[]> {
  return db.rows(selectAliases, [ids])
}

/** The catalog: every value of every enumerated property. */
export function listPropertyValues(db: Db): Promise<PropertyValueRow[]> {
  return db.rows(selectValues)
}

/** Records that accounts hold allocation of a SKU; returns those for which it is new. */
export async function insertHoldings(db: Db, accountIds: readonly string[], skuId: string): Promise<string[]> {
  return (await db.rows(insertMissingHoldings, [accountIds, skuId])).map(({ account_id }) => account_id)
}
