/**
 * The weather of a market: nights and weekends are cheap, working hours dear, one day is scarce, one supplier fails and
 * a new one arrives. It depends only on the seed and the minute. Hours are those of a zone without summer time.
 */
import { diceOf } from './dice.rules.ts'

/** What the weather of a market maker depends on. */
export type Climate = {
  readonly seed: number
  /** The minute from which its events are counted. Null: every hour is like every other. */
  readonly weather_from_minute: number | null
  /** By how many minutes the clocks of its zone are ahead of UTC. */
  readonly utc_offset_minutes: number
}

/** A climate with weather. */
export type MarketWeather = Climate & { readonly weather_from_minute: number }

/** From one minute up to, not including, another. */
export type Span = { readonly start_minute: number; readonly end_minute: number }

/** The events of a climate, in Unix minutes. The scarce day comes again every four weeks. */
export type Forecast = {
  readonly scarce_from_minute: number
  readonly scarce_until_minute: number
  readonly supplier_fails_minute: number
  readonly supplier_arrives_minute: number
}

/** Nodes for sale in sixteenths of all: the best offers, those behind them, and those of the supplier that fails. */
type HourSupply = { readonly best: number; readonly deep: number; readonly failing: number }

const minutesPerHour = 60
const minutesPerDay = 1_440
const tuesday = 2
const thursday = 4
/** After how many days a scarce day comes again. */
const scarceEvery = 28

/** The price of each hour of a day in thousandths of the usual one. Hours of one block of offers are equal. */
const workday = [
  860, 850, 845, 845, 850, 855, 910, 910, 1050, 1050, 1110, 1110, 1125, 1125, 1130, 1130, 1100, 1100, 1040, 1040, 970,
  970, 900, 900,
] as const
const weekend = [
  840, 830, 825, 820, 820, 820, 830, 830, 850, 850, 875, 875, 885, 885, 890, 890, 885, 885, 880, 880, 865, 865, 850,
  850,
] as const
/** What a scarce day does to them, in thousandths. */
const scarcity = [
  1000, 1000, 1000, 1000, 1050, 1050, 1150, 1150, 1300, 1300, 1380, 1380, 1420, 1420, 1420, 1420, 1400, 1400, 1320,
  1320, 1200, 1200, 1100, 1100,
] as const
/** By how much the new supplier undercuts the others, in thousandths. */
const undercut = 950
/** How strongly the hours of a SKU differ, in thousandths. */
const strengths = { least: 800, spread: 300 } as const

const usualSupply: HourSupply = { best: 2, deep: 5, failing: 2 }
const quietSupply: HourSupply = { best: 2, deep: 7, failing: 2 }
const scarceSupply: HourSupply = { best: 1, deep: 1, failing: 0 }
const newcomer = 3

/** The zones of regions by the beginnings of their names: how many hours their clocks are ahead of UTC. */
const zones = [
  ['us-west', -8],
  ['us-east', -5],
  ['us', -6],
  ['eu', 1],
  ['ap', 9],
  ['asia', 9],
] as const

/** By how many minutes the clocks of a region are ahead of UTC, as far as its name says. */
export function utcOffsetOf(region: string | undefined): number {
  const [, hours] = zones.find(([name]) => region?.startsWith(name)) ?? ['', 0]
  return hours * minutesPerHour
}

/** Whether a climate has weather. */
export function hasWeather(climate: Climate): climate is MarketWeather {
  return climate.weather_from_minute !== null
}

/**
 * The events of a climate. The scarce day is the first Tuesday from a day on, within six days; a week that begins on a
 * Monday or a Tuesday has a scarce Thursday instead.
 */
export function forecastOf(weather: MarketWeather): Forecast {
  const { seed, weather_from_minute: from, utc_offset_minutes: offset } = weather
  const scarce = scarceDayOf(weather) * minutesPerDay - offset
  const dice = diceOf(seed, 11)
  return {
    scarce_from_minute: scarce,
    scarce_until_minute: scarce + minutesPerDay,
    supplier_fails_minute: from + (26 + dice(12)) * minutesPerHour,
    // On a boundary of the offers that two hours make.
    supplier_arrives_minute: evenHourAt(weather, from + (44 + dice(24)) * minutesPerHour),
  }
}

/** The price of an hour in thousandths of the usual one. `minute` is any of its minutes. */
export function factorAt(weather: MarketWeather, minute: number): number {
  const { day, hour } = localHour(weather, minute)
  const usual = (isWeekend(day) ? weekend : workday)[hour] as number
  const strength = strengths.least + diceOf(weather.seed, 12)(strengths.spread)
  const own = 1_000 + Math.trunc(((usual - 1_000) * strength) / 1_000)
  const scarce = isScarce(weather, day) ? Math.trunc((own * (scarcity[hour] as number)) / 1_000) : own
  return hasArrived(weather, minute) ? Math.trunc((scarce * undercut) / 1_000) : scarce
}

/** The average price of some hours in thousandths of the usual one, from the hour of a minute on. */
export function averageFactor(weather: MarketWeather, minute: number, hours: number): number {
  const factors = Array.from({ length: hours }, (_, hour) => factorAt(weather, minute + hour * minutesPerHour))
  return Math.trunc(factors.reduce((sum, factor) => sum + factor, 0) / hours)
}

/** What is for sale in the hour of a minute, as far as it is known at the minute `now`. */
export function supplyAt(weather: MarketWeather, minute: number, now: number): HourSupply {
  const { day, hour } = localHour(weather, minute)
  const isQuiet = isWeekend(day) || hour < 6 || hour >= 22
  const { best, deep, failing } = isScarce(weather, day) ? scarceSupply : isQuiet ? quietSupply : usualSupply
  return {
    best: hasArrived(weather, minute) && !isScarce(weather, day) ? best + newcomer : best,
    deep,
    failing: now < forecastOf(weather).supplier_fails_minute ? failing : 0,
  }
}

/** The spans of local days that begin at some hours of each day, within a span and cut at its ends. */
export function spansBetween(
  weather: MarketWeather,
  hours: readonly number[],
  { start_minute, end_minute }: Span,
): Span[] {
  const offset = weather.utc_offset_minutes
  const first = Math.floor((start_minute + offset) / minutesPerDay)
  const last = Math.floor((end_minute + offset) / minutesPerDay)
  const starts = Array.from({ length: last - first + 1 }, (_, index) =>
    hours.map((hour) => (first + index) * minutesPerDay + hour * minutesPerHour - offset),
  ).flat()
  return starts.flatMap((start, index) => {
    const end = starts[index + 1] ?? Number.POSITIVE_INFINITY
    const cut = { start_minute: Math.max(start, start_minute), end_minute: Math.min(end, end_minute) }
    return cut.start_minute < cut.end_minute ? [cut] : []
  })
}

/** The last even hour of a zone that is not later than a minute. */
export function evenHourAt({ utc_offset_minutes: offset }: Climate, minute: number): number {
  const two = 2 * minutesPerHour
  return Math.floor((minute + offset) / two) * two - offset
}

/** The last midnight of a zone that is not later than a minute. */
export function midnightAt({ utc_offset_minutes: offset }: Climate, minute: number): number {
  return Math.floor((minute + offset) / minutesPerDay) * minutesPerDay - offset
}

function scarceDayOf({ weather_from_minute: from, utc_offset_minutes: offset }: MarketWeather): number {
  const local = from + offset
  const first = Math.ceil((local + minutesPerDay) / minutesPerDay)
  const last = Math.floor((local + 6 * minutesPerDay) / minutesPerDay)
  const days = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const found = [tuesday, thursday].map((wanted) => days.find((day) => weekdayOf(day) === wanted))
  return found.find((day) => day !== undefined) ?? first
}

function isScarce(weather: MarketWeather, day: number): boolean {
  return (day - scarceDayOf(weather)) % scarceEvery === 0
}

function hasArrived(weather: MarketWeather, minute: number): boolean {
  return minute >= forecastOf(weather).supplier_arrives_minute
}

function localHour({ utc_offset_minutes: offset }: Climate, minute: number): { day: number; hour: number } {
  const hours = Math.floor((minute + offset) / minutesPerHour)
  const day = Math.floor(hours / 24)
  return { day, hour: hours - day * 24 }
}

/** The day of the week, 0 for Sunday, of a day that is counted from 1 January 1970, a Thursday. */
function weekdayOf(day: number): number {
  return (day + thursday) % 7
}

function isWeekend(day: number): boolean {
  return weekdayOf(day) % 6 === 0
}
