/**
 * Prices, values, holds and fees (docs/concepts/money.md, "Rounding"). A price is whole micro-dollars per node-hour and
 * never rounded; time is traded in minutes, so values and holds are rounded to whole micro-dollars: what is paid down,
 * what is set aside up. A hold is always enough, because ceil(a + b) >= ceil(a) + floor(b).
 */

import { printDollars } from '@bourse/text/money.ts'

const microsPerDollar = 1_000_000n
const minutesPerHour = 60n

/** The greatest price: $1,000,000 per node-hour. */
export const priceMaxMicros = 1_000_000n * microsPerDollar

/** The greatest value of an order. It is far above any real one, and twice it fits a bigint of the database. */
export const valueMaxMicros = 2n ** 62n

/** The fee that sellers of a SKU pay for each fill. */
export type FeeTerms = {
  /** Micro-dollars per node-hour. */
  hourly_fee_micros: bigint
  /** Hundredths of a percent of the fill's value, 0 to 10,000. */
  fee_bps: number
}

/** The refusal of a price or of the size of an order, with a detail code of docs/errors.md. */
type PriceRefusal = { code: 'invalid_format' | 'out_of_range' | 'not_aligned'; field: string; message: string }

const limitPrice = 'limit_price_dollars_per_node_hour'

/** What a price is for. It decides the least one, and how a refusal names it. */
type PriceUse = 'buy' | 'sell' | 'fee' | 'step'

const uses: Record<PriceUse, { readonly name: string; readonly least_micros: bigint }> = {
  buy: { name: 'A buy price', least_micros: 1n },
  sell: { name: 'A sell price', least_micros: 0n },
  fee: { name: 'A fee', least_micros: 0n },
  step: { name: 'A price step', least_micros: 1n },
}

/**
 * Parses dollars per node-hour as whole micro-dollars per node-hour, exactly. Refuses more than six decimals and prices
 * out of range. Whether a SKU takes the price is decided by {@link refuseStep}.
 */
export function parsePrice(
  text: string,
  use: PriceUse,
  field: string = limitPrice,
): { price_micros: bigint } | { refusal: PriceRefusal } {
  const match = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text)
  if (!match) {
    const message = 'A price is a decimal string with at most six decimals, such as "2.50".'
    return { refusal: { code: 'invalid_format', field, message } }
  }
  const [, whole = '', fraction = ''] = match
  const price_micros = BigInt(whole) * microsPerDollar + BigInt(fraction.padEnd(6, '0'))
  const { name, least_micros } = uses[use]
  if (price_micros < least_micros || price_micros > priceMaxMicros) {
    const range = `${printPrice(least_micros)} to ${printPrice(priceMaxMicros)}`
    return { refusal: { code: 'out_of_range', field, message: `${name} is ${range} dollars per node-hour.` } }
  }
  return { price_micros }
}

/** Refuses not_aligned for a price that is not a multiple of its SKU's step. The message has the nearest prices. */
export function refuseStep(
  price_micros: bigint,
  stepMicros: bigint,
  { side, field = limitPrice }: { readonly side: 'buy' | 'sell'; readonly field?: string },
): PriceRefusal | undefined {
  if (price_micros % stepMicros === 0n) return undefined
  const below = stepDown(price_micros, stepMicros)
  const nearest = [below, below + stepMicros].filter((price) => {
    return price >= uses[side].least_micros && price <= priceMaxMicros
  })
  const step = printPrice(stepMicros)
  const message = `A price of this SKU is a multiple of ${step}; the nearest: ${nearest.map(printPrice).join(', ')}.`
  return { code: 'not_aligned', field, message }
}

/** The greatest multiple of a step that is not above a price. */
export function stepDown(price_micros: bigint, stepMicros: bigint): bigint {
  return price_micros - (price_micros % stepMicros)
}

/** The least multiple of a step that is not below a price. */
export function stepUp(price_micros: bigint, stepMicros: bigint): bigint {
  return stepDown(price_micros + stepMicros - 1n, stepMicros)
}

/** Prints micro-dollars per node-hour as dollars per node-hour with six decimals. */
export function printPrice(price_micros: bigint): string {
  return printDollars(price_micros)
}

/** What fills were worth: the whole micro-dollars that were paid, and what rounding them down cut off. */
type FilledValue = {
  readonly value_micros: bigint
  /** Sixtieths of a micro-dollar. */
  readonly cut_sixtieths: bigint
  readonly node_minutes: bigint
}

/**
 * Prints the average price of fills as dollars per node-hour, rounded half up to six decimals; `null` without fills.
 * It is for display only, never for arithmetic. What rounding cut off counts, so that fills at one price have that
 * average.
 */
export function printAveragePrice({ value_micros, cut_sixtieths, node_minutes }: FilledValue): string | null {
  if (node_minutes === 0n) return null
  return printDollars((2n * (value_micros * minutesPerHour + cut_sixtieths) + node_minutes) / (2n * node_minutes))
}

/** The value of a fill in micro-dollars, rounded down. */
export function fillValue(price_micros: bigint, nodeMinutes: bigint): bigint {
  return (price_micros * nodeMinutes) / minutesPerHour
}

/** What {@link fillValue} cut off, in sixtieths of a micro-dollar. */
export function fillCut(price_micros: bigint, nodeMinutes: bigint): bigint {
  return (price_micros * nodeMinutes) % minutesPerHour
}

/** The hold of open node-minutes at their limit in micro-dollars, rounded up. */
export function holdFor(price_micros: bigint, nodeMinutes: bigint): bigint {
  return (price_micros * nodeMinutes + minutesPerHour - 1n) / minutesPerHour
}

/** The value of an order at its limit, which is the hold of a buy, in micro-dollars. Refuses values above 2^62. */
export function orderValue(
  price_micros: bigint,
  nodeMinutes: bigint,
): { value_micros: bigint } | { refusal: PriceRefusal } {
  const value_micros = holdFor(price_micros, nodeMinutes)
  if (value_micros > valueMaxMicros) {
    const message = `Limit times size is more than ${printDollars(valueMaxMicros)} dollars.`
    return { refusal: { code: 'out_of_range', field: limitPrice, message } }
  }
  return { value_micros }
}

/**
 * The fee of a fill in micro-dollars, which the seller pays out of the proceeds: floor(flat × node-minutes / 60) +
 * floor(basis points × value / 10,000), at most the value.
 */
export function fillFee(terms: FeeTerms, value_micros: bigint, nodeMinutes: bigint): bigint {
  const flat = (terms.hourly_fee_micros * nodeMinutes) / minutesPerHour
  const share = (BigInt(terms.fee_bps) * value_micros) / 10_000n
  const fee = flat + share
  return fee < value_micros ? fee : value_micros
}
