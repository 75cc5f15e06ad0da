/**
 * The decisions of simulated traders: which offers to replace, small trades, and the time of the next step. All of them
 * depend only on the seed and the minute, and use whole numbers, so that equal worlds trade equally.
 * Not this file's work: placing the orders (makers.service.ts).
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Dice, diceOf } from './dice.rules.ts'
import { atLeastOne, fairPrice, type MakerProfile } from './fair-price.rules.ts'
import type { Quote, QuotePiece } from './quotes.rules.ts'
import { hasWeather } from './weather.rules.ts'

/** The market maker of one SKU: the pools and settings of the simulated accounts that trade on its book. */
export type MakerRow = {
  sku_id: Id<'sku'>
  seed: number
  base_price_micros: bigint
  began_minute: number
  nodes: number
  enabled: boolean
  weather_from_minute: number | null
  utc_offset_minutes: number
  desk_pool_id: Id<'pool'>
  trader_pool_id: Id<'pool'>
  created_at: number
}

/** A resting offer, with its unfilled nodes by time. */
export type RestingOffer<I extends string = string> = {
  readonly id: I
  readonly side: 'buy' | 'sell'
  readonly price_micros: bigint
  readonly pieces: readonly QuotePiece[]
}

/**
 * The progress of the clock: the seconds that it is behind its target, its rate, and whether other accounts wait for
 * capacity.
 */
type ClockProgress = { readonly lag_seconds: number; readonly rate: number; readonly is_awaited: boolean }

const million = 1_000_000n
/** An offer stays while its price differs from the wanted price by at most this. */
const toleratedMillionths = 4_000n

/** A quote at a price in steps of the SKU: no higher than before to buy, no lower to sell, and at least one step. */
export function inSteps(quote: Quote, stepMicros: bigint): Quote {
  const over = quote.price_micros % stepMicros
  if (over === 0n) return quote
  const down = quote.price_micros - over
  const price_micros = quote.side === 'sell' || down === 0n ? down + stepMicros : down
  return { ...quote, price_micros }
}

/** The orders to cancel and the offers to place, so that the resting offers match the wanted ones closely enough. */
export function planQuotes<I extends string>(
  resting: readonly RestingOffer<I>[],
  wanted: readonly Quote[],
): { cancels: I[]; places: Quote[] } {
  const missing = [...wanted]
  const cancels: I[] = []
  for (const quote of resting) {
    const index = missing.findIndex((wantedQuote) => isNear(quote, wantedQuote))
    if (index < 0) cancels.push(quote.id)
    else missing.splice(index, 1)
  }
  return { cancels, places: missing }
}

/**
 * The small trade of a minute, if there is one: a purchase, or a sale of nodes that the trader owns, at most a tenth
 * worse than the fair price. About every other minute has one; a rare step (`is_rare`) always has one.
 */
export function smallTrade(
  profile: MakerProfile,
  { from, owned, is_rare }: { from: number; owned: readonly QuotePiece[]; is_rare: boolean },
): Quote | undefined {
  const dice = diceOf(profile.seed, from - profile.began_minute)
  if (!is_rare && dice(2) === 0) return undefined
  const fair = fairPrice(profile, from)
  const tenth = fair / 10n + 1n
  const finite = owned.filter(({ end_minute }) => end_minute !== Number.POSITIVE_INFINITY)
  const piece = finite[dice(Math.max(1, finite.length))]
  if (piece && dice(2) === 0) {
    const node_count = 1 + dice(piece.node_count)
    return { ...piece, node_count, side: 'sell', price_micros: atLeastOne(fair - tenth) }
  }
  const window = smallWindow(profile, dice, from)
  const enough = hasWeather(profile) ? finite.find((one) => isEnough(profile, one, window)) : undefined
  return enough
    ? { ...enough, side: 'sell', price_micros: atLeastOne(fair - tenth) }
    : { ...window, side: 'buy', price_micros: fair + tenth }
}

/** Whether the trader has so much in a window that more of it would leave too few for others. */
function isEnough({ nodes }: MakerProfile, piece: QuotePiece, { start_minute, end_minute }: QuotePiece): boolean {
  return piece.start_minute < end_minute && start_minute < piece.end_minute && piece.node_count * 16 >= nodes
}

/** Trades at a past minute, each at one price for both sides, near the fair price. */
export function pastTrades(profile: MakerProfile, { from, count }: { from: number; count: number }): Quote[] {
  const dice = diceOf(profile.seed, from - profile.began_minute)
  const fair = fairPrice(profile, from)
  return Array.from({ length: count }, (): Quote => {
    const price_micros = (fair * BigInt(994_000 + dice(12_000))) / million + 1n
    return { ...smallWindow(profile, dice, from), side: 'buy', price_micros }
  })
}

/**
 * The minutes until the next step: one at the usual rate. A fast clock leaves two real seconds between steps. After an
 * advance of the clock, a step covers an eighth of the remaining way, so that a long way takes few steps and the recent
 * past has the most trades. While other accounts wait for capacity, the steps stay short. `skips`: new offers begin at
 * the time of the next step, because each minute that passes over an offer costs a step of its book.
 */
export function nextCheck({ lag_seconds, rate, is_awaited }: ClockProgress): { minutes: number; skips: boolean } {
  const byRate = Math.max(1, Math.ceil((rate * 2) / 60))
  const way = Math.floor(lag_seconds / 60 / 8)
  const byLag = is_awaited ? Math.min(way, awaitedMinutes) : way
  return { minutes: Math.max(byRate, byLag), skips: byLag > 1 || byRate > followedMinutes }
}

const awaitedMinutes = 15
/** If more minutes than this pass between two steps of a fast clock, the offers skip to the next step. */
const followedMinutes = 15

function isNear(quote: RestingOffer, wantedQuote: Quote): boolean {
  const [piece, ...more] = quote.pieces
  if (!piece || more.length > 0 || quote.side !== wantedQuote.side) return false
  const { start_minute, end_minute, node_count } = wantedQuote
  if (piece.start_minute !== start_minute || piece.end_minute !== end_minute) return false
  if (piece.node_count !== node_count) return false
  const gap = quote.price_micros - wantedQuote.price_micros
  return (gap < 0n ? -gap : gap) * million <= wantedQuote.price_micros * toleratedMillionths
}

/** With weather it begins soon, so that the price of a trade is that of its hour, and leaves most nodes to others. */
function smallWindow(profile: MakerProfile, dice: Dice, from: number): QuotePiece {
  const isSoon = hasWeather(profile)
  const start_minute = from + 15 * dice(isSoon ? 4 : 48)
  const end_minute = start_minute + ([30, 60, 60, 120, 240][dice(5)] as number)
  return { start_minute, end_minute, node_count: 1 + dice(isSoon ? Math.ceil(profile.nodes / 16) : 2) }
}
