/** Parses values of the command line: times, durations, numbers, tags, files. */
import { readFileSync } from 'node:fs'
import { usageProblem } from '../output/usage.ts'

/** A time relative to now, in seconds. The server's clock determines it. */
export type FromNow = { readonly from_now: number }

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Parses a duration to seconds: `90`, `90s`, `10m`, `1h30m`, `2d`. Undefined where it is invalid. */
export function readSpan(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text)
  if (!/^(\d+[smhdw])+$/.test(text)) return undefined
  const parts = [...text.matchAll(/(\d+)([smhdw])/g)]
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (unitSeconds[unit] ?? 0), 0)
}

/** Parses a time: Unix seconds, ISO 8601, `now`, or a duration from now with a sign (`+2h`, `-30m`). */
export function readMoment(text: string): number | FromNow | undefined {
  if (text === 'now') return { from_now: 0 }
  if (/^\d+$/.test(text)) return Number(text)
  const [, sign = '', span = ''] = /^([+-])(.+)$/.exec(text) ?? []
  const seconds = readSpan(span)
  if (sign && seconds !== undefined) return { from_now: sign === '-' ? -seconds : seconds }
  const isIso = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(text)
  const moment = isIso ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? undefined : Math.floor(moment / 1000)
}

/** Parses a tag `key=value` at its first `=`. */
export function readPair(text: string): [key: string, value: string] {
  const at = text.indexOf('=')
  if (at <= 0) throw usageProblem(`"${text}" is not a tag.`, 'Write key=value.')
  return [text.slice(0, at), text.slice(at + 1)]
}

/** Reads text from a file (`@file`), from the standard input (`@-`), or from the argument itself. */
export function readTextOrFile(text: string): string {
  return text.startsWith('@') ? readFile(text.slice(1)).toString('utf8') : text
}

/** Reads a file; `-` is the standard input. */
export function readFile(path: string): Buffer {
  try {
    return readFileSync(path === '-' ? 0 : path)
  } catch (error) {
    throw usageProblem(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}.`)
  }
}

/** Parses JSON from the argument or from a file. */
export function readJson(text: string, flag: string): unknown {
  try {
    return JSON.parse(readTextOrFile(text))
  } catch (error) {
    if (error instanceof SyntaxError) throw usageProblem(`${flag} takes JSON: ${error.message}.`)
    throw error
  }
}
