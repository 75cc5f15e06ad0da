/** Makes recorded values the same in each run: ids and secrets by their order, times from a fixed moment. */
import { createHash } from 'node:crypto'
import { kinds } from '../../../packages/api/src/kit/ids.ts'

/** The moment at which all examples are shown to be recorded: Monday 2026-11-23, 09:00 UTC. */
export const exampleTime = Date.UTC(2026, 10, 23, 9) / 1000

const minute = 60
const day = 86_400
/** Times of a sandbox lie within this distance of its clock. Seconds. */
const span = 5 * 365 * day
/** The longest list that an example shows. */
const entriesMax = 2

const prefixes = Object.values(kinds).map(({ prefix }) => prefix)
const adjectives = ['amber', 'brisk', 'candid', 'dapper', 'eager', 'gentle', 'humble', 'lucid', 'mellow', 'nimble']
const nouns = ['falcon', 'harbor', 'lantern', 'meadow', 'orchard', 'pebble', 'river', 'sparrow', 'thicket', 'willow']

/** Creates a function that makes values stable. `now` is the clock of the sandbox when recording began. */
export function stabiliser(now: number): (value: unknown) => unknown {
  const names = namer()
  const text = (value: string) => {
    let shown = value
    for (const [form, replace] of textRules(names, now)) shown = shown.replaceAll(form, replace)
    return shown
  }
  const stable = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string')
      return ofKey[key]?.(value, names) ?? (key === 'data' ? inBase64(value, text) : text(value))
    if (typeof value === 'number') return numbers[key] ?? (Math.abs(value - now) < span ? moved(value, now) : value)
    if (Array.isArray(value)) return value.slice(0, entriesMax).map((entry) => stable(entry))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [text(name), stable(member, name)]))
  }
  return stable
}

/** Members that differ in each run and are recognised by their names alone. */
const ofKey: Readonly<Record<string, (value: string, names: Names) => string>> = {
  suffix: (value, names) => names('suffix', value, 6),
  commit: () => '4f2c1e7',
  fair_price_dollars_per_node_hour: () => '18.204411',
  sha256: (value, names) =>
    createHash('sha256')
      .update(names('sha256', value, 8))
      .digest('hex'),
}
const numbers: Readonly<Record<string, number>> = { offset_seconds: 900, size_bytes: 1_610_612_736 }

function inBase64(value: string, text: (value: string) => string): string {
  return Buffer.from(text(Buffer.from(value, 'base64').toString())).toString('base64')
}

type Names = (kind: string, text: string, length: number) => string
type Replace = (found: string, part: string) => string

/** Names each text by its kind and its number among the texts of this kind. */
function namer(): Names {
  const known = new Map<string, string>()
  const counts = new Map<string, number>()
  return (kind, text, length) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const number = (counts.get(kind) ?? 0) + 1
    counts.set(kind, number)
    const made = createHash('sha512').update(`${kind} ${number}`).digest('base64url').slice(0, length)
    known.set(text, made)
    return made
  }
}

function textRules(names: Names, now: number): [form: RegExp, replace: Replace][] {
  const name = (kind: string, length: number) => (found: string) => names(kind, found, length)
  return [
    [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, (token) => `eyJhbGciOiJFZERTQSJ9.${names('token', token, 24)}.signature`],
    [/(?<=\b(?:whsec_|whpk_))[\w+/=-]+/g, (secret) => `${names('secret', secret, 43)}=`],
    [/\bbhe_[0-9A-Za-z_-]{40,}/g, (token) => `bhe_${names('enrolment', token, 43)}`],
    [
      /(?<=signature=)[0-9a-f]{64}/g,
      (mark) =>
        createHash('sha256')
          .update(names('mark', mark, 8))
          .digest('hex'),
    ],
    // The name of a member may begin like a cursor: public_prices_exclude_related.
    [/(?<=\b[a-z]{2,6}c_)(?=[0-9a-z_]*[A-Z-])[0-9A-Za-z_-]{22,}/g, name('cursor', 24)],
    [new RegExp(`(?<=\\b(?:${prefixes.join('|')})_)[0-9A-Za-z_-]{21}(?![0-9A-Za-z_-])`, 'g'), name('id', 21)],
    [/\b[a-z]+-[a-z]+-(?=[a-z]*[0-9A-Z])[0-9A-Za-z]{6}\b/g, (found) => generated(names('name', found, 12))],
    [/http:\/\/127\.0\.0\.1:\d+/g, () => 'https://bourse.example'],
    [/(?<=expires_at=)\d{10}/g, (time) => String(moved(Number(time), now))],
    [/^\d{4}-\d{2}$/g, (month) => monthOf(moved(Date.parse(`${month}-01T00:00:00Z`) / 1000, now))],
  ]
}

/** A name as the server generates it, from a text that stands for it. */
function generated(mark: string): string {
  const [first = 0, second = 0] = createHash('sha256').update(mark).digest()
  const [adjective, noun] = [adjectives[first % adjectives.length], nouns[second % nouns.length]]
  return `${adjective}-${noun}-${mark.replaceAll(/[-_]/g, 'x').slice(0, 6)}`
}

/** A time as far from the moment of the examples as it was from `now`: to the minute, the day, or the month. */
function moved(time: number, now: number): number {
  if (isMonthStart(time)) return shiftMonths(exampleTime, monthsBetween(now, time))
  if (time % day === 0) return (Math.floor(time / day) - Math.floor(now / day) + Math.floor(exampleTime / day)) * day
  return Math.floor((time - now) / minute) * minute + exampleTime
}

function isMonthStart(time: number): boolean {
  return time % day === 0 && new Date(time * 1000).getUTCDate() === 1
}

function monthsBetween(from: number, to: number): number {
  const [a, b] = [new Date(from * 1000), new Date(to * 1000)]
  return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth()
}

function shiftMonths(time: number, months: number): number {
  const date = new Date(time * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months) / 1000
}

function monthOf(time: number): string {
  return new Date(time * 1000).toISOString().slice(0, 7)
}
