import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { fairPrice, type MakerProfile } from './fair-price.rules.ts'
import { nextCheck, pastTrades, planQuotes, type RestingOffer, smallTrade } from './makers.rules.ts'
import { type QuotePiece, wantedQuotes } from './quotes.rules.ts'

const alike = { weather_from_minute: null, utc_offset_minutes: 0 }
const profiles = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  base_price_micros: fc.bigInt({ min: 1n, max: 10n ** 9n }),
  began_minute: fc.integer({ min: 0, max: 30_000_000 }),
  nodes: fc.integer({ min: 1, max: 512 }),
  weather_from_minute: fc.constant(null),
  utc_offset_minutes: fc.constant(0),
})
const laters = fc.integer({ min: 0, max: 5_000_000 })
/** Steps that follow each other, as a pool's allocation is read. */
const holdings = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 0, max: 500 }),
      length: fc.integer({ min: 1, max: 50_000 }),
      nodes: fc.nat(20),
    }),
  )
  .map((steps) => (from: number): QuotePiece[] => {
    let end = from
    return steps.map(({ gap, length, nodes }) => {
      const start_minute = end + gap
      end = start_minute + length
      return { start_minute, end_minute: end, node_count: nodes + 1 }
    })
  })

function nodesAt(pieces: readonly QuotePiece[], minute: number): number {
  const there = pieces.filter(({ start_minute, end_minute }) => start_minute <= minute && minute < end_minute)
  return there.reduce((sum, { node_count }) => sum + node_count, 0)
}

test('the fair price drifts within bounds, without jumps, and depends only on the seed and the minute', () => {
  const check = (profile: MakerProfile, later: number) => {
    const minute = profile.began_minute + later
    const price = fairPrice(profile, minute)
    assert.equal(fairPrice({ ...profile }, minute), price)
    const most = (profile.base_price_micros * 262_000n) / 1_000_000n + 1n
    const off = price - profile.base_price_micros
    assert.ok(off <= most && -off <= most)
    const leap = fairPrice(profile, minute + 1) - price
    assert.ok((leap < 0n ? -leap : leap) <= profile.base_price_micros / 500n + 2n)
  }
  fc.assert(fc.property(profiles, laters, check))
  const profile = { ...alike, seed: 1, base_price_micros: 300_000n, began_minute: 0, nodes: 16 }
  const prices = Array.from({ length: 100 }, (_, hour) => fairPrice(profile, hour * 60))
  assert.ok(new Set(prices).size > 90)
  assert.notDeepEqual(
    prices,
    Array.from({ length: 100 }, (_, hour) => fairPrice({ ...profile, seed: 2 }, hour * 60)),
  )
})

test('bids are below the fair price and asks above it, and no minute offers more nodes than are owned', () => {
  const check = (profile: MakerProfile, later: number, ownedFrom: (from: number) => QuotePiece[]) => {
    const from = profile.began_minute + later
    const owned = ownedFrom(from)
    const fair = fairPrice(profile, from)
    const quotes = wantedQuotes(profile, { from, owned })
    const asks = quotes.filter(({ side }) => side === 'sell')
    for (const { price_micros } of asks) assert.ok(price_micros > fair)
    for (const { side, price_micros } of quotes) if (side === 'buy') assert.ok(price_micros < fair || fair === 1n)
    for (const { start_minute, end_minute } of quotes) assert.ok(from <= start_minute && start_minute < end_minute)
    for (const { start_minute, end_minute } of asks) {
      for (const minute of [start_minute, end_minute - 1]) {
        assert.ok(nodesAt(asks, minute) <= nodesAt(owned, minute), `minute ${minute}`)
      }
    }
  }
  fc.assert(fc.property(profiles, laters, holdings, check))
})

test('offers that match the wanted ones stay, and the next step does not cancel a new offer', () => {
  const check = (profile: MakerProfile, later: number, ownedFrom: (from: number) => QuotePiece[]) => {
    const from = profile.began_minute + later
    const wanted = wantedQuotes(profile, { from, owned: ownedFrom(from) })
    assert.deepEqual(planQuotes([], wanted), { cancels: [], places: wanted })
    const resting = wanted.map(({ side, price_micros, ...piece }, index): RestingOffer => {
      return { id: `${index}`, side, price_micros, pieces: [piece] }
    })
    assert.deepEqual(planQuotes(resting, wanted), { cancels: [], places: [] })
  }
  fc.assert(fc.property(profiles, laters, holdings, check))
})

test('an offer that is partly filled, or whose price is too far from the wanted price, is replaced', () => {
  const piece = { start_minute: 10, end_minute: 20, node_count: 4 }
  const request = { ...piece, side: 'sell' as const, price_micros: 10_000n }
  const rests = (changes: Partial<RestingOffer>): RestingOffer => ({ ...request, id: 'a', pieces: [piece], ...changes })
  assert.deepEqual(planQuotes([rests({ price_micros: 10_040n })], [request]), { cancels: [], places: [] })
  for (const changes of [
    { price_micros: 10_041n },
    { price_micros: 9_959n },
    { side: 'buy' as const },
    { pieces: [{ ...piece, node_count: 3 }] },
    {
      pieces: [
        { ...piece, end_minute: 15 },
        { start_minute: 15, end_minute: 20, node_count: 3 },
      ],
    },
    { pieces: [] },
  ]) {
    assert.deepEqual(planQuotes([rests(changes)], [request]), { cancels: ['a'], places: [request] })
  }
  assert.deepEqual(planQuotes([rests({}), rests({ id: 'b' })], [request]), { cancels: ['b'], places: [] })
})

test('small trades buy future minutes, sell owned nodes, and happen in about every other minute', () => {
  const profile = { ...alike, seed: 3, base_price_micros: 300_000n, began_minute: 0, nodes: 16 }
  const owned = [{ start_minute: 500, end_minute: 560, node_count: 2 }]
  const open = [{ start_minute: 500, end_minute: Number.POSITIVE_INFINITY, node_count: 2 }]
  const all = Array.from({ length: 400 }, (_, from) => smallTrade(profile, { from, owned, is_rare: false }))
  const trades = all.filter((trade) => trade !== undefined)
  assert.ok(trades.length > 150 && trades.length < 250, `${trades.length}`)
  const sales = trades.filter(({ side }) => side === 'sell')
  assert.ok(sales.length > 50)
  for (const { start_minute, end_minute, node_count } of sales) {
    assert.deepEqual([start_minute, end_minute, node_count <= 2], [500, 560, true])
  }
  for (let from = 0; from < 100; from++) {
    const trade = smallTrade(profile, { from, owned: open, is_rare: true })
    assert.ok(trade?.side === 'buy' && trade.start_minute >= from && trade.end_minute > trade.start_minute)
  }
})

test('with weather small trades are soon, and none buys where the trader has a sixteenth of the nodes', () => {
  const profile = { seed: 3, base_price_micros: 300_000n, began_minute: 0, nodes: 16 }
  const weather = { ...profile, weather_from_minute: 0, utc_offset_minutes: 0 }
  const tradesWith = (owned: QuotePiece[]) =>
    Array.from({ length: 200 }, (_, from) => smallTrade(weather, { from, owned, is_rare: true }))
  for (const [from, trade] of tradesWith([]).entries()) {
    assert.ok(trade?.side === 'buy' && trade.start_minute >= from && trade.start_minute < from + 60)
  }
  const wide = { start_minute: 0, end_minute: 1_000 }
  assert.ok(tradesWith([{ ...wide, node_count: 1 }]).every((trade) => trade?.side === 'sell'))
  assert.ok(tradesWith([{ ...wide, start_minute: 900, node_count: 1 }]).some((trade) => trade?.side === 'buy'))
})

test('past trades have prices near the fair price', () => {
  fc.assert(
    fc.property(profiles, laters, (profile, later) => {
      const from = profile.began_minute + later
      const fair = fairPrice(profile, from)
      const trades = pastTrades(profile, { from, count: 3 })
      assert.equal(trades.length, 3)
      for (const { price_micros } of trades) {
        assert.ok(price_micros * 100n >= fair * 99n && price_micros * 100n <= fair * 101n + 200n)
      }
    }),
  )
})

test('steps run once a minute at the usual rate, and rarely when the clock runs fast or moves far', () => {
  const usual = { lag_seconds: 0, rate: 1, is_awaited: false }
  assert.deepEqual(nextCheck(usual), { minutes: 1, skips: false })
  assert.deepEqual(nextCheck({ ...usual, rate: 300, is_awaited: true }), { minutes: 10, skips: false })
  assert.deepEqual(nextCheck({ ...usual, rate: 86_400 }), { minutes: 2_880, skips: true })
  assert.deepEqual(nextCheck({ ...usual, lag_seconds: 3_600 }), { minutes: 7, skips: true })
  assert.deepEqual(nextCheck({ ...usual, lag_seconds: 86_400, is_awaited: true }), { minutes: 15, skips: true })
  const stepsOver = (days: number) => {
    let steps = 0
    for (let lag_seconds = days * 86_400; lag_seconds >= 60; steps++) {
      lag_seconds -= 60 * nextCheck({ ...usual, lag_seconds }).minutes
    }
    return steps
  }
  assert.ok(stepsOver(1) < 75 && stepsOver(30) < 100 && stepsOver(3_650) < 140, `${stepsOver(3_650)}`)
})
