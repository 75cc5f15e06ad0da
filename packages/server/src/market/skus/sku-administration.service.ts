import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { listPlatformSkus as listContract } from '@bourse/api/market/platform-lists.ts'
import type {
  createSku as createContract,
  putSkuOverride as overrideContract,
  SkuOverride,
  updateSku as updateContract,
  putSkuPropertyValue as valueContract,
} from '@bourse/api/market/sku-administration.ts'
import {
  type AdministeredSku,
  enumeratedProperties,
  type SkuBenchmark,
  type SkuPropertyValue,
} from '@bourse/api/market/skus.ts'
import { Refusal, refuse, throwIfRefused } from '../../core/base/refusal.ts'
import { bumpVersion } from '../../core/db/snapshot-reader.ts'
import { isUniqueViolation } from '../../core/db/unique-violation.ts'
import { refuseInUse } from '../../core/http/in-use.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { pageResponse, shortListResponse } from '../../core/work/page.ts'
import { allow, refuseNotFound } from '../../iam/access/permissions.service.ts'
import { requireAccount } from '../../iam/accounts/accounts.service.ts'
import { drawName } from '../../iam/names/names.service.ts'
import { lockBooks } from '../book/books.service.ts'
import { parsePrice, printPrice } from '../schedule/prices.rules.ts'
import {
  findOverride,
  findSku,
  insertSku,
  listOverrides,
  listOverridesOfSku,
  listSkus,
  putOverride,
  putPropertyValue,
  removeOverride,
  skuBenchmarksLock,
  skuLock,
  updateBenchmarks,
  updateSku as updateRow,
} from './sku-administration.store.ts'
import {
  applyProperties,
  differs,
  hasOtherNeeds,
  inContractOrder,
  type OverrideRow,
  presentBenchmarks,
  refuseBelowOverrides,
  refuseOverride,
  refusePartners,
  type SkuProperties,
  type SkuRow,
  tighterLimits,
  writtenProperties,
} from './skus.rules.ts'
import { accountSkusVersion, readCatalog, skusVersion } from './skus.service.ts'

/** Topic of `ctx.publish`: a SKU was retired or restored. The key is its id. */
export const skuAvailabilityChanged = 'sku.availability_changed'

/** Topic of `ctx.publish`: a SKU asks its hosts for other hardware. The key is its id. */
export const skuNeedsChanged = 'sku.needs_changed'

/** Topic of `ctx.publish`: a SKU shows other figures of benchmarks. The key is its id. */
export const benchmarkFiguresChanged = 'sku.benchmark_figures_changed'

const feeField = 'flat_fee_dollars_per_node_hour'
const stepField = 'price_step_dollars_per_node_hour'
const fixedWhileUsed = ['rdma_type', 'infiniband_fabric'] as const

/** Creates a SKU. */
export async function createSku(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<AdministeredSku> {
  await allow(ctx, 'platform:write', null)
  const row: SkuRow = {
    id: ctx.newId('sku'),
    alias: body.alias ?? drawName(ctx),
    properties: await propertiesAfter(ctx, {}, body),
    listed: body.listed ?? true,
    simulated: body.simulated ?? false,
    operator_hosts_only: body.operator_hosts_only ?? false,
    public_prices_exclude_related: body.public_prices_exclude_related ?? false,
    benchmark_figures: [...new Set(body.benchmark_figures)],
    benchmarks: null,
    ...termsAfter({ hourly_fee_micros: 0n, fee_bps: 0, price_step_micros: 1n }, body),
    created_at: ctx.now,
    updated_at: ctx.now,
    deleted_at: null,
  }
  if (!(await insertSku(ctx.db, row))) refuseAlias()
  await bumpVersion(ctx.db, skusVersion)
  return present(row)
}

/** Lists all SKUs as the operator sees them. */
export async function listPlatformSkus(ctx: Ctx, query: Input<typeof listContract>['query']) {
  await allow(ctx, 'platform:read', null)
  const page = await listSkus(ctx, query)
  return pageResponse(page, page.rows.map(present))
}

/**
 * Changes a SKU. Its InfiniBand properties cannot change while hosts or instances use it. It cannot promise less than
 * an override of an account, and it cannot be kept to the operator while partners supply it. Its hosts are compared
 * with it at once.
 */
export async function updateSku(
  ctx: Ctx,
  id: Id<'sku'>,
  body: Input<typeof updateContract>['body'],
): Promise<AdministeredSku> {
  const row = await lockForChange(ctx, id)
  const properties = await propertiesAfter(ctx, row.properties, body)
  if (fixedWhileUsed.some((name) => differs({ [name]: row.properties[name] }, { [name]: properties[name] }))) {
    throwIfRefused(refuseInUse('sku', await ctx.referrers('sku', id, 20)))
  }
  const limits = tighterLimits(row.properties, properties)
  if (limits.length > 0) {
    throwIfRefused(refuseBelowOverrides(properties, await listOverridesOfSku(ctx.db, id, limits), limits))
  }
  if (body.operator_hosts_only && !row.operator_hosts_only) {
    throwIfRefused(refusePartners(await ctx.referrers('partner_hosts_of_sku', id, 20)))
  }
  const changed: SkuRow = {
    ...row,
    alias: body.alias ?? row.alias,
    properties,
    listed: body.listed ?? row.listed,
    simulated: body.simulated ?? row.simulated,
    operator_hosts_only: body.operator_hosts_only ?? row.operator_hosts_only,
    public_prices_exclude_related: body.public_prices_exclude_related ?? row.public_prices_exclude_related,
    benchmark_figures: body.benchmark_figures ? [...new Set(body.benchmark_figures)] : row.benchmark_figures,
    ...termsAfter(row, body),
  }
  if (body.benchmark_figures) ctx.publish(benchmarkFiguresChanged, id)
  if (hasOtherNeeds(row, changed)) ctx.publish(skuNeedsChanged, id)
  return save(ctx, changed)
}

/** Retires a SKU: nothing new starts on it. Allocation that was bought and running instances stay. */
export async function retireSku(ctx: Ctx, id: Id<'sku'>): Promise<void> {
  const row = await lockForChange(ctx, id)
  if (row.deleted_at !== null) refuseNotFound()
  await save(ctx, { ...row, deleted_at: ctx.now })
  ctx.publish(skuAvailabilityChanged, id)
}

/** Restores a retired SKU. */
export async function restoreSku(ctx: Ctx, id: Id<'sku'>): Promise<AdministeredSku> {
  const row = await lockForChange(ctx, id)
  if (row.deleted_at === null) refuse('invalid_state', 'This SKU is not retired.')
  ctx.publish(skuAvailabilityChanged, id)
  return save(ctx, { ...row, deleted_at: null })
}

/** Inserts or replaces one value of an enumerated property in the catalog. */
export async function putSkuPropertyValue(
  ctx: Ctx,
  { property, name }: { property: string; name: string },
  body: Input<typeof valueContract>['body'],
): Promise<SkuPropertyValue> {
  await allow(ctx, 'platform:write', null)
  if (!(enumeratedProperties as readonly string[]).includes(property)) refuseNotFound()
  const {
    display_name,
    description = '',
    documentation_link = null,
    deprecated_at = null,
    deprecation_info = null,
  } = body
  const value = { name, display_name, description, documentation_link, deprecated_at, deprecation_info }
  await putPropertyValue(ctx.db, { property, ...value })
  return { object: 'sku_property', ...value }
}

/** Lists the overrides of an account. */
export async function listSkuOverrides(ctx: Ctx, account_id: string) {
  await allow(ctx, 'platform:read', null)
  await requireAccount(ctx, account_id)
  return shortListResponse((await listOverrides(ctx.db, account_id)).map(presentOverride))
}

/** Overrides properties of a SKU for an account, and replaces an earlier override. */
export async function putSkuOverride(
  ctx: Ctx,
  { account, sku }: { account: string; sku: Id<'sku'> },
  body: Input<typeof overrideContract>['body'],
): Promise<SkuOverride> {
  const row = await lockForChange(ctx, sku)
  await requireAccount(ctx, account)
  const whole = await propertiesAfter(ctx, row.properties, body)
  const names = Object.keys(writtenProperties(body)) as (keyof SkuProperties)[]
  const properties = Object.fromEntries(names.map((name) => [name, whole[name]])) as SkuProperties
  throwIfRefused(refuseOverride(row.properties, properties))
  const before = await findOverride(ctx.db, account, sku)
  const override = { account_id: account, sku_id: sku, alias: row.alias, properties, updated_at: ctx.now }
  if (before && !differs(before.properties, properties)) return presentOverride(before)
  await putOverride(ctx.db, override)
  await emitForAccount(ctx, account, sku, 'instance_sku_override.updated')
  return presentOverride(override)
}

/** Removes the override of an account on a SKU. */
export async function deleteSkuOverride(
  ctx: Ctx,
  { account, sku }: { account: string; sku: Id<'sku'> },
): Promise<void> {
  await lockForChange(ctx, sku)
  await requireAccount(ctx, account)
  if (!(await removeOverride(ctx.db, account, sku))) refuseNotFound()
  await emitForAccount(ctx, account, sku, 'instance_sku_override.deleted')
}

/** Locks a SKU to write its benchmarks. Returns the figures that it shows; undefined if there is no such SKU. */
export async function lockSkuBenchmarks(ctx: Ctx, id: Id<'sku'>): Promise<readonly string[] | undefined> {
  const [row] = await ctx.lockRows(skuBenchmarksLock, [id])
  return row?.benchmark_figures
}

/** Writes the benchmarks of a locked SKU, if they have changed. */
export async function setSkuBenchmarks(ctx: Ctx, id: Id<'sku'>, benchmarks: readonly SkuBenchmark[]): Promise<void> {
  if (await updateBenchmarks(ctx.db, id, benchmarks)) await bumpVersion(ctx.db, skusVersion)
}

async function emitForAccount(ctx: Ctx, account_id: string, sku: Id<'sku'>, action: string): Promise<void> {
  await bumpVersion(ctx.db, accountSkusVersion(account_id))
  ctx.emit({ account_id, workspace_id: null, action, target_type: 'instance_sku', target_id: sku })
}

async function lockForChange(ctx: Ctx, id: Id<'sku'>): Promise<SkuRow> {
  await allow(ctx, 'platform:write', null)
  // The lock of the book keeps orders from being decided on the old SKU.
  const [, , row] = await Promise.all([lockBooks(ctx, [id]), ctx.lock(skuLock, [id]), findSku(ctx.db, id)])
  return row ?? refuseNotFound()
}

async function propertiesAfter(ctx: Ctx, before: SkuProperties, body: object): Promise<SkuProperties> {
  const applied = applyProperties(before, writtenProperties(body), await readCatalog(ctx))
  if ('refusal' in applied) throw new Refusal(applied.refusal)
  return applied.properties as SkuProperties
}

type MarketTerms = Pick<SkuRow, 'hourly_fee_micros' | 'fee_bps' | 'price_step_micros'>
type SentTerms = Pick<Input<typeof updateContract>['body'], 'fee_bps' | typeof feeField | typeof stepField>

/** The terms of trade after a change. Orders that rest keep their prices when the step changes. */
function termsAfter(before: MarketTerms, sent: SentTerms): MarketTerms {
  const { [feeField]: fee, [stepField]: step, fee_bps = before.fee_bps } = sent
  return {
    hourly_fee_micros: fee === undefined ? before.hourly_fee_micros : readPrice(fee, 'fee', feeField),
    fee_bps,
    price_step_micros: step === undefined ? before.price_step_micros : readPrice(step, 'step', stepField),
  }
}

function readPrice(text: string, use: 'fee' | 'step', field: string): bigint {
  const parsed = parsePrice(text, use, field)
  if ('refusal' in parsed) throw new Refusal(parsed.refusal)
  return parsed.price_micros
}

async function save(ctx: Ctx, row: SkuRow): Promise<AdministeredSku> {
  const changed = { ...row, updated_at: ctx.now }
  try {
    if (!(await updateRow(ctx.db, changed))) refuseAlias()
  } catch (error) {
    // Another SKU has got the alias since the statement began.
    if (isUniqueViolation(error)) refuseAlias()
    throw error
  }
  await bumpVersion(ctx.db, skusVersion)
  return present(changed)
}

function refuseAlias(): never {
  refuse('alias_taken', 'A SKU that is not retired has this alias.', 'alias')
}

function present({ properties, hourly_fee_micros, price_step_micros, deleted_at, ...row }: SkuRow): AdministeredSku {
  const { id, alias, listed, simulated, operator_hosts_only, benchmarks, benchmark_figures } = row
  const { fee_bps, public_prices_exclude_related, created_at, updated_at } = row
  return {
    object: 'sku',
    id,
    alias,
    ...inContractOrder(properties),
    ...(simulated ? { simulated } : {}),
    ...(operator_hosts_only ? { operator_hosts_only } : {}),
    ...presentBenchmarks({ benchmarks, benchmark_figures }),
    [stepField]: printPrice(price_step_micros),
    ...(deleted_at === null ? {} : { deleted_at }),
    benchmark_figures,
    listed,
    [feeField]: printPrice(hourly_fee_micros),
    fee_bps,
    public_prices_exclude_related,
    created_at,
    updated_at,
  }
}

function presentOverride({ account_id, sku_id, alias, properties, updated_at }: OverrideRow): SkuOverride {
  return {
    object: 'sku_override',
    account: account_id,
    sku: { object: 'sku', id: sku_id, alias },
    properties: inContractOrder(properties),
    updated_at,
  }
}
