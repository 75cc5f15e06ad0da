/**
 * Prices, values, holds and fees (docs/concepts/money.md, "Rounding"). A price is whole micro-dollars per node-hour and
 * never rounded; time is traded in minutes, so values and holds are rounded to whole micro-dollars: what is paid down,
 * what is set aside up. A hold is always enough, because ceil(a + b) >= ceil(a) + floor(b).
 */

import { printDollars } from '@bourse/text/money.ts'

const MICROS_PER_DOLLAR = 1_000_000n
const MINUTES_PER_HOUR = 60n

/** The greatest price: $1,000,000 per node-hour. */
export const PRICE_MAX_MICROS = 1_000_000n * MICROS_PER_DOLLAR

/** The greatest value of an order. It is far above any real one, and twice it fits a bigint of the database. */
export const VALUE_MAX_MICROS = 2n ** 62n

/** The fee that sellers of a SKU pay for each fill. */
export type FeeTerms = {
  /** Micro-dollars per node-hour. */
  hourly_fee_micros: bigint
  /** Hundredths of a percent of the fill's value, 0 to 10,000. */
  fee_bps: number
}

/** The refusal of a price or of the size of an order, with a detail code of docs/errors.md. */
type PriceRefusal = { code: 'invalid_format' | 'out_of_range' | 'not_aligned'; field: string; message: string }

const LIMIT_PRICE = 'limit_price_dollars_per_node_hour'

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
  field: string = LIMIT_PRICE,
): { price_micros: bigint } | { refusal: PriceRefusal } {
  const match = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text)
  if (!match) {
    const message = 'A price is a decimal string with at most six decimals, such as "2.50".'
    return { refusal: { code: 'invalid_format', field, message } }
  }
  const [, whole = '', fraction = ''] = match
  const price_micros = BigInt(whole) * MICROS_PER_DOLLAR + BigInt(fraction.padEnd(6, '0'))
  const { name, least_micros } = uses[use]
  if (price_micros < least_micros || price_micros > PRICE_MAX_MICROS) {
    const range = `${printPrice(least_micros)} to ${printPrice(PRICE_MAX_MICROS)}`
    return { refusal: { code: 'out_of_range', field, message: `${name} is ${range} dollars per node-hour.` } }
  }
  return { price_micros }
}

/** Refuses not_aligned for a price that is not a multiple of its SKU's step. The message has the nearest prices. */
export function refuseStep(
  price_micros: bigint,
  step_micros: bigint,
  { side, field = LIMIT_PRICE }: { readonly side: 'buy' | 'sell'; readonly field?: string },
): PriceRefusal | undefined {
  if (price_micros % step_micros === 0n) return undefined
  const below = stepDown(price_micros, step_micros)
  const nearest = [below, below + step_micros].filter((price) => {
    return price >= uses[side].least_micros && price <= PRICE_MAX_MICROS
  })
  const step = printPrice(step_micros)
  const message = `A price of this SKU is a multiple of ${step}; the nearest: ${nearest.map(printPrice).join(', ')}.`
  return { code: 'not_aligned', field, message }
}

/** The greatest multiple of a step that is not above a price. */
export function stepDown(price_micros: bigint, step_micros: bigint): bigint {
  return price_micros - (price_micros % step_micros)
}

/** The least multiple of a step that is not below a price. */
export function stepUp(price_micros: bigint, step_micros: bigint): bigint {
  return stepDown(price_micros + step_micros - 1n, step_micros)
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
  return printDollars((2n * (value_micros * MINUTES_PER_HOUR + cut_sixtieths) + node_minutes) / (2n * node_minutes))
}

/** The value of a fill in micro-dollars, rounded down. */
export function fillValue(price_micros: bigint, node_minutes: bigint): bigint {
  return (price_micros * node_minutes) / MINUTES_PER_HOUR
}

/** What {@link fillValue} cut off, in sixtieths of a micro-dollar. */
export function fillCut(price_micros: bigint, node_minutes: bigint): bigint {
  return (price_micros * node_minutes) % MINUTES_PER_HOUR
}

/** The hold of open node-minutes at their limit in micro-dollars, rounded up. */
export function holdFor(price_micros: bigint, node_minutes: bigint): bigint {
  return (price_micros * node_minutes + MINUTES_PER_HOUR - 1n) / MINUTES_PER_HOUR
}

/** The value of an order at its limit, which is the hold of a buy, in micro-dollars. Refuses values above 2^62. */
export function orderValue(
  price_micros: bigint,
  node_minutes: bigint,
): { value_micros: bigint } | { refusal: PriceRefusal } {
  const value_micros = holdFor(price_micros, node_minutes)
  if (value_micros > VALUE_MAX_MICROS) {
    const message = `Limit times size is more than ${printDollars(VALUE_MAX_MICROS)} dollars.`
    return { refusal: { code: 'out_of_range', field: LIMIT_PRICE, message } }
  }
  return { value_micros }
}

/**
 * The fee of a fill in micro-dollars, which the seller pays out of the proceeds: floor(flat × node-minutes / 60) +
 * floor(basis points × value / 10,000), at most the value.
 */
export function fillFee(terms: FeeTerms, value_micros: bigint, node_minutes: bigint): bigint {
  const flat = (terms.hourly_fee_micros * node_minutes) / MINUTES_PER_HOUR
  const share = (BigInt(terms.fee_bps) * value_micros) / 10_000n
  const fee = flat + share
  return fee < value_micros ? fee : value_micros
}
