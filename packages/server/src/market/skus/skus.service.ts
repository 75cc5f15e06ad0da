import { needsOf } from '@bourse/api/fleet/fit.ts'
import type { SkuNeeds } from '@bourse/api/fleet/fit-slots.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { enumeratedProperties, type Sku, type SkuProperty, skuPropertyNames } from '@bourse/api/market/skus.ts'
import { Refusal, refuse } from '../../core/base/refusal.ts'
import type { Db } from '../../core/db/db.ts'
import { bumpVersion } from '../../core/db/snapshot-reader.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { shortListResponse } from '../../core/work/page.ts'
import { refuseNotFound } from '../../iam/access/permissions.service.ts'
import { printPrice } from '../schedule/prices.rules.ts'
import { propertyTexts } from './sku-property-texts.rules.ts'
import { fitsRequirements, parseRequirements, type Requirement, type SkuCandidate } from './sku-requirements.rules.ts'
import {
  type AccountSkuRow,
  builtInValues,
  type Catalog,
  inContractOrder,
  type PropertyValueRow,
  presentBenchmarks,
} from './skus.rules.ts'
import {
  findAccountSku,
  insertHoldings,
  listAccountSkus,
  listAliases,
  listPropertyValues,
  listSomeAccountSkus,
  skuShareLock,
} from './skus.store.ts'

/** No account has this id: properties without overrides. */
const noAccount = ''

/** A SKU as other resources refer to it. */
export type SkuSummary = { object: 'sku'; id: Id<'sku'>; alias: string; simulated?: true }

/** Name of the version of the SKUs, raised by every change that all accounts see. */
export const skusVersion = 'skus'

/** Name of the version of one account's overrides and holdings. */
export function accountSkusVersion(accountId: string): string {
  return `skus:${accountId}`
}

/** Reads one SKU, retired or not, with the properties that hold for the caller's account. */
export async function getSku(ctx: Ctx, id: Id<'sku'>): Promise<Sku> {
  const row = await findAccountSku(ctx.db, callerOf(ctx).account_id, id)
  return row?.is_visible ? presentSku(row) : refuseNotFound()
}

/** Lists the properties of SKUs with the values of the catalog. */
export async function listSkuProperties(ctx: Ctx) {
  const values = await listPropertyValues(ctx.db)
  const data = skuPropertyNames.map((name): SkuProperty => {
    const { type, display_name, description } = propertyTexts[name]
    const property: SkuProperty = {
      object: 'sku_property',
      name,
      display_name,
      description,
      documentation_link: null,
      deprecated_at: null,
      deprecation_info: null,
      type,
    }
    const isEnumerated = (enumeratedProperties as readonly string[]).includes(name)
    return isEnumerated ? { ...property, values: valuesOf(name, values) } : property
  })
  return shortListResponse(data)
}

/** The display names of all catalog values. */
export async function readCatalog(ctx: Ctx): Promise<Catalog> {
  const values = await listPropertyValues(ctx.db)
  return new Map(values.map(({ property, name, display_name }) => [`${property}:${name}`, display_name]))
}

/** The account that uses a SKU, and the field of the request that names it. */
type SkuUse = { readonly field?: string; readonly account_id?: string }

/**
 * A SKU for something new, with the properties that hold for an account (by default the caller's), locked against
 * retirement (rank `books`). Refuses sku_not_available where it is retired or not visible.
 */
export async function requireSku(ctx: Ctx, id: Id<'sku'>, use: SkuUse = {}): Promise<AccountSkuRow> {
  await ctx.lock(skuShareLock, [id])
  return validateSku(ctx, id, use)
}

/**
 * The same without a lock, for uses that a later retirement does not affect. Refuses sku_not_available where it is
 * retired or not visible now.
 */
export async function validateSku(
  ctx: Ctx,
  id: Id<'sku'>,
  { field = 'sku', account_id = ctx.caller?.account_id ?? '' }: SkuUse = {},
): Promise<AccountSkuRow> {
  const row = await findAccountSku(ctx.db, account_id, id)
  const isVisible = row && (row.is_visible || !ctx.caller || ctx.caller.is_platform)
  if (isVisible && row.deleted_at === null) return row
  refuse('sku_not_available', 'There is no such SKU that is not retired.', field)
}

/** A SKU, retired or not, that the caller may see. The platform account sees all. */
export async function findVisibleSku(ctx: Ctx, id: Id<'sku'>): Promise<AccountSkuRow | undefined> {
  const { account_id, is_platform } = callerOf(ctx)
  const row = await findAccountSku(ctx.db, account_id, id)
  return row?.is_visible || is_platform ? row : undefined
}

/** A SKU, retired or not, with the properties that hold for an account; undefined where there is none. */
export function findSkuFor(ctx: Ctx, accountId: string, id: Id<'sku'>): Promise<AccountSkuRow | undefined> {
  return findAccountSku(ctx.db, accountId, id)
}

/** The SKUs that an account sees, retired ones included, oldest first. */
export async function listVisibleSkus(db: Db, accountId: string): Promise<AccountSkuRow[]> {
  return (await listAccountSkus(db, accountId)).filter(({ is_visible }) => is_visible)
}

/** The SKUs that an account sees, that are not retired and that meet requirements, oldest first. */
export async function listFittingSkus(
  ctx: Ctx,
  accountId: string,
  requirements: readonly Requirement[],
): Promise<AccountSkuRow[]> {
  const rows = await listVisibleSkus(ctx.db, accountId)
  return rows.filter((row) => row.deleted_at === null && fitsRequirements(row satisfies SkuCandidate, requirements))
}

/** Whether an account sees a SKU of a fabric that is not retired. */
export async function seesFabric(ctx: Ctx, accountId: string, fabric: string): Promise<boolean> {
  const rows = await listFittingSkus(ctx, accountId, [])
  return rows.some(({ properties }) => properties.infiniband_fabric === fabric)
}

/** Summaries of SKUs, retired ones included. */
export async function skuSummaries(ctx: Ctx, ids: Iterable<Id<'sku'>>): Promise<Map<Id<'sku'>, SkuSummary>> {
  const wanted = [...new Set(ids)]
  const rows = wanted.length === 0 ? [] : await listAliases(ctx.db, wanted)
  return new Map(rows.map((row) => [row.id, summarizeSku(row)]))
}

/** A SKU as other resources refer to it. */
export function summarizeSku({ id, alias, simulated }: Pick<AccountSkuRow, 'id' | 'alias' | 'simulated'>): SkuSummary {
  return { object: 'sku', id, alias, ...(simulated ? { simulated } : {}) }
}

/**
 * What hosts of a SKU must have: its own properties, without overrides, because all accounts use the same hosts.
 * Undefined where there is no such SKU.
 */
export async function findSkuNeeds(ctx: Ctx, id: Id<'sku'>): Promise<SkuNeeds | undefined> {
  const row = await findAccountSku(ctx.db, noAccount, id)
  return row && needsOfRow(row)
}

/** The same for some SKUs, by their ids. */
export async function listSkuNeeds(ctx: Ctx, ids: readonly Id<'sku'>[]): Promise<Map<string, SkuNeeds>> {
  return new Map((await listSomeAccountSkus(ctx.db, noAccount, ids)).map((row) => [row.id, needsOfRow(row)]))
}

/** The InfiniBand fabric of each of some SKUs that is on one: its own, without overrides. */
export async function listSkuFabrics(ctx: Ctx, ids: readonly Id<'sku'>[]): Promise<Map<string, string>> {
  const rows = await listSomeAccountSkus(ctx.db, noAccount, ids)
  return new Map(rows.flatMap(({ id, properties: { infiniband_fabric: fabric } }) => (fabric ? [[id, fabric]] : [])))
}

function needsOfRow({ properties, simulated }: AccountSkuRow): SkuNeeds {
  return needsOf({ ...properties, simulated })
}

/** Records that an account holds allocation of a SKU. From then on the account sees it, listed or not. */
export async function recordSkuHolder(ctx: Ctx, accountId: string, skuId: Id<'sku'>): Promise<void> {
  await recordSkuHolders(ctx, [accountId], skuId)
}

/** The same for several accounts, in the order of their ids. */
export async function recordSkuHolders(ctx: Ctx, accountIds: readonly string[], skuId: Id<'sku'>): Promise<void> {
  const added = await insertHoldings(ctx.db, accountIds, skuId)
  for (const accountId of added.sort()) await bumpVersion(ctx.db, accountSkusVersion(accountId))
}

/** The values of the catalog, and the built-in values that it does not hold, by name. */
function valuesOf(property: string, values: readonly PropertyValueRow[]) {
  const own = values.filter((value) => value.property === property)
  const builtIn = Object.entries(builtInValues[property] ?? {}).filter(([name]) =>
    own.every((row) => row.name !== name),
  )
  const plain = { description: '', documentation_link: null, deprecated_at: null, deprecation_info: null }
  return [...own, ...builtIn.map(([name, display_name]) => ({ property, name, display_name, ...plain }))]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ property: _property, ...value }) => ({ object: 'sku_property' as const, ...value }))
}

/** A SKU in an answer. */
export function presentSku(row: AccountSkuRow): Sku {
  const { id, alias, properties, simulated, operator_hosts_only, price_step_micros, deleted_at } = row
  return {
    object: 'sku',
    id,
    alias,
    ...inContractOrder(properties),
    ...(simulated ? { simulated } : {}),
    ...(operator_hosts_only ? { operator_hosts_only } : {}),
    ...presentBenchmarks(row),
    ...(price_step_micros === 1n ? {} : { price_step_dollars_per_node_hour: printPrice(price_step_micros) }),
    ...(deleted_at === null ? {} : { deleted_at }),
  }
}

/** Parses the requirements of a query; refuses text that does not follow the grammar. */
export function requirementsOf(text: string | undefined): readonly Requirement[] {
  const read = parseRequirements(text ?? '')
  if ('refusal' in read) throw new Refusal(read.refusal)
  return read.requirements
}
