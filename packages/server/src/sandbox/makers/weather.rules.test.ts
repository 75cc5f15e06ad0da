import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { expectedPrice, fairPrice, type WeatherProfile } from './fair-price.rules.ts'
import { type Quote, type QuotePiece, wantedQuotes } from './quotes.rules.ts'
import {
  factorAt,
  forecastOf,
  type MarketWeather,
  type Span,
  spansBetween,
  supplyAt,
  utcOffsetOf,
} from './weather.rules.ts'

const hour = 60
const day = 24 * hour

const worlds = fc
  .record({
    seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    base_price_micros: fc.bigInt({ min: 1_000_000n, max: 100_000_000n }),
    began_minute: fc.integer({ min: 20_000_000, max: 30_000_000 }),
    nodes: fc.integer({ min: 16, max: 512 }),
    history: fc.constantFrom(0, day / 2, 28 * day),
    utc_offset_minutes: fc.constantFrom(-480, -300, 0, 60, 540),
  })
  .map(({ history, ...world }): WeatherProfile => ({ ...world, weather_from_minute: world.began_minute + history }))

/** Everything that the hosts have, without an end. */
function stock({ nodes }: WeatherProfile): QuotePiece[] {
  return [{ start_minute: 0, end_minute: Number.POSITIVE_INFINITY, node_count: nodes }]
}

function quotesAt(world: WeatherProfile, from: number): Quote[] {
  return wantedQuotes(world, { from, owned: stock(world) })
}

/** The asks in an hour, the best one first. */
function asksIn(quotes: readonly Quote[], minute: number): Quote[] {
  return quotes
    .filter(({ side, start_minute, end_minute }) => side === 'sell' && start_minute <= minute && minute < end_minute)
    .sort((a, b) => Number(a.price_micros - b.price_micros))
}

function nodesIn(quotes: readonly Quote[], minute: number): number {
  return asksIn(quotes, minute).reduce((sum, { node_count }) => sum + node_count, 0)
}

function localHours({ utc_offset_minutes }: MarketWeather, midnight: number) {
  const weekday = (Math.floor((midnight + utc_offset_minutes) / day) + 4) % 7
  return { isWorkday: weekday !== 0 && weekday !== 6, isWeekend: weekday === 0 || weekday === 6, weekday }
}

/** The midnights of whole local days within the week of offers by hour. */
function midnights(world: WeatherProfile, from: number): number[] {
  const week = { start_minute: from + 7 * hour, end_minute: from + 7 * day }
  return spansBetween(world, [0], week)
    .filter(({ start_minute, end_minute }) => end_minute - start_minute === day)
    .map(({ start_minute }) => start_minute)
}

test('over seven days the hours of a SKU have at least 40 prices', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const from = world.weather_from_minute
      const quotes = quotesAt(world, from)
      const best = Array.from({ length: 168 }, (_, index) => asksIn(quotes, from + index * hour)[0]?.price_micros)
      assert.ok(!best.includes(undefined))
      assert.ok(new Set(best).size >= 40, `${new Set(best).size} prices`)
    }),
  )
})

test('the nights of working days are cheaper than their working hours', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const from = world.weather_from_minute
      const quotes = quotesAt(world, from)
      for (const midnight of midnights(world, from).filter((one) => localHours(world, one).isWorkday)) {
        const priceAt = (at: number) => asksIn(quotes, midnight + at * hour)[0]?.price_micros ?? 0n
        for (const night of [0, 3, 5]) {
          for (const work of [8, 11, 14, 17]) assert.ok(priceAt(night) < priceAt(work), `${night} and ${work}`)
        }
      }
    }),
  )
})

test('the hours of a weekend are never dearer than those of a working day', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const week = Array.from({ length: 14 }, (_, index) => world.weather_from_minute - (index + 2) * day)
      const [working, free] = [week.filter(isOn(world, 'isWorkday')), week.filter(isOn(world, 'isWeekend'))]
      assert.ok(working.length > 0 && free.length > 0)
      for (let at = 0; at < 24; at++) {
        for (const one of working) {
          for (const other of free) {
            assert.ok(factorOf(world, other, at) <= factorOf(world, one, at))
          }
        }
      }
    }),
  )
})

const isOn = (world: MarketWeather, kind: 'isWorkday' | 'isWeekend') => (minute: number) =>
  localHours(world, minute)[kind]

/** The factor of an hour of the local day of a minute. */
function factorOf(world: MarketWeather, minute: number, at: number): number {
  const midnight = Math.floor((minute + world.utc_offset_minutes) / day) * day - world.utc_offset_minutes
  return factorAt(world, midnight + at * hour)
}

test('one day of the week is scarce: a Tuesday or a Thursday from a day on, dear and with few nodes', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const from = world.weather_from_minute
      const { scarce_from_minute: scarce } = forecastOf(world)
      assert.ok(scarce >= from + day && scarce + day <= from + 7 * day)
      assert.ok([2, 4].includes(localHours(world, scarce).weekday))
      const quotes = quotesAt(world, from)
      const others = midnights(world, from).filter((midnight) => midnight !== scarce)
      assert.ok(others.length >= 4)
      for (const at of [8, 11, 14, 17]) {
        const scarceAsk = asksIn(quotes, scarce + at * hour)[0]
        for (const midnight of others) {
          const ask = asksIn(quotes, midnight + at * hour)[0]
          assert.ok(scarceAsk && ask && scarceAsk.price_micros > ask.price_micros)
          assert.ok(nodesIn(quotes, scarce + at * hour) * 2 <= nodesIn(quotes, midnight + at * hour))
        }
      }
    }),
  )
})

test('a Tuesday is scarce unless it is too near or too far', () => {
  // 1 January 1970 was a Thursday.
  const scarceAfter = (weekday: number, minutes = 600) => {
    const from = (weekday - 4 + 7) * day + minutes
    const weather = { seed: 1, weather_from_minute: from, utc_offset_minutes: 0 }
    const { scarce_from_minute } = forecastOf(weather)
    return [localHours(weather, scarce_from_minute).weekday, Math.floor(scarce_from_minute / day - from / day) + 1]
  }
  const found = [0, 1, 2, 3, 4, 5, 6].map((weekday) => scarceAfter(weekday))
  assert.deepEqual(found, [
    [2, 2],
    [4, 3],
    [4, 2],
    [2, 6],
    [2, 5],
    [2, 4],
    [2, 3],
  ])
})

test('the offers of the supplier that fails vanish, and no others; the new supplier is cheaper', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const { supplier_fails_minute: fails, supplier_arrives_minute: arrives } = forecastOf(world)
      const [before, after] = [quotesAt(world, fails - 1), quotesAt(world, fails)]
      const ahead = fails + 8 * hour
      const gone = nodesIn(before, ahead) - nodesIn(after, ahead)
      const { failing } = supplyAt(world, ahead, fails - 1)
      assert.equal(gone > 0, failing > 0)
      assert.equal(asksIn(after, ahead)[0]?.price_micros, asksIn(before, ahead)[0]?.price_micros)
      const [old, fresh] = [factorOf(world, arrives - 14 * day, 12), factorOf(world, arrives + 14 * day, 12)]
      if (!isScarceNoon(world, arrives)) assert.equal(fresh, Math.trunc((old * 950) / 1_000))
    }),
  )
})

/** Whether the noons that are compared lie on scarce days. */
function isScarceNoon(world: MarketWeather, arrives: number): boolean {
  const { scarce_from_minute: scarce } = forecastOf(world)
  return [-14, 14].some((days) => {
    const between = Math.floor((arrives + days * day - scarce) / day)
    return between % 28 === 0
  })
}

test('for the next four hours the book has the three levels that it has without weather', () => {
  fc.assert(
    fc.property(worlds, fc.nat(day - 6 * hour), (world, later) => {
      const from = world.weather_from_minute + later
      const without = wantedQuotes({ ...world, weather_from_minute: null }, { from, owned: stock(world) })
      const levels = (quotes: readonly Quote[]) => quotes.map(({ side, node_count }) => `${node_count} ${side}`)
      for (const at of [from, from + 4 * hour - 1]) {
        const there = quotesAt(world, from).filter((one) => one.start_minute <= at && at < one.end_minute)
        assert.deepEqual(levels(there), levels(without))
      }
    }),
  )
})

test('there are at most 170 offers where nothing is sold, and a step replaces few of them', () => {
  const replaced: number[] = []
  fc.assert(
    fc.property(worlds, fc.integer({ min: 0, max: 60 * day }), (world, later) => {
      const from = world.weather_from_minute + later
      const [now, next] = [quotesAt(world, from), quotesAt(world, from + 1)]
      assert.ok(now.length <= 170, `${now.length} offers`)
      const key = (quote: Quote) => `${quote.side} ${quote.start_minute} ${quote.end_minute} ${quote.node_count}`
      const ahead = now.filter(({ start_minute }) => start_minute > from)
      const known = new Set(next.map((quote) => `${key(quote)} ${quote.price_micros}`))
      replaced.push(ahead.filter((quote) => !known.has(`${key(quote)} ${quote.price_micros}`)).length)
    }),
  )
  const steady = replaced.filter((count) => count === 0).length
  assert.ok(steady > replaced.length * 0.9, `${steady} of ${replaced.length} steps`)
})

test('no minute offers more than is owned, and bids are below asks', () => {
  const holdings = fc.array(
    fc.record({ gap: fc.nat(300), length: fc.integer({ min: 1, max: 3_000 }), nodes: fc.nat(20) }),
  )
  fc.assert(
    fc.property(worlds, fc.nat(40 * day), holdings, (world, later, steps) => {
      const from = world.weather_from_minute + later
      let end = from
      const owned = steps.map(({ gap, length, nodes }): QuotePiece => {
        const start_minute = end + gap
        end = start_minute + length
        return { start_minute, end_minute: end, node_count: nodes + 1 }
      })
      const quotes = wantedQuotes(world, { from, owned })
      const asks = quotes.filter(({ side }) => side === 'sell')
      for (const { start_minute, end_minute } of quotes) assert.ok(from <= start_minute && start_minute < end_minute)
      for (const { start_minute, end_minute } of asks) {
        for (const minute of [start_minute, end_minute - 1]) {
          const there = owned.find((piece) => piece.start_minute <= minute && minute < piece.end_minute)
          assert.ok(nodesIn(quotes, minute) <= (there?.node_count ?? 0), `minute ${minute}`)
          const bids = quotes.filter(
            (one) => one.side === 'buy' && one.start_minute <= minute && minute < one.end_minute,
          )
          const cheapest = asksIn(quotes, minute)[0]?.price_micros ?? 0n
          for (const { price_micros } of bids) assert.ok(price_micros < cheapest)
        }
      }
    }),
  )
})

test('what traded in an hour is near what was asked for it before', () => {
  fc.assert(
    fc.property(worlds, fc.integer({ min: 1, max: 6 }), (world, days) => {
      const minute = world.weather_from_minute + days * day
      const span: Span = { start_minute: minute, end_minute: minute + 4 * hour }
      const [traded, asked] = [fairPrice(world, minute), expectedPrice(world, span)]
      const ratio = Number(traded) / Number(asked)
      assert.ok(ratio > 0.97 && ratio < 1.03, `${ratio}`)
    }),
  )
})

test('the zone of a region follows from its name', () => {
  const offsets = ['us-west', 'us-east-2', 'us-south', 'eu-north', 'ap-south', 'moon', undefined].map(utcOffsetOf)
  assert.deepEqual(offsets, [-480, -300, -360, 60, 540, 0, 0])
})
