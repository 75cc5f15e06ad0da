// Prices, values and fees. All amounts are whole micro-dollars, so the arithmetic is exact. Only three
// values are rounded: an input price (to the nearest step, half up), a fee (down) and an average, which is only shown.

import { printDollars } from '@bourse/api/kit/money.ts'

const NANO_DOLLARS_PER_DOLLAR = 1_000_000_000n
const MINUTES_PER_HOUR = 60n

/** One micro-dollar per node-minute is $0.000060 per node-hour: 60,000 nano-dollars. */
const NANO_DOLLARS_PER_STEP = 60_000n

/** The greatest price: the step nearest to $1,000,000.000000 per node-hour. */
export const PRICE_MAX_MICROS = stepNearest(1_000_000n * NANO_DOLLARS_PER_DOLLAR)

/** The greatest value of an order. It is far above any real one, and twice it fits a bigint of the database. */
export const VALUE_MAX_MICROS = 2n ** 62n

/** The fee that sellers of a SKU pay for each fill. */
export type FeeTerms = {
  /** Micro-dollars per node-minute. */
  flat_fee_micros: bigint
  /** Hundredths of a percent of the fill's value, 0 to 10,000. */
  fee_bps: number
}

/** The refusal of a price or of the size of an order, with a detail code of docs/errors.md. */
export type PriceRefusal = { code: 'invalid_format' | 'out_of_range'; field: string; message: string }

const LIMIT_PRICE = 'limit_price_dollars_per_node_hour'

/**
 * Parses dollars per node-hour as whole micro-dollars per node-minute: the nearest multiple of $0.000060, half up, for
 * both sides. The least price is one step for a buy and zero for a sell.
 */
export function parsePrice(
  text: string,
  side: 'buy' | 'sell',
  field: string = LIMIT_PRICE,
): { price_micros: bigint } | { refusal: PriceRefusal } {
  const match = /^(\d{1,9})\.(\d{1,9})$/.exec(text)
  if (!match) {
    return { refusal: { code: 'invalid_format', field, message: 'A price is a decimal string such as "2.000000".' } }
  }
  const [, whole = '', fraction = ''] = match
  const price_micros = stepNearest(BigInt(whole) * NANO_DOLLARS_PER_DOLLAR + BigInt(fraction.padEnd(9, '0')))
  const least = side === 'buy' ? 1n : 0n
  if (price_micros < least || price_micros > PRICE_MAX_MICROS) {
    const range = `${printPrice(least)} to 1000000.000000`
    return { refusal: { code: 'out_of_range', field, message: `A ${side} price is ${range} dollars per node-hour.` } }
  }
  return { price_micros }
}

/** Prints micro-dollars per node-minute as dollars per node-hour with six decimals. */
export function printPrice(price_micros: bigint): string {
  return printDollars(price_micros * MINUTES_PER_HOUR)
}

/**
 * Prints an average price as dollars per node-hour, rounded half up to six decimals; `null` without trades. It is for
 * display only, never for arithmetic.
 */
export function printAveragePrice(value_micros: bigint, node_minutes: bigint): string | null {
  if (node_minutes === 0n) return null
  return printDollars((2n * value_micros * MINUTES_PER_HOUR + node_minutes) / (2n * node_minutes))
}

/** The value of an order at its limit, in micro-dollars. Refuses values above 2^62. */
export function orderValue(
  price_micros: bigint,
  node_minutes: bigint,
): { value_micros: bigint } | { refusal: PriceRefusal } {
  const value_micros = price_micros * node_minutes
  if (value_micros > VALUE_MAX_MICROS) {
    const message = `Limit times size is more than ${printDollars(VALUE_MAX_MICROS)} dollars.`
    return { refusal: { code: 'out_of_range', field: LIMIT_PRICE, message } }
  }
  return { value_micros }
}

/**
 * The fee of a fill in micro-dollars, which the seller pays out of the proceeds: flat × node-minutes + floor(basis
 * points × value / 10,000), at most the value. The floor is the only rounding of money.
 */
export function fillFee(terms: FeeTerms, value_micros: bigint, node_minutes: bigint): bigint {
  const share = (BigInt(terms.fee_bps) * value_micros) / 10_000n
  const fee = terms.flat_fee_micros * node_minutes + share
  return fee < value_micros ? fee : value_micros
}

function stepNearest(nanoDollars: bigint): bigint {
  return (nanoDollars + NANO_DOLLARS_PER_STEP / 2n) / NANO_DOLLARS_PER_STEP
}
