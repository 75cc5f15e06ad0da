/** Prices, spans and sizes as people type them, and as they are shown to be edited. Pure. */

import { binarySizeOf } from '@bourse/text/formats/amounts.ts'
import { readSize } from '@bourse/text/grammar/amounts.ts'
import { isInputProblem } from '@bourse/text/grammar/input-problem.ts'
import { readSpan } from '@bourse/text/grammar/spans.ts'

/** A price as the API reads it: a dollar sign and separators of thousands may be typed. */
export function priceOf(typed: string): string {
  return typed
    .trim()
    .replace(/^(-?)\$/, '$1')
    .replaceAll(',', '')
}

/** Dollars without the zeros that say nothing, to be edited. */
export function priceText(dollars: string | null | undefined): string {
  if (!dollars) return ''
  const short = dollars.replace(/0+$/, '')
  return short.endsWith('.') ? `${short}00` : /\.\d$/.test(short) ? `${short}0` : short
}

/** Minutes of a span as it is typed: `90m`, `24h`, `1d 12h`, `1.5h`; a number alone is minutes. */
export function minutesOf(typed: string): number | undefined {
  return readSpan(typed.trim(), 'minutes')
}

/** Minutes as a span that the form and the command line read. */
export function spanText(minutes: number): string {
  const parts = [
    [Math.floor(minutes / 1_440), 'd'],
    [Math.floor((minutes % 1_440) / 60), 'h'],
    [minutes % 60, 'm'],
  ] as const
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`)
  return shown.join('') || '0m'
}

/** Bytes in the largest unit that loses nothing: `512 GiB`. */
export function bytesText(bytes: number | undefined): string {
  return bytes === undefined ? '' : binarySizeOf(bytes)
}

/** Bytes of a size as it is typed, or of a plain number; undefined where it is neither. */
export function bytesOf(text: string): number | undefined {
  try {
    return readSize(text.trim())
  } catch (error) {
    if (isInputProblem(error)) return undefined
    throw error
  }
}
