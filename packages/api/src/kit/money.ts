/** Money is whole micro-dollars as a bigint inside and a decimal string with six decimals at the edge. */

const microsPerDollar = 1_000_000n

/** Writes whole micro-dollars as dollars, exactly, always six decimals. */
export function printDollars(micros: bigint): string {
  const sign = micros < 0n ? '-' : ''
  const absolute = micros < 0n ? -micros : micros
  const fraction = String(absolute % microsPerDollar).padStart(6, '0')
  return `${sign}${absolute / microsPerDollar}.${fraction}`
}

/** Reads dollars with one to six decimals as whole micro-dollars; undefined where the text is anything else. */
export function parseDollars(text: string): bigint | undefined {
  const match = /^(-?)(\d+)\.(\d{1,6})$/.exec(text)
  if (!match) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  const micros = BigInt(whole) * microsPerDollar + BigInt(fraction.padEnd(6, '0'))
  return sign === '-' ? -micros : micros
}
