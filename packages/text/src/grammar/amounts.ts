/** Money, sizes and rates as people write them: `$2.50`, `1,200`, `2TiB`, `500 GB`, `80%`, `60x`. */
import { inputProblem } from './input-problem.ts'

const decimalsMax = 6

/** What the decimal strings of a schema look like, found by its pattern. */
export type DecimalShape = { readonly is_signed: boolean }

/** The shape of the decimal strings that a pattern accepts. */
export function decimalShapeOf(pattern: string): DecimalShape {
  return { is_signed: new RegExp(pattern).test('-2.50') }
}

/**
 * Parses money in dollars to the decimal string of a schema. `per` is the period of a price: with it, `/h` may follow.
 * It is never rounded.
 */
export function readDollars(text: string, shape: DecimalShape, { isPrice = false } = {}): string {
  const forms = isPrice ? 'Write dollars per node-hour: 2.50, $2.50, $2.50/h.' : 'Write dollars: 500, $2.50, $1,200.50.'
  const ending = isPrice ? '(?: ?(?:/|per) ?(?:h|hour|node-hour))?' : ''
  const found = new RegExp(
    `^(-?)(?:\\$|USD )?(-?)(\\d[\\d,]*)(?:\\.(\\d+))?(?: ?(?:USD|dollars?))?${ending}$`,
    'i',
  ).exec(text)
  const [, minus = '', inner = '', whole = '', decimals = ''] = found ?? []
  if (!found || (minus && inner)) throw inputProblem(`"${text}" is not an amount of dollars.`, forms)
  if (whole.includes(',') && !/^\d{1,3}(,\d{3})+$/.test(whole)) {
    throw inputProblem(`"${text}" is ambiguous: a comma separates thousands, and a point decimals.`, forms)
  }
  if (decimals.length > decimalsMax) {
    throw inputProblem(`"${text}" has more than six decimals, and amounts are never rounded.`, forms)
  }
  const sign = minus || inner
  if (sign && !shape.is_signed) throw inputProblem(`"${text}" is negative.`, forms)
  const plain = whole.replaceAll(',', '')
  return `${sign}${plain}${decimals === '' ? '' : `.${decimals}`}`
}

const sizes: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  byte: 1,
  bytes: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  pb: 1e15,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
  pib: 2 ** 50,
}

/** What a size looks like, for messages. */
export const sizeForms = 'Write bytes, or a size such as 64MiB, 2TiB (powers of 1024), 500GB (powers of 1000).'

/** Parses a size to bytes. */
export function readSize(text: string): number {
  const [, count = '', decimals = '', unit = ''] = /^(\d{1,16})(?:\.(\d{1,3}))? ?([A-Za-z]*)$/.exec(text) ?? []
  const factor = sizes[unit.toLowerCase()]
  if (count === '' || factor === undefined) {
    const isShort = /^\d[\d.]* ?[kmgtp]$/i.test(text)
    const what = isShort ? `"${text}" is ambiguous: it names no unit of bytes.` : `"${text}" is not a size.`
    throw inputProblem(what, sizeForms)
  }
  const bytes = Number(count) * factor + (Number(decimals.padEnd(3, '0')) * factor) / 1000
  if (Number.isSafeInteger(bytes)) return bytes
  throw inputProblem(`"${text}" is no whole number of bytes below 2^53.`, sizeForms)
}

/** Parses a percentage: `80`, `80%`. */
export function readPercent(text: string): number {
  const [, count] = /^(\d{1,15}) ?%?$/.exec(text) ?? []
  if (count !== undefined) return Number(count)
  throw inputProblem(`"${text}" is not a whole percentage.`, 'Write 80 or 80%.')
}

/** Parses basis points, hundredths of a percent: `250`, `250bps`, `2.5%`. */
export function readBasisPoints(text: string): number {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2}))? ?%$/.exec(text) ?? []
  if (whole !== undefined) return Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
  const [, points] = /^(\d{1,15}) ?(?:bps?)?$/i.exec(text) ?? []
  if (points !== undefined) return Number(points)
  throw inputProblem(`"${text}" is not a rate.`, 'Write a percentage such as 2.5%, or basis points: 250.')
}

/** Parses a factor: `60`, `60x`. */
export function readTimes(text: string): number {
  const [, count] = /^[x×]?(\d{1,15})[x×]?$/.exec(text) ?? []
  if (count !== undefined) return Number(count)
  throw inputProblem(`"${text}" is not a factor.`, 'Write 60 or 60x.')
}
