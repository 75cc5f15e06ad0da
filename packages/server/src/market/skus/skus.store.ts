import type { Id } from '@bourse/api/kit/ids.ts'
import type { Sku, SkuPropertyValue } from '@bourse/api/market/skus.ts'
import { type Db, statement } from '../../core/db/db.ts'
import { defineLock } from '../../core/work/locks.ts'

/** The properties of a SKU as they are shown. */
export type SkuProperties = Omit<Sku, 'object' | 'id' | 'alias' | 'deleted_at'>

export type SkuRow = {
  id: Id<'sku'>
  alias: string
  properties: SkuProperties
  listed: boolean
  flat_fee_micros: bigint
  fee_bps: number
  created_at: number
  updated_at: number
  deleted_at: number | null
}

/** A SKU as one account sees it: its override laid over the properties. */
export type SeenSkuRow = SkuRow & { is_visible: boolean }

export type PropertyValueRow = Omit<SkuPropertyValue, 'object'> & { property: string }
export type OverrideRow = {
  account_id: string
  sku_id: Id<'sku'>
  alias: string
  properties: SkuProperties
  updated_at: number
}

const columns = `s.id, s.alias, s.properties, s.listed, s.flat_fee_micros::numeric as flat_fee_micros, s.fee_bps,
  s.created_at, s.updated_at, s.deleted_at`
const seenProperties = "s.properties || coalesce(o.properties, '{}') as properties,"
const seenBy = `select ${columns.replace('s.properties,', seenProperties)},
    s.listed or o.sku_id is not null or h.sku_id is not null as is_visible
  from skus s
  left join sku_overrides o on o.sku_id = s.id and o.account_id = $1
  left join sku_holdings h on h.sku_id = s.id and h.account_id = $1`

const selectSku = statement<SkuRow>('market.find_sku', `select ${columns} from skus s where s.id = $1`)
const selectSeen = statement<SeenSkuRow>('market.find_seen_sku', `${seenBy} where s.id = $2`)
const selectAllSeen = statement<SeenSkuRow>('market.list_seen_skus', `${seenBy} order by s.created_at, s.id`)
const selectAliases = statement<{ id: Id<'sku'>; alias: string }>(
  'market.list_sku_aliases',
  'select id, alias from skus where id = any($1)',
)
const insertRow = statement<{ id: string }>(
  'market.insert_sku',
  `insert into skus (id, alias, properties, listed, flat_fee_micros, fee_bps, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7) on conflict do nothing returning id`,
)
const updateRow = statement<{ id: string }>(
  'market.update_sku',
  `update skus set alias = $2, properties = $3, listed = $4, flat_fee_micros = $5, fee_bps = $6, updated_at = $7,
     deleted_at = $8
   where id = $1 and not exists (select 1 from skus other where other.alias = $2 and other.id <> $1
     and other.deleted_at is null and $8::bigint is null)
   returning id`,
)
const selectValues = statement<PropertyValueRow>(
  'market.list_property_values',
  `select property, name, display_name, description, documentation_link, deprecated_at, deprecation_info
   from sku_property_values order by property, name`,
)
const upsertValue = statement<never>(
  'market.put_property_value',
  `insert into sku_property_values (property, name, display_name, description, documentation_link, deprecated_at,
     deprecation_info) values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (property, name) do update set display_name = excluded.display_name,
     description = excluded.description, documentation_link = excluded.documentation_link,
     deprecated_at = excluded.deprecated_at, deprecation_info = excluded.deprecation_info`,
)
const overrideColumns = 'o.account_id, o.sku_id, s.alias, o.properties, o.updated_at'
const selectOverrides = statement<OverrideRow>(
  'market.list_sku_overrides',
  `select ${overrideColumns} from sku_overrides o join skus s on s.id = o.sku_id
   where o.account_id = $1 order by o.sku_id`,
)
const selectOverride = statement<OverrideRow>(
  'market.find_sku_override',
  `select ${overrideColumns} from sku_overrides o join skus s on s.id = o.sku_id
   where o.account_id = $1 and o.sku_id = $2`,
)
const upsertOverride = statement<never>(
  'market.put_sku_override',
  `insert into sku_overrides (account_id, sku_id, properties, updated_at) values ($1, $2, $3, $4)
   on conflict (account_id, sku_id) do update set properties = excluded.properties, updated_at = excluded.updated_at`,
)
const deleteOverride = statement<never>(
  'market.remove_sku_override',
  'delete from sku_overrides where account_id = $1 and sku_id = $2',
)
const insertMissingHoldings = statement<{ account_id: string }>(
  'market.insert_sku_holdings',
  `insert into sku_holdings (account_id, sku_id) select a, $2 from unnest($1::text[]) as a order by a
   on conflict do nothing returning account_id`,
)

/** Held by whoever changes or retires a SKU. */
export const skuLock = defineLock('sku', 'books', 'select id from skus where id = any($1) order by id for update')

/** Held by those who make something new on SKUs that are not retired. */
export const skuShareLock = defineLock(
  'sku.share',
  'books',
  'select id from skus where id = any($1) and deleted_at is null order by id for key share',
)

/** A SKU, retired or not, with its own properties. */
export function findSku(db: Db, id: string): Promise<SkuRow | undefined> {
  return db.row(selectSku, [id])
}

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

/** Writes a new SKU; false where its alias is taken. */
export async function insertSku(db: Db, row: SkuRow): Promise<boolean> {
  const { id, alias, properties, listed, flat_fee_micros, fee_bps, created_at } = row
  const params = [id, alias, JSON.stringify(properties), listed, flat_fee_micros, fee_bps, created_at]
  return (await db.row(insertRow, params)) !== undefined
}

/** Writes a changed SKU; false where its alias is taken by one that is not retired. */
export async function updateSku(db: Db, row: SkuRow): Promise<boolean> {
  const { id, alias, properties, listed, flat_fee_micros, fee_bps, updated_at, deleted_at } = row
  const params = [id, alias, JSON.stringify(properties), listed, flat_fee_micros, fee_bps, updated_at, deleted_at]
  return (await db.row(updateRow, params)) !== undefined
}

/** The catalogue: every value of every enumerated property. */
export function listPropertyValues(db: Db): Promise<PropertyValueRow[]> {
  return db.rows(selectValues)
}

export async function putPropertyValue(db: Db, row: PropertyValueRow): Promise<void> {
  const { property, name, display_name, description, documentation_link, deprecated_at, deprecation_info } = row
  const params = [property, name, display_name, description, documentation_link, deprecated_at, deprecation_info]
  await db.run(upsertValue, params)
}

/** The overrides of an account. */
export function listOverrides(db: Db, account_id: string): Promise<OverrideRow[]> {
  return db.rows(selectOverrides, [account_id])
}

/** One override. */
export function findOverride(db: Db, account_id: string, sku_id: string): Promise<OverrideRow | undefined> {
  return db.row(selectOverride, [account_id, sku_id])
}

export async function putOverride(db: Db, row: Omit<OverrideRow, 'alias'>): Promise<void> {
  await db.run(upsertOverride, [row.account_id, row.sku_id, JSON.stringify(row.properties), row.updated_at])
}

/** Removes an override; false where there is none. */
export async function removeOverride(db: Db, account_id: string, sku_id: string): Promise<boolean> {
  return (await db.run(deleteOverride, [account_id, sku_id])) > 0
}

/** Notes that accounts have to do with a SKU; gives those to whom that is new. */
export async function insertHoldings(db: Db, account_ids: readonly string[], sku_id: string): Promise<string[]> {
  return (await db.rows(insertMissingHoldings, [account_ids, sku_id])).map(({ account_id }) => account_id)
}
