/**
 * The offers of a market maker: around the fair price, and with weather also hour by hour for a week, so that a price
 * ahead is that of its hours. What is ahead depends only on those hours, so it stays until they come.
 */

import { atLeastOne, expectedPrice, fairPrice, type MakerProfile, type WeatherProfile } from './fair-price.rules.ts'
import { evenHourAt, hasWeather, midnightAt, type Span, spansBetween, supplyAt } from './weather.rules.ts'

/** A node count from one Unix minute up to, not including, another. Without an end, `end_minute` is infinity. */
export type QuotePiece = Span & { readonly node_count: number }

/** An ask or a bid: a rectangle of nodes at a price. */
export type Quote = QuotePiece & { readonly side: 'buy' | 'sell'; readonly price_micros: bigint }

/** From when offers are wanted, and what the pool of the market maker owns, promised nodes included. */
type Stock = { readonly from: number; readonly owned: readonly QuotePiece[] }

const million = 1_000_000n
const minutesPerDay = 1_440

/** Offers on each side, best first: the distance from the fair price in millionths, and the share of the nodes. */
const ladder = [
  { millionths: 6_000n, sixteenths: 2 },
  { millionths: 15_000n, sixteenths: 3 },
  { millionths: 30_000n, sixteenths: 4 },
] as const

/** The minimum reach of offers. They end at the end of a day of the world, so that they need no renewal each minute. */
const reachMinutes = 14 * minutesPerDay
/** The maximum number of asks per level of the ladder. Sales split the owned capacity into several pieces. */
const piecesMax = 4

/** With weather, for how many minutes at least the offers around the fair price reach: until an even hour. */
const nearMinutes = 240
/** For how many minutes after those there are offers by hour, and for how many after these there are offers by day. */
const hourlyMinutes = 7 * minutesPerDay
const dailyMinutes = 7 * minutesPerDay

/** The hours of a day at which offers begin, and how far from the price of their hours they are, in millionths. */
type HourlyOffers = { readonly hours: readonly number[]; readonly millionths: bigint }

const bestOffers = { hours: [0, 6, 8, 10, 12, 14, 16, 18, 20, 22], millionths: 6_000n } as const
/** Those behind the best ones are at the price of the dearest of their hours. */
const deepOffers = { hours: [0, 8, 16], millionths: 25_000n } as const
const failingOffers = { hours: [0], millionths: 40_000n } as const
/** Bids are at the price of the cheapest of their hours. */
const hourlyBids = { hours: [0, 6, 10, 14, 18, 22], millionths: 12_000n, sixteenths: 4 } as const
const dailyOffers = { hours: [0], millionths: 20_000n, bid_sixteenths: 4 } as const

/** The offers that should rest from a minute on: bids for whole rectangles, and asks for what `owned` contains. */
export function wantedQuotes(profile: MakerProfile, { from, owned }: Stock): Quote[] {
  if (hasWeather(profile)) return weatherQuotes(profile, { from, owned })
  const days = Math.ceil((from - profile.began_minute) / minutesPerDay)
  const window = { start_minute: from, end_minute: profile.began_minute + days * minutesPerDay + reachMinutes }
  return ladderQuotes(profile, { window, owned, sixteenths: ladder.map(({ sixteenths }) => sixteenths) })
}

/** Those around the fair price for some hours, those by hour for a week after them, and those by day for another. */
function weatherQuotes(profile: WeatherProfile, { from, owned }: Stock): Quote[] {
  const near = { start_minute: from, end_minute: evenHourAt(profile, from + nearMinutes + 119) }
  const ahead = { start_minute: near.end_minute, end_minute: near.end_minute + hourlyMinutes }
  const rest = { start_minute: ahead.end_minute, end_minute: midnightAt(profile, ahead.end_minute + dailyMinutes) }
  const { best, deep, failing } = supplyAt(profile, from, from)
  const levels = [Math.min(deep, 3), Math.max(0, Math.min(deep, 5) - 3) + failing]
  return [
    ...ladderQuotes(profile, { window: near, owned, sixteenths: [best, ...levels] }),
    ...hourlyQuotes(profile, { from, owned }, ahead),
    ...dailyQuotes(profile, { from, owned }, rest),
  ]
}

/** Offers on both sides of the fair price of the first minute, all for the same window. */
function ladderQuotes(
  profile: MakerProfile,
  { window, owned, sixteenths }: { window: Span; owned: readonly QuotePiece[]; sixteenths: readonly number[] },
): Quote[] {
  const fair = fairPrice(profile, window.start_minute)
  let taken = 0
  return ladder.flatMap(({ millionths }, level): Quote[] => {
    const node_count = nodesOf(profile, sixteenths[level] ?? 0)
    if (node_count === 0) return []
    const away = awayFrom(fair, millionths)
    const asks = layerOf(owned, { ...window, node_count }, taken)
    taken += node_count
    return [
      { ...window, node_count, side: 'buy', price_micros: atLeastOne(fair - away) },
      ...asks.map((piece): Quote => ({ ...piece, side: 'sell', price_micros: fair + away })),
    ]
  })
}

/** Hours that have one price. */
type PricedSpan = Span & { readonly price: bigint; readonly best_nodes: number }

function hourlyQuotes(profile: WeatherProfile, { from, owned }: Stock, ahead: Span): Quote[] {
  const supply = ({ start_minute }: Span) => supplyAt(profile, start_minute, from)
  const spans = spansBetween(profile, bestOffers.hours, ahead).map((span): PricedSpan => {
    return { ...span, price: expectedPrice(profile, span), best_nodes: nodesOf(profile, supply(span).best) }
  })
  const behind = (offers: HourlyOffers, nodesAt: (span: Span) => number, nodesBefore: (span: Span) => number) =>
    spansBetween(profile, offers.hours, ahead).flatMap((span) => {
      const price = dearestOf(within(spans, span))
      return asksAt(owned, { ...span, node_count: nodesAt(span) }, price + awayFrom(price, offers.millionths), {
        taken: nodesBefore(span),
      })
    })
  const bestIn = (span: Span) => Math.max(...within(spans, span).map(({ best_nodes }) => best_nodes))
  const deepAt = (span: Span) => nodesOf(profile, supply(span).deep)
  const deepIn = (span: Span) => Math.max(...spansBetween(profile, deepOffers.hours, span).map(deepAt))
  return [
    ...spans.flatMap(({ price, best_nodes: node_count, start_minute, end_minute }) => {
      const away = awayFrom(price, bestOffers.millionths)
      return asksAt(owned, { start_minute, end_minute, node_count }, price + away, { taken: 0 })
    }),
    ...behind(deepOffers, deepAt, bestIn),
    ...behind(
      failingOffers,
      (span) => nodesOf(profile, supply(span).failing),
      (span) => bestIn(span) + deepIn(span),
    ),
    ...spansBetween(profile, hourlyBids.hours, ahead).map((span): Quote => {
      const price = cheapestOf(within(spans, span))
      const price_micros = atLeastOne(price - awayFrom(price, hourlyBids.millionths))
      return { ...span, node_count: nodesOf(profile, hourlyBids.sixteenths), side: 'buy', price_micros }
    }),
  ]
}

function dailyQuotes(profile: WeatherProfile, { from, owned }: Stock, rest: Span): Quote[] {
  return spansBetween(profile, dailyOffers.hours, rest).flatMap((span): Quote[] => {
    const price = expectedPrice(profile, span)
    const away = awayFrom(price, dailyOffers.millionths)
    const { best, deep } = supplyAt(profile, span.start_minute, from)
    const node_count = nodesOf(profile, dailyOffers.bid_sixteenths)
    return [
      { ...span, node_count, side: 'buy', price_micros: atLeastOne(price - away) },
      ...asksAt(owned, { ...span, node_count: nodesOf(profile, best + deep) }, price + away, { taken: 0 }),
    ]
  })
}

function asksAt(
  owned: readonly QuotePiece[],
  piece: QuotePiece,
  price_micros: bigint,
  { taken }: { taken: number },
): Quote[] {
  return layerOf(owned, piece, taken).map((part): Quote => ({ ...part, side: 'sell', price_micros }))
}

function within(spans: readonly PricedSpan[], { start_minute, end_minute }: Span): readonly PricedSpan[] {
  return spans.filter((span) => span.start_minute < end_minute && start_minute < span.end_minute)
}

function dearestOf(spans: readonly PricedSpan[]): bigint {
  return spans.reduce((dearest, { price }) => (price > dearest ? price : dearest), 0n)
}

function cheapestOf(spans: readonly PricedSpan[]): bigint {
  const [first, ...more] = spans
  return more.reduce((cheapest, { price }) => (price < cheapest ? price : cheapest), first?.price ?? 1n)
}

function awayFrom(price: bigint, millionths: bigint): bigint {
  return (price * millionths) / million + 1n
}

/** Some sixteenths of the nodes, at least one. None of none. */
function nodesOf({ nodes }: MakerProfile, sixteenths: number): number {
  return sixteenths === 0 ? 0 : Math.max(1, Math.floor((nodes * sixteenths) / 16))
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
