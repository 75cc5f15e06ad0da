/** Estimates of orders: the same decision on the same book as for an order, without the writes. */
import type { Input } from '@bourse/api/kit/endpoint.ts'
import { printDollars } from '@bourse/api/kit/money.ts'
import type { createOrderEstimate as contract, OrderEstimate } from '@bourse/api/market/order-estimates.ts'
import { readAvailableMicros } from '../../billing/money.service.ts'
import { Refusal, refuse, throwIfRefused } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { hasPermission } from '../../iam/access/permissions.service.ts'
import { type Estimate, estimateOf } from '../book/book-views.rules.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import { findOwnPool } from '../pools/pools.service.ts'
import { fillFee, fillValue, printAveragePrice, printPrice, stepDown, stepUp } from '../schedule/prices.rules.ts'
import { nodeMinutes, rectangle, toEntries } from '../schedule/schedule.rules.ts'
import { readRequirements } from '../skus/sku-requirements.rules.ts'
import type { AccountSkuRow } from '../skus/skus.rules.ts'
import { findSkuFor, listFittingSkus } from '../skus/skus.service.ts'
import { readBook } from '../trading/book-cache.service.ts'
import { refusePoolKind, refuseTimes } from '../trading/order-admission.rules.ts'
import { noticesOf } from './maintenance-windows.service.ts'

type Body = Input<typeof contract>['body']
type Offer = { readonly sku: AccountSkuRow; readonly estimate: Estimate }

/** Estimates an order on the best single SKU that can fill all of it: the cheapest to buy, the dearest to sell. */
export async function estimateOrder(ctx: Ctx, body: Body): Promise<OrderEstimate> {
  const { account_id } = callerOf(ctx)
  if (body.sku !== undefined && body.requirements !== undefined) {
    refuse('mutually_exclusive', 'Give either sku or requirements.', 'requirements')
  }
  if (body.duration_seconds % 60 !== 0) refuse('not_aligned', 'This must be a multiple of 60.', 'duration_seconds')
  const window = { from: minuteOf(body.start_at), to: minuteOf(body.start_at + body.duration_seconds) }
  throwIfRefused(refuseTimes({ start_minute: window.from, end_minute: window.to }, ctx.now, estimateFields))
  const pool_id = await poolOf(ctx, body)
  const skus = await candidates(ctx, account_id, body)
  const object = 'order_estimate' as const
  const as_of = ctx.now
  const [only] = skus
  if (!only) return { object, type: 'unavailable', reason: 'no_matching_skus', fee: null, notices: [], as_of }
  const best = await bestOffer(ctx, skus, { side: body.side, window, node_count: body.node_count, account_id })
  const time = { from: body.start_at, to: body.start_at + body.duration_seconds }
  const notices = await noticesOf(ctx, { ...time, sku_id: (best?.sku ?? only).id })
  if (!best) {
    const fee = skus.length === 1 ? feeOf(body.side, only, undefined) : null
    return { object, type: 'unavailable', reason: 'no_availability', fee, notices, as_of }
  }
  const { sku, estimate } = best
  const fee = feeMicros(body.side, sku, estimate)
  return {
    object,
    type: 'quoted',
    post_order_body: {
      pool: pool_id,
      side: body.side,
      sku: sku.id,
      allocation_schedule_delta: toEntries(rectangle(window.from, window.to, body.node_count)) as never,
      limit_price_dollars_per_node_hour: printPrice(limitOf(body.side, sku, estimate)),
      allow_standing: false,
      allow_partial: false,
    },
    total_dollars: printDollars(estimate.value_micros),
    average_price_dollars_per_node_hour: printAveragePrice(estimate) ?? '0.000000',
    fee: feeOf(body.side, sku, estimate),
    available_after_dollars: await availableAfter(
      ctx,
      account_id,
      body.side === 'buy' ? -estimate.value_micros : estimate.value_micros - fee,
    ),
    notices,
    as_of,
  }
}

const estimateFields = { start: 'start_at', end: 'duration_seconds' }

async function poolOf(ctx: Ctx, { pool, side }: Body) {
  if (pool === undefined) return null
  const row = await findOwnPool(ctx, pool)
  if (!row) refuse('reference_not_found', 'There is no such pool.', 'pool')
  throwIfRefused(refusePoolKind(row.kind, side))
  return row.id
}

async function candidates(ctx: Ctx, account_id: string, { sku, requirements }: Body): Promise<AccountSkuRow[]> {
  if (sku !== undefined) {
    const row = await findSkuFor(ctx, account_id, sku)
    if (row?.is_visible && row.deleted_at === null) return [row]
    refuse('sku_not_available', 'There is no such SKU that is not retired.', 'sku')
  }
  const read = readRequirements(requirements ?? {})
  if ('refusal' in read) throw new Refusal(read.refusal)
  const rows = await listFittingSkus(ctx, account_id, read.requirements)
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
}

async function bestOffer(
  ctx: Ctx,
  skus: readonly AccountSkuRow[],
  asked: Parameters<typeof estimateOf>[1],
): Promise<Offer | undefined> {
  let best: Offer | undefined
  for (const sku of skus) {
    const book = await readBook(ctx, sku.id)
    const estimate = book && estimateOf(book, asked)
    if (!estimate) continue
    const gain =
      best &&
      (asked.side === 'buy'
        ? best.estimate.value_micros - estimate.value_micros
        : estimate.value_micros - best.estimate.value_micros)
    if (gain === undefined || gain > 0n) best = { sku, estimate }
  }
  return best
}

/**
 * The worst price of the fills. An order that rests from before the SKU had its price step can be between two steps;
 * the next step is then the limit of the same fills.
 */
function limitOf(side: 'buy' | 'sell', sku: AccountSkuRow, { worst_price_micros }: Estimate): bigint {
  return (side === 'buy' ? stepUp : stepDown)(worst_price_micros, sku.price_step_micros)
}

/** The fee of an estimate. It is rounded down for each fill, so it is the sum over the fills. */
function feeMicros(side: 'buy' | 'sell', sku: AccountSkuRow, estimate: Estimate | undefined): bigint {
  if (side === 'buy' || !estimate) return 0n
  return estimate.fills.reduce((sum, { price_micros, schedule }) => {
    const node_minutes = nodeMinutes(schedule)
    return sum + fillFee(sku, fillValue(price_micros, node_minutes), node_minutes)
  }, 0n)
}

function feeOf(
  side: 'buy' | 'sell',
  sku: AccountSkuRow,
  estimate: Estimate | undefined,
): NonNullable<OrderEstimate['fee']> {
  return {
    flat_dollars_per_node_hour: printPrice(sku.hourly_fee_micros),
    percentage_bps: sku.fee_bps,
    total_dollars: printDollars(feeMicros(side, sku, estimate)),
  }
}

async function availableAfter(ctx: Ctx, account_id: string, change_micros: bigint): Promise<string | null> {
  if (!hasPermission(ctx, 'billing:read', null)) return null
  return printDollars((await readAvailableMicros(ctx, account_id)) + change_micros)
}
