/** What a market maker takes the price of a SKU to be: a drift around a base price, and the weather. */

import { diceOf } from './dice.rules.ts'
import { averageFactor, type Climate, hasWeather, type MarketWeather, type Span } from './weather.rules.ts'

/** The parameters of a market maker that its decisions depend on. */
export type MakerProfile = Climate & {
  /** The price that the fair price drifts around, in micro-dollars per node-hour. */
  readonly base_price_micros: bigint
  /** The Unix minute in which trading began. Prices depend on the minutes since then. */
  readonly began_minute: number
  /** The number of nodes of its own hosts. */
  readonly nodes: number
}

/** A market maker with weather. */
export type WeatherProfile = MakerProfile & MarketWeather

const million = 1_000_000n
const minutesPerDay = 1_440
/** For how many hours the fair price of a minute is the price. */
const hoursAhead = 4

/** Waves whose sum is the drift: the minutes between two points, and the maximum deviation in millionths. */
const waves = [
  { minutes: 14 * minutesPerDay, height: 150_000 },
  { minutes: 2 * minutesPerDay, height: 70_000 },
  { minutes: 360, height: 30_000 },
  { minutes: 45, height: 10_000 },
  { minutes: 5, height: 2_000 },
] as const
/** The waves that are known in advance: those of which an hour sees little. */
const slowWaves = 3

/**
 * The fair price in a minute, in micro-dollars per node-hour; at least one. With weather it is that of the hours that
 * begin with the one of the minute.
 */
export function fairPrice(profile: MakerProfile, minute: number): bigint {
  const drift = driftAt(profile, minute, waves.length)
  if (!hasWeather(profile)) return atLeastOne(driftedPrice(profile, drift))
  return weatherPrice(profile, drift, averageFactor(profile, minute, hoursAhead))
}

/** The price of a span as it is known in advance, in micro-dollars per node-hour; at least one. */
export function expectedPrice(profile: WeatherProfile, { start_minute, end_minute }: Span): bigint {
  const drift = driftAt(profile, Math.floor((start_minute + end_minute) / 2), slowWaves)
  const hours = Math.max(1, Math.floor((end_minute - start_minute) / 60))
  return weatherPrice(profile, drift, averageFactor(profile, start_minute, hours))
}

/** A price of at least one micro-dollar. */
export function atLeastOne(priceMicros: bigint): bigint {
  return priceMicros > 1n ? priceMicros : 1n
}

/** Half the drift, so that it does not hide the hours. */
function weatherPrice(profile: MakerProfile, drift: number, thousandths: number): bigint {
  return atLeastOne((driftedPrice(profile, Math.trunc(drift / 2)) * BigInt(thousandths)) / 1_000n)
}

function driftedPrice({ base_price_micros }: MakerProfile, drift: number): bigint {
  return (base_price_micros * (million + BigInt(drift))) / million
}

/** The deviation in a minute in millionths, of the first `count` waves. */
function driftAt({ seed, began_minute }: MakerProfile, minute: number, count: number): number {
  return waves.slice(0, count).reduce((sum, _, wave) => sum + heightOf(seed, wave, minute - began_minute), 0)
}

/** The value of a wave in a minute: pseudo-random points at a fixed distance, linear between them. */
function heightOf(seed: number, wave: number, minute: number): number {
  const { minutes, height } = waves[wave] as (typeof waves)[number]
  const index = Math.floor(minute / minutes)
  const heightAt = (at: number) => diceOf(seed, at, wave + 1)(2 * height + 1) - height
  const [before, after] = [heightAt(index), heightAt(index + 1)]
  return before + Math.trunc(((after - before) * (minute - index * minutes)) / minutes)
}
