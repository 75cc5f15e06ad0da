/**
 * A strict JSON parser for requests. JSON.parse keeps the last of two members with the same name, rounds long numbers
 * and accepts lone surrogates. This parser refuses every text that two parsers may read differently. One pass over the
 * text finds the defects that the parsed value no longer shows; JSON.parse decides whether the text is JSON at all.
 */
import { isUtf8 } from 'node:buffer'

/** The value, or the code and message of the refusal and the path of an invalid number. Messages contain no values. */
export type StrictJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: StrictJsonDefect; readonly message: string; readonly field?: string }

/** `unknown_field` is the code for the member `__proto__`, which no schema has and which is dangerous to copy. */
export type StrictJsonDefect = 'invalid_json' | 'invalid_type' | 'out_of_range' | 'unknown_field'

type Defect = StrictJson & { ok: false }
type Scan = { members: number; number: Defect | undefined; failure: Defect | undefined }

/** The deepest nesting of objects and arrays. */
const DEPTH_MAX = 32
const FIELD_LENGTH_MAX = 255
const LONGEST_WHOLE = String(Number.MAX_SAFE_INTEGER)

const QUOTE = 0x22
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const LETTER_U = 0x75
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

const notUtf8 = defect('invalid_json', 'The JSON text is not valid UTF-8.')
const notJson = defect('invalid_json', 'The text is not valid JSON.')
const tooDeep = defect('invalid_json', `The JSON text is nested deeper than ${DEPTH_MAX} levels.`)
const duplicate = defect('invalid_json', 'An object of the JSON text has two members with the same name.')
const nul = defect('invalid_json', 'A string of the JSON text contains the character U+0000.')
const loneSurrogate = defect('invalid_json', 'A string of the JSON text contains a lone surrogate.')
const notWhole = defect('invalid_type', 'Numbers must be whole, without fraction or exponent.')
const tooLarge = defect('out_of_range', `Numbers must lie between -${LONGEST_WHOLE} and ${LONGEST_WHOLE}.`)
const protoMember = defect('unknown_field', 'The name __proto__ is not allowed.')

/**
 * Parses a JSON text: UTF-8 without byte order mark, at most 32 levels deep, without duplicate members, U+0000 or lone
 * surrogates, and with integers only, of an absolute value below 2^53.
 */
export function parseStrictJson(bytes: Buffer): StrictJson {
  if (!isUtf8(bytes)) return notUtf8
  const text = bytes.toString('utf8')
  const { members, number, failure } = scan(text)
  if (failure !== undefined) return failure
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return notJson
  }
  // Every member has one colon outside strings. Where two members share a name, there are fewer members than colons.
  const kept = members === 0 ? 0 : countMembers(value)
  if (Number.isNaN(kept)) return protoMember
  if (kept !== members) return duplicate
  return number === undefined ? { ok: true, value } : { ...number, ...pathOfBadNumber(text) }
}

// The result is correct for texts that are JSON. Other texts need no correct result, because JSON.parse refuses them.
function scan(text: string): Scan {
  const found: Scan = { members: 0, number: undefined, failure: undefined }
  let depth = 0
  let escaped = nextEscape(text, 0)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) {
      let end = text.indexOf('"', i + 1)
      if (escaped < end) {
        end = endOfString(text, i + 1, found)
        if (found.failure !== undefined) return found
        escaped = nextEscape(text, end)
      }
      if (end === -1) return found
      i = end
    } else if (code === COLON) {
      found.members++
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      if (++depth > DEPTH_MAX) return { ...found, failure: tooDeep }
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      depth--
    } else if (isNumeric(code)) {
      const end = endOfNumber(text, i + 1)
      found.number ??= checkNumber(text, i, end)
      i = end - 1
    }
  }
  return found
}

function nextEscape(text: string, from: number): number {
  const at = from === -1 ? -1 : text.indexOf('\\', from)
  return at === -1 ? Number.POSITIVE_INFINITY : at
}

// The index of the closing quote of a string with escapes, or -1.
function endOfString(text: string, start: number, found: Scan): number {
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) return i
    if (code !== BACKSLASH) continue
    i++
    if (text.charCodeAt(i) !== LETTER_U) continue
    const unit = codeUnit(text, i + 1)
    if (unit === 0) found.failure = nul
    if (isHighSurrogate(unit) && text.startsWith('\\u', i + 5) && isLowSurrogate(codeUnit(text, i + 7))) i += 6
    else if (isHighSurrogate(unit) || isLowSurrogate(unit)) found.failure = loneSurrogate
    if (found.failure !== undefined) return -1
    i += 4
  }
  return -1
}

function codeUnit(text: string, at: number): number {
  const digits = text.slice(at, at + 4)
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

function isNumeric(code: number): boolean {
  return (code >= ZERO && code <= NINE) || code === MINUS
}

function endOfNumber(text: string, start: number): number {
  let end = start
  while (end < text.length && isPartOfNumber(text.charCodeAt(end))) end++
  return end
}

function isPartOfNumber(code: number): boolean {
  return isNumeric(code) || code === 0x2b || code === 0x2e || code === 0x45 || code === 0x65
}

function checkNumber(text: string, start: number, end: number): Defect | undefined {
  const digits = text.charCodeAt(start) === MINUS ? start + 1 : start
  for (let i = digits; i < end; i++) if (!isNumeric(text.charCodeAt(i))) return notWhole
  const length = end - digits
  if (length < LONGEST_WHOLE.length) return undefined
  return length > LONGEST_WHOLE.length || text.slice(digits, end) > LONGEST_WHOLE ? tooLarge : undefined
}

// Parses the text again, only where it is refused anyway. The reviver gets the source text of each number, innermost
// values first, so the path grows from the number towards the root.
function pathOfBadNumber(text: string): { field?: string } {
  let holder: unknown
  let path: string[] = []
  JSON.parse(text, function (this: unknown, name: string, value: unknown, written?: { source?: string }) {
    const source = typeof value === 'number' ? (written?.source ?? '') : ''
    if (holder === undefined ? checkNumber(source, 0, source.length) !== undefined : value === holder) {
      path = [name, ...path]
      holder = this
    }
    return value
  } as (name: string, value: unknown) => unknown)
  // The first element is the root, whose name is empty.
  const field = path.slice(1).join('.').slice(0, FIELD_LENGTH_MAX)
  return field === '' ? {} : { field }
}

// The number of members at all depths; NaN where one is named __proto__.
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let members = 0
  if (Array.isArray(value)) {
    for (const entry of value) members += countMembers(entry)
    return members
  }
  for (const name of Object.keys(value)) {
    if (name === '__proto__') return Number.NaN
    members += 1 + countMembers((value as Record<string, unknown>)[name])
  }
  return members
}

function defect(code: StrictJsonDefect, message: string): Defect {
  return Object.freeze({ ok: false, code, message })
}
