/** The words of times and windows: which of a text are none of them, and what was probably meant. */

import { isZone } from '../time/local-zone.ts'
import { dayWords, monthNames, months, weekdays } from './calendar-words.ts'
import { spanWords } from './spans.ts'

const others =
  'now in ago for from until till to at on and this next last tonight weekend noon midnight am pm utc gmt z t ' +
  'onward onwards never forever'
const known: ReadonlySet<string> = new Set(
  [
    others.split(' '),
    Object.keys(dayWords),
    weekdays.flatMap((name) => [name, name.slice(0, 3)]),
    months,
    monthNames,
    spanWords,
  ].flat(),
)

/** A word that means nothing in a window, and the known one that is like it. */
export type UnknownWord = { readonly word: string; readonly near?: string }

/** The words of a text that the grammar of windows does not have. */
export function unknownWords(text: string): readonly UnknownWord[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '' && !isKnown(word))
  return words.map((word) => {
    const near = nearest(word.toLowerCase())
    return { word, ...(near === undefined ? {} : { near }) }
  })
}

/** A number with units, a date and a sign have letters between their other marks. */
function isKnown(word: string): boolean {
  if (word.includes('/')) return isZone(word) || /^[\dT:Z/-]+$/.test(word)
  const letters = word.toLowerCase().match(/\p{L}+/gu) ?? []
  return letters.every((part) => known.has(part))
}

/** The known word with the same first letter that differs least: by two letters, in short words by one. */
function nearest(word: string): string | undefined {
  const most = word.length < 5 ? 1 : 2
  const near = [...known]
    .filter((one) => one.length > 2 && one[0] === word[0])
    .map((one) => ({ one, changes: changesOf(word, one) }))
    .filter(({ changes }) => changes <= most)
    .toSorted((a, b) => a.changes - b.changes)
  return near[0]?.one
}

/** How many letters are to be changed, added or left out. */
function changesOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
