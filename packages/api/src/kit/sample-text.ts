/**
 * Generates text that matches a pattern. It supports the constructs that the contract uses: literals, classes, groups,
 * alternatives, counts, the escapes \d and \s, and look-aheads (which it ignores; the caller checks the result).
 */

/** The random source of samples: whole numbers from 0 up to, but not including, a bound. */
export type SampleRandom = { integer(maxExclusive: number): number }

type PatternPart =
  | { kind: 'characters'; set: string }
  | { kind: 'alternatives'; branches: Repeated[][] }
  | { kind: 'nothing' }
type Repeated = { part: PatternPart; least: number; most: number }
type Reader = { readonly pattern: string; at: number }

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')
const digits = '0123456789'
/** The most repetitions above the minimum of an unbounded count. */
const spare = 12

const parsed = new Map<string, PatternPart>()

/** Generates text for a pattern that begins with `^` and ends with `$`. */
export function sampleText(pattern: string, random: SampleRandom): string {
  let part = parsed.get(pattern)
  if (!part) {
    part = readAlternatives({ pattern, at: 0 })
    parsed.set(pattern, part)
  }
  return textOf(part, random)
}

function textOf(part: PatternPart, random: SampleRandom): string {
  if (part.kind === 'nothing') return ''
  if (part.kind === 'characters') return part.set.charAt(random.integer(part.set.length))
  const branch = part.branches[random.integer(part.branches.length)] ?? []
  return branch.map((repeated) => repeatedText(repeated, random)).join('')
}

function repeatedText({ part, least, most }: Repeated, random: SampleRandom): string {
  const times = least + random.integer(Math.min(most - least, spare) + 1)
  return Array.from({ length: times }, () => textOf(part, random)).join('')
}

function readAlternatives(reader: Reader): PatternPart {
  const branches: Repeated[][] = [[]]
  while (reader.at < reader.pattern.length && reader.pattern[reader.at] !== ')') {
    if (reader.pattern[reader.at] === '|') {
      reader.at += 1
      branches.push([])
      continue
    }
    const part = readPart(reader)
    branches.at(-1)?.push({ part, ...readCount(reader) })
  }
  return { kind: 'alternatives', branches }
}

function readPart(reader: Reader): PatternPart {
  const character = take(reader)
  switch (character) {
    case '^':
    case '$':
      return { kind: 'nothing' }
    case '(':
      return readGroup(reader)
    case '[':
      return { kind: 'characters', set: readClass(reader) }
    case '\\':
      return { kind: 'characters', set: escaped(take(reader)) }
    case '.':
      return { kind: 'characters', set: printable }
    default:
      return { kind: 'characters', set: character }
  }
}

function readGroup(reader: Reader): PatternPart {
  const isAhead = reader.pattern.startsWith('?=', reader.at) || reader.pattern.startsWith('?!', reader.at)
  if (isAhead || reader.pattern.startsWith('?:', reader.at)) reader.at += 2
  const part = readAlternatives(reader)
  reader.at += 1
  return isAhead ? { kind: 'nothing' } : part
}

function readClass(reader: Reader): string {
  const isNegated = reader.pattern[reader.at] === '^'
  if (isNegated) reader.at += 1
  let set = ''
  while (reader.pattern[reader.at] !== ']') {
    const from = take(reader)
    const isRange = reader.pattern[reader.at] === '-' && reader.pattern[reader.at + 1] !== ']'
    if (from === '\\') set += escaped(take(reader))
    else if (!isRange) set += from
    else {
      reader.at += 1
      set += range(from, take(reader))
    }
  }
  reader.at += 1
  return isNegated ? [...printable].filter((character) => !set.includes(character)).join('') : set
}

function readCount(reader: Reader): { least: number; most: number } {
  const rest = reader.pattern.slice(reader.at)
  const braces = /^\{(\d+)(,?)(\d*)\}/.exec(rest)
  if (braces) {
    reader.at += braces[0].length
    const least = Number(braces[1])
    return { least, most: braces[2] === '' ? least : braces[3] === '' ? least + spare : Number(braces[3]) }
  }
  const mark = rest.charAt(0)
  if (mark !== '*' && mark !== '+' && mark !== '?') return { least: 1, most: 1 }
  reader.at += 1
  return { least: mark === '+' ? 1 : 0, most: mark === '?' ? 1 : spare }
}

function take(reader: Reader): string {
  const character = reader.pattern.charAt(reader.at)
  reader.at += 1
  return character
}

function escaped(character: string): string {
  if (character === 'd') return digits
  return character === 's' ? ' ' : character
}

function range(from: string, to: string): string {
  const length = to.charCodeAt(0) - from.charCodeAt(0) + 1
  return Array.from({ length }, (_, index) => String.fromCharCode(from.charCodeAt(0) + index)).join('')
}
