import type { Id } from '@bourse/api/kit/ids.ts'
import { enumeratedProperties, type Sku, type SkuProperty, skuPropertyNames } from '@bourse/api/market/skus.ts'
import { Refusal, refuse } from '../../core/base/refusal.ts'
import { bumpVersion } from '../../core/db/pulse.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { shortListAnswer } from '../../core/work/page.ts'
import { refuseNotFound } from '../../iam/access/permissions.service.ts'
import { propertyTexts } from './sku-property-texts.rules.ts'
import { type Candidate, fitsRequirements, parseRequirements, type Requirement } from './sku-requirements.rules.ts'
import { builtInValues } from './skus.rules.ts'
import {
  findSeenSku,
  insertHoldings,
  listAliases,
  listPropertyValues,
  listSeenSkus,
  type PropertyValueRow,
  type SeenSkuRow,
  skuShareLock,
} from './skus.store.ts'

/** A SKU as it stands inside other resources. */
export type SkuSummary = { object: 'sku'; id: Id<'sku'>; alias: string }

/** Version of everything about SKUs that is the same for all accounts. */
export const skusVersion = 'skus'

/** Version of what only one account sees differently. */
export function accountSkusVersion(account_id: string): string {
  return `skus:${account_id}`
}

/** Reads one SKU, retired or not, with the properties that hold for the caller's account. */
export async function getSku(ctx: Ctx, id: Id<'sku'>): Promise<Sku> {
  const row = await findSeenSku(ctx.db, callerOf(ctx).account_id, id)
  return row?.is_visible ? presentSku(row) : refuseNotFound()
}

/** Lists what SKUs are described by. */
export async function listSkuProperties(ctx: Ctx) {
  const values = await listPropertyValues(ctx.db)
  const data = skuPropertyNames.map((name): SkuProperty => {
    const type = propertyTexts[name].type
    const common = {
      object: 'sku_property' as const,
      documentation_link: null,
      deprecated_at: null,
      deprecation_info: null,
    }
    const { display_name, description } = propertyTexts[name]
    if (!(enumeratedProperties as readonly string[]).includes(name))
      return { ...common, type, name, display_name, description }
    return { ...common, type, name, display_name, description, values: valuesOf(name, values) }
  })
  return shortListAnswer(data)
}

/** For whom a SKU is judged, and the field that names it. */
type SkuWish = { readonly field?: string; readonly account_id?: string }

/**
 * A SKU that something new is to be made on, with the properties that hold for an account (the caller's, when none is
 * named), held against retirement (rank `books`). 422 sku_not_available where it is retired or out of sight.
 */
export async function requireSku(ctx: Ctx, id: Id<'sku'>, wish: SkuWish = {}): Promise<SeenSkuRow> {
  await ctx.lock(skuShareLock, [id])
  return judgeSku(ctx, id, wish)
}

/**
 * The same, not held: for what stays as it is when the SKU is retired a moment later. 422 sku_not_available where it is
 * retired or out of sight now.
 */
export async function judgeSku(
  ctx: Ctx,
  id: Id<'sku'>,
  { field = 'sku', account_id = ctx.caller?.account_id ?? '' }: SkuWish = {},
): Promise<SeenSkuRow> {
  const row = await findSeenSku(ctx.db, account_id, id)
  const isSeen = row && (row.is_visible || !ctx.caller || ctx.caller.is_platform)
  if (isSeen && row.deleted_at === null) return row
  refuse('sku_not_available', 'There is no such SKU that is not retired.', field)
}

/** A SKU, retired or not, with the properties that hold for an account; undefined where there is none. */
export function findSkuFor(ctx: Ctx, account_id: string, id: Id<'sku'>): Promise<SeenSkuRow | undefined> {
  return findSeenSku(ctx.db, account_id, id)
}

/** The SKUs that an account sees, that are not retired and that fit, oldest first. */
export async function listFittingSkus(
  ctx: Ctx,
  account_id: string,
  requirements: readonly Requirement[],
): Promise<SeenSkuRow[]> {
  const rows = await listSeenSkus(ctx.db, account_id)
  return rows.filter(
    (row) => row.is_visible && row.deleted_at === null && fitsRequirements(row satisfies Candidate, requirements),
  )
}

/** Whether a SKU that an account sees, and that is not retired, lies on a fabric. */
export async function seesFabric(ctx: Ctx, account_id: string, fabric: string): Promise<boolean> {
  const rows = await listFittingSkus(ctx, account_id, [])
  return rows.some(({ properties }) => properties.infiniband_fabric === fabric)
}

/** How SKUs stand inside other resources, retired ones too. */
export async function skuSummaries(ctx: Ctx, ids: Iterable<Id<'sku'>>): Promise<Map<Id<'sku'>, SkuSummary>> {
  const wanted = [...new Set(ids)]
  const rows = wanted.length === 0 ? [] : await listAliases(ctx.db, wanted)
  return new Map(rows.map(({ id, alias }) => [id, { object: 'sku', id, alias }]))
}

/** Notes that an account has allocation of a SKU: from now on it sees it, listed or not. */
export async function noteHolding(ctx: Ctx, account_id: string, sku_id: Id<'sku'>): Promise<void> {
  await noteHoldings(ctx, [account_id], sku_id)
}

/** The same of several accounts, which are named in their order. */
export async function noteHoldings(ctx: Ctx, account_ids: readonly string[], sku_id: Id<'sku'>): Promise<void> {
  const added = await insertHoldings(ctx.db, account_ids, sku_id)
  for (const account_id of added.sort()) await bumpVersion(ctx.db, accountSkusVersion(account_id))
}

/** The values of the catalogue and those built in that it does not describe itself, by name. */
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
export function presentSku({ id, alias, properties, deleted_at }: SeenSkuRow): Sku {
  return { object: 'sku', id, alias, ...properties, ...(deleted_at === null ? {} : { deleted_at }) }
}

/** Reads requirements of a query; refuses what does not fit the grammar. */
export function requirementsOf(text: string | undefined): readonly Requirement[] {
  const read = parseRequirements(text ?? '')
  if ('refusal' in read) throw new Refusal(read.refusal)
  return read.requirements
}
