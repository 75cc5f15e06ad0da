// Generated names. These functions do not check whether a name is free: on a conflict the caller draws again.

import type { RefusalData } from '../../core/base/refusal.ts'
import { adjectives, nouns } from './words.rules.ts'

/** Draws a whole number from 0 up to, not including, its argument. */
type DrawInteger = (maxExclusive: number) => number

/** The template for requests without a name and a template (docs/concepts/instances.md, "Names"). */
export const defaultNameTemplate = '{{adjective}}-{{noun}}-{{nanoid(6)}}'

/** The maximum lengths, in characters, of a template, of a name made from it, and of a word in that name. */
const templateLengthMax = 512
const nameLengthMax = 255
const wordLengthMax = 12

const variable = /\{\{([^{}]*)\}\}/g
const nanoidPattern = /^nanoid\(([1-9]|1[0-9]|2[01])\)$/
const literal = /^[a-zA-Z0-9._-]*$/
const lettersAndDigits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A part of a template: literal text or a variable. */
type TemplatePiece = { readonly text: string } | { readonly word: 'adjective' | 'noun' } | { readonly nanoid: number }

/** Refuses an invalid name template: `too_long` or `invalid_format` on the field. */
export function refuseNameTemplate(template: string, field: string): RefusalData | undefined {
  if (template.length > templateLengthMax) {
    return { code: 'too_long', field, message: `A name template has at most ${templateLengthMax} characters.` }
  }
  const pieces = piecesOf(template)
  if (typeof pieces === 'string') return { code: 'invalid_format', field, message: pieces }
  const longest = pieces.reduce((length, piece) => length + longestOf(piece), 0)
  if (longest > nameLengthMax) {
    const message = `A name from this template can have ${longest} characters. The limit is ${nameLengthMax}.`
    return { code: 'too_long', field, message }
  }
  return undefined
}

/** Makes a name from a template that {@link refuseNameTemplate} accepts. Equal draws give equal names. */
export function nameFromTemplate(template: string, draw: DrawInteger): string {
  const pieces = piecesOf(template)
  if (typeof pieces === 'string') throw new Error(`The name template ${template} is invalid: ${pieces}`)
  return pieces.map((piece) => expand(piece, draw)).join('')
}

function expand(piece: TemplatePiece, draw: DrawInteger): string {
  if ('text' in piece) return piece.text
  if ('nanoid' in piece) {
    return Array.from({ length: piece.nanoid }, () => lettersAndDigits[draw(lettersAndDigits.length)]).join('')
  }
  const list = piece.word === 'adjective' ? adjectives : nouns
  return list[draw(list.length)] as string
}

function longestOf(piece: TemplatePiece): number {
  if ('text' in piece) return piece.text.length
  return 'nanoid' in piece ? piece.nanoid : wordLengthMax
}

/** Parses a template. Returns a message if it is invalid. */
function piecesOf(template: string): TemplatePiece[] | string {
  const pieces: TemplatePiece[] = []
  let end = 0
  for (const match of template.matchAll(variable)) {
    if (match.index > end) pieces.push({ text: template.slice(end, match.index) })
    const variable = variableOf(match[1] as string)
    if (!variable) return `There is no variable ${match[0]}; nanoid takes a length from 1 to 21.`
    pieces.push(variable)
    end = match.index + match[0].length
  }
  if (end === 0) return 'A name template must contain a variable: {{adjective}}, {{noun}} or {{nanoid(N)}}.'
  if (end < template.length) pieces.push({ text: template.slice(end) })
  if (pieces.some((piece) => 'text' in piece && !literal.test(piece.text))) {
    return 'Outside its variables, a name template has only letters, digits, dots, hyphens and underscores.'
  }
  const [first] = pieces
  if (first && 'text' in first && !/^[a-zA-Z0-9]/.test(first.text)) return 'A name begins with a letter or a digit.'
  return pieces
}

function variableOf(name: string): TemplatePiece | undefined {
  if (name === 'adjective' || name === 'noun') return { word: name }
  const nanoid = nanoidPattern.exec(name)
  return nanoid ? { nanoid: Number(nanoid[1]) } : undefined
}
