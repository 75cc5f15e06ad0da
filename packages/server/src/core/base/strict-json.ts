/**
 * A strict JSON parser for requests. JSON.parse keeps the last of two members with the same name, rounds long numbers
 * and accepts lone surrogates. This parser refuses every text that two parsers may read differently. One pass over the
 * text finds the defects that the parsed value no longer shows; JSON.parse decides whether the text is JSON at all.
 */
import { isUtf8 } from 'node:buffer'

/** The value, or the code and message of the refusal and the path of an invalid number. Messages contain no values. */
type StrictJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: StrictJsonDefect; readonly message: string; readonly field?: string }

/** `unknown_field` is the code for the member `__proto__`, which no schema has and which is dangerous to copy. */
export type StrictJsonDefect =
  | 'invalid_json'
  | 'invalid_type'
  | 'out_of_range'
  | 'too_long'
  | 'too_many'
  | 'unknown_field'

type Defect = StrictJson & { ok: false }
type Scan = { members: number; values: number; number: Defect | undefined; failure: Defect | undefined }

/** What a text may hold at most. Beyond it, the text is refused before it is parsed. */
export type JsonLimits = {
  /** The most commas and opening brackets outside of strings: there are never more values than that and one. */
  readonly values_max: number
  /** The longest string, in characters as they are written. */
  readonly string_length_max: number
}

const usualLimits: JsonLimits = { values_max: 1024, string_length_max: Number.POSITIVE_INFINITY }
/** Texts with more values are not parsed a second time to find the path of a number. */
const pathValuesMax = 4096
/** Longer numbers are refused before JSON.parse sees them: converting them takes time, and no path is worth it. */
const numberLengthMax = 1000

/** The deepest nesting of objects and arrays. */
const depthMax = 32
const fieldLengthMax = 255
const longestWhole = String(Number.MAX_SAFE_INTEGER)

const space = 0x20
const quote = 0x22
const minus = 0x2d
const zero = 0x30
const nine = 0x39
const colon = 0x3a
const comma = 0x2c
const backslash = 0x5c
const openArray = 0x5b
const closeArray = 0x5d
const letterU = 0x75
const letterA = 0x61
const letterF = 0x66
/** Converts a letter to lower case, and leaves digits as they are. */
const lowerCase = 0x20
const openObject = 0x7b
const closeObject = 0x7d

const notUtf8 = defect('invalid_json', 'The JSON text is not valid UTF-8.')
const notJson = defect('invalid_json', 'The text is not valid JSON.')
const tooDeep = defect('invalid_json', `The JSON text is nested deeper than ${depthMax} levels.`)
const duplicate = defect('invalid_json', 'An object of the JSON text has two members with the same name.')
const nul = defect('invalid_json', 'A string of the JSON text contains the character U+0000.')
const loneSurrogate = defect('invalid_json', 'A string of the JSON text contains a lone surrogate.')
const notWhole = defect('invalid_type', 'Numbers must be whole, without fraction or exponent.')
const tooLarge = defect('out_of_range', `Numbers must lie between -${longestWhole} and ${longestWhole}.`)
const tooMany = defect('too_many', 'The JSON text has more values than any valid text here.')
const tooLong = defect('too_long', 'A string of the JSON text is longer than any valid string here.')
const longNumber = defect('out_of_range', 'A number of the JSON text has more than 1,000 characters.')
const protoMember = defect('unknown_field', 'The name __proto__ is not allowed.')

/**
 * Parses a JSON text: UTF-8 without byte order mark, at most 32 levels deep, without duplicate members, U+0000 or lone
 * surrogates, and with integers only, of an absolute value below 2^53. The limits bound the work: parsing and
 * validating a text costs more for each value than for each byte.
 */
export function parseStrictJson(bytes: Buffer, limits: JsonLimits = usualLimits): StrictJson {
  if (!isUtf8(bytes)) return notUtf8
  const text = bytes.toString('utf8')
  const { members, values, number, failure } = scan(text, limits)
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
  if (number === undefined) return { ok: true, value }
  return values > pathValuesMax ? number : { ...number, ...pathOfBadNumber(text) }
}

// The result is correct for texts that are JSON. Other texts need no correct result, because JSON.parse refuses them.
function scan(text: string, { values_max, string_length_max }: JsonLimits): Scan {
  const found: Scan = { members: 0, values: 0, number: undefined, failure: undefined }
  let depth = 0
  let escaped = nextEscape(text, 0)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code <= space) continue
    if (code === quote) {
      let end = text.indexOf('"', i + 1)
      if (escaped < end) {
        end = endOfString(text, i + 1, found, string_length_max)
        if (found.failure !== undefined) return found
        escaped = nextEscape(text, end)
      }
      if (end === -1) return found
      if (end - i - 1 > string_length_max) return { ...found, failure: tooLong }
      i = end
    } else if (code === colon) {
      found.members++
    } else if (code === comma) {
      if (++found.values > values_max) return { ...found, failure: tooMany }
    } else if (code === openObject || code === openArray) {
      if (++depth > depthMax) return { ...found, failure: tooDeep }
      if (++found.values > values_max) return { ...found, failure: tooMany }
    } else if (code === closeObject || code === closeArray) {
      depth--
    } else if (isNumeric(code)) {
      const end = endOfNumber(text, i + 1)
      if (end - i > numberLengthMax) return { ...found, failure: longNumber }
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
function endOfString(text: string, start: number, found: Scan, lengthMax: number): number {
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) return i
    if (code !== backslash) continue
    if (i - start > lengthMax) {
      found.failure = tooLong
      return -1
    }
    i++
    if (text.charCodeAt(i) !== letterU) continue
    const unit = codeUnit(text, i + 1)
    if (unit === 0) found.failure = nul
    if (isHighSurrogate(unit) && text.startsWith('\\u', i + 5) && isLowSurrogate(codeUnit(text, i + 7))) i += 6
    else if (isHighSurrogate(unit) || isLowSurrogate(unit)) found.failure = loneSurrogate
    if (found.failure !== undefined) return -1
    i += 4
  }
  return -1
}

// NaN where four hexadecimal digits are missing. A slice and a regular expression take ten times as long.
function codeUnit(text: string, at: number): number {
  let unit = 0
  for (let i = at; i < at + 4; i++) unit = unit * 16 + hexadecimal(text.charCodeAt(i))
  return unit
}

function hexadecimal(code: number): number {
  if (code >= zero && code <= nine) return code - zero
  const letter = code | lowerCase
  return letter >= letterA && letter <= letterF ? letter - letterA + 10 : Number.NaN
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

function isNumeric(code: number): boolean {
  return (code >= zero && code <= nine) || code === minus
}

// The end of a number, or a place in it where it is too long already.
function endOfNumber(text: string, start: number): number {
  const last = Math.min(text.length, start + numberLengthMax)
  let end = start
  while (end < last && isPartOfNumber(text.charCodeAt(end))) end++
  return end
}

function isPartOfNumber(code: number): boolean {
  return isNumeric(code) || code === 0x2b || code === 0x2e || code === 0x45 || code === 0x65
}

function checkNumber(text: string, start: number, end: number): Defect | undefined {
  const digits = text.charCodeAt(start) === minus ? start + 1 : start
  for (let i = digits; i < end; i++) if (!isNumeric(text.charCodeAt(i))) return notWhole
  const length = end - digits
  if (length < longestWhole.length) return undefined
  return length > longestWhole.length || text.slice(digits, end) > longestWhole ? tooLarge : undefined
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
  const field = path.slice(1).join('.').slice(0, fieldLengthMax)
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
