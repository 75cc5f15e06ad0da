/**
 * The decisions of simulated traders: the fair price, the offers around it, small trades, and the time of the next
 * step. All of them depend only on the seed and the minute, and use whole numbers, so that equal worlds trade equally.
 * Not this file's work: placing the orders (makers.service.ts).
 */
import type { Id } from '@bourse/api/kit/ids.ts'

/** The market maker of one SKU: the pools and settings of the simulated accounts that trade on its book. */
export type MakerRow = {
  sku_id: Id<'sku'>
  seed: number
  base_price_micros: bigint
  began_minute: number
  nodes: number
  enabled: boolean
  desk_pool_id: Id<'pool'>
  trader_pool_id: Id<'pool'>
  created_at: number
}

/** The parameters of a market maker that its decisions depend on. */
export type MakerProfile = {
  readonly seed: number
  /** The price that the fair price drifts around, in micro-dollars per node-hour. */
  readonly base_price_micros: bigint
  /** The Unix minute in which trading began. Prices depend on the minutes since then. */
  readonly began_minute: number
  /** The number of nodes of its own hosts. */
  readonly nodes: number
}

/** A node count from one Unix minute up to, not including, another. Without an end, `end_minute` is infinity. */
export type QuotePiece = { readonly start_minute: number; readonly end_minute: number; readonly node_count: number }

/** An ask or a bid: a rectangle of nodes at a price. */
export type Quote = QuotePiece & { readonly side: 'buy' | 'sell'; readonly price_micros: bigint }

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
const minutesPerDay = 1_440

/** Waves whose sum is the drift: the minutes between two points, and the maximum deviation in millionths. */
const waves = [
  { minutes: 14 * minutesPerDay, height: 150_000 },
  { minutes: 2 * minutesPerDay, height: 70_000 },
  { minutes: 360, height: 30_000 },
  { minutes: 45, height: 10_000 },
  { minutes: 5, height: 2_000 },
] as const

/** Offers on each side, best first: the distance from the fair price in millionths, and the share of the nodes. */
const ladder = [
  { millionths: 6_000n, sixteenths: 2 },
  { millionths: 15_000n, sixteenths: 3 },
  { millionths: 30_000n, sixteenths: 4 },
] as const

/** The minimum reach of offers. They end at the end of a day of the world, so that they need no renewal each minute. */
const reachMinutes = 14 * minutesPerDay
/** An offer stays while its price differs from the wanted price by at most this. */
const toleratedMillionths = 4_000n
/** The maximum number of asks per level of the ladder. Sales split the owned capacity into several pieces. */
const piecesMax = 4

/** The fair price in a minute, in micro-dollars per node-hour; at least one. */
export function fairPrice({ seed, base_price_micros, began_minute }: MakerProfile, minute: number): bigint {
  const drift = waves.reduce((sum, _, wave) => sum + heightOf(seed, wave, minute - began_minute), 0)
  const price = (base_price_micros * (million + BigInt(drift))) / million
  return price > 1n ? price : 1n
}

/**
 * The offers that should rest from a minute on: bids for whole rectangles, and asks for what `owned` contains. `owned`
 * is the full allocation of the pool, including promised nodes.
 */
export function wantedQuotes(
  profile: MakerProfile,
  { from, owned }: { from: number; owned: readonly QuotePiece[] },
): Quote[] {
  const fair = fairPrice(profile, from)
  const days = Math.ceil((from - profile.began_minute) / minutesPerDay)
  const window = { start_minute: from, end_minute: profile.began_minute + days * minutesPerDay + reachMinutes }
  let taken = 0
  return ladder.flatMap(({ millionths, sixteenths }): Quote[] => {
    const away = (fair * millionths) / million + 1n
    const node_count = Math.max(1, Math.floor((profile.nodes * sixteenths) / 16))
    const asks = layerOf(owned, { ...window, node_count }, taken)
    taken += node_count
    return [
      { ...window, node_count, side: 'buy', price_micros: atLeastOne(fair - away) },
      ...asks.map((piece): Quote => ({ ...piece, side: 'sell', price_micros: fair + away })),
    ]
  })
}

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
  return { ...smallWindow(dice, from), side: 'buy', price_micros: fair + tenth }
}

/** Trades at a past minute, each at one price for both sides, near the fair price. */
export function pastTrades(profile: MakerProfile, { from, count }: { from: number; count: number }): Quote[] {
  const dice = diceOf(profile.seed, from - profile.began_minute)
  const fair = fairPrice(profile, from)
  return Array.from({ length: count }, (): Quote => {
    const price_micros = (fair * BigInt(994_000 + dice(12_000))) / million + 1n
    return { ...smallWindow(dice, from), side: 'buy', price_micros }
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

/** The value of a wave in a minute: pseudo-random points at a fixed distance, linear between them. */
function heightOf(seed: number, wave: number, minute: number): number {
  const { minutes, height } = waves[wave] as (typeof waves)[number]
  const index = Math.floor(minute / minutes)
  const heightAt = (at: number) => diceOf(seed, at, wave + 1)(2 * height + 1) - height
  const [before, after] = [heightAt(index), heightAt(index + 1)]
  return before + Math.trunc(((after - before) * (minute - index * minutes)) / minutes)
}

/** The part of `owned` in a window that lies above `taken` nodes and is at most `node_count` high; a few pieces. */
function layerOf(
  owned: readonly QuotePiece[],
  { start_minute, end_minute, node_count }: QuotePiece,
  taken: number,
): QuotePiece[] {
  const layer: QuotePiece[] = []
  for (const piece of owned) {
    const start = Math.max(piece.start_minute, start_minute)
    const end = Math.min(piece.end_minute, end_minute)
    const nodes = Math.min(node_count, piece.node_count - taken)
    if (nodes < 1 || end <= start) continue
    const last = layer.at(-1)
    const joins = last?.end_minute === start && last.node_count === nodes
    if (joins) layer.splice(-1, 1, { ...last, end_minute: end })
    else layer.push({ start_minute: start, end_minute: end, node_count: nodes })
  }
  return layer.slice(0, piecesMax)
}

function isNear(quote: RestingOffer, wantedQuote: Quote): boolean {
  const [piece, ...more] = quote.pieces
  if (!piece || more.length > 0 || quote.side !== wantedQuote.side) return false
  const gap = quote.price_micros - wantedQuote.price_micros
  if ((gap < 0n ? -gap : gap) * million > wantedQuote.price_micros * toleratedMillionths) return false
  const { start_minute, end_minute, node_count } = wantedQuote
  return piece.start_minute === start_minute && piece.end_minute === end_minute && piece.node_count === node_count
}

type Dice = (sides: number) => number

function smallWindow(dice: Dice, from: number): QuotePiece {
  const start_minute = from + 15 * dice(48)
  const end_minute = start_minute + ([30, 60, 60, 120, 240][dice(5)] as number)
  return { start_minute, end_minute, node_count: 1 + dice(2) }
}

/** A pseudo-random generator seeded by numbers. Each call gives a whole number from 0 up to, not including, `sides`. */
function diceOf(...numbers: readonly number[]): Dice {
  let thrown = 0
  return (sides) => {
    thrown += 1
    let hash = 0x811c9dc5
    for (const number of [...numbers, thrown]) {
      hash = Math.imul(hash ^ number, 0x01000193)
      // FNV-1a alone would give neighbouring minutes similar values.
      hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
      hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
      hash ^= hash >>> 16
    }
    return (hash >>> 0) % sides
  }
}

function atLeastOne(price_micros: bigint): bigint {
  return price_micros > 1n ? price_micros : 1n
}
