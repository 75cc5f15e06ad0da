/** Market makers: simulated accounts that trade on the books of a sandbox through the services of customers' orders. */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { MarketMaker } from '@bourse/api/sandbox/makers.ts'
import { printDollars } from '@bourse/text/money.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { shortListResponse } from '../../core/work/page.ts'
import { refuseNotFound } from '../../iam/access/permissions.service.ts'
import { requireFirstWorkspace } from '../../iam/accounts/workspaces.service.ts'
import { readOwned, readPrice, readStanding, valueAtLimit } from '../../market/orders/standing-offers.service.ts'
import { findSkuFor, skuSummaries } from '../../market/skus/skus.service.ts'
import { type PlaceRequest, tradeOn } from '../../market/trading/trading.service.ts'
import { readPace } from '../world/clock.service.ts'
import { desk, trader } from '../world/seed-accounts.service.ts'
import { fairPrice } from './fair-price.rules.ts'
import { inSteps, type MakerRow, nextCheck, pastTrades, planQuotes, smallTrade } from './makers.rules.ts'
import { findMaker, listMakers, makerLock, updateMaker } from './makers.store.ts'
import { type Quote, wantedQuotes } from './quotes.rules.ts'
import { type Forecast, forecastOf, hasWeather } from './weather.rules.ts'

/** Kind of the due rows of market makers; the key is the SKU. */
export const makerKind = 'sandbox.maker'

type MakerChanges = { enabled?: boolean; base_price_dollars_per_node_hour?: string; weather?: boolean }
type Places = { readonly desk: Id<'workspace'>; readonly trader: Id<'workspace'> }

/** Lists the market makers, oldest first. */
export async function listMarketMakers(ctx: Ctx) {
  const rows = await listMakers(ctx.db)
  return shortListResponse(await present(ctx, rows))
}

/**
 * Enables or disables a market maker, sets its price, or begins or ends its weather. Its offers follow at once. 404 if
 * the SKU has none.
 */
export async function updateMarketMaker(ctx: Ctx, sku_id: Id<'sku'>, changes: MakerChanges): Promise<MarketMaker> {
  const { enabled, base_price_dollars_per_node_hour: price, weather } = changes
  await ctx.lock(makerLock, [sku_id])
  const row = (await findMaker(ctx.db, sku_id)) ?? refuseNotFound()
  const base_price_micros =
    price === undefined ? row.base_price_micros : readPrice(price, 'base_price_dollars_per_node_hour')
  const weather_from_minute = weatherAfter(row, weather, Math.floor(ctx.now / 60))
  const changed = { ...row, base_price_micros, enabled: enabled ?? row.enabled, weather_from_minute }
  await updateMaker(ctx.db, changed)
  ctx.schedule(makerKind, sku_id)
  return presentMaker(ctx, changed)
}

/** Weather that goes on keeps its events. */
function weatherAfter({ weather_from_minute }: MakerRow, weather: boolean | undefined, minute: number): number | null {
  if (weather === false) return null
  return weather ? (weather_from_minute ?? minute) : weather_from_minute
}

/** Whether a SKU has a market maker. */
export async function hasMaker(ctx: Ctx, sku_id: Id<'sku'>): Promise<boolean> {
  return (await findMaker(ctx.db, sku_id)) !== undefined
}

/** Presents a market maker as in responses. */
export async function presentMaker(ctx: Ctx, row: MakerRow): Promise<MarketMaker> {
  const [maker] = await present(ctx, [row])
  return maker as MarketMaker
}

/**
 * One step of a market maker: replaces offers that no longer match, and makes a small trade. Returns the time of the
 * next step in seconds; undefined if it is disabled.
 */
export async function stepMaker(ctx: Ctx, sku_id: Id<'sku'>): Promise<number | undefined> {
  await ctx.lock(makerLock, [sku_id])
  const row = await findMaker(ctx.db, sku_id)
  if (!row) return undefined
  const [{ own, is_awaited }, pace, places] = await Promise.all([
    readStanding(ctx, sku_id, { account_id: desk.id, others_than: [desk.id, trader.id] }),
    readPace(ctx),
    placesOf(ctx),
  ])
  if (!row.enabled) {
    await tradeOn(ctx, sku_id, { cancels: cancelsOf(own.map(({ id }) => id)) })
    return undefined
  }
  const minute = Math.floor(ctx.now / 60)
  const { minutes, skips } = nextCheck({ ...pace, is_awaited })
  const from = skips ? minute + minutes : minute
  const [owned, traded] = await Promise.all([
    readOwned(ctx, { pool_id: row.desk_pool_id, sku_id }, from),
    readOwned(ctx, { pool_id: row.trader_pool_id, sku_id }, from),
  ])
  const stepMicros = await priceStepOf(ctx, sku_id)
  const wanted = wantedQuotes(row, { from, owned }).map((quote) => inSteps(quote, stepMicros))
  const plan = planQuotes(own, wanted)
  const trade = smallTrade(row, { from, owned: traded, is_rare: minutes > 1 })
  await tradeOn(ctx, sku_id, {
    cancels: cancelsOf(plan.cancels),
    places: [
      ...plan.places.map((quote) => offer(row, quote, places)),
      ...(trade ? [tradeRequest(row, inSteps(trade, stepMicros), places)] : []),
    ],
  })
  return (minute + minutes) * 60
}

/** Makes the two accounts trade with each other `count` times in the current minute, for the history of a world. */
export async function tradeInPast(ctx: Ctx, sku_id: Id<'sku'>, count: number): Promise<void> {
  await ctx.lock(makerLock, [sku_id])
  const row = await findMaker(ctx.db, sku_id)
  if (!row) return
  const places = await placesOf(ctx)
  const stepMicros = await priceStepOf(ctx, sku_id)
  const trades = pastTrades(row, { from: Math.floor(ctx.now / 60) + 1, count })
  const both = trades
    .map((trade) => inSteps(trade, stepMicros))
    .flatMap((trade) => [offer(row, { ...trade, side: 'sell' }, places), tradeRequest(row, trade, places)])
  await tradeOn(ctx, sku_id, { places: both })
}

/** An order that may rest and may be filled in part. */
function offer({ desk_pool_id: pool_id }: MakerRow, quote: Quote, places: Places): PlaceRequest {
  return placeRequest({ account_id: desk.id, workspace_id: places.desk, pool_id }, quote, true)
}

/** An order that fills against the resting orders and never rests. */
function tradeRequest({ trader_pool_id: pool_id }: MakerRow, quote: Quote, places: Places): PlaceRequest {
  return placeRequest({ account_id: trader.id, workspace_id: places.trader, pool_id }, quote, false)
}

function placeRequest(
  place: Pick<PlaceRequest, 'account_id' | 'workspace_id' | 'pool_id'>,
  { side, price_micros, start_minute, end_minute, node_count }: Quote,
  allow_standing: boolean,
): PlaceRequest {
  const value_micros = valueAtLimit(price_micros, (end_minute - start_minute) * node_count)
  const order = { side, price_micros, start_minute, end_minute, node_count, value_micros }
  return { ...place, order, allow_standing, allow_partial: true, managed_by: null, actor: { type: 'system' } }
}

function cancelsOf(ids: readonly Id<'order'>[]) {
  return ids.map((id) => ({ id, reason: 'user' as const, actor: { type: 'system' as const } }))
}

async function priceStepOf(ctx: Ctx, sku_id: Id<'sku'>): Promise<bigint> {
  return (await findSkuFor(ctx, desk.id, sku_id))?.price_step_micros ?? 1n
}

async function placesOf(ctx: Ctx): Promise<Places> {
  const [ofDesk, ofTrader] = await Promise.all([
    requireFirstWorkspace(ctx, desk.id),
    requireFirstWorkspace(ctx, trader.id),
  ])
  return { desk: ofDesk, trader: ofTrader }
}

async function present(ctx: Ctx, rows: readonly MakerRow[]): Promise<MarketMaker[]> {
  const skus = await skuSummaries(
    ctx,
    rows.map(({ sku_id }) => sku_id),
  )
  return rows.map((row) => ({
    object: 'market_maker',
    sku: skus.get(row.sku_id) ?? refuse('not_found', 'There is no such SKU.'),
    enabled: row.enabled,
    node_count: row.nodes,
    base_price_dollars_per_node_hour: printDollars(row.base_price_micros),
    fair_price_dollars_per_node_hour: printDollars(fairPrice(row, Math.floor(ctx.now / 60))),
    weather: hasWeather(row),
    forecast: hasWeather(row) ? presentForecast(forecastOf(row), row) : null,
    created_at: row.created_at,
  }))
}

function presentForecast(forecast: Forecast, { utc_offset_minutes }: MakerRow): NonNullable<MarketMaker['forecast']> {
  return {
    utc_offset_minutes,
    scarce_start_at: forecast.scarce_from_minute * 60,
    scarce_end_at: forecast.scarce_until_minute * 60,
    supplier_fails_at: forecast.supplier_fails_minute * 60,
    supplier_arrives_at: forecast.supplier_arrives_minute * 60,
  }
}
