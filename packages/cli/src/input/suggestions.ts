/** Says which known word somebody probably meant. */
import { nearest } from '../output/rows/nearest.ts'

/** A sentence about an unknown word: with the nearest known one, otherwise with all. */
export function unknownWord(what: string, typed: string, known: readonly string[]): string {
  const [near] = nearest(typed, known)
  const hint = near === undefined ? `Known ones: ${known.join(', ')}.` : `Did you mean ${near}?`
  return `"${typed}" is not a known ${what}. ${hint}`
}
