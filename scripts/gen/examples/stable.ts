/** Makes recorded values the same in each run: what is drawn is named by the call that first shows it, and where. */
import { createHash } from 'node:crypto'
import { kinds } from '../../../packages/api/src/kit/ids.ts'
import * as words from '../../../packages/server/src/iam/names/words.rules.ts'

/** The moment at which all examples are recorded: Monday 2026-11-23, 09:00 UTC. */
export const exampleTime = Date.UTC(2026, 10, 23, 9) / 1000

/** The longest list that an example shows. */
const entriesMax = 2

/** A name as the server makes it: of its words and six letters, which may all be small ones. */
const drawnName = new RegExp(`\\b(?:${words.adjectives.join('|')})-(?:${words.nouns.join('|')})-[0-9A-Za-z]{6}\\b`, 'g')
const prefixes = Object.values(kinds).map(({ prefix }) => prefix)
const adjectives = ['amber', 'brisk', 'candid', 'dapper', 'eager', 'gentle', 'humble', 'lucid', 'mellow', 'nimble']
/** Letters that are not taken for others. */
const codeLetters = 'BCDFGHJKLMNPQRSTVWXZ'
const nouns = ['falcon', 'harbor', 'lantern', 'meadow', 'orchard', 'pebble', 'river', 'sparrow', 'thicket', 'willow']

/** Creates a function that makes values stable. A name holds for all values that come later. */
export function stabiliser(): (value: unknown, call: string) => unknown {
  const known = new Map<string, string>()
  /** Calls may come and go, so that a name depends on no other call than the one that first shows the text. */
  const namesAt = (place: string): Names => {
    let number = 0
    return (text, length) => {
      const found = known.get(text) ?? digestOf(`${place} ${++number}`, 'base64url').slice(0, length)
      known.set(text, found)
      return found
    }
  }
  const stable = (value: unknown, place: string, key = ''): unknown => {
    const own = fixed[key]
    if (own !== undefined && !Array.isArray(value)) return own
    // The wait before another attempt is drawn.
    if (key === 'next_attempt_at' && typeof value === 'number' && value > exampleTime) return exampleTime + 5
    if (Array.isArray(value)) return value.slice(0, entriesMax).map((entry, n) => stable(entry, `${place}.${n}`))
    if (typeof value === 'string') return stableText(value, key, namesAt(place))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const shown = replaceDrawn(name, namesAt(`${place} ${name}`))
        return [shown, stable(member, `${place}.${shown}`, name)]
      }),
    )
  }
  return stable
}

type Names = (text: string, length: number) => string
type Replace = (found: string) => string

function stableText(value: string, key: string, names: Names): string {
  const own = ofKey[key]
  if (own) return own(value, names)
  return key === 'data' ? inBase64(value, (text) => replaceDrawn(text, names)) : replaceDrawn(value, names)
}

function replaceDrawn(value: string, names: Names): string {
  let shown = value
  for (const [form, replace] of textRules(names)) shown = shown.replaceAll(form, replace)
  return shown
}

function digestOf(text: string, encoding: 'base64url' | 'hex'): string {
  return createHash('sha256').update(text).digest(encoding)
}

/** Members that differ in each run and are recognised by their names alone. */
const ofKey: Readonly<Record<string, (value: string, names: Names) => string>> = {
  suffix: (value, names) => names(value, 6),
  commit: () => '4f2c1e7',
  fair_price_dollars_per_node_hour: () => '18.204411',
  sha256: (value, names) => digestOf(names(value, 8), 'hex'),
  device_code: (value, names) => names(value, 43),
  request_id: (value, names) => `req_${names(value, 21)}`,
}
/** Members that are drawn, or depend on how far the work of the server has come, or on how its bytes are stored. */
const fixed: Readonly<Record<string, number | null>> = {
  next_due_at: exampleTime + 960,
  duration_ms: 23,
  last_failure_at: null,
  supplier_arrives_at: exampleTime + 201_600,
  supplier_fails_at: exampleTime + 111_600,
  size_bytes: 1_610_612_736,
}

function inBase64(value: string, text: (value: string) => string): string {
  return Buffer.from(text(Buffer.from(value, 'base64').toString())).toString('base64')
}

function textRules(names: Names): [form: RegExp, replace: Replace][] {
  const name = (length: number) => (found: string) => names(found, length)
  return [
    [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, (token) => `eyJhbGciOiJFZERTQSJ9.${names(token, 24)}.signature`],
    [/(?<=\b(?:whsec_|whpk_))[\w+/=-]+/g, (secret) => `${names(secret, 43)}=`],
    [/\bbhe_[0-9A-Za-z_-]{40,}/g, (token) => `bhe_${names(token, 43)}`],
    [/(?<=\/sign-in\/)[\w.-]{40,}/g, (link) => `${names(link, 22)}.signature`],
    [/(?<=signature=)[0-9a-f]{64}/g, (mark) => digestOf(names(mark, 8), 'hex')],
    // The name of a member may begin like a cursor: public_prices_exclude_related.
    [/(?<=\b[a-z]{2,6}c_)(?=[0-9a-z_]*[A-Z-])[0-9A-Za-z_-]{22,}/g, name(24)],
    [new RegExp(`(?<=\\b(?:${prefixes.join('|')})_)[0-9A-Za-z_-]{21}(?![0-9A-Za-z_-])`, 'g'), name(21)],
    [drawnName, (found) => generated(names(found, 12))],
    [/\b[A-Z]{4}-[A-Z]{4}\b/g, (code) => lettersOf(names(code, 12))],
    [/http:\/\/127\.0\.0\.1:\d+/g, () => 'https://bourse.example'],
  ]
}

/** A code that a person types, from a text that stands for it. */
function lettersOf(mark: string): string {
  const letters = [...createHash('sha256').update(mark).digest().subarray(0, 8)].map(
    (byte) => codeLetters[byte % codeLetters.length],
  )
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
}

/** A name as the server generates it, from a text that stands for it. */
function generated(mark: string): string {
  const [first = 0, second = 0] = createHash('sha256').update(mark).digest()
  const [adjective, noun] = [adjectives[first % adjectives.length], nouns[second % nouns.length]]
  return `${adjective}-${noun}-${mark.replaceAll(/[-_]/g, 'x').slice(0, 6)}`
}
