import type { SkuBenchmark } from '@bourse/api/market/skus.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { defineLock, defineRowLock } from '../../core/work/locks.ts'
import { conditions, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'
import { type OverrideRow, type PropertyValueRow, type SkuRow, skuColumns } from './skus.rules.ts'

const overrideColumns = 'o.account_id, o.sku_id, s.alias, o.properties, o.updated_at'

const selectSku = statement<SkuRow>(
  'market.find_sku',
  `select ${skuColumns}
   from skus s
   where s.id = $1`,
)
const insertRow = statement<{ id: string }>(
  'market.insert_sku',
  `insert into skus (id, alias, properties, listed, hourly_fee_micros, fee_bps, price_step_micros, simulated,
     operator_hosts_only, benchmark_figures, public_prices_exclude_related, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
   on conflict do nothing
   returning id`,
)
// An alias is unique among SKUs that are not retired.
const updateRow = statement<{ id: string }>(
  'market.update_sku',
  `update skus
   set alias = $2, properties = $3, listed = $4, hourly_fee_micros = $5, fee_bps = $6, price_step_micros = $7,
     simulated = $8, operator_hosts_only = $9, benchmark_figures = $10, public_prices_exclude_related = $11,
     updated_at = $12, deleted_at = $13
   where id = $1
     and not exists (
       select 1
       from skus other
       where other.alias = $2 and other.id <> $1 and other.deleted_at is null and $13::bigint is null
     )
   returning id`,
)
const upsertValue = statement<never>(
  'market.put_property_value',
  `insert into sku_property_values (property, name, display_name, description, documentation_link, deprecated_at,
     deprecation_info)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (property, name) do update
   set display_name = excluded.display_name, description = excluded.description,
     documentation_link = excluded.documentation_link, deprecated_at = excluded.deprecated_at,
     deprecation_info = excluded.deprecation_info`,
)
const selectOverrides = statement<OverrideRow>(
  'market.list_sku_overrides',
  `select ${overrideColumns}
   from sku_overrides o
   join skus s on s.id = o.sku_id
   where o.account_id = $1
   order by o.sku_id`,
)
const selectOverride = statement<OverrideRow>(
  'market.find_sku_override',
  `select ${overrideColumns}
   from sku_overrides o
   join skus s on s.id = o.sku_id
   where o.account_id = $1 and o.sku_id = $2`,
)
const selectOverridesOfSku = statement<Pick<OverrideRow, 'account_id' | 'properties'>>(
  'market.list_overrides_of_sku',
  `select o.account_id, o.properties
   from sku_overrides o
   where o.sku_id = $1 and o.properties ?| $2::text[]
   order by o.account_id`,
)
const upsertOverride = statement<never>(
  'market.put_sku_override',
  `insert into sku_overrides (account_id, sku_id, properties, updated_at)
   values ($1, $2, $3, $4)
   on conflict (account_id, sku_id) do update
   set properties = excluded.properties, updated_at = excluded.updated_at`,
)
const deleteOverride = statement<never>(
  'market.remove_sku_override',
  `delete from sku_overrides
   where account_id = $1 and sku_id = $2`,
)

const updateFigures = statement<never>(
  'market.update_sku_benchmarks',
  `update skus
   set benchmarks = $2
   where id = $1 and benchmarks is distinct from $2::jsonb`,
)

/** Held to write the benchmarks of a SKU. Orders on it go on. */
export const skuBenchmarksLock = defineRowLock<Pick<SkuRow, 'id' | 'benchmark_figures'>>(
  'sku.benchmarks',
  'books',
  `select id, benchmark_figures
   from skus
   where id = any($1)
   order by id
   for no key update`,
)

/** Held by commands that change or retire a SKU. */
export const skuLock = defineLock(
  'sku',
  'books',
  `select id
   from skus
   where id = any($1)
   order by id
   for update`,
)

/** A SKU, retired or not, with its own properties. */
export function findSku(db: Db, id: string): Promise<SkuRow | undefined> {
  return db.row(selectSku, [id])
}

/** Inserts a SKU; false where its alias is taken. */
export async function insertSku(db: Db, row: SkuRow): Promise<boolean> {
  return (await db.row(insertRow, [...termsOf(row), row.created_at])) !== undefined
}

/** Updates a SKU; false where another SKU that is not retired has its alias. */
export async function updateSku(db: Db, row: SkuRow): Promise<boolean> {
  return (await db.row(updateRow, [...termsOf(row), row.updated_at, row.deleted_at])) !== undefined
}

/** Writes benchmarks; false if they are the same as before. */
export async function updateBenchmarks(db: Db, id: string, benchmarks: readonly SkuBenchmark[]): Promise<boolean> {
  return (await db.run(updateFigures, [id, benchmarks.length === 0 ? null : JSON.stringify(benchmarks)])) > 0
}

function termsOf(row: SkuRow) {
  const { id, alias, properties, listed, hourly_fee_micros, fee_bps, price_step_micros } = row
  const shown = [row.simulated, row.operator_hosts_only, row.benchmark_figures, row.public_prices_exclude_related]
  return [id, alias, JSON.stringify(properties), listed, hourly_fee_micros, fee_bps, price_step_micros, ...shown]
}

export async function putPropertyValue(db: Db, row: PropertyValueRow): Promise<void> {
  const { property, name, display_name, description, documentation_link, deprecated_at, deprecation_info } = row
  const params = [property, name, display_name, description, documentation_link, deprecated_at, deprecation_info]
  await db.run(upsertValue, params)
}

/** The overrides of an account. */
export function listOverrides(db: Db, accountId: string): Promise<OverrideRow[]> {
  return db.rows(selectOverrides, [accountId])
}

/** The override of an account on one SKU. */
export function findOverride(db: Db, accountId: string, skuId: string): Promise<OverrideRow | undefined> {
  return db.row(selectOverride, [accountId, skuId])
}

export async function putOverride(db: Db, row: Omit<OverrideRow, 'alias'>): Promise<void> {
  await db.run(upsertOverride, [row.account_id, row.sku_id, JSON.stringify(row.properties), row.updated_at])
}

/** The overrides of a SKU that have one of some properties. */
export function listOverridesOfSku(db: Db, skuId: string, names: readonly string[]) {
  return db.rows(selectOverridesOfSku, [skuId, names])
}

/** Removes an override; false where there is none. */
export async function removeOverride(db: Db, accountId: string, skuId: string): Promise<boolean> {
  return (await db.run(deleteOverride, [accountId, skuId])) > 0
}

type SkuFilter = { id?: string[]; account?: string; listed?: boolean; include_deleted?: boolean }

/** A page of all SKUs, oldest first. With an account, of those that it sees. */
export function listSkus(ctx: Ctx, query: SkuFilter & PageQuery): Promise<Page<SkuRow>> {
  const { account } = query
  const where = conditions().addIf('s.id = any($)', query.id).checkIf('s.listed = $', query.listed)
  if (!query.include_deleted) where.check('s.deleted_at is null')
  const isSeen = (table: string) => `exists (select from ${table} o where o.sku_id = s.id and o.account_id = $)`
  if (account) where.check(`s.listed or ${isSeen('sku_overrides')} or ${isSeen('sku_holdings')}`, account, account)
  return readPage<SkuRow>(ctx, {
    prefix: 'skuc',
    list: 'platform_skus',
    query,
    select: `select ${skuColumns} from skus s`,
    where,
    sort: { ...newestFirst<SkuRow>('s'), direction: 'rising' },
  })
}
