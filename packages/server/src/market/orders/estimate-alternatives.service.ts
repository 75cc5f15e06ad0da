/** Says why an order cannot be estimated, how many nodes are free instead, and when all of them are. */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { OrderEstimate } from '@bourse/api/market/order-estimates.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type Alternatives, alternativesOf } from '../book/book-nearest.rules.ts'
import { estimateOf } from '../book/book-views.rules.ts'
import { printPrice } from '../schedule/prices.rules.ts'
import type { AccountSkuRow } from '../skus/skus.rules.ts'
import { readBook } from '../trading/book-cache.service.ts'
import { unavailableText } from './estimate-texts.rules.ts'

type AlternativesInput = {
  readonly body: { readonly side: 'buy' | 'sell'; readonly node_count: number }
  readonly account_id: string
  readonly window: { readonly from: number; readonly to: number }
  readonly limit_micros: bigint | undefined
}
type FoundAlternatives = Alternatives & { readonly sku_id: Id<'sku'>; readonly alias: string }
type Unavailable = Pick<OrderEstimate, 'reason' | 'message' | 'free_node_count' | 'nearest_windows'>

/** The most SKUs that are searched for alternatives: a search reads all offers of a book. */
const skusMax = 5

/** Explains an order that none of the SKUs can fill. */
export async function explainUnavailable(
  ctx: Ctx,
  skus: readonly AccountSkuRow[],
  asked: AlternativesInput,
): Promise<Unavailable> {
  const { limit_micros } = asked
  if (limit_micros !== undefined) {
    const priceMicros = await priceOf(ctx, skus, asked)
    if (priceMicros !== undefined) {
      const limit = printPrice(limit_micros)
      const message = unavailableText({ ...asked.body, limit, best_price: printPrice(priceMicros) })
      return { reason: 'no_offer_at_price', message }
    }
  }
  const best = await bestAlternatives(ctx, skus, asked)
  const { node_count } = asked.body
  const nearest_windows = (best?.windows ?? []).map(({ from, to }) => ({
    sku: (best as FoundAlternatives).sku_id,
    start_at: from * 60,
    end_at: to * 60,
    node_count,
  }))
  const free_node_count = best?.free_node_count ?? 0
  const message = unavailableText({
    ...asked.body,
    window: asked.window,
    free_node_count,
    windows: best?.windows ?? [],
  })
  return {
    reason: limit_micros === undefined ? 'no_availability' : 'no_offer_at_price',
    message,
    free_node_count,
    nearest_windows,
  }
}

/** The best worst price at which one of the SKUs fills the order; undefined if none can. */
async function priceOf(
  ctx: Ctx,
  skus: readonly AccountSkuRow[],
  asked: AlternativesInput,
): Promise<bigint | undefined> {
  const { body, account_id, window } = asked
  let best: bigint | undefined
  for (const sku of skus.slice(0, skusMax)) {
    const book = await readBook(ctx, sku.id)
    const found = book && estimateOf(book, { ...body, account_id, window })?.worst_price_micros
    if (found === undefined) continue
    if (best === undefined || (body.side === 'buy' ? found < best : found > best)) best = found
  }
  return best
}

/** The alternatives on the SKU with the most free nodes, then with the most windows. */
async function bestAlternatives(
  ctx: Ctx,
  skus: readonly AccountSkuRow[],
  asked: AlternativesInput,
): Promise<FoundAlternatives | undefined> {
  const { body, account_id, window } = asked
  let best: FoundAlternatives | undefined
  for (const { id: sku_id, alias } of skus.slice(0, skusMax)) {
    const book = await readBook(ctx, sku_id)
    if (!book) continue
    const found = { ...alternativesOf(book, { ...body, account_id, window }), sku_id, alias }
    if (!best || isBetter(found, best)) best = found
  }
  return best
}

function isBetter(found: FoundAlternatives, best: FoundAlternatives): boolean {
  const more = found.free_node_count - best.free_node_count
  return more > 0 || (more === 0 && found.windows.length > best.windows.length)
}
