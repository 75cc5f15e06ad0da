/** Money: whole micro-dollars as a bigint internally, and a decimal string with six decimals in the API. */

const microsPerDollar = 1_000_000n

/** Formats whole micro-dollars as dollars, exactly, with six decimals. */
export function printDollars(micros: bigint): string {
  const sign = micros < 0n ? '-' : ''
  const absolute = micros < 0n ? -micros : micros
  const fraction = String(absolute % microsPerDollar).padStart(6, '0')
  return `${sign}${absolute / microsPerDollar}.${fraction}`
}

/** Parses dollars with at most six decimals to whole micro-dollars; undefined for any other text. */
export function parseDollars(text: string): bigint | undefined {
  const match = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text)
  if (!match) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  const micros = BigInt(whole) * microsPerDollar + BigInt(fraction.padEnd(6, '0'))
  return sign === '-' ? -micros : micros
}

/** Whole micro-dollars of any decimal text; digits after the sixth decimal are dropped. */
export function microsOf(text: string): bigint {
  const [whole = '0', decimals = ''] = text.replace('-', '').split('.')
  const micros = BigInt(whole + decimals.padEnd(6, '0').slice(0, 6))
  return text.startsWith('-') ? -micros : micros
}
