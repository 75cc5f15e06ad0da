import type {
  createProcurement as createContract,
  listProcurements as listContract,
  Procurement,
  updateProcurement as updateContract,
} from '@bourse/api/automation/procurements.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import { refuse, throwIfRefused } from '../core/base/refusal.ts'
import { type Ctx, callerOf } from '../core/work/ctx.ts'
import type { ReferrerTable } from '../core/work/references.ts'
import { listOwned, loadAndAllow } from '../iam/access/owned.service.ts'
import { allow, refuseNotFound } from '../iam/access/permissions.service.ts'
import { returnLimit, takeLimit } from '../iam/names/limit-usage.service.ts'
import {
  claimName,
  pickSummary,
  releaseName,
  renameName,
  resolveFilter,
  summaries,
} from '../iam/names/names.service.ts'
import { cancelOrdersOf } from '../market/orders/orders.service.ts'
import { acquireMandate, releaseMandate } from '../market/pools/mandates.service.ts'
import { findOwnPool } from '../market/pools/pools.service.ts'
import { findSkuFor, requireSku, type SkuSummary, skuSummaries } from '../market/skus/skus.service.ts'
import { readPrice, requireStep, showPrice } from '../market/trading/coverage.service.ts'
import type { StatusColumns } from './automation-status.rules.ts'
import { type OrderTerms, ordersMore, refuseTerms } from './procurements.rules.ts'
import {
  findProcurement,
  insertProcurement,
  listProcurementReferrers,
  listProcurements as listRows,
  type ProcurementReference,
  type ProcurementRow,
  procurementLock,
  removeProcurement,
  updateProcurementStatus,
  updateProcurement as updateRow,
} from './procurements.store.ts'

/** The kind of due rows for a procurement. The key is its id. */
export const procurementDue = 'automation.procurement'

const kind = 'procurement'
const sellField = 'min_sell_price_dollars_per_node_hour'
const buyField = 'max_buy_price_dollars_per_node_hour'

/** The status of a new or changed procurement until its next step. */
const notYetChecked: StatusColumns = {
  status_state: 'info',
  status_code: 'ok',
  status_message: 'The pool is being checked.',
  failures: 0,
  retry_at: null,
}

/** Creates a procurement. A step then places its orders. */
export async function createProcurement(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<Procurement> {
  const { account_id } = callerOf(ctx)
  const { target, managed_window_minutes, enabled = true } = body
  const { prices, pool } = await readNewProcurement(ctx, body)
  const sku = await requireSku(ctx, body.sku)
  requireSteps(prices, sku)
  await takeLimit(ctx, account_id, 'procurements')
  const id = ctx.newId(kind)
  const { workspace_id } = await acquireMandate(ctx, { pool_id: pool.id, sku_id: sku.id, holder_id: id })
  await claimName(ctx, { id, kind, account_id, workspace_id, name: body.name })
  const row: ProcurementRow = {
    id,
    account_id,
    workspace_id,
    pool_id: pool.id,
    sku_id: sku.id,
    target: targetColumn(target),
    min_sell_hourly_micros: 0n,
    max_buy_hourly_micros: null,
    ...prices,
    managed_window_minutes,
    enabled,
    ...notYetChecked,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  await insertProcurement(ctx.db, row)
  ctx.schedule(procurementDue, id)
  return presentOne(ctx, row)
}

/**
 * Reads what a new procurement needs before anything is locked: its prices and pool. Refuses what the caller may not
 * create.
 */
export async function readNewProcurement(ctx: Ctx, body: Input<typeof createContract>['body']) {
  const prices = readPrices(body)
  const pool = (await findOwnPool(ctx, body.pool)) ?? refuse('reference_not_found', 'There is no such pool.', 'pool')
  await allow(ctx, 'procurement:create', pool)
  await allow(ctx, 'order:create', pool)
  throwIfRefused(refuseTerms(pool.kind, { target: body.target, max_buy_price: body[buyField] }))
  return { prices, pool }
}

/** Lists the procurements that the caller may list. */
export async function listProcurements(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const pools = await resolveFilter(ctx, 'pool', query.pool === undefined ? undefined : [query.pool])
  const filters = { sku_id: query.sku, pool_id: pools }
  return listOwned(ctx, kind, { query, alias: 'p', filters, list: listRows, present })
}

/** Reads one procurement. */
export async function getProcurement(ctx: Ctx, ref: Ref<typeof kind>): Promise<Procurement> {
  const row = await loadAndAllow(ctx, kind, { ref, verb: 'read', find: findProcurement })
  return presentOne(ctx, row)
}

/** A procurement that the caller may change, without a lock. */
export function loadToChange(ctx: Ctx, ref: Ref<typeof kind>): Promise<ProcurementRow> {
  return loadAndAllow(ctx, kind, { ref, verb: 'write', find: findProcurement })
}

/** Changes a procurement. Cancels orders that must not be filled after the change; a step replaces the others. */
export async function updateProcurement(
  ctx: Ctx,
  ref: Ref<typeof kind>,
  body: Input<typeof updateContract>['body'],
): Promise<Procurement> {
  const prices = readPrices(body)
  const known = await loadToChange(ctx, ref)
  const row = await lockProcurement(ctx, known.id)
  const { terms } = await readChange(ctx, row, { ...body, prices })
  const changed: ProcurementRow = {
    ...row,
    ...terms,
    ...statusAfter(row, body),
    updated_at: Object.keys(body).length === 0 ? row.updated_at : ctx.now,
  }
  const sides = sidesThatEnd(row, changed)
  // The caller is the actor only if the change disables the procurement. Otherwise the system replaces the orders.
  const actor = changed.enabled ? ({ type: 'system' } as const) : ctx.actor
  if (sides.length > 0) await cancelOrdersOf(ctx, row, { reason: 'automation', actor, sides })
  if (changed.sku_id !== row.sku_id) {
    await releaseMandate(ctx, row.id)
    await acquireMandate(ctx, { pool_id: row.pool_id, sku_id: changed.sku_id, holder_id: row.id })
  }
  if (body.name !== undefined) await renameName(ctx, { id: row.id, kind, name: body.name })
  await Promise.all([updateRow(ctx.db, changed), updateProcurementStatus(ctx.db, row.id, changed)])
  ctx.schedule(procurementDue, row.id)
  return presentOne(ctx, changed)
}

/**
 * The terms of a procurement after a change, and whether they can lead to orders that it would not have placed before.
 * Refuses terms that do not fit, and those whose orders the caller could not place.
 */
export async function readChange(
  ctx: Ctx,
  row: ProcurementRow,
  { prices, ...body }: Input<typeof updateContract>['body'] & { readonly prices: ReadPrices },
) {
  const terms = { ...termsAfter(row, body), ...prices }
  const can_trade_more = ordersMore(row, terms)
  if (can_trade_more) await allow(ctx, 'order:create', row)
  // The maximum price is null exactly if the pool is an originating one. The kind of a pool never changes.
  const poolKind = row.max_buy_hourly_micros === null ? 'originating' : 'market'
  const knownPrice = row.max_buy_hourly_micros === null ? undefined : showPrice(row.max_buy_hourly_micros)
  const sent = { target: body.target ?? row.target ?? 'node_count', max_buy_price: body[buyField] ?? knownPrice }
  throwIfRefused(refuseTerms(poolKind, sent))
  if (body.sku !== undefined) await checkSku(ctx, row, body.sku)
  if (Object.keys(prices).length > 0) requireSteps(prices, await findSkuFor(ctx, row.account_id, terms.sku_id))
  return { terms, can_trade_more }
}

/** Deletes a procurement and cancels its open orders, in one transaction. Bought capacity stays in the pool. */
export async function deleteProcurement(ctx: Ctx, ref: Ref<typeof kind>): Promise<void> {
  const known = await loadAndAllow(ctx, kind, { ref, verb: 'delete', find: findProcurement })
  const row = await lockProcurement(ctx, known.id)
  await cancelOrdersOf(ctx, row, { reason: 'automation', actor: ctx.actor })
  await Promise.all([
    removeProcurement(ctx, row.id),
    releaseMandate(ctx, row.id),
    releaseName(ctx, row.id),
    returnLimit(ctx, row.account_id, 'procurements'),
  ])
  ctx.unschedule(procurementDue, row.id)
}

/** The procurements that refer to a resource, by the kind of the resource. */
export const procurementReferrers: ReferrerTable = {
  pool: referrersBy('pool_id'),
  sku: referrersBy('sku_id'),
  workspace: referrersBy('workspace_id'),
  automations_of_pool: referrersBy('pool_id'),
}

function referrersBy(column: ProcurementReference) {
  return (ctx: Ctx, id: string, limit: number) => listProcurementReferrers(ctx.db, column, id, limit)
}

type SentPrices = { readonly [sellField]?: string; readonly [buyField]?: string }

type ReadPrices = Partial<Pick<ProcurementRow, 'min_sell_hourly_micros' | 'max_buy_hourly_micros'>>

/** Refuses prices that are not multiples of the step of their SKU: `not_aligned`. */
export function requireSteps(prices: ReadPrices, sku: Parameters<typeof requireStep>[1]): void {
  requireStep(prices.min_sell_hourly_micros, sku, { side: 'sell', field: sellField })
  requireStep(prices.max_buy_hourly_micros, sku, { side: 'buy', field: buyField })
}

/** Reads the prices of a request. Refuses `invalid_format` and `out_of_range`. */
export function readPrices(sent: SentPrices): ReadPrices {
  const { [sellField]: sell, [buyField]: buy } = sent
  return {
    ...(sell === undefined ? {} : { min_sell_hourly_micros: readPrice(sell, 'sell', sellField) }),
    ...(buy === undefined ? {} : { max_buy_hourly_micros: readPrice(buy, 'buy', buyField) }),
  }
}

/** The status after a change. Ends the wait after a refusal, unless only the name changes. */
function statusAfter(row: ProcurementRow, { name: _name, ...changes }: object & { name?: string }): StatusColumns {
  return Object.keys(changes).length === 0 ? row : notYetChecked
}

/** The sides whose open orders must not be filled after a change. */
export function sidesThatEnd(before: OrderTerms, after: OrderTerms): ('buy' | 'sell')[] {
  if (!after.enabled || after.sku_id !== before.sku_id) return ['buy', 'sell']
  return [
    ...(after.max_buy_hourly_micros === before.max_buy_hourly_micros ? [] : (['buy'] as const)),
    ...(after.min_sell_hourly_micros === before.min_sell_hourly_micros ? [] : (['sell'] as const)),
  ]
}

/** What decides about the orders of a procurement after a change, without the prices of the request. */
function termsAfter(row: ProcurementRow, body: Input<typeof updateContract>['body']) {
  return {
    sku_id: body.sku ?? row.sku_id,
    target: body.target === undefined ? row.target : targetColumn(body.target),
    min_sell_hourly_micros: row.min_sell_hourly_micros,
    max_buy_hourly_micros: row.max_buy_hourly_micros,
    managed_window_minutes: body.managed_window_minutes ?? row.managed_window_minutes,
    enabled: body.enabled ?? row.enabled,
  }
}

/** Checks a new SKU without a lock, as at the creation. A later retirement makes the procurement idle. */
async function checkSku(ctx: Ctx, row: ProcurementRow, requested: Id<'sku'>): Promise<void> {
  if (requested === row.sku_id) return
  const sku = await findSkuFor(ctx, row.account_id, requested)
  if (sku?.is_visible && sku.deleted_at === null) return
  refuse('sku_not_available', 'There is no such SKU that is not retired.', 'sku')
}

function targetColumn(target: Procurement['target']): number | null {
  return target === 'node_count' ? null : target
}

/** Locks a procurement and reads it again, because it may have changed since the last read. */
async function lockProcurement(ctx: Ctx, id: Id<typeof kind>): Promise<ProcurementRow> {
  const [, row] = await Promise.all([ctx.lock(procurementLock, [id]), findProcurement(ctx.db, id)])
  return row ?? refuseNotFound()
}

async function presentOne(ctx: Ctx, row: ProcurementRow): Promise<Procurement> {
  const [shown] = await present(ctx, [row])
  return shown as Procurement
}

async function present(ctx: Ctx, rows: readonly ProcurementRow[]): Promise<Procurement[]> {
  const skuIds = rows.map(({ sku_id }) => sku_id)
  const [names, skus] = await Promise.all([
    summaries(
      ctx,
      rows.flatMap((row) => [row.id, row.workspace_id, row.pool_id]),
    ),
    skuSummaries(ctx, skuIds),
  ])
  return rows.map((row) => {
    const { name, resource_path } = pickSummary(names, kind, row.id)
    const { max_buy_hourly_micros: buy, min_sell_hourly_micros: sell } = row
    return {
      object: kind,
      id: row.id,
      resource_path,
      workspace: pickSummary(names, 'workspace', row.workspace_id),
      name,
      pool: pickSummary(names, 'pool', row.pool_id),
      sku: skus.get(row.sku_id) as SkuSummary,
      target: row.target ?? 'node_count',
      min_sell_price_dollars_per_node_hour: showPrice(sell),
      max_buy_price_dollars_per_node_hour: buy === null ? null : showPrice(buy),
      managed_window_minutes: row.managed_window_minutes,
      enabled: row.enabled,
      status: { state: row.status_state, code: row.status_code, message: row.status_message },
      created_at: row.created_at,
      updated_at: row.updated_at,
    }
  })
}
