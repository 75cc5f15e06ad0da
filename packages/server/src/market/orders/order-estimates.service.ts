/** Estimates of orders: the same decision on the same book as for an order, without the writes. */
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type {
  createOrderEstimate as contract,
  EstimatedRefusal,
  OrderEstimate,
} from '@bourse/api/market/order-estimates.ts'
import { printDollars } from '@bourse/text/money.ts'
import { readAvailableMicros } from '../../billing/money.service.ts'
import { Refusal, refuse, throwIfRefused } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { hasPermission } from '../../iam/access/permissions.service.ts'
import type { Book } from '../book/book-state.rules.ts'
import { type Estimate, estimateOf } from '../book/book-views.rules.ts'
import { minuteOf, type PoolRow } from '../pools/pools.rules.ts'
import { findOwnPool } from '../pools/pools.service.ts'
import {
  holdFor,
  orderValue,
  printAveragePrice,
  printPrice,
  refuseStep,
  stepDown,
  stepUp,
} from '../schedule/prices.rules.ts'
import { nodeMinutes, rectangle, type Schedule } from '../schedule/schedule.rules.ts'
import { readRequirements } from '../skus/sku-requirements.rules.ts'
import type { AccountSkuRow } from '../skus/skus.rules.ts'
import { findSkuFor, listFittingSkus } from '../skus/skus.service.ts'
import { readBook } from '../trading/book-cache.service.ts'
import { readPrice } from '../trading/coverage.service.ts'
import { type ReadOrder, refusePoolKind, refuseTimes } from '../trading/order-admission.rules.ts'
import { alreadyFilled, restOfTotal } from '../trading/order-amendment.rules.ts'
import {
  balanceChange,
  type ForecastRequest,
  filledValueOf,
  forecastOrder,
  type OrderForecast,
  sumForecasts,
} from '../trading/trade-forecasts.rules.ts'
import { forecastTrades, presentOffers, presentRefusal } from '../trading/trade-forecasts.service.ts'
import { type BookOrder, isOpenRecord, type OrderRow } from '../trading/trading.rules.ts'
import { explainUnavailable } from './estimate-alternatives.service.ts'
import { noticesOf } from './maintenance-windows.service.ts'
import { findOwnOrder } from './orders.service.ts'

type EstimateBody = Input<typeof contract>['body']
/** An order as it is estimated. */
type EstimateInput = {
  readonly body: EstimateBody
  readonly account_id: string
  readonly window: { readonly from: number; readonly to: number }
  /** Undefined: at any price. */
  readonly limit_micros: bigint | undefined
  /** The open order that it continues. */
  readonly amended: OrderRow | undefined
}
type Offer = { readonly sku: AccountSkuRow; readonly request: ForecastRequest; readonly forecast: OrderForecast }

const limitField = 'limit_price_dollars_per_node_hour'
const estimateFields = { start: 'start_at', end: 'duration_seconds' }

/**
 * Estimates an order on the best single SKU: the one that trades most of it, then the cheapest to buy, the dearest to
 * sell.
 */
export async function estimateOrder(ctx: Ctx, body: EstimateBody): Promise<OrderEstimate> {
  const pool = await poolOf(ctx, body)
  const asked = { ...readAsked(ctx, body), amended: await amendedBy(ctx, body, pool) }
  const skus = await candidates(ctx, asked)
  const object = 'order_estimate' as const
  const as_of = ctx.now
  const [only] = skus
  if (!only) {
    const message = 'No SKU has these properties.'
    return { object, type: 'unavailable', reason: 'no_matching_skus', message, fee: null, notices: [], as_of }
  }
  const best = await bestOffer(ctx, skus, asked)
  const time = { from: body.start_at, to: body.start_at + body.duration_seconds }
  const notices = await noticesOf(ctx, { ...time, sku_id: (best?.sku ?? only).id })
  if (!best) {
    const fee = skus.length === 1 ? presentFee(only, 0n) : null
    return { object, type: 'unavailable', ...(await explainUnavailable(ctx, skus, asked)), fee, notices, as_of }
  }
  const { sku, request, forecast } = best
  const { worst_case_micros, fee_micros } = forecast
  const sum = sumForecasts(body.side, [forecast])
  const available = hasPermission(ctx, 'billing:read', null) ? await readAvailableMicros(ctx, asked.account_id) : null
  return {
    object,
    type: 'quoted',
    post_order_body: {
      pool: pool?.id ?? null,
      side: body.side,
      sku: sku.id,
      allocation_schedule_delta: [{ start_at: time.from, end_at: time.to, node_count: body.node_count }],
      limit_price_dollars_per_node_hour: printPrice(request.order.price_micros),
      allow_standing: request.allow_standing,
      allow_partial: request.allow_partial,
    },
    ...(sku.simulated ? { simulated: true } : {}),
    node_minutes: Number(sum.node_minutes),
    traded_node_minutes: Number(sum.traded_node_minutes),
    offers: presentOffers(sum.levels),
    offer_count: sum.levels.length,
    total_dollars: printDollars(sum.value_micros),
    average_price_dollars_per_node_hour: printAveragePrice(filledValueOf(sum)),
    worst_case_dollars: printDollars(worst_case_micros),
    fee: presentFee(sku, fee_micros),
    available_dollars: available === null ? null : printDollars(available),
    available_after_dollars:
      available === null ? null : printDollars(available + freedBy(asked.amended) + balanceChange(forecast)),
    refusal: pool ? await refusalOf(ctx, pool, best, asked.amended) : null,
    notices,
    as_of,
  }
}

function readAsked(ctx: Ctx, body: EstimateBody): Omit<EstimateInput, 'amended'> {
  if (body.sku !== undefined && body.requirements !== undefined) {
    refuse('mutually_exclusive', 'Give either sku or requirements.', 'requirements')
  }
  if (body.duration_seconds % 60 !== 0) refuse('not_aligned', 'This must be a multiple of 60.', 'duration_seconds')
  const window = { from: minuteOf(body.start_at), to: minuteOf(body.start_at + body.duration_seconds) }
  throwIfRefused(refuseTimes({ start_minute: window.from, end_minute: window.to }, ctx.now, estimateFields))
  const { [limitField]: limit } = body
  const limit_micros = limit === undefined ? undefined : readPrice(limit, body.side, limitField)
  return { body, account_id: callerOf(ctx).account_id, window, limit_micros }
}

/** The open order that an estimate continues. */
async function amendedBy(
  ctx: Ctx,
  { amends, side, sku }: EstimateBody,
  pool: PoolRow | undefined,
): Promise<OrderRow | undefined> {
  if (amends === undefined) return undefined
  const row = await findOwnOrder(ctx, amends)
  const isOwn = row && hasPermission(ctx, 'order:read', row.workspace_id)
  const isSame = row && isOpenRecord(row) && row.side === side && row.sku_id === sku && row.pool_id === pool?.id
  if (isOwn && isSame) return row
  refuse('reference_not_found', 'There is no such open order of this side, SKU and pool.', 'amends')
}

/** The money that an open order holds. */
function freedBy(row: OrderRow | undefined): bigint {
  return row?.side === 'buy' ? holdFor(row.price_micros, nodeMinutes(row.remaining)) : 0n
}

async function poolOf(ctx: Ctx, { pool, side }: EstimateBody): Promise<PoolRow | undefined> {
  if (pool === undefined) return undefined
  const row = await findOwnPool(ctx, pool)
  if (!row) refuse('reference_not_found', 'There is no such pool.', 'pool')
  throwIfRefused(refusePoolKind(row.kind, side))
  return row
}

async function candidates(ctx: Ctx, { body, account_id, limit_micros }: EstimateInput): Promise<AccountSkuRow[]> {
  const { sku, requirements, side } = body
  if (sku !== undefined) {
    const row = await findSkuFor(ctx, account_id, sku)
    if (!row?.is_visible || row.deleted_at !== null) {
      refuse('sku_not_available', 'There is no such SKU that is not retired.', 'sku')
    }
    if (limit_micros !== undefined) {
      throwIfRefused(refuseStep(limit_micros, row.price_step_micros, { side, field: limitField }))
    }
    return [row]
  }
  const read = readRequirements(requirements ?? {})
  if ('refusal' in read) throw new Refusal(read.refusal)
  const rows = await listFittingSkus(ctx, account_id, read.requirements)
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
}

async function bestOffer(ctx: Ctx, skus: readonly AccountSkuRow[], asked: EstimateInput): Promise<Offer | undefined> {
  let best: Offer | undefined
  for (const sku of skus) {
    const offer = offerOn(await readBook(ctx, sku.id), sku, asked)
    if (offer && (!best || isBetter(offer.forecast, best.forecast))) best = offer
  }
  return best
}

/** The order on one SKU; undefined where it neither trades nor rests. */
function offerOn(book: Book<BookOrder> | undefined, sku: AccountSkuRow, asked: EstimateInput): Offer | undefined {
  const { body, account_id, window } = asked
  const { side, node_count, allow_partial = false, allow_standing = false } = body
  const limit_micros = asked.limit_micros === undefined ? undefined : inSteps(side, sku, asked.limit_micros)
  // Below the first step of a price there is nothing to buy at.
  if (limit_micros === 0n && side === 'buy') return undefined
  const requested = restOf(asked)
  const trade =
    book && estimateOf(book, { side, window, node_count, requested, account_id, limit_micros, allow_partial })
  if (!trade && !(allow_standing && limit_micros !== undefined)) return undefined
  const price_micros = limit_micros ?? limitOf(side, sku, trade as Estimate)
  const value = orderValue(price_micros, nodeMinutes(requested))
  if ('refusal' in value) throw new Refusal({ ...value.refusal, field: limitField })
  const { value_micros } = value
  const order: ReadOrder = {
    side,
    start_minute: window.from,
    end_minute: window.to,
    node_count,
    price_micros,
    value_micros,
  }
  const request = { account_id, order, requested, allow_standing, allow_partial }
  return { sku, request, forecast: forecastOrder(trade, sku, request) }
}

/** What is asked for: all of it, less what the order that it continues has filled. */
function restOf({ body, window, amended }: EstimateInput): Schedule {
  const total = rectangle(window.from, window.to, body.node_count)
  if (!amended) return total
  const rest = restOfTotal(total, { filled_before: amended.filled_before, record: amended })
  if (rest.length === 0) refuse('already_filled', alreadyFilled, 'node_count')
  return rest
}

/** Whether a forecast trades more, or the same for less money, or for more if it sells. */
function isBetter({ side, trade }: OrderForecast, best: OrderForecast): boolean {
  const [traded, most] = [trade?.node_minutes ?? 0n, best.trade?.node_minutes ?? 0n]
  if (traded !== most) return traded > most
  const [value, known] = [trade?.value_micros ?? 0n, best.trade?.value_micros ?? 0n]
  return side === 'buy' ? value < known : value > known
}

/** A limit in steps of a SKU: never above that of a buy, never below that of a sell. */
function inSteps(side: 'buy' | 'sell', sku: AccountSkuRow, limit_micros: bigint): bigint {
  return (side === 'buy' ? stepDown : stepUp)(limit_micros, sku.price_step_micros)
}

/**
 * The worst price of the fills. An order that rests from before the SKU had its price step can be between two steps;
 * the next step is then the limit of the same fills.
 */
function limitOf(side: 'buy' | 'sell', sku: AccountSkuRow, { worst_price_micros }: Estimate): bigint {
  return (side === 'buy' ? stepUp : stepDown)(worst_price_micros, sku.price_step_micros)
}

/** Why placing the order would be refused. Only those who may place it learn what depends on money and limits. */
async function refusalOf(
  ctx: Ctx,
  pool: PoolRow,
  { sku, request }: Offer,
  amended: OrderRow | undefined,
): Promise<EstimatedRefusal | null> {
  const { id: pool_id, account_id, workspace_id } = pool
  if (!hasPermission(ctx, 'order:create', workspace_id)) {
    return { code: 'forbidden', message: 'This needs the permission order:create in the workspace of the pool.' }
  }
  const place = { account_id, workspace_id, pool_id }
  const { placed } = await forecastTrades(ctx, sku, place, {
    read: async () => undefined,
    decide: () => ({ cancels: amended ? [amended] : [], places: [{ ...request, ...place }] }),
  })
  return presentRefusal(placed)
}

function presentFee(sku: AccountSkuRow, totalMicros: bigint): NonNullable<OrderEstimate['fee']> {
  return {
    flat_dollars_per_node_hour: printPrice(sku.hourly_fee_micros),
    percentage_bps: sku.fee_bps,
    total_dollars: printDollars(totalMicros),
  }
}
