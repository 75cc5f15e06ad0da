/** Prices, spans and sizes as people type them, and as they are shown to be edited. Pure. */

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

/** Minutes of a span as it is typed: `90m`, `24h`, `1d 12h`; a number alone is minutes. */
export function minutesOf(typed: string): number | undefined {
  const text = typed.trim().toLowerCase()
  if (/^\d{1,6}$/.test(text)) return Number(text)
  const parts = /^(?:(\d{1,4})\s*d)?\s*(?:(\d{1,5})\s*h)?\s*(?:(\d{1,6})\s*m(?:in)?)?$/.exec(text)
  if (!parts || text === '') return undefined
  const [, days = 0, hours = 0, minutes = 0] = parts
  return Number(days) * 1_440 + Number(hours) * 60 + Number(minutes)
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

const units = ['', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Bytes in the largest unit that loses nothing: `512 GiB`. */
export function bytesText(bytes: number | undefined): string {
  if (bytes === undefined) return ''
  let unit = 0
  let value = bytes
  while (value > 0 && value % 1024 === 0 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${value} ${units[unit]}`.trim()
}

/** Such a text, or a plain number of bytes, as bytes; undefined where it is neither. */
export function bytesOf(text: string): number | undefined {
  const match = /^(\d{1,16}(?:\.\d{1,3})?)\s*(KiB|MiB|GiB|TiB)?$/i.exec(text.trim())
  if (!match) return undefined
  const power = units.findIndex((unit) => unit.toLowerCase() === (match[2] ?? '').toLowerCase())
  const bytes = Number(match[1]) * 1024 ** power
  return Number.isSafeInteger(bytes) ? bytes : undefined
}
